"""Inputs and environment: read once, everything wrong said at once, nothing outside of the workspace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from clearband.errors import UsageError
from clearband.github.workflow import Output
from clearband.input_values import CommentMode
from clearband.settings import DEFAULTS, Settings
from clearband.urls import same_origin

ROOT = Path(__file__).parents[2]
Make = Callable[..., dict[str, str]]


@pytest.fixture
def environment(tmp_path: Path) -> Make:
    def make(**changes: str) -> dict[str, str]:
        env = {
            "INPUT_BASELINE": "old.jsonl",
            "INPUT_CANDIDATE": "new.jsonl",
            "INPUT_GITHUB-TOKEN": "ghs_ours",
            "GITHUB_API_URL": "https://api.github.com",
            "GITHUB_GRAPHQL_URL": "https://api.github.com/graphql",
            "GITHUB_REPOSITORY": "octo/evals",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
            "GITHUB_WORKSPACE": str(tmp_path),
        }
        env |= {name.replace("__", "-"): value for name, value in changes.items()}
        return env

    return make


def problem(env: dict[str, str]) -> str:
    with pytest.raises(UsageError) as caught:
        Settings.from_environment(env)
    assert caught.value.exit_status == 3
    return str(caught.value)


class TestInputs:
    def test_what_is_silent_has_its_default(self, environment: Make, tmp_path: Path) -> None:
        settings = Settings.from_environment(environment(INPUT_SUITE="", INPUT_OUT=""))
        assert settings.suite == "default"
        assert settings.policy == ".github/clearband.yml"
        assert settings.out == tmp_path.resolve() / "clearband-out"
        assert settings.comment is CommentMode.ALWAYS
        assert settings.primary_metric is None
        assert (settings.output_file, settings.summary_file, settings.run_id) == (None, None, None)

    def test_a_side_of_its_own_goes_before_both(self, environment: Make) -> None:
        chosen = {"INPUT_SERIES": "a", "INPUT_TASK": "qa"}
        reading = Settings.from_environment(environment(**chosen, INPUT_CANDIDATE__SERIES="b")).reading
        assert (reading.baseline.series, reading.candidate.series) == ("a", "b")
        assert (reading.baseline.task, reading.candidate.task) == ("qa", "qa")
        silent = Settings.from_environment(environment()).reading
        assert (silent.baseline.series, silent.candidate.task) == (None, None)
        assert "input `baseline-series`: longer than" in problem(environment(INPUT_BASELINE__SERIES="x" * 1001))

    def test_everything_that_is_wrong_is_said_at_once(self) -> None:
        said = problem({"INPUT_SUITE": "a b", "INPUT_COMMENT": "sometimes", "INPUT_CANDIDATE": "../../etc/passwd"})
        for part in (
            "GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_WORKSPACE: not set",
            "clearband compare",
            "input `baseline`: missing",
            "input `candidate`: `../../etc/passwd` leads out of the workspace",
            "input `suite`",
            "input `comment`: must be one of `always`, `on-change`, `never`",
            "input `github-token`: missing",
        ):
            assert part in said

    @pytest.mark.parametrize("suite", ["a", "rag.v2_A-b", "x" * 50])
    def test_suites_are_plain_names(self, environment: Make, suite: str) -> None:
        assert Settings.from_environment(environment(INPUT_SUITE=suite)).suite == suite

    @pytest.mark.parametrize("suite", ["x" * 51, "a b", "-->", "a\nb", "é", "a/b"])
    def test_other_suites_are_refused(self, environment: Make, suite: str) -> None:
        assert "input `suite`" in problem(environment(INPUT_SUITE=suite))

    @pytest.mark.parametrize(
        "path", ["/etc/p.yml", "../p.yml", "a/../../p", "a//b", "./p.yml", "a\\b", "a\nb", "x" * 501]
    )
    def test_the_policys_path_stays_inside_the_repository(self, environment: Make, path: str) -> None:
        assert "input `policy`" in problem(environment(INPUT_POLICY=path))

    def test_the_token_is_never_shown(self, environment: Make) -> None:
        assert "ghs_ours" not in repr(Settings.from_environment(environment()))
        assert "ghs ours" not in problem(environment(INPUT_GITHUB__TOKEN="ghs ours\r\nX-Evil: 1"))


class TestPaths:
    @pytest.mark.parametrize("name", ["BASELINE", "CANDIDATE", "OUT"])
    @pytest.mark.parametrize("path", ["..", "../x", "/etc/passwd", "a/../../x", "link/x", "loop", "\0"])
    def test_nothing_leads_out_of_the_workspace(self, environment: Make, tmp_path: Path, name: str, path: str) -> None:
        (tmp_path / "link").symlink_to("/etc")
        (tmp_path / "loop").symlink_to(tmp_path / ".." / "elsewhere")
        assert f"input `{name.lower()}`" in problem(environment(**{f"INPUT_{name}": path}))

    @pytest.mark.parametrize("path", ["x", "a/b/../x", "./x", "inner/x", "with space/ü.jsonl"])
    def test_what_stays_inside_is_taken(self, environment: Make, tmp_path: Path, path: str) -> None:
        (tmp_path / "inner").symlink_to(tmp_path / "a")
        settings = Settings.from_environment(environment(INPUT_BASELINE=path))
        assert settings.baseline.is_relative_to(tmp_path.resolve())

    def test_an_absolute_path_inside_the_workspace_is_taken(self, environment: Make, tmp_path: Path) -> None:
        settings = Settings.from_environment(environment(INPUT_BASELINE=str(tmp_path / "x")))
        assert settings.baseline == tmp_path.resolve() / "x"


class TestAddresses:
    @pytest.mark.parametrize(
        ("given", "taken"),
        [
            ("https://api.github.com", "https://api.github.com"),
            ("https://ghe.example.org/api/v3/", "https://ghe.example.org/api/v3"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ],
    )
    def test_https_or_this_machine(self, environment: Make, given: str, taken: str) -> None:
        settings = Settings.from_environment(environment(GITHUB_API_URL=given, GITHUB_GRAPHQL_URL=""))
        assert settings.api_url == taken

    @pytest.mark.parametrize(
        "given",
        [
            "http://api.github.com",
            "http://127.0.0.1.example.org",
            "ftp://api.github.com",
            "api.github.com",
            "https://user:password@api.github.com",
            "https://api.github.com/?x=1",
            "https://api.github.com/#x",
            "https://",
            "https://[",
            "https://host:port",
        ],
    )
    def test_anything_else_is_refused(self, environment: Make, given: str) -> None:
        assert "GITHUB_API_URL" in problem(environment(GITHUB_API_URL=given, GITHUB_GRAPHQL_URL=""))

    @pytest.mark.parametrize(
        ("api", "graphql"),
        [
            ("https://api.github.com", "https://api.github.com/graphql"),
            ("https://ghe.example.org/api/v3", "https://ghe.example.org/api/graphql"),
        ],
    )
    def test_graphql_lies_beside_the_api(self, environment: Make, api: str, graphql: str) -> None:
        settings = Settings.from_environment(environment(GITHUB_API_URL=api, GITHUB_GRAPHQL_URL=""))
        assert settings.graphql_url == graphql

    def test_graphql_on_another_host_would_take_the_token_there(self, environment: Make) -> None:
        said = problem(environment(GITHUB_GRAPHQL_URL="https://elsewhere.example.org/graphql"))
        assert "same host" in said

    @pytest.mark.parametrize("repository", ["octo", "octo/evals/x", "octo/..", "o cto/evals", "octo/ev?als", "/", ""])
    def test_a_repository_is_owner_and_name(self, environment: Make, repository: str) -> None:
        assert "GITHUB_REPOSITORY" in problem(environment(GITHUB_REPOSITORY=repository))

    def test_origins(self) -> None:
        assert same_origin("https://api.github.com/x", "https://API.github.com:443")
        assert not same_origin("https://api.github.com", "http://api.github.com")
        assert not same_origin("https://api.github.com:444", "https://api.github.com")
        assert not same_origin("https://api.github.com.example.org", "https://api.github.com")
        assert not same_origin("https://api.github.com@example.org", "https://api.github.com")


@given(st.dictionaries(st.sampled_from([f"INPUT_{name.upper()}" for name in DEFAULTS]), st.text(max_size=60)))
def test_no_input_gives_anything_but_settings_or_a_usage_error(inputs: dict[str, str]) -> None:
    env = {
        "GITHUB_API_URL": "https://api.github.com",
        "GITHUB_REPOSITORY": "octo/evals",
        "GITHUB_EVENT_NAME": "push",
        "GITHUB_EVENT_PATH": "event.json",
        "GITHUB_WORKSPACE": "/nowhere",
    }
    try:
        settings = Settings.from_environment(env | inputs)
    except UsageError:
        return
    assert settings.out.is_relative_to("/nowhere")


class TestAgreement:
    """action.yml, the settings, the outputs and the README tell one story."""

    def test_action_yml_has_every_input_with_its_default(self) -> None:
        declared = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
        assert list(declared) == list(DEFAULTS)
        for name, spec in declared.items():
            if name != "github-token":
                assert spec.get("default", "") == DEFAULTS[name]
            assert spec["required"] is False
            assert spec["description"].strip()
        assert declared["github-token"]["default"] == "${{ github.token }}"

    def test_action_yml_has_every_output(self) -> None:
        declared = yaml.safe_load((ROOT / "action.yml").read_text())["outputs"]
        assert list(declared) == list(Output)
        assert all(spec["description"].strip() for spec in declared.values())

    def test_action_yml_runs_the_dockerfile_beside_it(self) -> None:
        runs = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]
        assert runs == {"using": "docker", "image": "Dockerfile"}
        assert (ROOT / "Dockerfile").is_file()

    def test_the_readme_names_every_input_and_output(self) -> None:
        readme = (ROOT / "README.md").read_text()
        assert [name for name in (*DEFAULTS, *Output) if f"`{name}`" not in readme] == []


class TestArms:
    """Each side is a path or an artifact."""

    @pytest.mark.parametrize("arm", ["baseline", "candidate"])
    def test_of_path_and_artifact_exactly_one_is_given(self, environment: Make, arm: str) -> None:
        both = {f"INPUT_{arm.upper()}__ARTIFACT": "results"}
        assert f"input `{arm}`: both given" in problem(environment(**both))
        assert f"input `{arm}`: missing. Give it, or `{arm}-artifact`" in problem(
            environment(**{f"INPUT_{arm.upper()}": ""})
        )

    def test_artifacts_take_the_place_of_paths(self, environment: Make) -> None:
        settings = Settings.from_environment(
            environment(
                INPUT_BASELINE="",
                INPUT_CANDIDATE="",
                INPUT_BASELINE__ARTIFACT="base results",
                INPUT_CANDIDATE__ARTIFACT="results.jsonl",
                GITHUB_WORKFLOW_REF="octo/evals/.github/workflows/gate.yml@refs/heads/main",
            )
        )
        assert (settings.baseline, settings.candidate) == (None, None)
        assert (settings.baseline_artifact, settings.candidate_artifact) == ("base results", "results.jsonl")
        assert settings.baseline_workflow == "gate.yml"

    @pytest.mark.parametrize("name", ["a/b", "a\\b", "x" * 256, 'a"b', "a\nb"])
    def test_what_no_artifact_can_be_called_is_refused(self, environment: Make, name: str) -> None:
        assert "input `candidate-artifact`" in problem(environment(INPUT_CANDIDATE="", INPUT_CANDIDATE__ARTIFACT=name))

    @pytest.mark.parametrize("name", [".github/workflows/eval.yml", "eval", "../eval.yml", "eval.yml@main"])
    def test_a_workflow_is_named_by_its_file_alone(self, environment: Make, name: str) -> None:
        assert "input `baseline-workflow`" in problem(environment(INPUT_BASELINE__WORKFLOW=name))
