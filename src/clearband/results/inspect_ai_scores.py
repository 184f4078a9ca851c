"""What Inspect AI's scorers say, as numbers: its own rule, without its habit of reading an unknown word as 0."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clearband.results import columns, limits
from clearband.results.columns import Columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clearband.results.inspect_ai_log import Sample, Scorer
    from clearband.results.result_file import ResultFile

_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def collect(file: ResultFile, samples: Sequence[Sample], failed: Sequence[bool], only: str | None) -> Columns:
    """Return every metric's values.

    Parameters
    ----------
    file
        For messages.
    samples
        The rows.
    failed
        Whose values do not count.
    only
        The name of the only scorer, for logs that do not name it.

    """
    found = Columns(file=file)
    for row, sample in enumerate(samples):
        for name, value in _values(sample, only or "score"):
            found.put(name, row, math.nan if failed[row] else _number(value))
    return found


def unscored(file: ResultFile, scorers: Sequence[Scorer]) -> Columns:
    """Return the metrics of a log in which every sample failed: all of them lost, none of them unknown."""
    found = Columns(file=file)
    for scorer in scorers:
        keys = [f".{key}" for key in scorer.metrics] if isinstance(scorer.metrics, dict) else [""]
        for key in keys:
            found.put(f"{scorer.name}{key}", 0, math.nan)
    return found


def _values(sample: Sample, only: str) -> Iterator[tuple[str, object]]:
    scores = sample.scores or {}
    if sample.score is not None and not scores:
        scores = {only: sample.score}
    for scorer, score in scores.items():
        if isinstance(score.value, dict):
            for key, value in score.value.items():
                yield f"{scorer}.{key}", value
        else:
            yield scorer, score.value


def _number(value: object) -> float | str:
    if not isinstance(value, str):
        return columns.number(value)
    known = _LETTERS.get(value, _WORDS.get(value.lower()))
    if known is not None:
        return known
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    return found if abs(found) <= limits.MAGNITUDE else columns.number(value)
