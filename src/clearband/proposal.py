"""The policy that a pull request brings to a repository that has none yet: read to say whether it can be used.

It decides nothing. What holds is the base branch's, and this one is not there before the merge.
"""

from __future__ import annotations

from dataclasses import dataclass

from clearband import policy_file, policy_suites
from clearband.errors import UnusablePolicy
from clearband.plain_text import DEFAULT_SUITE


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A policy on the pull request's own branch."""

    name: str
    problem: UnusablePolicy | None
    """The first thing wrong with it; None where it can be used."""


def lint(data: bytes, *, name: str) -> Proposal:
    """Read a policy, and each of its suites, and say what is wrong with it."""
    try:
        for suite in policy_suites.names(data, name=name) or (DEFAULT_SUITE,):
            policy_file.load(data, name=name, suite=suite)
    except UnusablePolicy as problem:
        return Proposal(name=name, problem=problem)
    return Proposal(name=name, problem=None)
