"""The judge of our own peer is awake, and the description holds every path that the program calls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from github.conftest import node_packages
from github.peer.description import PATHS, Judge
from github.peer.server import Exchange

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMENTS = "/repos/octo/evals/issues/7/comments"


@pytest.fixture(scope="module")
def awake() -> Iterator[Judge]:
    judge = Judge(node_packages() / "github.json")
    yield judge
    judge.close()


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


OPENED = "query($o: String!) { repository(owner: $o, name: $o) { pullRequest(number: 7) { createdAt } } }"
TIME = "2026-01-02T03:04:05Z"


def question(query: str, pull: object, **variables: str) -> Exchange:
    answer = {"data": {"repository": {"pullRequest": pull}}}
    return exchange("POST", "/graphql", {"query": query, "variables": variables}, 200, answer)


@pytest.mark.parametrize(
    "wrong",
    [
        question("query {", None),
        question(OPENED.replace("createdAt", "createdWhen"), {"createdWhen": TIME}, o="octo"),
        question(OPENED, {"createdAt": TIME}),
        question(OPENED, {"createdAt": None}, o="octo"),
        question(OPENED, {"createdAt": TIME, "body": "not asked for"}, o="octo"),
    ],
    ids=["no question", "unknown field", "missing variable", "null where it may not be", "more than was asked"],
)
def test_what_githubs_schema_does_not_know_is_a_violation(awake: Judge, wrong: Exchange) -> None:
    assert len(awake.violations([wrong], "")) >= 1


def test_what_githubs_schema_knows_is_none(awake: Judge) -> None:
    assert awake.violations([question(OPENED, {"createdAt": TIME}, o="octo")], "") == []


def test_every_path_is_in_the_description() -> None:
    described = json.loads((node_packages() / "github.json").read_text())["paths"]
    assert sorted(described) == sorted(PATHS)
