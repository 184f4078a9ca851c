"""Artifacts as candidate and baseline: which is chosen, which never is, and how its bytes arrive."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from clearband.errors import ClearbandError, FirstBaseline, GitHubError, ResultsMissing, UnusableResults
from clearband.github import arms, artifacts, download
from clearband.github.artifacts import Distrust
from clearband.github.baseline import Found, Wanted, find
from clearband.input_values import BuiltFrom
from clearband.vocabulary import BaselineCommit, BaselineMissing, BaselineRuns
from github.peer import Fault, Peer
from github.peer.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Callable

    from clearband.github.client import Client
    from github.peer.past import Run
    from github.peer.world import Pull

AT = "2026-01-03T00:00:00Z"
LATER = "2026-01-04T00:00:00Z"
COMMIT = "c" * 40
TRUSTED = artifacts.Run(
    id=1,
    event="push",
    path=".github/workflows/eval.yml",
    conclusion="success",
    head_sha=COMMIT,
    repository_id=1,
    head_repository_id=1,
    head_repository="octo/evals",
    created_at=AT,
    started_at=AT,
)


@pytest.fixture
def client(peer: Peer, connect: Callable[..., Client]) -> Client:
    return connect(peer)


def started(peer: Peer, commit: str = COMMIT, at: str = AT, **more: object) -> Run:
    return peer.world.past.start(commit, at, **{"event": "push", "branch": "main"} | more)


class TestTrust:
    @pytest.mark.parametrize("event", ["push", "schedule", "workflow_dispatch"])
    @pytest.mark.parametrize("path", [TRUSTED.path, f"{TRUSTED.path}@refs/heads/main"])
    def test_our_own_successful_run_on_the_commit_is_trusted(self, event: str, path: str) -> None:
        assert (
            artifacts.distrust_run(replace(TRUSTED, event=event, path=path), workflow="eval.yml", commit=COMMIT) is None
        )

    @pytest.mark.parametrize(
        ("change", "why"),
        [
            ({"event": "pull_request"}, Distrust.EVENT),
            ({"event": "pull_request_target"}, Distrust.EVENT),
            ({"event": "workflow_run"}, Distrust.EVENT),
            ({"head_repository_id": 2}, Distrust.FORK),
            ({"head_repository_id": None}, Distrust.FORK),
            ({"repository_id": None, "head_repository_id": None}, Distrust.FORK),
            ({"path": ".github/workflows/other.yml"}, Distrust.WORKFLOW),
            ({"path": "eval.yml"}, Distrust.WORKFLOW),
            ({"conclusion": "failure"}, Distrust.UNSUCCESSFUL),
            ({"conclusion": None}, Distrust.UNSUCCESSFUL),
            ({"head_sha": "d" * 40}, Distrust.COMMIT),
        ],
    )
    def test_each_flaw_alone_makes_a_run_no_baseline(self, change: dict[str, Any], why: Distrust) -> None:
        assert artifacts.distrust_run(replace(TRUSTED, **change), workflow="eval.yml", commit=COMMIT) is why

    @pytest.mark.parametrize(
        "change",
        [
            {"run_id": 2},
            {"head_sha": "d" * 40},
            {"head_sha": None},
            {"repository_id": 2},
            {"head_repository_id": 2},
            {"head_repository_id": None},
        ],
    )
    def test_an_artifact_that_says_it_comes_from_elsewhere_is_no_baseline(self, change: dict[str, Any]) -> None:
        own = artifacts.Artifact(
            id=1,
            name="baseline",
            created_at=AT,
            expired=False,
            sha256=None,
            run_id=1,
            head_sha=COMMIT,
            repository_id=1,
            head_repository_id=1,
        )
        assert artifacts.distrust_artifact(own, TRUSTED) is None
        assert artifacts.distrust_artifact(replace(own, **change), TRUSTED) is Distrust.ARTIFACT


class TestBaseline:
    @pytest.fixture
    def found(self, peer: Peer, client: Client) -> Callable[[], arms.Chosen]:
        wanted = Wanted(name="results", workflow="clearband.yml", commit=COMMIT)
        return lambda: find(client, peer.world.repository, wanted).chosen[0]

    def test_the_newest_attempt_of_the_newest_run_on_the_commit_is_taken(
        self, peer: Peer, found: Callable[[], arms.Chosen]
    ) -> None:
        past = peer.world.past
        past.leave(started(peer), "results", b"old")
        newest = started(peer, at=LATER)
        past.leave(newest, "results", b"first attempt")
        past.leave(newest, "another", b"another")
        again = past.leave(newest, "results", b"second attempt")
        past.leave(started(peer, "d" * 40, LATER), "results", b"another commit")
        chosen = found()
        assert (chosen.artifact.id, chosen.run.id) == (again.id, newest.id)

    @pytest.mark.parametrize(
        "flaw", [{"event": "pull_request"}, {"head_repository_id": 2}, {"conclusion": "failure"}, {"workflow_id": 6}]
    )
    def test_a_newer_run_that_is_not_ours_is_passed_over(
        self, peer: Peer, found: Callable[[], arms.Chosen], flaw: dict[str, Any]
    ) -> None:
        own = peer.world.past.leave(started(peer), "results", b"ours")
        path = ".github/workflows/other.yml" if "workflow_id" in flaw else ".github/workflows/clearband.yml"
        peer.world.past.leave(started(peer, at=LATER, path=path, **flaw), "results", b"theirs")
        assert found().artifact.id == own.id

    def test_one_that_expired_is_named_with_its_remedy(self, peer: Peer, found: Callable[[], arms.Chosen]) -> None:
        peer.world.past.leave(started(peer), "results", b"ours", expired=True)
        with pytest.raises(UnusableResults, match="has expired") as raised:
            found()
        assert "retention-days" in str(raised.value)

    def test_a_commit_without_one_is_named(self, peer: Peer, found: Callable[[], arms.Chosen]) -> None:
        started(peer)
        with pytest.raises(UnusableResults, match=COMMIT[:12]):
            found()

    @pytest.mark.parametrize("status", [403, 500])
    def test_lists_that_cannot_be_read_are_no_missing_baseline(
        self, peer: Peer, found: Callable[[], arms.Chosen], status: int
    ) -> None:
        peer.faults.append(Fault(on="GET .*/runs", times=99, status=status))
        with pytest.raises(GitHubError):
            found()

    def test_a_workflow_that_github_does_not_know_left_nothing(
        self, peer: Peer, found: Callable[[], arms.Chosen]
    ) -> None:
        peer.faults.append(Fault(on="GET .*/workflows/.*/runs", times=99, status=404))
        with pytest.raises(ResultsMissing):
            found()
        peer.world.past.leave(started(peer), "results", b"ours")
        with pytest.raises(GitHubError):  # it did leave something: the list is what cannot be read
            found()


class TestWhatThePolicyAllows:
    @pytest.fixture
    def found(self, peer: Peer, client: Client) -> Callable[..., Found]:
        return lambda **allowed: find(
            client,
            peer.world.repository,
            Wanted(name="results", workflow="clearband.yml", commit=COMMIT, **allowed),
        )

    @pytest.fixture
    def line(self, peer: Peer) -> list[str]:
        """The commits of the base branch, the newest first."""
        line = [COMMIT, *(f"{number:040x}" for number in range(1, 120))]
        peer.world.past.lines[COMMIT] = line
        return line

    def test_an_older_commit_stands_in_only_where_it_may_and_the_distance_is_told(
        self, peer: Peer, line: list[str], found: Callable[..., Found]
    ) -> None:
        near = peer.world.past.leave(started(peer, line[3]), "results", b"near")
        peer.world.past.leave(started(peer, line[7], LATER), "results", b"far")
        with pytest.raises(ResultsMissing):
            found()
        older = found(which=BaselineCommit.NEAREST_ANCESTOR)
        assert (older.chosen[0].artifact.id, older.behind) == (near.id, 3)

    def test_the_right_commit_is_preferred_to_any_other(
        self, peer: Peer, line: list[str], found: Callable[..., Found]
    ) -> None:
        peer.world.past.leave(started(peer, line[1], LATER), "results", b"newer run, older commit")
        right = peer.world.past.leave(started(peer), "results", b"right")
        exact = found(which=BaselineCommit.NEAREST_ANCESTOR)
        assert (exact.chosen[0].artifact.id, exact.behind) == (right.id, 0)

    def test_an_ancestor_whose_artifact_is_gone_is_passed_over(
        self, peer: Peer, line: list[str], found: Callable[..., Found]
    ) -> None:
        peer.world.past.leave(started(peer, line[2]), "results", b"gone", expired=True)
        peer.world.past.leave(started(peer, line[3], head_repository_id=2), "results", b"a fork's")
        kept = peer.world.past.leave(started(peer, line[5]), "results", b"kept")
        assert found(which=BaselineCommit.NEAREST_ANCESTOR).chosen[0].artifact.id == kept.id

    def test_what_is_no_ancestor_or_too_old_does_not_stand_in(
        self, peer: Peer, line: list[str], found: Callable[..., Found]
    ) -> None:
        peer.world.past.leave(started(peer, "d" * 40), "results", b"another branch's")
        peer.world.past.leave(started(peer, line[110]), "results", b"too old")
        with pytest.raises(ResultsMissing, match="nor on the 100 commits before it"):
            found(which=BaselineCommit.NEAREST_ANCESTOR)

    def test_all_runs_of_the_commit_are_pooled_where_the_policy_says_so(
        self, peer: Peer, found: Callable[..., Found]
    ) -> None:
        ids = [peer.world.past.leave(started(peer), "results", b"run").id for _ in range(12)]
        assert len(found().chosen) == 1
        pooled = found(runs=BaselineRuns.ALL).chosen
        assert [one.artifact.id for one in pooled] == ids[:-11:-1]  # the newest ten

    def test_the_first_of_all_is_told_from_a_missing_one(self, peer: Peer, found: Callable[..., Found]) -> None:
        with pytest.raises(FirstBaseline, match="nothing to compare with yet"):
            found(missing=BaselineMissing.RECORD)
        foreign = started(peer, "d" * 40, head_repository_id=2)
        peer.world.past.leave(foreign, "results", b"a fork's", head_repository_id=2)
        peer.world.past.leave(started(peer, "e" * 40, event="pull_request"), "results", b"a pull request's")
        with pytest.raises(FirstBaseline):
            found(missing=BaselineMissing.RECORD)
        peer.world.past.leave(started(peer, "f" * 40), "results", b"ours", expired=True)
        with pytest.raises(ResultsMissing) as once:
            found(missing=BaselineMissing.RECORD)
        assert not isinstance(once.value, FirstBaseline)

    def test_one_that_expired_on_the_right_commit_is_no_first(self, peer: Peer, found: Callable[..., Found]) -> None:
        peer.world.past.leave(started(peer), "results", b"ours", expired=True)
        with pytest.raises(UnusableResults, match="has expired"):
            found(missing=BaselineMissing.RECORD)


class TestCandidate:
    @pytest.fixture
    def pull(self, peer: Peer) -> Pull:
        return peer.world.open_pull()

    @pytest.fixture
    def found(self, peer: Peer, client: Client, pull: Pull) -> Callable[[Run], arms.Chosen]:
        return lambda run: arms.candidate(
            client,
            peer.world.repository,
            name="results",
            run_id=run.id,
            workflow="clearband.yml",
            head=(pull.head_sha, pull.head_repository),
        )

    def test_it_is_the_newest_of_the_run(self, peer: Peer, pull: Pull, found: Callable[[Run], arms.Chosen]) -> None:
        run = peer.world.past.start(pull.head_sha, AT)
        peer.world.past.leave(run, "results", b"first attempt")
        again = peer.world.past.leave(run, "results", b"second attempt")
        chosen = found(run)
        assert chosen.artifact.id == again.id
        assert not chosen.earlier

    def test_where_the_evaluation_was_skipped_it_is_the_newest_for_the_same_head(
        self, peer: Peer, pull: Pull, found: Callable[[Run], arms.Chosen]
    ) -> None:
        past = peer.world.past
        past.leave(past.start(pull.head_sha, AT), "results", b"old")
        wanted = past.leave(past.start(pull.head_sha, LATER), "results", b"newer")
        past.leave(past.start("d" * 40, LATER), "results", b"of an older head")
        edited = past.start(pull.head_sha, LATER, jobs=["skipped", None])
        chosen = found(edited)
        assert chosen.artifact.id == wanted.id
        assert chosen.earlier

    @pytest.mark.parametrize("jobs", [["failure", None], ["skipped", "failure", None], ["cancelled", None], [None]])
    def test_where_it_failed_an_earlier_result_does_not_stand_in(
        self, peer: Peer, pull: Pull, found: Callable[[Run], arms.Chosen], jobs: list[str | None]
    ) -> None:
        past = peer.world.past
        past.leave(past.start(pull.head_sha, AT), "results", b"earlier")
        with pytest.raises(UnusableResults, match="the evaluation failed or uploaded nothing"):
            found(past.start(pull.head_sha, LATER, jobs=jobs))

    @pytest.mark.parametrize(("end", "usable"), [("success", True), ("failure", False), ("cancelled", False)])
    def test_what_an_earlier_attempt_left_counts_unless_the_latest_failed(
        self, peer: Peer, pull: Pull, found: Callable[[Run], arms.Chosen], end: str, usable: bool
    ) -> None:
        run = peer.world.past.start(pull.head_sha, AT, restarted_at=LATER, jobs=[end, None])
        left = peer.world.past.leave(run, "results", b"first attempt")
        if usable:
            assert found(run).artifact.id == left.id
        else:
            with pytest.raises(UnusableResults, match="the evaluation failed"):
                found(run)


class TestRightCommit:
    @pytest.fixture
    def right(self, peer: Peer, client: Client) -> Callable[..., str]:
        world = peer.world
        pull = world.open_pull()
        parted, merge = world.commit(), world.commit()
        world.past.merge_bases[f"{pull.base_sha}...{pull.head_sha}"] = parted
        world.past.parents[merge] = [pull.base_sha, pull.head_sha]

        def ask(built: BuiltFrom, *, with_merge: bool = True) -> str:
            given = merge if with_merge else None
            commit = arms.right_commit(
                client, world.repository, base=pull.base_sha, head=pull.head_sha, merge=given, built=built
            )
            return {parted: "merge base", pull.base_sha: "first parent"}[commit]

        return ask

    @pytest.mark.parametrize(
        ("built", "commit"),
        [
            (BuiltFrom.HEAD, "merge base"),
            (BuiltFrom.UNKNOWN, "merge base"),
            (BuiltFrom.MERGE, "first parent"),
        ],
    )
    def test_nothing_but_the_change_lies_between(
        self, right: Callable[..., str], built: BuiltFrom, commit: str
    ) -> None:
        assert right(built) == commit

    def test_a_test_merge_that_is_not_there_is_not_guessed(self, right: Callable[..., str]) -> None:
        with pytest.raises(UnusableResults, match="has none"):
            right(BuiltFrom.MERGE, with_merge=False)


class TestDownload:
    @pytest.fixture
    def fetched(self, peer: Peer, client: Client, storage: Storage) -> Callable[..., bytes]:
        run = started(peer)

        def fetch(data: bytes = b"scores", cap: int = download.CAP, **more: object) -> bytes:
            made = peer.world.past.leave(run, "results", data, **more)
            (listed,) = artifacts.of_run(client, peer.world.repository, made.run_id, "results")
            return download.fetch(client, peer.world.repository, listed, cap=cap)

        return fetch

    def test_the_bytes_arrive_and_the_storage_never_sees_the_token(
        self, fetched: Callable[..., bytes], storage: Storage
    ) -> None:
        assert fetched() == b"scores"
        (headers,) = storage.seen
        assert "authorization" not in headers
        assert not any("ghs_ours" in value for value in headers.values())
        assert headers["accept-encoding"] == "identity"

    def test_credentials_of_the_machine_stay_at_home_too(
        self,
        fetched: Callable[..., bytes],
        client: Client,
        storage: Storage,
        tmp_path: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        netrc = tmp_path / "netrc"
        netrc.write_text("machine 127.0.0.1 login somebody password secret\n")
        netrc.chmod(0o600)
        monkeypatch.setenv("NETRC", str(netrc))
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        client.session.trust_env = True
        assert fetched() == b"scores"
        assert "authorization" not in storage.seen[0]

    def test_bytes_that_are_not_what_was_uploaded_are_refused(self, fetched: Callable[..., bytes]) -> None:
        with pytest.raises(UnusableResults, match="is not what was uploaded"):
            fetched(digest=f"sha256:{'0' * 64}")

    def test_a_digest_of_another_kind_does_not_go_unchecked(self, fetched: Callable[..., bytes]) -> None:
        with pytest.raises(GitHubError, match="SHA-256"):
            fetched(digest="md5:abc")

    def test_a_server_that_keeps_no_digest_is_read(self, fetched: Callable[..., bytes]) -> None:
        assert fetched(digest=None) == b"scores"

    def test_an_artifact_that_is_larger_than_may_be_is_cut_off(self, fetched: Callable[..., bytes]) -> None:
        assert fetched(b"x" * 1000, cap=1000)
        with pytest.raises(ClearbandError, match="larger than 999 bytes"):
            fetched(b"x" * 1000, cap=999, run_id=2)

    def test_one_that_is_gone_since_it_was_listed_is_said_to_be(
        self, peer: Peer, fetched: Callable[..., bytes]
    ) -> None:
        peer.faults.append(Fault(on="GET .*/zip", status=410))
        with pytest.raises(UnusableResults, match="has expired or was deleted"):
            fetched()

    def test_each_attempt_asks_for_a_new_address(
        self, peer: Peer, fetched: Callable[..., bytes], storage: Storage
    ) -> None:
        storage.failures += [403, 503]
        assert fetched() == b"scores"
        assert len([call for call in peer.calls if call.endswith("/zip")]) == 3

    def test_a_storage_that_stays_away_is_no_result_and_its_address_is_not_told(
        self, fetched: Callable[..., bytes], storage: Storage
    ) -> None:
        storage.failures += [503] * 9
        with pytest.raises(GitHubError, match="The storage answered 503") as raised:
            fetched()
        assert "sig=" not in str(raised.value)

    def test_a_storage_that_trickles_is_given_up_within_the_time_that_a_run_has(
        self, fetched: Callable[..., bytes], client: Client, storage: Storage
    ) -> None:
        storage.trickle = 0.001
        ticks = count(step=10)
        client.clock = lambda: float(next(ticks))
        with pytest.raises(GitHubError, match="it took too long"):
            fetched()
        assert len(storage.seen) == 1  # one attempt took all of it

    @pytest.mark.parametrize("place", ["http://example.org", "ftp://example.org", "file:///etc", "//example.org"])
    def test_an_address_that_others_could_read_along_is_not_followed(
        self, peer: Peer, fetched: Callable[..., bytes], storage: Storage, place: str
    ) -> None:
        peer.world.past.storage = place
        with pytest.raises(GitHubError, match="without https"):
            fetched()
        assert storage.seen == []

    def test_an_answer_that_leads_nowhere_is_not_understood(self, peer: Peer, fetched: Callable[..., bytes]) -> None:
        peer.faults.append(Fault(on="GET .*/zip", raw=b"{}"))
        with pytest.raises(GitHubError, match="names no other place"):
            fetched()


def test_enterprise_server_is_asked_below_its_own_path(
    serve: Callable[..., Peer], connect: Callable[..., Client]
) -> None:
    peer = serve(prefix="/api/v3")
    made = peer.world.past.leave(started(peer), "results", b"scores", digest=None)
    client = connect(peer)
    wanted = Wanted(name="results", workflow="clearband.yml", commit=COMMIT)
    (chosen,) = find(client, peer.world.repository, wanted).chosen
    assert chosen.artifact.id == made.id
    with Storage(peer.world.past):
        assert download.fetch(client, peer.world.repository, chosen.artifact) == b"scores"
