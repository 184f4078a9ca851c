"""Nothing that can change under us is used: not in the image's recipe, not in our own workflows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SHIPPED = sorted((ROOT / "templates" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def steps(workflow: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(workflow.read_text())["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
class TestWorkflows:
    def test_use_actions_by_commit_and_say_their_version(self, workflow: Path) -> None:
        used = re.findall(r"uses: (.+)", workflow.read_text())
        assert [one for one in used if not one.startswith("./ ") and not PINNED.fullmatch(one)] == []

    def test_grant_nothing_beyond_what_a_job_asks_for(self, workflow: Path) -> None:
        parsed = yaml.safe_load(workflow.read_text())
        assert parsed["permissions"] == {}
        assert all("permissions" in job for job in parsed["jobs"].values())

    def test_leave_no_token_in_a_checkout(self, workflow: Path) -> None:
        checkouts = [step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")]
        assert checkouts
        assert all(step["with"]["persist-credentials"] is False for step in checkouts)

    def test_put_no_expression_into_a_shell(self, workflow: Path) -> None:
        assert [step["run"] for step in steps(workflow) if "${{" in step.get("run", "")] == []


@pytest.mark.parametrize("workflow", SHIPPED, ids=lambda path: path.name)
class TestShippedWorkflows:
    def test_use_actions_by_commit_but_ours_whose_commit_they_cannot_know(self, workflow: Path) -> None:
        used = re.findall(r"^ +(?:- )?uses: (.+)$", workflow.read_text(), re.MULTILINE)
        assert [one for one in used if not one.startswith("clearband/clearband@") and not PINNED.fullmatch(one)] == []

    def test_grant_nothing_beyond_what_a_job_asks_for_and_say_why(self, workflow: Path) -> None:
        parsed = yaml.safe_load(workflow.read_text())
        assert parsed["permissions"] == {}
        assert all("permissions" in job for job in parsed["jobs"].values())
        grants = re.findall(r"^      [a-z-]+: (?:read|write)\b(.*)$", workflow.read_text(), re.MULTILINE)
        assert grants
        assert all(grant.startswith(" # to ") for grant in grants)

    def test_put_no_expression_into_a_shell_and_leave_no_token(self, workflow: Path) -> None:
        assert [step["run"] for step in steps(workflow) if "${{" in step.get("run", "")] == []
        checkouts = [step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")]
        assert all(step["with"]["persist-credentials"] is False for step in checkouts)

    def test_give_inputs_that_the_action_has(self, workflow: Path) -> None:
        known = set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])
        ours = [step for step in steps(workflow) if step.get("uses", "").startswith("clearband/")]
        assert ours
        assert all(set(step["with"]) <= known for step in ours)


class TestTheRecipe:
    TEXT = (ROOT / "Dockerfile").read_text()

    def test_starts_from_a_base_pinned_by_digest_and_from_no_other(self) -> None:
        assert re.findall(r"^ARG BASE=(.+)$", self.TEXT, re.MULTILINE)[0].count("@sha256:") == 1
        assert {line.split()[1] for line in self.TEXT.splitlines() if line.startswith("FROM ")} == {"${BASE}"}

    def test_installs_from_the_locks_alone_by_hash_and_without_building_anything(self) -> None:
        installs = re.findall(r"pip(?: --python \S+)? install (.+?)(?: &&|\n(?! ))", self.TEXT.replace("\\\n", ""))
        assert installs
        for install in installs:
            assert "--no-index" in install or {"--require-hashes", "--only-binary"} <= set(install.split())

    def test_needs_no_newer_builder_and_leaves_user_and_working_directory_to_the_runner(self) -> None:
        assert not re.search(r"^(# syntax=|USER|WORKDIR|RUN --mount|ADD)", self.TEXT, re.MULTILINE)
