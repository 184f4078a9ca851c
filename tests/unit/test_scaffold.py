"""What `clearband init` proposes: from the tool where it says so, marked CHECK everywhere else, and never over a file."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from clearband.declaration import Declaration, NotDeclared, parse
from clearband.errors import UsageError
from clearband.inspection import inspect
from clearband.plain_text import name_problem
from clearband.policy_file import load
from clearband.scaffold import POLICY, PULL_REQUEST, WORKFLOW, Action, Survey, Templates, Wishes, scaffold
from clearband.scaffold_policy import Sample
from clearband.scaffold_tools import TOOLS, of_format
from clearband.scaffold_workflow import SETUP_PYTHON
from clearband.vocabulary import Direction

from .factories import run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.policy import MetricPolicy
    from clearband.scaffold import Scaffold
    from clearband.scaffold_tools import Tool

ROOT = Path(__file__).parents[2]
TEMPLATES = Templates(
    policy=(ROOT / "templates/policy.yml").read_text("utf-8"),
    workflow=(ROOT / "templates/workflows/clearband.yml").read_text("utf-8"),
    pull_request=(ROOT / "templates/pull_request_template.md").read_text("utf-8"),
)


def repository(texts: Mapping[str, str] | None = None, *, names: str = "", folders: str = "") -> Survey:
    """A repository as it was found."""
    texts = texts or {}
    return Survey(names=frozenset({*texts, *names.split()}), folders=frozenset(folders.split()), texts=texts)


def sample(
    values: Mapping[str, list[float | None]] | None = None,
    *,
    name: str = "results.jsonl",
    form: str = "generic/jsonl",
    directions: Mapping[str, Direction] | None = None,
    is_folder: bool = False,
) -> Sample:
    """A result file as it was read."""
    read = replace(run(values or {"score": [0, 1, 0.5]}), format=form, directions=directions or {})
    return Sample(name=name, tool=of_format(form).name, inspection=inspect(read), is_folder=is_folder)


def proposal(found: Survey | None = None, read: Sample | None = None, **wishes: object) -> Scaffold:
    return scaffold(found or repository(), read, Wishes(**wishes), TEMPLATES)  # type: ignore[arg-type]


def text_of(done: Scaffold, path: str) -> str:
    (step,) = [step for step in done.steps if step.path == path]
    assert step.text is not None
    return step.text


def policy_of(done: Scaffold) -> tuple[str | None, Mapping[str, MetricPolicy]]:
    read = load(text_of(done, POLICY).encode(), name=POLICY)
    return read.primary, read.metrics


class TestTools:
    def test_a_special_one_goes_before_pytest_and_the_others_are_told(self) -> None:
        done = proposal(repository(names="conftest.py promptfooconfig.yaml"))
        assert done.tool.name == "promptfoo"
        assert [(other.tool.name, other.path) for other in done.others] == [("pytest", "conftest.py")]

    def test_a_result_file_decides_over_what_the_repository_shows(self) -> None:
        done = proposal(repository(names="promptfooconfig.yaml"), sample(form="junit/xml"))
        assert done.tool.name == "pytest"

    def test_none_at_all_leaves_the_starter_policy(self) -> None:
        primary, metrics = policy_of(proposal())
        assert (primary, list(metrics)) == ("accuracy", ["accuracy"])
        assert not metrics["accuracy"].directed


class TestMetrics:
    def test_have_the_direction_that_the_tool_says_and_no_other(self) -> None:
        read = sample({"success": [0, 1], "latencyMs": [3, 9]}, directions={"latencyMs": Direction.LOWER})
        _, metrics = policy_of(proposal(read=read))
        assert (metrics["latencyMs"].direction, metrics["latencyMs"].directed) == (Direction.LOWER, True)
        assert not metrics["success"].directed

    @pytest.mark.parametrize("name", ["latency_ms", "costUSD", "wer", "error-rate", "TotalTime"])
    def test_whose_name_sounds_like_a_cost_are_asked_about_and_not_decided(self, name: str) -> None:
        done = proposal(read=sample({name: [3, 9], "hits": [3, 9]}))
        primary, metrics = policy_of(done)
        assert primary == "hits"
        assert not metrics[name].directed
        assert "# direction: lower # CHECK" in text_of(done, POLICY)
        assert any("lower may be better" in check and name in check for check in done.checks)

    def test_are_lower_is_better_where_the_command_line_says_so(self) -> None:
        done = proposal(read=sample({"acc": [0, 1], "words": [3, 9]}), lower_is_better=["words"])
        assert policy_of(done)[1]["words"].direction is Direction.LOWER
        assert "as the command line says" in text_of(done, POLICY)

    def test_every_suggested_direction_can_be_uncommented(self) -> None:
        text = text_of(proposal(read=sample({"acc": [0, 1], "cost": [3, 9]})), POLICY)
        taken, count = re.subn(r"^    # (direction: )", r"    \1", text, flags=re.MULTILINE)
        metrics = load(taken.encode(), name=POLICY).metrics
        assert count == 2
        assert (metrics["acc"].direction, metrics["cost"].direction) == (Direction.HIGHER, Direction.LOWER)

    @pytest.mark.parametrize(
        ("values", "bounds"),
        [([0, 1, 1], (0, 1)), ([0, 0.5, 1], (0, 1)), ([0.2, 0.9], None), ([0, 7], None), ([-1, 1], None)],
    )
    def test_go_from_0_to_1_only_where_the_values_reach_both(
        self, values: list[float | None], bounds: tuple[float, float] | None
    ) -> None:
        _, metrics = policy_of(proposal(read=sample({"score": values})))
        assert metrics["score"].range == bounds
        assert metrics["score"].effect == (0.02 if bounds else None)

    def test_without_a_value_are_left_out(self) -> None:
        _, metrics = policy_of(proposal(read=sample({"acc": [0, 1], "empty": [None, None]})))
        assert list(metrics) == ["acc"]

    def test_the_one_scored_on_most_questions_decides(self) -> None:
        read = sample({"some": [0, None, 1], "all": [0, 1, 1]})
        assert policy_of(proposal(read=read))[0] == "all"
        assert policy_of(proposal(read=read, primary="some"))[0] == "some"

    @pytest.mark.parametrize("wishes", [{"primary": "acuracy"}, {"lower_is_better": ["acuracy"]}])
    def test_that_are_not_in_the_file_are_refused_with_the_nearest(self, wishes: dict[str, object]) -> None:
        with pytest.raises(UsageError, match="Did you mean `accuracy`"):
            proposal(read=sample({"accuracy": [0, 1]}), **wishes)

    def test_a_file_without_any_is_refused(self) -> None:
        with pytest.raises(UsageError, match="no metric with a value"):
            proposal(read=sample({"empty": [None]}))

    @given(st.text(min_size=1, max_size=200).filter(lambda name: not name_problem(name)))
    def test_whatever_they_are_called_the_policy_names_them_so(self, name: str) -> None:
        primary, metrics = policy_of(proposal(read=sample({name: [0, 1]})))
        assert (primary, list(metrics)) == (name, [name])

    @given(st.text(max_size=80).map(lambda name: f"{name}.jsonl"))
    def test_whatever_the_file_is_called_nothing_of_it_is_read_as_policy_or_workflow(self, name: str) -> None:
        done, named = proposal(read=sample(name=name)), proposal(read=sample())
        assert yaml.safe_load(text_of(done, POLICY)) == yaml.safe_load(text_of(named, POLICY))
        assert text_of(done, WORKFLOW) == text_of(named, WORKFLOW)


class TestWorkflow:
    @pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool.format], ids=lambda tool: tool.name)
    def test_runs_the_tool_and_hands_its_results_over(self, tool: Tool) -> None:
        done = proposal(read=sample(form=f"{tool.format}/x"))
        jobs = yaml.safe_load(text_of(done, WORKFLOW))["jobs"]
        runs = [step["run"] for step in jobs["eval"]["steps"] if "run" in step]
        assert runs == [tool.command.format(results=done.results)]
        upload = next(step for step in jobs["eval"]["steps"] if "upload" in step.get("uses", ""))
        assert upload["with"]["path"] == done.results
        gate = next(step for step in jobs["gate"]["steps"] if step.get("id") == "clearband")
        assert gate["with"] == {"baseline": f"base/{done.baseline}", "candidate": "candidate"}

    @pytest.mark.parametrize(
        ("name", "ending"),
        [("x.csv", ".csv"), ("x.JSONL.gz", ".jsonl.gz"), ("x.csv; rm -rf $(x)", ".jsonl"), ("${{ x }}.sh", ".jsonl")],
    )
    def test_takes_of_a_file_name_its_known_ending_alone(self, name: str, ending: str) -> None:
        done = proposal(read=sample(name=name))
        assert (done.results, done.baseline) == (f"results{ending}", f"evals/baseline{ending}")

    def test_a_folder_of_results_stays_one(self) -> None:
        done = proposal(read=sample(form="junit/xml", is_folder=True))
        assert (done.results, done.baseline) == ("results", "evals/baseline")
        assert "--junitxml=results/results.xml" in text_of(done, WORKFLOW)

    @pytest.mark.parametrize(
        ("names", "form", "steps"),
        [
            ("requirements.txt pyproject.toml", "junit/xml", ["python -m pip install -r requirements.txt"]),
            ("pyproject.toml", "junit/xml", ["python -m pip install ."]),
            ("package-lock.json", "promptfoo/json", ["npm ci"]),
            ("pyproject.toml", "promptfoo/json", []),
            ("", "junit/xml", []),
        ],
    )
    def test_installs_what_the_repository_names(self, names: str, form: str, steps: list[str]) -> None:
        text = text_of(proposal(repository(names=names), sample(form=form)), WORKFLOW)
        runs = [step["run"] for step in yaml.safe_load(text)["jobs"]["eval"]["steps"] if "run" in step]
        assert runs[:-1] == steps

    def test_passes_series_and_task_on_as_they_are(self) -> None:
        text = text_of(proposal(read=sample(), series="a: 'b' {{q}} #1", task="maths"), WORKFLOW)
        gate = next(step for step in yaml.safe_load(text)["jobs"]["gate"]["steps"] if step.get("id") == "clearband")
        assert (gate["with"]["series"], gate["with"]["task"]) == ("a: 'b' {{q}} #1", "maths")

    @pytest.mark.parametrize("series", ["${{ secrets.KEY }}", "a\nrun: x"])
    def test_refuses_a_series_that_it_would_not_take_as_text(self, series: str) -> None:
        with pytest.raises(UsageError, match="--series"):
            proposal(read=sample(), series=series)

    def test_uses_the_same_commit_of_an_action_as_our_own(self) -> None:
        assert f"uses: {SETUP_PYTHON}\n" in (ROOT / ".github/workflows/ci.yml").read_text("utf-8")


class TestWhatIsThere:
    def actions(self, done: Scaffold) -> dict[str, Action]:
        return {step.path: step.action for step in done.steps}

    def test_an_empty_repository_gets_all_three_files(self) -> None:
        assert self.actions(proposal()) == dict.fromkeys((POLICY, WORKFLOW, PULL_REQUEST), Action.WRITE)

    def test_a_second_time_nothing_changes(self) -> None:
        first = proposal(read=sample())
        there = repository({step.path: step.text or "" for step in first.steps})
        for force in (False, True):
            second = proposal(there, sample(), force=force)
            assert self.actions(second) == dict.fromkeys((POLICY, WORKFLOW, PULL_REQUEST), Action.KEEP)
            assert all(step.text is None for step in second.steps)

    def test_other_files_are_left_alone_until_it_is_forced(self) -> None:
        there = repository({POLICY: "primary: mine\n", WORKFLOW: "on: push\n"})
        assert {self.actions(proposal(there))[path] for path in (POLICY, WORKFLOW)} == {Action.LEAVE}
        assert {self.actions(proposal(there, force=True))[path] for path in (POLICY, WORKFLOW)} == {Action.REPLACE}

    def test_a_file_that_could_not_be_read_counts_as_there(self) -> None:
        assert self.actions(proposal(repository(names=POLICY)))[POLICY] is Action.LEAVE

    def test_another_workflow_with_clearband_is_enough_even_when_forced(self) -> None:
        there = repository({".github/workflows/eval.yaml": "    steps:\n      - uses: clearband/clearband@abc\n"})
        assert self.actions(proposal(there, force=True))[".github/workflows/eval.yaml"] is Action.LEAVE
        assert WORKFLOW not in self.actions(proposal(there, force=True))

    @pytest.mark.parametrize(
        "path",
        [
            ".github/pull_request_template.md",
            "PULL_REQUEST_TEMPLATE.md",
            "docs/Pull_Request_Template.txt",
            ".github/PULL_REQUEST_TEMPLATE",
        ],
    )
    def test_a_template_for_descriptions_is_found_wherever_github_finds_it(self, path: str) -> None:
        done = proposal(repository({path: "## Why\n"}))
        assert self.actions(done)[path] is Action.LEAVE
        assert isinstance(parse(done.block), NotDeclared)
        assert PULL_REQUEST not in self.actions(done) or path == PULL_REQUEST

    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_forced_it_is_extended_in_its_own_line_ends_and_reads_as_a_declaration_once_filled_in(
        self, newline: str
    ) -> None:
        mine = f"## Why{newline}{newline}- [ ] tested{newline}"
        text = text_of(proposal(repository({PULL_REQUEST: mine}), force=True), PULL_REQUEST)
        assert text.startswith(mine)
        assert text.count("\n") == text.count(newline)
        assert isinstance(parse(text), NotDeclared)
        filled = (
            text.replace("<metric>", "recall").replace("<number>", "0.02").replace("<what you expect, and why>", "")
        )
        read = parse(filled)
        assert isinstance(read, Declaration)
        assert (read.primary_metric, read.effect) == ("recall", 0.02)

    @pytest.mark.parametrize(
        "mine", ["```clearband\nprimary_metric: <metric>\n```\n", "**Primary metric:** `<name>`\n"]
    )
    def test_a_template_that_declares_already_is_kept(self, mine: str) -> None:
        assert self.actions(proposal(repository({PULL_REQUEST: mine}), force=True))[PULL_REQUEST] is Action.KEEP

    @pytest.mark.parametrize("mine", ["## Why\n\n<pre>\n", "```\nlog\n"])
    def test_a_template_that_would_hide_the_block_is_not_extended(self, mine: str) -> None:
        done = proposal(repository({PULL_REQUEST: mine}), force=True)
        (step,) = [step for step in done.steps if step.path == PULL_REQUEST]
        assert (step.action, step.text) == (Action.LEAVE, None)
        assert "never closed" in step.why
        assert done.block

    def test_paths_are_offered_from_the_folders_there_are_and_hold_when_taken(self) -> None:
        done = proposal(repository(names="promptfooconfig.yaml", folders="src prompts docs node_modules .github a,b"))
        text = text_of(done, POLICY)
        assert load(text.encode(), name=POLICY).paths == ()
        taken = re.sub(r"^# (paths: )", r"\1", text, flags=re.MULTILINE)
        paths = load(taken.encode(), name=POLICY).paths
        assert paths == (".github/**", "prompts/**", "src/**", "promptfooconfig.yaml")
