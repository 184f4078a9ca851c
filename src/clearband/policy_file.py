"""The policy file read, key by key; which keys go together is the business of `policy_checks`.

Imports PyYAML, which costs a tenth of the start-up of a comparison that has no policy file (27 ms, measured).
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from clearband.plain_text import DEFAULT_SUITE, is_repository_path, shown
from clearband.policy import (
    CONFIDENCE_ALLOWED,
    CONFIDENCE_RANGE,
    DEFAULT_VARIES,
    LOOKS_LIMIT,
    Anchor,
    MetricPolicy,
    Policy,
)
from clearband.policy_checks import check_metric, check_policy
from clearband.policy_questions import must_pass
from clearband.policy_suites import of_suite
from clearband.policy_value import Value
from clearband.policy_yaml import read
from clearband.vocabulary import (
    BaselineCommit,
    BaselineMissing,
    BaselineRuns,
    Direction,
    IntervalMethod,
    LedgerMode,
    MeasurementField,
    Mode,
    OnLost,
    Reducer,
    Requirement,
    Role,
    ShowQuestions,
    Statistic,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.policy_value import Word

_SHA256: Final = re.compile(r"[0-9a-f]{64}")

METRIC_LIMIT: Final = 200
"""As many metrics as a result file may hold."""
SLICE_LIMIT: Final = 5
"""Fields that make slices: every one adds a table, and a family of tests, for each metric."""
PATH_LIMIT: Final = 100
"""Patterns of `paths`; each is held against every changed file."""
TRIAL_LIMIT: Final = 1_000
"""Largest k; estimates of pass@k multiply k factors for every question."""

_KEYS = (
    "primary",
    "require",
    "confidence",
    "interval",
    "max_lost",
    "on_lost",
    "min_questions",
    "allow_changed_questions",
    "cluster",
    "slices",
    "min_slice",
    "slice_guardrails",
    "must_pass",
    "varies",
    "mode",
    "paths",
    "max_looks",
    "baseline_commit",
    "baseline_runs",
    "baseline_missing",
    "anchor",
    "ledger",
    "override_by_author",
    "show_questions",
    "comment_template",
    "suites",
    "metrics",
)
_METRIC_KEYS = ("direction", "range", "unit", "statistic", "margin", "budget", "effect", "reducer", "k", "role")
_ANCHOR_KEYS = ("name", "sha256", "gate")
_OF_A_METRIC = dict.fromkeys(_METRIC_KEYS, "It belongs to one metric: put it under `metrics:` and that metric's name.")
_OF_THE_POLICY = dict.fromkeys(
    _KEYS, "It holds for the whole policy: put it at the start of a line, without indentation."
)
_A_FIELD = "the name of a field of the result files"
_A_SHARE = "a share of the baseline's mean from 0.0001 to 0.9999, such as 0.1 for 10 %"
_A_RELATIVE_EFFECT = "a share of the baseline's mean, as the change is relative: from 0.0001 to 1, such as 0.05"


def load(data: bytes, *, name: str, suite: str = DEFAULT_SUITE) -> Policy:
    """Return the policy that a file's bytes spell out; what the file leaves out has its default.

    Parameters
    ----------
    data
        The file as it was read.
    name
        The file's name, for messages.
    suite
        The suite whose rules are wanted; any, where the file lists none.

    Raises
    ------
    UnusablePolicy
        Anything that is not exactly a policy: the line, the key, what was given and what is allowed.

    """
    root = Value(name, "", read(data, name=name))
    given = of_suite(root.fields(_KEYS, elsewhere=_OF_A_METRIC), suite, keys=_KEYS)
    metrics = _metrics(given["metrics"]) if "metrics" in given else {}
    silent = Policy()
    policy = Policy(
        primary=given["primary"].name(allowed="a metric's name") if "primary" in given else None,
        require=_choice(given, "require", Requirement, silent.require),
        confidence=_confidence(given["confidence"]) if "confidence" in given else silent.confidence,
        interval=_choice(given, "interval", IntervalMethod, silent.interval),
        max_lost=_max_lost(given["max_lost"]) if "max_lost" in given else silent.max_lost,
        on_lost=_choice(given, "on_lost", OnLost, silent.on_lost),
        min_questions=_at_least_two(given["min_questions"]) if "min_questions" in given else silent.min_questions,
        allow_changed_questions="allow_changed_questions" in given and given["allow_changed_questions"].flag(),
        cluster=given["cluster"].name(allowed=_A_FIELD) if "cluster" in given else None,
        slices=_slices(given["slices"]) if "slices" in given else (),
        min_slice=_at_least_two(given["min_slice"]) if "min_slice" in given else silent.min_slice,
        slice_guardrails="slice_guardrails" in given and given["slice_guardrails"].flag(),
        must_pass=must_pass(given["must_pass"], metrics) if "must_pass" in given else (),
        varies=_varies(given["varies"]) if "varies" in given else DEFAULT_VARIES,
        mode=_choice(given, "mode", Mode, silent.mode),
        paths=_paths(given["paths"]) if "paths" in given else (),
        max_looks=given["max_looks"].whole(1, LOOKS_LIMIT) if "max_looks" in given else silent.max_looks,
        baseline_commit=_choice(given, "baseline_commit", BaselineCommit, silent.baseline_commit),
        baseline_runs=_choice(given, "baseline_runs", BaselineRuns, silent.baseline_runs),
        baseline_missing=_choice(given, "baseline_missing", BaselineMissing, silent.baseline_missing),
        anchor=_anchor(given["anchor"]) if "anchor" in given else None,
        ledger=_choice(given, "ledger", LedgerMode, silent.ledger),
        override_by_author="override_by_author" in given and given["override_by_author"].flag(),
        show_questions=given["show_questions"].choice(ShowQuestions) if "show_questions" in given else None,
        comment_template=_template(given["comment_template"]) if "comment_template" in given else None,
        metrics=metrics,
        sha256=sha256(data).hexdigest(),
    )
    check_policy(policy, given)
    return policy


def _choice(given: Mapping[str, Value], key: str, words: type[Word], silent: Word) -> Word:
    return given[key].choice(words) if key in given else silent


def _confidence(value: Value) -> float:
    return value.share(*CONFIDENCE_RANGE, allowed=CONFIDENCE_ALLOWED)


def _max_lost(value: Value) -> float:
    return value.share(0.0, 0.9999, allowed="a share from 0 to below 1, such as 0.02")


def _at_least_two(value: Value) -> int:
    return value.whole(2, 10_000_000)


def _metrics(value: Value) -> dict[str, MetricPolicy]:
    named = value.named()
    if len(named) > METRIC_LIMIT:
        raise value.refused(f"lists {len(named):,} metrics; at most {METRIC_LIMIT} are compared", "List fewer metrics.")
    return {name: _metric(settings) for name, settings in named.items()}


def _metric(value: Value) -> MetricPolicy:
    given = value.fields(_METRIC_KEYS, elsewhere=_OF_THE_POLICY)
    silent = MetricPolicy()
    bounds = given["range"].pair(allowed="[smallest, largest] possible value") if "range" in given else None
    statistic = _choice(given, "statistic", Statistic, silent.statistic)
    metric = MetricPolicy(
        direction=_choice(given, "direction", Direction, silent.direction),
        directed="direction" in given,
        range=bounds,
        unit=given["unit"].label(allowed="a short text, such as ms") if "unit" in given else None,
        statistic=statistic,
        margin=given["margin"].number(allowed="a number, 0 or larger") if "margin" in given else silent.margin,
        budget=given["budget"].share(0.0001, 0.9999, allowed=_A_SHARE) if "budget" in given else None,
        effect=_effect(given["effect"], statistic) if "effect" in given else None,
        reducer=_choice(given, "reducer", Reducer, silent.reducer),
        k=given["k"].whole(1, TRIAL_LIMIT) if "k" in given else None,
        role=_choice(given, "role", Role, silent.role),
    )
    check_metric(metric, given)
    return metric


def _effect(value: Value, statistic: Statistic) -> float:
    if statistic is Statistic.RELATIVE:
        return value.share(0.0001, 1.0, allowed=_A_RELATIVE_EFFECT)
    return value.number(allowed="a number above 0")


def _slices(value: Value) -> tuple[str, ...]:
    fields = value.each_once(
        lambda item: item.name(allowed=_A_FIELD), allowed="a list of fields", example="slices: [category]"
    )
    if len(fields) > SLICE_LIMIT:
        raise value.refused(f"lists {len(fields)} fields; at most {SLICE_LIMIT} are reported", "List fewer fields.")
    return fields


def _paths(value: Value) -> tuple[str, ...]:
    patterns = value.each_once(
        lambda item: item.label(allowed="a path or pattern"),
        allowed="a list of paths",
        example="paths: [src/**]",
    )
    if len(patterns) > PATH_LIMIT:
        raise value.refused(f"lists {len(patterns)} paths; at most {PATH_LIMIT} are matched", "Use wider patterns.")
    return patterns


def _anchor(value: Value) -> Anchor:
    given = value.fields(_ANCHOR_KEYS, elsewhere={})
    if "name" not in given:
        raise value.refused("does not name the anchor", "Add `name:`, such as the release that it comes from.")
    digest = given["sha256"].text(allowed="a SHA-256 of 64 hex digits") if "sha256" in given else None
    if digest is not None and not _SHA256.fullmatch(digest):
        raise given["sha256"].refused("is no SHA-256", "It is 64 hex digits in lower case, as `sha256sum FILE` prints.")
    return Anchor(
        name=given["name"].label(allowed="a short name, such as v1.4"),
        sha256=digest,
        gate="gate" in given and given["gate"].flag(),
    )


def _template(value: Value) -> str:
    allowed = "the path of a file of the repository, such as .github/clearband.md.j2"
    path = value.text(allowed=allowed)
    if not is_repository_path(path):
        raise value.refused(f"is {shown(path)}; it is {allowed}", "Write it with forward slashes, from the top folder.")
    return path


def _varies(value: Value) -> frozenset[MeasurementField]:
    words = value.each_once(
        lambda item: item.choice(MeasurementField),
        allowed=f"a list of: {', '.join(MeasurementField)}",
        example="varies: [model, prompt]",
        may_be_empty=True,
    )
    return frozenset(words)
