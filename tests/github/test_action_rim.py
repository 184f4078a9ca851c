"""The rim of the Action: files that cannot be used, other events, and what must not be trusted."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
import requests

from clearband import action, result_files
from clearband.github.workflow import Output
from github.acting import BASELINE, DECLARED, NO_DEFAULT, POLICY, PUSH, WORSE, Done, ours
from github.conftest import Runner, Time, event_of
from github.peer import Fault, Peer

Act = Callable[..., Done]


class TestTheFiles:
    @pytest.mark.parametrize(
        "candidate",
        [None, "", "\x00\x01binary", '{"id": "q1"', "[]"],
        ids=["missing", "empty", "binary", "cut", "none"],
    )
    def test_a_file_that_cannot_be_used_is_no_verdict_shown_like_any_other(
        self, peer: Peer, act: Act, candidate: str | None
    ) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        done = act(peer, pull, candidate=candidate)
        assert done.status == 3
        assert "Traceback" not in done.log
        assert "candidate" in done.annotations[0]
        assert done.record["verdict"]["outcome"] == "invalid"
        assert len(ours(pull)) == 1
        assert done.runner.summary

    def test_a_folder_with_one_file_stands_for_the_file(
        self, peer: Peer, act: Act, runner: Callable[..., Runner]
    ) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        folder = runner(peer, {}).workspace / "artifact"
        folder.mkdir()
        (folder / "results.jsonl").write_text(WORSE)
        assert act(peer, pull).status == 0
        env = {"INPUT_CANDIDATE": "artifact"}
        assert act(peer, pull, env=env).status == 1

    def test_a_folder_of_tasks_is_one_run_and_a_task_can_be_chosen(
        self, peer: Peer, act: Act, runner: Callable[..., Runner]
    ) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        workspace = runner(peer, {}).workspace
        for arm, rows in (("old", BASELINE), ("new", WORSE)):
            (workspace / arm).mkdir()
            (workspace / arm / "qa.jsonl").write_text(rows)
            (workspace / arm / "maths.jsonl").write_text(BASELINE)
            (workspace / arm / "run.log").write_text("done")
        env = {"INPUT_BASELINE": "old", "INPUT_CANDIDATE": "new"}
        whole = act(peer, pull, env=env)
        assert whole.status == 3  # the declared metric is now one of each task
        assert "accuracy is in neither result file" in whole.log
        assert act(peer, pull, env={**env, "INPUT_TASK": "qa"}).status == 1
        assert act(peer, pull, env={**env, "INPUT_TASK": "maths"}).status == 0
        unknown = act(peer, pull, env={**env, "INPUT_TASK": "law"})
        assert unknown.status == 3
        assert "`maths`, `qa`" in unknown.annotations[0]

    def test_a_zip_stands_for_what_is_in_it(self, peer: Peer, act: Act, runner: Callable[..., Runner]) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        with zipfile.ZipFile(runner(peer, {}).workspace / "artifact.zip", "w") as archive:
            archive.writestr("deep/results.jsonl", WORSE)
        done = act(peer, pull, env={"INPUT_CANDIDATE": "artifact.zip"})
        assert done.status == 1
        assert done.record["inputs"]["candidate"]["name"] == "artifact.zip"

    def test_an_empty_folder_is_no_verdict(self, peer: Peer, act: Act, runner: Callable[..., Runner]) -> None:
        (runner(peer, {}).workspace / "artifact").mkdir()
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        done = act(peer, pull, env={"INPUT_CANDIDATE": "artifact"})
        assert done.status == 3
        assert "no file in it holds results" in done.annotations[0]

    def test_a_named_pipe_does_not_hold_the_job(self, peer: Peer, act: Act, runner: Callable[..., Runner]) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        os.mkfifo(runner(peer, {}).workspace / "pipe")
        done = act(peer, pull, env={"INPUT_CANDIDATE": "pipe"})
        assert done.status == 3
        assert "not a plain file" in done.annotations[0]

    def test_a_link_out_of_the_workspace_is_not_followed(
        self, peer: Peer, act: Act, runner: Callable[..., Runner]
    ) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        workspace = runner(peer, {}).workspace
        (workspace / "folder").mkdir()
        (workspace / "folder" / "x.jsonl").symlink_to("/etc/passwd")
        assert act(peer, pull, env={"INPUT_CANDIDATE": "folder"}).status == 3

    def test_what_is_written_can_be_read_by_the_jobs_later_steps(self, peer: Peer, act: Act) -> None:
        before = os.umask(0o077)
        try:
            done = act(peer, peer.world.open_pull(DECLARED, policy=POLICY), out="a/b")
        finally:
            os.umask(before)
        files = sorted((done.runner.workspace / "a" / "b").iterdir())
        assert [file.name for file in files] == ["comment.md", "record.json", "subjects.txt", "summary.md"]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o644}
        assert stat.S_IMODE(files[0].parent.stat().st_mode) == 0o755
        assert done.runner.outputs["record-path"] == "a/b/record.json"

    def test_a_planted_link_does_not_aim_the_record_elsewhere(
        self, peer: Peer, act: Act, runner: Callable[..., Runner]
    ) -> None:
        workspace = runner(peer, {}).workspace
        (workspace / "precious").write_text("mine")
        (workspace / "clearband-out").mkdir()
        (workspace / "clearband-out" / "record.json").symlink_to(workspace / "precious")
        done = act(peer, peer.world.open_pull(DECLARED, policy=POLICY))
        assert done.status == 0
        assert (workspace / "precious").read_text() == "mine"
        assert done.record["verdict"]["outcome"] == "pass"

    def test_a_record_that_cannot_be_written_is_said_and_changes_no_verdict(
        self, peer: Peer, act: Act, runner: Callable[..., Runner]
    ) -> None:
        (runner(peer, {}).workspace / "clearband-out").write_text("a file, not a folder")
        done = act(peer, peer.world.open_pull(DECLARED, policy=POLICY), candidate=WORSE)
        assert done.status == 1
        assert done.runner.outputs["record-path"] == ""
        assert any("record could not be written" in line for line in done.annotations)

    def test_a_runners_file_that_cannot_be_written_is_said_and_changes_no_verdict(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        done = act(
            peer, pull, candidate=WORSE, env={"GITHUB_OUTPUT": "/proc/none", "GITHUB_STEP_SUMMARY": "/proc/none"}
        )
        assert done.status == 1
        assert len([line for line in done.annotations if "runner's files" in line]) == 3
        assert len(ours(pull)) == 1

    def test_a_file_beyond_the_cap_is_not_read(self, peer: Peer, act: Act, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(result_files, "SIZE_CAP", 1000)
        done = act(peer, peer.world.open_pull(DECLARED, policy=POLICY))
        assert done.status == 3
        assert "at most 1000 are read" in done.annotations[0]


class TestTheProcess:
    """The program as the container starts it."""

    def test_the_command_is_the_action(self, peer: Peer, runner: Callable[..., Runner]) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        side = runner(peer, event_of(pull, peer.world.repository))
        (side.workspace / "baseline.jsonl").write_text(BASELINE)
        (side.workspace / "candidate.jsonl").write_text(WORSE)
        env = side.env | {"PATH": "utter-nonsense", "HOME": "/utter/nonsense", "NO_PROXY": "*"}
        done = subprocess.run(
            [sys.executable, "-m", "clearband", "action"],
            env=env,
            cwd=side.workspace,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (1, "")
        assert side.outputs["outcome"] == "blocked"
        assert len(ours(pull)) == 1

    def test_the_command_line_does_not_wait_for_requests(self) -> None:
        code = "import clearband.cli, sys; sys.exit('requests' in sys.modules)"
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestOtherEvents:
    @pytest.mark.parametrize("name", ["push", "schedule", "workflow_dispatch"])
    def test_without_a_pull_request_there_is_summary_and_record_and_no_comment(
        self, peer: Peer, act: Act, name: str
    ) -> None:
        pull = peer.world.open_pull(policy=POLICY)
        done = act(peer, pull, candidate=WORSE, event=PUSH, name=name)
        assert done.status == 1
        assert done.record["verdict"]["outcome"] == "blocked"
        assert done.runner.summary
        assert not any("comments" in call or "/pulls/" in call for call in peer.calls)
        assert "comment-url" not in done.runner.outputs

    def test_there_the_input_names_the_primary(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(policy=NO_DEFAULT)
        done = act(peer, pull, event=PUSH, name="push", primary_metric="latency")
        assert done.runner.outputs["primary-metric"] == "latency"

    @pytest.mark.parametrize("name", ["merge_group", "workflow_run", "issue_comment"])
    def test_an_event_without_its_own_payload_is_never_a_pass(self, peer: Peer, act: Act, name: str) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        done = act(peer, pull, name=name)
        assert done.status == 3
        assert "not what GitHub sends" in done.annotations[0]
        assert peer.calls == []

    @pytest.mark.parametrize("name", ["pull_request_target", "workflow_call", "release"])
    def test_an_event_that_is_not_supported_is_never_a_pass(self, peer: Peer, act: Act, name: str) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        done = act(peer, pull, name=name)
        assert done.status == 3
        assert done.record["verdict"]["outcome"] == "invalid"
        assert name in done.annotations[0]
        assert peer.calls == []

    def test_a_run_about_an_older_commit_says_so(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        event = event_of(pull, peer.world.repository)
        pull.head_sha = peer.world.commit()
        done = act(peer, pull, event=event)
        assert done.status == 0
        assert "newer commits" in done.log

    @pytest.mark.parametrize("event", ["not json", [], {"pull_request": None}])
    def test_an_event_file_that_is_none_is_never_a_pass(self, peer: Peer, act: Act, event: object) -> None:
        done = act(peer, peer.world.open_pull(), event=event)
        assert done.status == 3
        assert "event file" in done.annotations[0]


class TestTrust:
    def test_an_enterprise_server_is_the_only_host_that_is_asked(self, serve: Callable[..., Peer], act: Act) -> None:
        peer = serve(prefix="/api/v3")
        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        for run in ("1001", "1002"):
            assert act(peer, pull, candidate=WORSE, env={"GITHUB_RUN_ID": run}).status == 1
        assert len(ours(pull)) == 1
        assert all(call.split()[1].startswith(("/api/v3/", "/api/graphql")) for call in peer.calls)

    def test_the_token_is_in_nothing_that_is_written(self, peer: Peer, act: Act) -> None:
        pull = peer.world.open_pull(f"{DECLARED} ghs_our", policy=POLICY)
        peer.faults.append(Fault(on="POST .*/comments", status=422, times=1, message="no"))
        done = act(peer, pull)
        written = [done.log, done.runner.output, done.runner.summary, *ours(pull)]
        written += [path.read_text() for path in (done.runner.workspace / "clearband-out").iterdir()]
        assert not any("ghs_ours" in text for text in written)

    def test_hostile_names_stay_text_in_log_and_outputs(self, peer: Peer, act: Act) -> None:
        policy = b'primary: "::error::x"\n'
        pull = peer.world.open_pull("", policy=policy)
        rows = "".join(
            json.dumps({"id": number, "::error::owned ##[group]": number % 2, "ok": 1}) + "\n" for number in range(30)
        )
        done = act(peer, pull, baseline=rows, candidate=rows)
        assert done.status == 3
        assert all(
            line.startswith(("::error title=Clearband", "::notice title=", "::warning title="))
            for line in done.annotations
        )
        assert "##[" not in done.log
        assert set(done.runner.outputs) <= {one.value for one in Output}

    def test_a_defect_of_our_own_is_recorded_and_said_without_its_text(
        self, peer: Peer, runner: Callable[..., Runner], time: Time
    ) -> None:
        class Broken(requests.Session):
            def request(self, *arguments: Any, **options: Any) -> Any:
                raise KeyError("https://api.example.org/?token=ghs_ours")

        pull = peer.world.open_pull(DECLARED, policy=POLICY)
        side = runner(peer, event_of(pull, peer.world.repository))
        out = io.StringIO()
        status = action.run(side.env, session=Broken(), clock=time.clock, sleep=time.sleep, stdout=out)
        assert status == 3
        verdict, comment = out.getvalue().splitlines()
        assert verdict.startswith("::error title=Clearband%3A no verdict::This is a defect in Clearband")
        assert comment.startswith("::warning title=Clearband::This is a defect in Clearband")
        assert "ghs_ours" not in out.getvalue()
        record = json.loads((side.workspace / "clearband-out" / "record.json").read_bytes())
        assert record["verdict"]["outcome"] == "invalid"

    def test_settings_that_cannot_be_used_are_one_line(self) -> None:
        out = io.StringIO()
        assert action.run({}, stdout=out) == 3
        assert out.getvalue().count("\n") == 1
        assert out.getvalue().startswith("::error title=Clearband::The Action cannot start.")
