"""The live pull request and the base commit's policy: read for certain, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from clearband.errors import UnusablePolicy
from clearband.github import base_policy, failures, pull_request
from clearband.github.client import Client
from github.peer import Fault, Identity, Peer, World

Connect = Callable[..., Client]
REPOSITORY, PATH = "octo/evals", ".github/clearband.yml"
POLICY = b"primary: nDCG@10\n"


class TestPullRequest:
    @pytest.mark.parametrize("body", [None, "", "**Primary metric:** `AP`\r\n", "\U0001f600 \u202e"])
    def test_the_body_is_the_live_one_to_the_last_character(
        self, peer: Peer, connect: Connect, body: str | None
    ) -> None:
        pull = peer.world.open_pull("an older body")
        pull.body = body
        live = pull_request.read(connect(peer), REPOSITORY, pull.number)
        assert live.body == body
        assert (live.head_sha, live.base_sha, live.base_ref) == (pull.head_sha, pull.base_sha, "main")
        assert (live.state, live.head_repository) == ("open", REPOSITORY)

    @pytest.mark.parametrize("head", ["stranger/evals", None], ids=["fork", "deleted fork"])
    def test_the_head_repository_is_what_github_says(
        self, serve: Callable[..., Peer], connect: Connect, head: str | None
    ) -> None:
        peer = serve()
        pull = peer.world.open_pull(head=head)
        assert pull_request.read(connect(peer), REPOSITORY, pull.number).head_repository == head
        if head is None:  # GitHub's description says that it cannot be null; GitHub does send null
            peer.exchanges.clear()

    def test_one_that_cannot_be_seen_is_an_error_with_the_permission(self, peer: Peer, connect: Connect) -> None:
        with pytest.raises(failures.NotThere, match="pull-requests: read"):
            pull_request.read(connect(peer), REPOSITORY, 404)

    @pytest.mark.parametrize(
        "answer",
        [
            [],
            {},
            {"head": None, "base": None},
            {"body": 7, "head": {"sha": "a" * 40}, "base": {"sha": "b" * 40, "ref": "main"}},
            {"body": "", "head": {"sha": "HEAD"}, "base": {"sha": "b" * 40, "ref": "main"}},
            {"body": "", "head": {"sha": "a" * 40}, "base": {"sha": "b" * 40, "ref": None}},
        ],
    )
    def test_an_answer_that_is_no_pull_request_is_an_error(self, peer: Peer, connect: Connect, answer: object) -> None:
        peer.faults.append(Fault(on=".*", raw=json.dumps(answer).encode()))
        with pytest.raises(failures.NotUnderstood):
            pull_request.read(connect(peer), REPOSITORY, 7)


class TestPolicy:
    def test_it_is_read_at_the_base_commit_whatever_the_head_holds(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull(policy=POLICY)
        peer.world.commits[pull.head_sha][PATH] = b"mode: report\n"
        assert base_policy.read(connect(peer), REPOSITORY, PATH, pull.base_sha) == POLICY

    @pytest.mark.parametrize(
        "files",
        [{"README.md": b"x"}, {".github/other.yml": b"x"}, {"clearband.yml": b"x"}],
        ids=["no folder", "folder without it", "elsewhere"],
    )
    def test_it_is_absent_only_where_the_tree_was_read_and_lacks_it(
        self, peer: Peer, connect: Connect, files: dict[str, bytes]
    ) -> None:
        commit = peer.world.commit(files)
        assert base_policy.read(connect(peer), REPOSITORY, PATH, commit) is None
        assert any("/git/trees/" in call for call in peer.calls)

    def test_a_404_for_want_of_a_permission_is_an_error_and_not_an_absence(
        self, serve: Callable[..., Peer], connect: Connect
    ) -> None:
        peer = serve(World(tokens={"ghs_ours": Identity("github-actions[bot]", 1, reads=False)}))
        pull = peer.world.open_pull(policy=POLICY)
        with pytest.raises(failures.NotThere, match="contents: read"):
            base_policy.read(connect(peer), REPOSITORY, PATH, pull.base_sha)

    def test_a_commit_that_is_not_there_is_an_error_and_not_an_absence(self, peer: Peer, connect: Connect) -> None:
        with pytest.raises(failures.NotThere):
            base_policy.read(connect(peer), REPOSITORY, PATH, "0" * 40)

    def test_a_file_that_is_in_the_tree_but_not_given_is_an_error(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull(policy=POLICY)
        peer.faults.append(Fault(on="GET .*/contents/.*", status=404, message="Not Found"))
        with pytest.raises(failures.NotThere):
            base_policy.read(connect(peer), REPOSITORY, PATH, pull.base_sha)

    def test_a_tree_that_was_cut_short_shows_no_absence(self, peer: Peer, connect: Connect) -> None:
        pull = peer.world.open_pull()
        cut = {"sha": "a" * 40, "tree": [], "truncated": True}
        peer.faults.append(Fault(on="GET .*/git/trees/.*", raw=json.dumps(cut).encode()))
        with pytest.raises(failures.NotUnderstood, match="cut short"):
            base_policy.read(connect(peer), REPOSITORY, PATH, pull.base_sha)

    @pytest.mark.parametrize("status", [403, 500])
    @pytest.mark.parametrize("call", ["contents", "git/trees"])
    def test_a_read_that_fails_is_an_error(self, peer: Peer, connect: Connect, call: str, status: int) -> None:
        pull = peer.world.open_pull()
        peer.faults.append(Fault(on=f"GET .*/{call}/.*", status=status, times=99))
        with pytest.raises((failures.PermissionMissing, failures.Unreachable)):
            base_policy.read(connect(peer), REPOSITORY, PATH, pull.base_sha)

    def test_its_size_has_an_end(self, peer: Peer, connect: Connect) -> None:
        fits, over = b"#" * base_policy.SIZE_CAP, b"#" * (base_policy.SIZE_CAP + 1)
        assert base_policy.read(connect(peer), REPOSITORY, PATH, peer.world.commit({PATH: fits})) == fits
        with pytest.raises(UnusablePolicy, match="65537 bytes"):
            base_policy.read(connect(peer), REPOSITORY, PATH, peer.world.commit({PATH: over}))

    def test_a_folder_of_that_name_is_no_policy(self, peer: Peer, connect: Connect) -> None:
        commit = peer.world.commit({f"{PATH}/readme": b"x"})
        with pytest.raises(UnusablePolicy, match="folder"):
            base_policy.read(connect(peer), REPOSITORY, PATH, commit)

    @pytest.mark.parametrize(
        "change", [{"type": "symlink"}, {"encoding": "none"}, {"content": "***"}, {"content": None}]
    )
    def test_an_answer_that_holds_no_file_is_an_error(
        self, peer: Peer, connect: Connect, change: dict[str, object]
    ) -> None:
        answer = {"type": "file", "encoding": "base64", "size": 4, "content": "cHJp"} | change
        peer.faults.append(Fault(on=".*", raw=json.dumps(answer).encode()))
        with pytest.raises((failures.NotUnderstood, UnusablePolicy)):
            base_policy.read(connect(peer), REPOSITORY, PATH, "a" * 40)

    def test_a_path_with_odd_characters_is_quoted(self, peer: Peer, connect: Connect) -> None:
        path = "evals/a b?#%.yml"
        assert base_policy.read(connect(peer), REPOSITORY, path, peer.world.commit({path: POLICY})) == POLICY

    def test_a_branch_is_resolved_to_its_commit(self, peer: Peer, connect: Connect) -> None:
        commit = peer.world.commit(branch="release/1")
        assert base_policy.resolve(connect(peer), REPOSITORY, "release/1") == commit
        assert base_policy.resolve(connect(peer), REPOSITORY, commit) == commit
        with pytest.raises(failures.NotThere):
            base_policy.resolve(connect(peer), REPOSITORY, "no-such-branch")

    @pytest.mark.parametrize("call", ["git/trees", "commits"])
    def test_a_tree_or_commit_that_is_none_is_an_error(self, peer: Peer, connect: Connect, call: str) -> None:
        peer.world.open_pull()
        client = connect(peer)
        peer.faults.append(Fault(on=f"GET .*/{call}/.*", raw=b"{}"))
        with pytest.raises(failures.NotUnderstood):
            base_policy.read(client, REPOSITORY, PATH, base_policy.resolve(client, REPOSITORY, "main"))
