"""Result files of several tools with many questions: grown from real ones, by repeating a question under new names."""

from __future__ import annotations

import copy
import csv
import gzip
import json
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from bench.data import generate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SAMPLES: Final = "tests/unit/results/samples"


def written(root: Path, folder: Path, questions: int) -> dict[str, Path]:
    """Return format to file, each written where it is not there yet."""
    place = folder / "formats" / str(questions)
    place.mkdir(parents=True, exist_ok=True)
    found: dict[str, Path] = {}
    for name, (file, make) in MAKERS.items():
        path = place / file
        if not path.exists():
            data = make(root / SAMPLES, questions)
            path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
        found[name] = path
    return found


def _rows(questions: int) -> list[dict[str, Any]]:
    arm = generate(questions).baseline
    names = list(arm.metrics)
    columns = [arm.metrics[name].tolist() for name in names]
    return [
        {"id": ids, **dict(zip(names, values, strict=True))} for ids, *values in zip(arm.ids, *columns, strict=True)
    ]


def jsonl(_: Path, questions: int) -> bytes:
    """Return JSON lines, a row per question."""
    return _lines(_rows(questions))


def document(_: Path, questions: int) -> bytes:
    """Return one JSON list."""
    return json.dumps(_rows(questions)).encode()


def table(_: Path, questions: int) -> bytes:
    """Return CSV."""
    rows = _rows(questions)
    text = StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def promptfoo(samples: Path, questions: int) -> bytes:
    """Return promptfoo's JSON with every result under variables of its own."""
    whole = json.loads((samples / "promptfoo" / "pair_0.123.1.json").read_text("utf-8"))
    results = whole["results"]["results"]
    mine = [result for result in results if result["promptIdx"] == results[0]["promptIdx"]]

    def renamed(result: dict[str, Any], number: int) -> None:
        name = next(iter(result["vars"]))
        result["vars"][name] = f"{result['vars'][name]} {number}"
        result["testIdx"] = number
        result["testCase"]["vars"] = result["vars"]

    whole["results"]["results"] = _grown(mine, questions, renamed)
    return json.dumps(whole).encode()


def deepeval(samples: Path, questions: int) -> bytes:
    """Return DeepEval's latest run with many test cases."""
    whole = json.loads((samples / "deepeval" / "latest_3.9.9.json").read_text("utf-8"))

    def renamed(case: dict[str, Any], number: int) -> None:
        case["name"], case["input"], case["order"] = f"case_{number}", f"{case['input']} {number}", number

    whole["testRunData"]["testCases"] = _grown(whole["testRunData"]["testCases"], questions, renamed)
    return json.dumps(whole).encode()


def inspect_ai(samples: Path, questions: int) -> bytes:
    """Return Inspect AI's JSON log with many samples."""
    whole = json.loads((samples / "inspect-ai" / "0.3.285_1_epoch.json").read_text("utf-8"))

    def renamed(sample: dict[str, Any], number: int) -> None:
        sample["id"] = f"{sample['id']}-{number}"

    finite = [sample for sample in whole["samples"] if "NaN" not in json.dumps(sample)]  # no bare parser takes NaN
    whole["samples"] = _grown(finite, questions, renamed)
    whole["eval"]["dataset"].update(samples=questions, sample_ids=[sample["id"] for sample in whole["samples"]])
    whole["results"].update(total_samples=questions, completed_samples=questions)
    return json.dumps({key: part for key, part in whole.items() if key != "reductions"}).encode()


def lm_eval(samples: Path, questions: int) -> bytes:
    """Return lm-evaluation-harness's samples with many documents."""
    path = next((samples / "lm-eval-harness" / "0.4.10").glob("samples_sums_choice_*.jsonl"))
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]

    def renamed(row: dict[str, Any], number: int) -> None:
        row["doc_id"] = number
        row["doc_hash"] = f"{number:064x}"
        row["doc"]["question"] = f"{row['doc'].get('question', '')} {number}"

    return _lines(_grown(rows, questions, renamed))


def junit(_: Path, questions: int) -> bytes:
    """Return JUnit XML as pytest writes it."""
    cases = "".join(
        f'<testcase classname="test_app" name="test_question[{number}]" time="0.002"><properties>'
        f'<property name="score" value="{number % 7 / 7:.6f}" /></properties>'
        + ('<failure message="wrong">assert 1 == 2</failure>' if number % 3 == 0 else "")
        + "</testcase>"
        for number in range(questions)
    )
    failures = len(range(0, questions, 3))
    head = f'<testsuite name="pytest" errors="0" failures="{failures}" skipped="0" tests="{questions}" time="40.0">'
    return f'<?xml version="1.0" encoding="utf-8"?><testsuites>{head}{cases}</testsuite></testsuites>'.encode()


def _grown(
    ones: list[dict[str, Any]], questions: int, rename: Callable[[dict[str, Any], int], None]
) -> list[dict[str, Any]]:
    grown = []
    for number in range(questions):
        one = copy.deepcopy(ones[number % len(ones)])
        rename(one, number)
        grown.append(one)
    return grown


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


MAKERS: Final[dict[str, tuple[str, Callable[[Path, int], bytes]]]] = {
    "JSON lines": ("rows.jsonl", jsonl),
    "JSON lines, gzip": ("rows.jsonl.gz", jsonl),
    "JSON list": ("rows.json", document),
    "CSV": ("rows.csv", table),
    "promptfoo": ("promptfoo.json", promptfoo),
    "DeepEval": ("deepeval.json", deepeval),
    "Inspect AI": ("inspect.json", inspect_ai),
    "lm-evaluation-harness": ("lm_eval.jsonl", lm_eval),
    "JUnit XML": ("junit.xml", junit),
}
"""Format to its file and what writes it."""
