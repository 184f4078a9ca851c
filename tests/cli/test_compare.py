"""`clearband compare`, as a person runs it."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from .conftest import EXAMPLES, Ended, run_clearband

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Clearband = Callable[..., Ended]

BASELINE, CANDIDATE = EXAMPLES / "bm25_stem.csv", EXAMPLES / "lsa200.csv"


def write(path: Path, scores: list[Any], *, metric: str = "score", start: int = 0) -> Path:
    path.write_text("".join(json.dumps({"id": start + i, metric: s}) + "\n" for i, s in enumerate(scores)))
    return path


@pytest.fixture
def regressing(tmp_path: Path) -> tuple[Path, Path]:
    generator = np.random.default_rng(2)
    before = generator.random(200)
    after = before - 0.05 + generator.normal(0, 0.02, 200)
    return write(tmp_path / "before.jsonl", before.tolist()), write(tmp_path / "after.jsonl", after.tolist())


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The record of the bundled pair, primary nDCG@10."""
    done = run_clearband(
        tmp_path_factory.mktemp("demo"), "compare", BASELINE, CANDIDATE, "--primary", "nDCG@10", "--json"
    )
    return done.record


class TestDemoPair:
    """The bundled pair: LSA against stemmed BM25 on the 225 Cranfield queries."""

    @pytest.mark.parametrize(
        ("name", "delta", "low", "high", "sign_flip", "state"),
        [
            ("nDCG@10", 0.0219, -0.0030, 0.0463, 0.083, "inconclusive"),
            ("AP", 0.0241, 0.0037, 0.0441, 0.020, "improved"),
            ("RR", -0.0005, -0.0428, 0.0419, 0.982, "inconclusive"),
            ("P@10", 0.0262, 0.0102, 0.0427, 0.002, "improved"),
            ("R@100", 0.0407, 0.0169, 0.0637, 0.001, "improved"),
        ],
    )
    def test_numbers_agree_with_independent_tools(
        self, record: dict[str, Any], name: str, delta: float, low: float, high: float, sign_flip: float, state: str
    ) -> None:
        metric = next(metric for metric in record["metrics"] if metric["name"] == name)
        assert metric["delta"] == pytest.approx(delta, abs=5e-5)
        assert metric["interval"] == pytest.approx([low, high], abs=2e-4)
        assert metric["p_sign_flip"] == pytest.approx(sign_flip, abs=2e-3)
        assert (metric["state"], metric["n"]) == (state, 225)

    def test_deltas_are_the_plain_differences_of_means(self, record: dict[str, Any]) -> None:
        columns = [np.genfromtxt(path, delimiter=",", names=True, deletechars="") for path in (BASELINE, CANDIDATE)]
        for metric in record["metrics"]:
            plain = columns[1][metric["name"]].mean() - columns[0][metric["name"]].mean()
            assert metric["delta"] == pytest.approx(plain, abs=1e-12)

    def test_the_primary_comes_first_and_every_metric_is_there(self, record: dict[str, Any]) -> None:
        assert record["metrics"][0]["name"] == "nDCG@10"
        assert [metric["role"] for metric in record["metrics"]] == ["primary", *["exploratory"] * 4]
        assert record["verdict"]["outcome"] == "pass"


def test_the_demo_command_prints_the_answer_and_says_where_the_files_lie(clearband: Clearband, tmp_path: Path) -> None:
    ended = clearband(
        "compare", BASELINE, CANDIDATE, "--policy", EXAMPLES / "clearband.yml",
        "--pr-body", EXAMPLES / "pull_request.md", "--out", "result",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    assert "nDCG@10" in ended.out
    for name in ("record.json", "comment.md", "summary.md"):
        assert name in ended.err
        assert (tmp_path / "result" / name).stat().st_size > 500
    record = json.loads((tmp_path / "result" / "record.json").read_bytes())
    assert record["declaration"]["primary_metric"] == "nDCG@10"


class TestExitStatus:
    def test_a_regressing_primary_is_1_and_the_files_are_written(
        self, clearband: Clearband, regressing: tuple[Path, Path], tmp_path: Path
    ) -> None:
        ended = clearband("compare", *regressing, "--primary", "score", "--out", "out")
        assert ended.status == 1
        assert json.loads((tmp_path / "out/record.json").read_bytes())["verdict"]["outcome"] == "blocked"
        assert (tmp_path / "out/comment.md").exists()

    def test_without_primary_and_policy_nothing_is_gated(
        self, clearband: Clearband, regressing: tuple[Path, Path]
    ) -> None:
        ended = clearband("compare", *regressing, "--json")
        assert ended.status == 0
        assert ended.record["verdict"]["outcome"] == "not-gated"

    def test_lower_is_better_turns_the_regression_into_an_improvement(
        self, clearband: Clearband, regressing: tuple[Path, Path]
    ) -> None:
        ended = clearband("compare", *regressing, "--primary", "score", "--lower-is-better", "score", "--json")
        assert ended.status == 0
        assert ended.record["metrics"][0]["state"] == "improved"

    def test_an_unmet_improvement_is_2(self, clearband: Clearband, tmp_path: Path) -> None:
        (tmp_path / "policy.yml").write_text("primary: nDCG@10\nrequire: improvement\n")
        assert clearband("compare", BASELINE, CANDIDATE, "--policy", "policy.yml").status == 2

    def test_an_eval_set_that_grew_is_not_blocked(self, clearband: Clearband, tmp_path: Path) -> None:
        scores = np.random.default_rng(4).random(784).tolist()
        before, after = write(tmp_path / "b.jsonl", scores[:207]), write(tmp_path / "c.jsonl", scores)
        ended = clearband("compare", before, after, "--primary", "score", "--json")
        assert ended.status == 0
        assert ended.record["metrics"][0]["n"] == 207
        assert ended.record["questions"]["added"]["count"] == 577

    @pytest.mark.parametrize(
        "arguments",
        [
            (),
            ("compare",),
            ("compare", BASELINE),
            ("compare", BASELINE, CANDIDATE, "--confidence", "95"),
            ("compare", BASELINE, CANDIDATE, "--n-boot", "many"),
            ("compare", BASELINE, CANDIDATE, "--n-boot", "10"),
            ("compare", BASELINE, CANDIDATE, "--effect", "-1"),
            ("compare", BASELINE, CANDIDATE, "--interval", "guess"),
            ("compare", BASELINE, CANDIDATE, "--wat"),
            ("wat",),
        ],
    )
    def test_usage_errors_are_3_not_argparses_2(self, clearband: Clearband, arguments: tuple[object, ...]) -> None:
        ended = clearband(*arguments)
        assert ended.status == 3
        assert ended.err.startswith("clearband: ")
        assert ended.out == ""


def good(n: int = 20) -> list[str]:
    return [json.dumps({"id": f"q{i}", "score": 0.5}) for i in range(n)]


def spoiled(line: str) -> bytes:
    """Twenty good rows with one bad row among them."""
    rows = good()
    return "\n".join([*rows[:7], line, *rows[8:]]).encode("utf-8", "surrogatepass")


BAD_CANDIDATES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "whitespace": (b" \n\n ", "empty"),
    "binary": (bytes(range(256)) * 20, ""),
    "aggregates only": (b'{"scores": {"faithfulness": 0.91, "relevancy": 0.8}}', ""),
    "truncated last row": ("\n".join(good()).encode()[:-9], "line 20"),
    "truncated gzip": (gzip.compress("\n".join(good(2000)).encode())[:-20], "gzip"),
    "duplicate id": (spoiled('{"id": "q3", "score": 0.5}'), "q3"),
    "ids 1 and '1'": (spoiled('{"id": 1, "score": 0.5}') + b'\n{"id": "1", "score": 0.25}', "1"),
    "NaN": (spoiled('{"id": "q7", "score": NaN}'), "line 8"),
    "Infinity": (spoiled('{"id": "q7", "score": -Infinity}'), "line 8"),
    "1e999": (spoiled('{"id": "q7", "score": 1e999}'), "line 8"),
    "6,000 digits": (spoiled('{"id": "q7", "score": ' + "9" * 6000 + "}"), "line 8"),
    "lone surrogate": (spoiled('{"id": "q7", "score": 0.5, "note": "\\ud800"}'), "line 8"),
    "raw surrogate": (spoiled('{"id": "q\ud800", "score": 0.5}'), ""),
    "deep nesting": (spoiled('{"id": "q7", "score": ' + "[" * 200_000 + "]" * 200_000 + "}"), "line 8"),
    "not an object": (spoiled('["q7", 0.5]'), "line 8"),
    "no id": (spoiled('{"score": 0.5}'), "line 8"),
    "text for a number": (spoiled('{"id": "q7", "score": "n/a"}'), "line 8"),
    "no common id": ("\n".join(row.replace("q", "x") for row in good()).encode(), "no question in common"),
    "all lost": ("\n".join(row.replace("0.5", "null") for row in good()).encode(), "lost"),
    "unknown primary": ("\n".join(row.replace("score", "other") for row in good()).encode(), "score"),
}


@pytest.mark.parametrize("name", BAD_CANDIDATES)
@pytest.mark.parametrize("arm", ["candidate", "baseline"])
def test_bad_input_is_3_with_one_clear_message_and_never_a_pass(
    clearband: Clearband, tmp_path: Path, name: str, arm: str
) -> None:
    data, hint = BAD_CANDIDATES[name]
    bad, fine = tmp_path / "bad.jsonl", tmp_path / "good.jsonl"
    bad.write_bytes(data)
    fine.write_text("\n".join(good()) + "\n")
    files = (fine, bad) if arm == "candidate" else (bad, fine)
    ended = clearband("compare", *files, "--primary", "score")
    assert ended.status == 3, (ended.out, ended.err)
    if name != "unknown primary":
        assert ended.out == ""
        assert ended.err.startswith("clearband: ")
    assert hint in ended.err + ended.out
    assert len(ended.err) < 2_000


def test_a_missing_file_is_3_and_named(clearband: Clearband) -> None:
    ended = clearband("compare", BASELINE, "nowhere.csv", "--primary", "AP")
    assert ended.status == 3
    assert "nowhere.csv" in ended.err


def test_an_unknown_primary_is_3_and_named(clearband: Clearband) -> None:
    ended = clearband("compare", BASELINE, CANDIDATE, "--primary", "nDCG@1O")
    assert ended.status == 3
    assert "nDCG@1O" in ended.err + ended.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--primary", "AP", "--lower-is-better", "latency"),
        ("--primary", "AP", "--metric", "RR"),
        ("--metric", "recall"),
    ],
)
def test_options_that_name_what_is_not_there_or_leave_out_what_decides_are_3(
    clearband: Clearband, arguments: tuple[str, ...]
) -> None:
    ended = clearband("compare", BASELINE, CANDIDATE, *arguments)
    assert ended.status == 3
    assert arguments[-1] in ended.err or "AP" in ended.err


@pytest.mark.parametrize("interval", ["percentile", "expanded", "bca", "bounded"])
def test_every_interval_method_runs_end_to_end(clearband: Clearband, interval: str) -> None:
    ended = clearband(
        "compare", BASELINE, CANDIDATE, "--policy", EXAMPLES / "clearband.yml", "--interval", interval, "--json"
    )
    assert ended.record["method"]["interval"] == interval
    assert ended.record["metrics"][0]["state"] == "inconclusive"
    told = clearband("compare", BASELINE, CANDIDATE, "--policy", EXAMPLES / "clearband.yml", "--interval", interval)
    assert (told.status, interval.lower() in told.out.lower()) == (0, True)


def test_json_on_standard_output_is_the_record_and_nothing_else(clearband: Clearband, tmp_path: Path) -> None:
    ended = clearband("compare", BASELINE, CANDIDATE, "--primary", "AP", "--json", "--out", "out")
    assert ended.out.encode() == (tmp_path / "out/record.json").read_bytes()


def test_identical_files_give_byte_identical_records_and_comments(clearband: Clearband, tmp_path: Path) -> None:
    for out in ("one", "two"):
        clearband("compare", BASELINE, CANDIDATE, "--primary", "AP", "--out", out)
    for name in ("record.json", "comment.md", "summary.md"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_float32_round_trip_of_one_arm_is_identical(clearband: Clearband, tmp_path: Path) -> None:
    scores = np.random.default_rng(5).random(100)
    before = write(tmp_path / "b.jsonl", scores.tolist())
    after = write(tmp_path / "c.jsonl", scores.astype(np.float32).astype(float).tolist())
    ended = clearband("compare", before, after, "--primary", "score", "--json")
    assert ended.record["metrics"][0]["state"] == "identical"


@pytest.mark.parametrize(
    ("streams", "status"), [(">&-", 1), ("2>&-", 1), (">/dev/full", 1), (">/dev/null 2>/dev/full", 1)]
)
def test_no_stream_changes_the_exit_status(regressing: tuple[Path, Path], streams: str, status: int) -> None:
    import shlex
    import subprocess
    import sys

    command = shlex.join(
        [sys.executable, "-P", "-m", "clearband", "compare", *map(str, regressing), "--primary", "score"]
    )
    assert (
        subprocess.run(["sh", "-c", f"{command} {streams}"], check=False, stderr=subprocess.DEVNULL).returncode
        == status
    )
    missing = command.replace(str(regressing[1]), "nowhere.csv")
    assert subprocess.run(["sh", "-c", f"{missing} {streams}"], check=False, stderr=subprocess.DEVNULL).returncode == 3


def test_a_uniform_regression_is_blocked(clearband: Clearband, tmp_path: Path) -> None:
    generator = np.random.default_rng(6)
    before = generator.uniform(0.5, 0.9, 60)
    after = before - 0.3 + generator.normal(0, 0.002, 60)
    files = write(tmp_path / "b.jsonl", before.tolist()), write(tmp_path / "c.jsonl", after.tolist())
    assert clearband("compare", *files, "--primary", "score").status == 1


def test_a_hostile_name_takes_no_time_to_read(clearband: Clearband, tmp_path: Path) -> None:
    rows = "".join(json.dumps({"name": "()" * count + "x", "score": 0.5}) + "\n" for count in range(20, 60))
    (tmp_path / "r.jsonl").write_text(rows)
    assert clearband("compare", "r.jsonl", "r.jsonl", "--primary", "score").status in {0, 3}


def test_the_command_to_paste_holds_no_name_that_a_shell_would_act_on(clearband: Clearband, tmp_path: Path) -> None:
    hostile = tmp_path / f"{'a' * 40}'{'b' * 200};touch PWNED #"
    hostile.write_bytes(CANDIDATE.read_bytes())
    clearband("compare", BASELINE, hostile, "--primary", "AP", "--out", "out")
    comment = (tmp_path / "out" / "comment.md").read_text(encoding="utf-8")
    shown = next(line for line in comment.splitlines() if line.startswith("clearband compare"))
    assert shown == "clearband compare bm25_stem.csv candidate-file --primary AP"


def test_quiet_leaves_the_first_line(clearband: Clearband) -> None:
    done = clearband("compare", BASELINE, CANDIDATE, "--primary", "nDCG@10", "--quiet", "--out", "out")
    assert done.out == "Inconclusive: nDCG@10 +0.022 [−0.003, +0.046]\n"
    assert done.err == ""
    assert done.status == 0
    assert clearband("compare", BASELINE, CANDIDATE, "--quiet", "--json").status == 3


def test_a_comment_template_can_be_tried(clearband: Clearband, tmp_path: Path) -> None:
    template = tmp_path / "t.md.j2"
    given = ("compare", BASELINE, CANDIDATE, "--primary", "AP", "--out", "out", "--comment-template", template)
    unread = clearband(*given)
    assert unread.status == 0
    assert "comment's template" in unread.err
    template.write_text("{% extends base %}{% block next %}\nOurs.\n\n{% endblock %}")
    assert clearband(*given).status == 0
    assert "Ours." in (tmp_path / "out" / "comment.md").read_text()
    template.write_text("{% extends base %}{% block metrics %}{% endblock %}")
    refused = clearband(*given)
    assert refused.status == 0
    assert "template was not used: it leaves out the metric" in refused.err
    assert "nDCG" in (tmp_path / "out" / "comment.md").read_text()


def test_a_suite_brings_its_own_rules(clearband: Clearband, tmp_path: Path) -> None:
    policy = tmp_path / "clearband.yml"
    policy.write_text("metrics: {AP: {}, RR: {}}\nsuites:\n  wide: {primary: AP}\n  first: {primary: RR}\n")
    given = ("compare", BASELINE, CANDIDATE, "--policy", policy, "--json")
    first = clearband(*given, "--suite", "first").record
    assert (first["suite"], first["policy"]["primary"]) == ("first", "RR")
    assert clearband(*given, "--suite", "wide").record["policy"]["primary"] == "AP"
    unnamed = clearband(*given)
    assert unnamed.status == 3
    assert "`default` is none of them" in unnamed.err


def test_a_suite_is_a_plain_name(clearband: Clearband) -> None:
    assert clearband("compare", BASELINE, CANDIDATE, "--suite", "x -->\n# APPROVED").status == 3


def test_aa_says_how_steady_the_evaluation_is_and_gates_nothing(
    clearband: Clearband, regressing: tuple[Path, Path]
) -> None:
    ended = clearband("compare", *regressing, "--primary", "score", "--aa")
    assert ended.status == 0
    assert "differ by more than chance" in ended.out


def test_a_seed_and_a_number_of_resamples_are_recorded(clearband: Clearband) -> None:
    ended = clearband("compare", BASELINE, CANDIDATE, "--primary", "AP", "--n-boot", 1999, "--seed", 11, "--json")
    assert ended.record["method"] == {
        "cluster": None,
        "confidence": 0.95,
        "interval": "percentile",
        "n_boot": 1999,
        "seed": 11,
    }
    assert ended.record["metrics"][0]["monte_carlo_error"] is not None


def test_version_is_printed(clearband: Clearband) -> None:
    from clearband import __version__

    assert clearband("--version").out == f"clearband {__version__}\n"


@pytest.mark.shared
class TestPublishedRuns:
    """CRUXEval output prediction: published runs, one clear gain and one null."""

    @pytest.mark.parametrize(
        ("before", "after", "delta", "low", "high", "state"),
        [
            ("gpt-4-0613", "gpt-4-0613+cot", 0.084125, 0.060, 0.109, "improved"),
            ("gpt-3.5-turbo-0613", "deepseek-instruct-33b", 0.004875, -0.024, 0.033, "inconclusive"),
        ],
    )
    def test_pass_at_1(
        self, clearband: Clearband, shared: Path, before: str, after: str, delta: float, low: float, high: float,
        state: str,
    ) -> None:  # fmt: skip
        folder = shared / "paired" / "cruxeval_output"
        ended = clearband(
            "compare", folder / f"{before}.jsonl", folder / f"{after}.jsonl", "--primary", "pass_at_1", "--json"
        )
        metric = ended.record["metrics"][0]
        assert metric["delta"] == pytest.approx(delta, abs=1e-12)
        assert metric["interval"] == pytest.approx([low, high], abs=1.5e-3)
        assert (metric["state"], metric["n"]) == (state, 800)
