"""GitHub's own OpenAPI description, cut down to what the program calls, and the judge that holds exchanges against it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from github.peer.server import Exchange

PATHS = (
    "/repos/{owner}/{repo}/pulls",
    "/repos/{owner}/{repo}/statuses/{sha}",
    "/repos/{owner}/{repo}/pulls/{pull_number}",
    "/repos/{owner}/{repo}/pulls/{pull_number}/files",
    "/repos/{owner}/{repo}/issues/{issue_number}/comments",
    "/repos/{owner}/{repo}/issues/comments/{comment_id}",
    "/repos/{owner}/{repo}/contents/{path}",
    "/repos/{owner}/{repo}/git/trees/{tree_sha}",
    "/repos/{owner}/{repo}/commits",
    "/repos/{owner}/{repo}/commits/{ref}",
    "/repos/{owner}/{repo}/collaborators/{username}/permission",
    "/repos/{owner}/{repo}/git/matching-refs/{ref}",
    "/repos/{owner}/{repo}/git/refs",
    "/repos/{owner}/{repo}/git/refs/{ref}",
    "/repos/{owner}/{repo}/git/trees",
    "/repos/{owner}/{repo}/git/commits",
    "/repos/{owner}/{repo}/git/commits/{commit_sha}",
    "/repos/{owner}/{repo}/git/blobs/{file_sha}",
    "/repos/{owner}/{repo}/rules/branches/{branch}",
    "/repos/{owner}/{repo}/actions/artifacts",
    "/repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
    "/repos/{owner}/{repo}/actions/runs/{run_id}",
    "/repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
    "/repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
    "/repos/{owner}/{repo}/compare/{basehead}",
    "/repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
    "/user",
)
"""Every REST path that the program uses; a call of another one is a violation."""


def trimmed(whole: dict[str, Any], paths: Iterable[str] = PATHS) -> dict[str, Any]:
    """Keep `paths` and every component they lead to."""
    kept = {path: whole["paths"][path] for path in paths}
    components: dict[str, dict[str, Any]] = {}
    todo: list[Any] = [kept]
    while todo:
        here = todo.pop()
        if isinstance(here, list):
            todo.extend(here)
        if not isinstance(here, dict):
            continue
        # Examples are most of the weight and bind nobody; one of them has a field called `$ref`.
        here.pop("examples", None)
        here.pop("x-github", None)
        here.pop(
            "discriminator", None
        )  # one of them asks a list for its `type`; the alternatives tell themselves apart
        if here.get("nullable") and isinstance(here.get("enum"), list) and None not in here["enum"]:
            here["enum"].append(None)  # GitHub says "or null" beside the list, and does not mean it otherwise
        reference = here.get("$ref")
        if isinstance(reference, str):
            _, _, kind, name = reference.split("/", 3)
            if name not in components.setdefault(kind, {}):
                components[kind][name] = whole["components"][kind][name]
                todo.append(components[kind][name])
        todo.extend(here.values())
    head = {key: whole[key] for key in ("openapi", "info", "servers") if key in whole}
    return head | {"paths": kept, "components": components}


def write_trimmed(source: Path, target: Path) -> None:
    target.write_text(json.dumps(trimmed(json.loads(source.read_text())), sort_keys=True))


class Judge:
    """Holds exchanges against the description."""

    def __init__(self, description: Path) -> None:
        from openapi_core import Config, OpenAPI

        # The description itself is GitHub's business; checking it takes minutes.
        config = Config(spec_validator_cls=None)  # type: ignore[arg-type]  # None is meant for this; the hint forgot it
        self._api = OpenAPI.from_dict(json.loads(description.read_text()), config=config)
        self._seen: set[tuple[Any, ...]] = set()
        self._home = description.parent
        self._schema: subprocess.Popen[str] | None = None

    def close(self) -> None:
        if self._schema is not None:
            self._schema.communicate()

    def violations(self, exchanges: Iterable[Exchange], prefix: str) -> list[str]:
        """Say what is wrong with each exchange; faults' answers are ours and are not judged."""
        found = []
        for one in exchanges:
            path = one.path[len(prefix) :]
            if path.endswith("/graphql") or one.path.endswith("/graphql"):
                found += self._judge_graphql(one)
                continue
            key = (one.method, path, urlencode(one.query), one.body, one.status, one.answer)
            if key not in self._seen:
                self._seen.add(key)
                found += self._judge(one, path)
        return found

    def _judge(self, one: Exchange, path: str) -> list[str]:
        from openapi_core.exceptions import OpenAPIError
        from openapi_core.testing import MockRequest, MockResponse

        request = MockRequest(
            "https://api.github.com",
            one.method.lower(),
            path,
            args=one.query,
            headers=one.headers,
            data=one.body,
            content_type=one.headers.get("content-type", "application/json").partition(";")[0],
        )
        try:
            self._api.validate_request(request)
            if not one.faulty and 200 <= one.status < 300 and one.status != 204:
                self._api.validate_response(request, MockResponse(one.answer, one.status))
        except OpenAPIError as error:
            causes = getattr(error.__cause__, "schema_errors", None) or [error.__cause__ or error]
            return [f"{one.method} {path} -> {one.status}: {type(error).__name__}: {str(why)[:400]}" for why in causes]
        return []

    def _judge_graphql(self, one: Exchange) -> list[str]:
        """Hold a question, and the answer where it is the peer's own, against GitHub's schema."""
        try:
            sent, answer = json.loads(one.body), {} if one.faulty else json.loads(one.answer)
        except ValueError:
            return [f"{one.call}: not JSON"]
        if self._schema is None:
            command = ["node", str(Path(__file__).with_name("graphql_judge.cjs")), str(self._home)]
            self._schema = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        talk = self._schema
        assert talk.stdin is not None
        assert talk.stdout is not None
        asked = {"query": sent.get("query"), "variables": sent.get("variables"), "data": answer.get("data")}
        talk.stdin.write(json.dumps(asked) + "\n")
        talk.stdin.flush()
        return [f"{one.call}: {said[:400]}" for said in json.loads(talk.stdout.readline())]
