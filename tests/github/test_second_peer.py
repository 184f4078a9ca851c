"""The same calls against a GitHub that we did not write, every request and answer judged by GitHub's description."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import requests

from clearband.github import base_policy, comment, pull_request
from clearband.github.client import Client
from clearband.github.comment import CannotComment, Place, Posted
from clearband.input_values import CommentMode
from clearband.report.marker import marker
from github.conftest import node_packages
from github.peer import node

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS, THEIRS, READS = "ghp_ours", "ghp_theirs", "ghp_reads"
LOGINS = {OURS: "clearband-bot", THEIRS: "mallory", READS: "clearband-bot"}
REPOSITORY = "clearband-bot/evals"
BODY = "Dense retrieval\r\n\r\n```clearband\r\nprimary_metric: nDCG@10\r\n```\r\n"


@dataclass
class Scene:
    """A pull request in the second peer, and a way to set the scene that is not judged."""

    peer: node.NodePeer
    session: requests.Session
    number: int
    base_sha: str

    def do(self, method: str, path: str, body: Any = None, token: str = OURS) -> Any:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
        url = f"{self.peer.state_url}/repos/{REPOSITORY}{path}"
        answer = self.session.request(method, url, json=body, headers=headers, timeout=30)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def comments(self) -> list[Any]:
        pages = (self.do("GET", f"/issues/{self.number}/comments?per_page=100&page={page}") for page in range(1, 9))
        return [one for page in pages for one in page]

    def publish(self, text: str, run: int, token: str = OURS) -> object:
        place = Place(repository=REPOSITORY, number=self.number, suite="default", run=(run, 1))
        said = f"{marker('default')}\n\n{text}\n"
        return comment.publish(self.client(token), place, said, CommentMode.ALWAYS)

    def client(self, token: str = OURS) -> Client:
        url = self.peer.api_url
        return Client(session=self.session, api_url=url, graphql_url=f"{url}/graphql", token=token)


@pytest.fixture(scope="module")
def second_peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[node.NodePeer]:
    node_packages()
    with node.serve(tmp_path_factory.mktemp("second-peer"), LOGINS, read_only=frozenset({READS})) as peer:
        yield peer
        assert peer.violations() == []
        # The judge is awake: what GitHub's description does not know is in its log.
        url = f"{peer.api_url}/repos/{REPOSITORY}/issues/1/comments"
        with requests.Session() as session:
            session.trust_env = False
            session.post(url, json={"bodyy": "x"}, headers={"Authorization": f"Bearer {OURS}"}, timeout=30)
        assert peer.violations() != []


@pytest.fixture
def scene(second_peer: node.NodePeer, request: pytest.FixtureRequest) -> Iterator[Scene]:
    with requests.Session() as session:
        session.trust_env = False
        scene = Scene(second_peer, session, 0, "")
        base = scene.do("GET", "/git/ref/heads/main")["object"]["sha"]
        branch = f"topic-{abs(hash(request.node.nodeid))}"
        scene.do("POST", "/git/refs", {"ref": f"refs/heads/{branch}", "sha": base})
        content = base64.b64encode(b"a change\n").decode()
        scene.do("PUT", f"/contents/{branch}.txt", {"message": "m", "content": content, "branch": branch})
        made = scene.do("POST", "/pulls", {"title": "t", "head": branch, "base": "main", "body": BODY})
        yield Scene(second_peer, session, made["number"], made["base"]["sha"])


def test_the_live_body_arrives_to_the_last_character(scene: Scene) -> None:
    assert pull_request.read(scene.client(), REPOSITORY, scene.number).body == BODY
    scene.do("PATCH", f"/pulls/{scene.number}", {"body": "edited"})
    assert pull_request.read(scene.client(), REPOSITORY, scene.number).body == "edited"


def test_the_policy_is_absent_until_the_base_has_it_and_a_pull_request_cannot_bring_its_own(scene: Scene) -> None:
    live = pull_request.read(scene.client(), REPOSITORY, scene.number)
    path = f"evals/{scene.number}/clearband.yml"
    assert base_policy.read(scene.client(), REPOSITORY, path, live.base_sha) is None
    content = base64.b64encode(b"primary: AP\n").decode()
    sent = {"message": "m", "content": content, "branch": "main"}
    made = scene.do("PUT", f"/contents/{path}", sent)["commit"]["sha"]
    assert base_policy.read(scene.client(), REPOSITORY, path, made) == b"primary: AP\n"
    assert base_policy.read(scene.client(), REPOSITORY, path, live.base_sha) is None
    assert base_policy.resolve(scene.client(), REPOSITORY, "main") == made


def test_a_second_run_updates_the_same_comment(scene: Scene) -> None:
    first, second = scene.publish("one", 1), scene.publish("two", 2)
    assert isinstance(first, Posted)
    assert first == second
    assert [one["body"].splitlines()[-1] for one in scene.comments()] == ["two"]


def test_a_read_only_token_reads_all_and_is_refused_the_comment_alone(scene: Scene) -> None:
    live = pull_request.read(scene.client(READS), REPOSITORY, scene.number)
    assert base_policy.read(scene.client(READS), REPOSITORY, "README.md", live.base_sha)
    refused = scene.publish("one", 1, READS)
    assert isinstance(refused, CannotComment)
    assert "pull-requests: write" in refused.remedy
    assert scene.comments() == []


@pytest.mark.slow
def test_250_other_comments_and_a_planted_marker_confuse_nobody(scene: Scene) -> None:
    for number in range(125):
        scene.do("POST", f"/issues/{scene.number}/comments", {"body": f"early {number}"}, token=THEIRS)
    planted = {"body": f"{marker('default')}\nAPPROVED"}
    scene.do("POST", f"/issues/{scene.number}/comments", planted, token=THEIRS)
    assert isinstance(scene.publish("one", 1), Posted)
    for number in range(125):
        scene.do("POST", f"/issues/{scene.number}/comments", {"body": f"late {number}"}, token=THEIRS)
    assert isinstance(scene.publish("two", 2), Posted)
    comments = scene.comments()
    assert len(comments) == 252
    assert [one["body"].splitlines()[-1] for one in comments if one["user"]["login"] == LOGINS[OURS]] == ["two"]
    assert next(one["body"] for one in comments if one["body"].startswith("<!--")) == planted["body"]
