"""A run: one system's results on one eval set, as every reader returns it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from clearband.vocabulary import Direction, MeasurementField


@dataclass(frozen=True, slots=True, kw_only=True)
class Trials:
    """The single values of a metric that was measured more than once on some question."""

    question: NDArray[np.int64]
    """Shape (k,), increasing: places in the run's `ids`."""
    values: NDArray[np.float64]
    """Shape (k,), finite. Within a question in the order of the trials' numbers, by value where they have none."""
    ordered: bool
    """Whether the file numbers the trials, so that their order means something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One system's results: a value per question and metric.

    A value that is null in the file is NaN here, and nowhere else is NaN: readers refuse non-finite numbers.
    Trials (``repeat``, ``epoch``, ``trial``, ``run``) are averaged within their question; `trials_of` keeps them.
    """

    name: str
    """The file's name as it was given, without its folder."""
    sha256: str
    """Hex digest of the bytes as they were given, compressed or not."""
    format: str
    """How the file was read, such as ``generic/jsonl``."""
    ids: tuple[str, ...]
    """Question ids, unique, in the order of the file."""
    metrics: Mapping[str, NDArray[np.float64]]
    """Metric name to values, each of shape (questions,), in the order of `ids`."""
    errored: NDArray[np.bool_]
    """Shape (questions,): the tool reported an error for the question; its values are NaN then."""
    trials: int = 1
    """The largest number of trials of any question."""
    trials_of: Mapping[str, Trials] = field(default_factory=dict)
    """Metric name to its single trials; only metrics with more than one value for some question."""
    labels: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    """Field that was asked for (a cluster, a slice) to its text, question by question; only fields that were found."""
    content: tuple[str | None, ...] | None = None
    """A hash of each question's content, by which an edited question is seen; None where the format has no content."""
    directions: Mapping[str, Direction] = field(default_factory=dict)
    """Which way is better, for the metrics of which the tool itself says so."""
    measurement: Mapping[MeasurementField, str] = field(default_factory=dict)
    """With what the values were measured, as far as the file tells."""
    key: str = "id"
    """What names the questions, for people: a field, or such as ``hash of vars``."""
    by_position: bool = False
    """Whether questions are told apart by their place in the file alone: then both files need as many."""
    series: tuple[str, ...] = ()
    """The series that the file holds, where it may hold several; the first is the one that was read."""
    filled: int = 0
    """Questions of which a second file filled a lost value."""
    filler_sha256: str | None = None
    """Hex digest of that second file; None where there is none."""
    notes: tuple[str, ...] = ()
    """What a reader assumed and a person should know, one sentence each."""
