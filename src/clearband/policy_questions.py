"""The policy's must-pass rules: which questions may not newly fail, named by their ids or by a slice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clearband.policy import MustPass
from clearband.policy_checks import check_must_pass
from clearband.policy_yaml import Mapping

if TYPE_CHECKING:
    from clearband.policy import MetricPolicy
    from clearband.policy_value import Value

QUESTION_LIMIT: Final = 10_000
"""Questions of one rule."""
_KEYS = ("metric", "ids", "slice", "passes_at")
_EXAMPLE = "must_pass:\n  - metric: NAME\n    ids: [ID, ID]"


def must_pass(value: Value, metrics: dict[str, MetricPolicy]) -> tuple[MustPass, ...]:
    """Return the rules of a policy's `must_pass`; `metrics` are those that it lists.

    Raises
    ------
    UnusablePolicy
        A rule that names no metric or no questions, or that could never decide.

    """
    rules = value.items(allowed="a list of rules", example=_EXAMPLE)
    if not rules:
        raise value.refused("is empty", "Remove the line, or give it a rule.")
    return tuple(_rule(item, metrics) for item in rules)


def _rule(value: Value, metrics: dict[str, MetricPolicy]) -> MustPass:
    if not isinstance(value.node, Mapping):
        raise value.refused("is not a rule", f"Write it like this:\n{_EXAMPLE}")
    given = value.fields(_KEYS, elsewhere={})
    if "metric" not in given:
        raise value.refused("does not name its metric", "Add a line `metric: NAME` to it.")
    if ("ids" in given) == ("slice" in given):
        fault = "names its questions twice, by `ids` and by `slice`" if "ids" in given else "names no questions"
        raise value.refused(fault, "Name them either way: `ids: [ID, ID]` or `slice: {FIELD: VALUE}`.")
    field, text = _slice(given["slice"]) if "slice" in given else (None, None)
    rule = MustPass(
        metric=given["metric"].name(allowed="a metric's name"),
        ids=_ids(given["ids"]) if "ids" in given else (),
        field=field,
        value=text,
        passes_at=given["passes_at"].number(allowed="a number") if "passes_at" in given else None,
    )
    check_must_pass(rule, given, metrics)
    return rule


def _ids(value: Value) -> tuple[str, ...]:
    ids = value.each_once(
        lambda item: item.content(allowed="a question's id"),
        allowed="a list of question ids",
        example="ids: [ID, ID]",
    )
    if len(ids) > QUESTION_LIMIT:
        remedy = "Mark the questions by a field of the result files, and name that: `slice: {FIELD: VALUE}`."
        raise value.refused(f"lists {len(ids):,} questions; at most {QUESTION_LIMIT:,} can be listed", remedy)
    return ids


def _slice(value: Value) -> tuple[str, str]:
    """Return the field of a slice and the value that makes it."""
    named = value.named(kind="field")
    if len(named) != 1:
        raise value.refused(f"holds {len(named)} fields; it is one", "Write one field and its value: {FIELD: VALUE}.")
    field, text = next(iter(named.items()))
    return field, text.content(allowed="the field's value on these questions")
