"""What lm-evaluation-harness writes for a metric and a question: a number, or the ingredients of a corpus's number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clearband.results import columns

if TYPE_CHECKING:
    from collections.abc import Iterator

DUMMY = "bypass"
"""The metric of a run that only predicts; its value, 999, means nothing."""

DERIVED = {
    "word_perplexity": ("nats_per_word", 1.0),
    "byte_perplexity": ("nats_per_byte", 1.0),
    "bits_per_byte": ("bits_per_byte", math.log(2)),
}
"""Corpus metric, written as ``[log-likelihood, length]``, to what a single question has of it, and in what unit."""


def per_question(metric: str, value: object) -> Iterator[tuple[str, float | str]]:
    """Yield name and value of whatever number the question has; a text for what has none.

    - ``[log-likelihood, words]`` of a perplexity is the negative log-likelihood per word; its mean over questions does
      not weight them by their length, as the tool's corpus value does.
    - A list of true and false (one per instruction) is the share of true.
    - A dict is one metric for each key.
    - Any other list is an ingredient of a corpus metric, such as ``[gold, predicted]`` of F1, and no value.
    """
    match value:
        case [int() | float() as likelihood, int() | float() as length] if metric in DERIVED:
            name, unit = DERIVED[metric]
            yield name, _rate(columns.number(likelihood), columns.number(length), unit)
        case [bool(), *_] if all(isinstance(one, bool) for one in value):
            yield metric, sum(map(bool, value)) / len(value)
        case list():
            yield metric, "is computed over the whole corpus, from pairs"
        case dict():
            for key, inner in value.items():
                yield f"{metric}.{key}", columns.number(inner)
        case _:
            yield metric, columns.number(value)


def _rate(likelihood: float | str, length: float | str, unit: float) -> float:
    if isinstance(likelihood, str) or isinstance(length, str) or not 0 < length < math.inf:
        return math.nan
    return -likelihood / (length * unit)


def answers(responses: object) -> int:
    """Return how many answers a score is made of, from ``resps``: requests, each with its repeated answers."""
    if isinstance(responses, list):
        return max((len(one) for one in responses if isinstance(one, list)), default=1)
    return 1
