"""JUnit XML, the report that nearly every test runner can write: one question a test, passed or not."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import junit_properties, junit_xml, limits, lookup, question_keys, table, values
from clearband.results.about import About
from clearband.results.identity import text_key
from clearband.results.outline import Shape
from clearband.results.result_file import shown
from clearband.results.table import Table, column
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clearband.results.junit_xml import Case, Report
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run
    from clearband.results.table import Series

ABOUT = About(
    name="JUnit XML",
    versions="pytest 7.4.4 and 9.2.0, jest-junit 16.0.0 and vitest 2.1.9 (run for this project); the shapes of Maven "
    "Surefire, Gradle, Playwright and googletest as they are documented",
    produce="`pytest --junitxml=results.xml`, `vitest --reporter=junit`, jest-junit, Surefire's `TEST-*.xml` (its "
    "folder)",
    key="`classname::name`, and suite and file where tests share it; `--id` names an attribute or a property",
    metrics="`passed` (1 or 0), `time` in seconds, and every `<property>` of the test cases that holds numbers",
    direction="`time` is a duration: lower",
    errors="`<failure>` and `<error>` score 0, a skipped test (pytest's xfail too) has no value, xpass has passed",
    measurement="properties of the suite that are called model, prompt, commit, judge, judge-prompt, scorer, dataset, "
    "trials or tool (pytest's `record_testsuite_property`)",
    traps=(
        "Several results of one test are attempts at it, in the file's order, as are flakyFailure and rerunFailure.",
        "Attempts until one passes compare only with attempts by the same rule.",
        "pytest-rerunfailures and vitest's `retry` leave no trace of the attempts before the one that passed.",
        "jest-junit writes a `test.todo` like a test that passed.",
        "The time of a test contains its machine; a gate on it needs the same one on both sides.",
        "A file with a document type declaration is refused.",
    ),
)

PASSED = "passed"
"""The metric that every test report has: 1 or 0."""

_TIME = "time"
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+\.\d+")


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the file is XML whose outermost element is ``testsuites`` or ``testsuite``."""
    return outline.shape is Shape.OTHER and junit_xml.is_report(file.data)


def task_of(path: str) -> str | None:  # noqa: ARG001  the formats' common signature
    """Return one task for all files of a folder: Surefire and sharded runs write one report in many files."""
    return "tests"


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a row for each attempt at a test."""
    report = junit_xml.read(file)
    cases = report.cases
    rows = [_row(case) for case in cases] if options.labels or options.id_field is not None else []
    keys, key, told = _keys(file, cases, rows, options.id_field)
    series, notes = _series(file, cases)
    where = np.repeat(np.arange(len(cases)), [1 + case.earlier for case in cases])
    counts = np.append(where[1:] != where[:-1], [True] * bool(cases))  # the attempt whose result the file gives
    ids = [keys[row] for row in where.tolist()]
    labels = lookup.labels(rows, options.labels)
    return table.to_run(
        Table(
            file=file,
            format="junit/xml",
            ids=ids,
            series=[_attempted(one, where, counts) for one in series],
            errored=np.zeros(len(ids), dtype=np.bool_),
            trial=_numbers(ids),
            labels={name: [texts[row] for row in where.tolist()] for name, texts in labels.items()},
            directions={one.name: Direction.LOWER for one in series if one.name == _TIME},
            measurement=_measurement(report),
            key=key,
            notes=(*told, *_repeated(ids), *notes),
        )
    )


def _series(file: ResultFile, cases: Sequence[Case]) -> tuple[list[Series], list[str]]:
    """Return the metrics, a value for each test case."""
    found = [column(PASSED, [_score(case) for case in cases])]
    notes: list[str] = []
    if any(case.time is not None for case in cases):
        times = [None if _was_skipped(case) else _seconds(case.time) for case in cases]
        odd = sum(time is None and not _was_skipped(case) for time, case in zip(times, cases, strict=True))
        notes += [f"Tests whose `{_TIME}` is missing or no plain number: {odd}."] if odd else []
        found.append(column(_TIME, times))
    properties: list[Mapping[str, object]] = [{} if _was_skipped(case) else case.properties for case in cases]
    recorded, hints = junit_properties.metrics(file, properties, text_cells=True, taken=(PASSED, _TIME))
    return [*found, *recorded], [*notes, *hints]


def _was_skipped(case: Case) -> bool:
    return case.skipped and not case.failed and not case.broke


def _score(case: Case) -> bool | None:
    return None if _was_skipped(case) else not (case.failed or case.broke)


def _seconds(text: str | None) -> float | None:
    """Return a duration; Surefire writes ``1,234.5``, and ``0,5`` could mean anything."""
    plain = (text or "").strip()
    value = values.number(plain.replace(",", "") if _THOUSANDS.fullmatch(plain) else plain)
    return value if value is not None and abs(value) <= limits.MAGNITUDE else None


def _attempted(one: Series, where: NDArray[np.int64], counts: NDArray[np.bool_]) -> Series:
    """Give a metric a row for each attempt; of those before the one that counts only the failure is known."""
    before = 0.0 if one.name == PASSED else np.nan
    return replace(one, values=np.where(counts, one.values[where], before))


def _row(case: Case) -> dict[str, object]:
    own = {"classname": case.classname, "name": case.name, "file": case.file or None, "suite": case.suite or None}
    return {**case.properties, **own}


def _keys(
    file: ResultFile, cases: Sequence[Case], rows: Sequence[Mapping[str, object]], field: str | None
) -> tuple[list[str], str, list[str]]:
    """Return the question of each test case, what names it, and a note where that took more than usual."""
    names = [_name(case) for case in cases]
    if field is not None:
        return junit_properties.chosen_ids(file, names, rows, field), shown(field), []
    keys = question_keys.refined(names, [" ".join(filter(None, (case.suite, case.file))) for case in cases])
    apart = len({key for key, name in zip(keys, names, strict=True) if key != name})
    note = f"Tests that share class and name with another, and are told apart by suite and file: {apart}."
    return [text_key(key) for key in keys], "classname::name", [note] if apart else []


def _name(case: Case) -> str:
    if not case.classname or case.classname == case.name:
        return case.name
    return f"{case.classname}::{case.name}" if case.name else case.classname


def _numbers(ids: Sequence[str]) -> NDArray[np.float64] | None:
    """Return the number of each attempt, in the order of the file; None where every test was run once."""
    if len(set(ids)) == len(ids):
        return None
    seen: Counter[str] = Counter()
    numbers = np.empty(len(ids))
    for row, text in enumerate(ids):
        numbers[row] = seen[text]
        seen[text] += 1
    return numbers


def _repeated(ids: Sequence[str]) -> list[str]:
    many = sum(count > 1 for count in Counter(ids).values())
    note = f"Tests with several results, which are read as attempts in the order of the file: {many}."
    return [note] if many else []


def _measurement(report: Report) -> dict[MeasurementField, str]:
    """Return what the suites' own properties say, and that failed tests were run again where the file shows it."""
    said = {
        field: ", ".join(sorted(filled))
        for field in MeasurementField
        if (filled := [value for value in report.properties.get(field, []) if value.strip()])
    }
    again = any(case.earlier for case in report.cases)
    return {MeasurementField.TRIALS: "attempts until one passes", **said} if again else said
