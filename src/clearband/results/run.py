"""A run: one system's results on one eval set, as every reader returns it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One system's results: a value per question and metric.

    A value that is null in the file is NaN here, and nowhere else is NaN: readers refuse non-finite numbers.
    Trials (``repeat``, ``epoch``, ``trial``, ``run``) are already averaged within their question.
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
    notes: tuple[str, ...] = ()
    """What a reader assumed and a person should know, one sentence each."""
