"""The judge of our own peer is awake, and the description holds every path that the program calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from github.conftest import node_packages
from github.peer.description import PATHS, Judge
from github.peer.server import Exchange

COMMENTS = "/repos/octo/evals/issues/7/comments"


@pytest.fixture
def awake() -> Judge:
    return Judge(node_packages() / "github.json")


def exchange(method: str, path: str, body: Any = None, status: int = 200, answer: Any = None) -> Exchange:
    sent = b"" if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"} if sent else {}
    return Exchange(method, path, {}, headers, sent, status, json.dumps(answer).encode(), False)


@pytest.mark.parametrize(
    "wrong",
    [
        exchange("POST", COMMENTS, {"bodyy": "x"}, 422),
        exchange("POST", COMMENTS, {"body": 7}, 422),
        exchange("GET", "/repos/octo/evals/issues/seven/comments", status=404),
        exchange("GET", "/repos/octo/evals/no-such-thing", status=404),
        exchange("GET", COMMENTS, status=200, answer=[{"id": "x"}]),
        exchange("GET", "/repos/octo/evals/pulls/7", status=200, answer={}),
    ],
    ids=lambda one: one.call,
)
def test_what_github_does_not_describe_is_a_violation(awake: Judge, wrong: Exchange) -> None:
    assert len(awake.violations([wrong], "")) >= 1


def test_what_github_describes_is_none(awake: Judge) -> None:
    assert awake.violations([exchange("POST", COMMENTS, {"body": "x"}, 404)], "") == []


def test_every_path_is_in_the_description() -> None:
    described = json.loads((node_packages() / "github.json").read_text())["paths"]
    assert sorted(described) == sorted(PATHS)
