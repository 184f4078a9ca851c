"""How a result file was read, as a person sees it in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.report.escape import visible
from clearband.report.numbers import NBSP, NONE, count, counted
from clearband.report.terminal import NARROWEST, aligned, display_width, shortened, wrapped
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clearband.inspection import Example, Inspection, MetricInspection

_HEAD = ["metric", "questions", "mean", "type", "missing", "better"]
_SHORTEST_NAME = 12
_LONGEST_NAME = 60
_KEY, _CELL, _NOTE = 100, 300, 1_000
_EXAMPLE_VALUES = 6
_SERIES = 12


def inspect_text(inspection: Inspection, *, colour: bool, width: int) -> str:
    """Return what was read as text of at most `width` columns where names allow, without a newline at the end.

    Parameters
    ----------
    inspection
        What to show.
    colour
        Whether headings may be bold.
    width
        Columns of the terminal.

    """
    columns = max(width, NARROWEST)
    run = inspection.run

    def heading(words: str) -> str:
        return f"\x1b[1m{words}\x1b[0m" if colour else words

    name = visible(run.name, _LONGEST_NAME)
    paragraphs = [
        heading(wrapped(f"{name} was read as {visible(run.format, _LONGEST_NAME)}", columns)),
        "\n".join(wrapped(sentence, columns) for sentence in _facts(inspection)),
        _metrics(inspection.metrics, columns),
        _listed(heading("Questions, the first ones"), map(_example, inspection.examples), columns),
        _listed(
            heading("Measured with"),
            _measurement(run.measurement),
            columns,
        ),
        _listed(heading("Series, the one that was read in front"), _series(run.series), columns),
        _listed(heading("Notes"), (visible(note, _NOTE) for note in run.notes), columns),
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph).replace(NBSP, " ")


def _facts(inspection: Inspection) -> Iterable[str]:
    run = inspection.run
    metrics = counted(len(run.metrics), "metric")
    yield f"{counted(len(run.ids), 'question')}, {metrics}; a question is known by: {visible(run.key, _KEY)}"
    if run.by_position:
        yield "Questions are told apart by their place in the file alone: the other file must have as many."
    if inspection.errored:
        lost = counted(
            inspection.errored, "question ended in an error and is lost", "questions ended in an error and are lost"
        )
        yield f"{lost}."
    if run.trials > 1:
        yield f"Up to {count(run.trials)} trials a question; the means below are over questions, trials averaged first."
    if run.content is None:
        yield "The format holds no question content, so a question that was edited under its id is not seen."


def _metrics(metrics: Sequence[MetricInspection], columns: int) -> str:
    rows = [_row(metric) for metric in metrics]
    lines = [_HEAD, *rows]
    taken = sum(2 + max(display_width(line[column]) for line in lines) for column in range(1, len(_HEAD)))
    longest = max(_SHORTEST_NAME, columns - 2 - taken)
    return aligned(_HEAD, [[shortened(row[0], longest), *row[1:]] for row in rows])


def _row(metric: MetricInspection) -> list[str]:
    return [
        visible(metric.name),
        count(metric.n),
        NONE if metric.mean is None else f"{metric.mean:.6g}",
        str(metric.kind),
        count(metric.missing) if metric.missing else NONE,
        "not said" if metric.direction is None else str(metric.direction),
    ]


def _example(example: Example) -> str:
    told = {visible(name, 40): cell for name, cell in example.values.items() if cell is not None}
    missing = len(example.values) - len(told)
    if example.errored or not told:
        return f"{visible(example.question, _KEY)}: {'error' if example.errored else 'no value'}"
    values = ", ".join(f"{name}{NBSP}{cell:.6g}" for name, cell in list(told.items())[:_EXAMPLE_VALUES])
    more = f" and {len(told) - _EXAMPLE_VALUES} more" if len(told) > _EXAMPLE_VALUES else ""
    return f"{visible(example.question, _KEY)}: {values}{more}" + (f"; {missing} without a value" if missing else "")


def _measurement(told: Mapping[MeasurementField, str]) -> Iterable[str]:
    return (visible(f"{field}: {told[field]}", _CELL) for field in MeasurementField if field in told)


def _series(series: Sequence[str]) -> Iterable[str]:
    yield from (visible(name, _CELL) for name in series[:_SERIES])
    if len(series) > _SERIES:
        yield f"and {len(series) - _SERIES} more"


def _listed(heading: str, items: Iterable[str], columns: int) -> str:
    """Return the items below a heading, each behind a hyphen; nothing where there is none."""
    lines = [line for item in items for line in _item(item, columns)]
    return "\n".join([heading, *lines]) if lines else ""


def _item(text: str, columns: int) -> Iterable[str]:
    first, *rest = (shortened(line, columns - 4) for line in wrapped(text, columns - 4).split("\n"))
    return (f"  - {first}", *(f"    {line}" for line in rest))
