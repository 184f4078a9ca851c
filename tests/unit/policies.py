"""Policies as text, read or refused: a test names only the lines it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clearband.errors import UnusablePolicy
from clearband.policy_file import load

if TYPE_CHECKING:
    from clearband.policy import MetricPolicy, Policy


def policy(text: str, *, suite: str = "default") -> Policy:
    return load(text.encode(), name="clearband.yml", suite=suite)


def refusal(text: str, *, suite: str = "default") -> UnusablePolicy:
    with pytest.raises(UnusablePolicy) as caught:
        policy(text, suite=suite)
    return caught.value


def policy_or_refusal(text: str) -> Policy | UnusablePolicy:
    try:
        return policy(text)
    except UnusablePolicy as error:
        return error


def metric(settings: str) -> MetricPolicy:
    return policy(f"metrics: {{recall: {{{settings}}}}}").metrics["recall"]


def metric_refusal(settings: str) -> UnusablePolicy:
    return refusal(f"primary: recall\nmetrics:\n  recall: {{{settings}}}\n")
