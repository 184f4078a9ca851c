"""Several comparisons under one policy: which suites there are, and the rules of one of them.

A suite's own keys take the place of the whole policy's; what it leaves out holds as it stands there. The policy says
which suites there are, so no pull request can leave one out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clearband.errors import UnusablePolicy
from clearband.plain_text import SUITE_NAME, nearest, shown
from clearband.policy_value import Value
from clearband.policy_yaml import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SUITE_LIMIT: Final = 50
"""Suites of one policy; one comment has to hold a line for each."""
OF_THE_WHOLE: Final = ("suites", "ledger", "override_by_author", "show_questions", "comment_template")
"""Keys that hold for every suite alike: one ledger, one comment, one rule for who may override and what is public."""
_EXAMPLE = "suites:\n  retrieval: {primary: recall}\n  answers: {primary: accuracy}"


def names(data: bytes, *, name: str) -> tuple[str, ...]:
    """Return the suites that a policy file lists, in its order; none where it has no key `suites`.

    Parameters
    ----------
    data, name
        The file as it was read, and its name for messages.

    Raises
    ------
    UnusablePolicy
        The file is no YAML, or the list is not one of suites.

    """
    given = Value(name, "", read(data, name=name)).below()
    return tuple(_suites(given["suites"])) if "suites" in given else ()


def of_suite(given: Mapping[str, Value], suite: str, *, keys: Iterable[str]) -> dict[str, Value]:
    """Return the keys that hold for `suite`.

    Parameters
    ----------
    given
        The keys of the whole file.
    suite
        The suite that is compared.
    keys
        Every key that a policy may have.

    Raises
    ------
    UnusablePolicy
        The policy lists suites, and not this one; or the suite has a key that it cannot have.

    """
    if "suites" not in given:
        return dict(given)
    listed = _suites(given["suites"])
    if suite not in listed:
        near = nearest(suite, listed)
        remedy = f"Did you mean {shown(near)}? " if near else ""
        what = f"lists the suites {', '.join(map(shown, listed))}, and {shown(suite)} is none of them"
        raise given["suites"].refused(what, f"{remedy}Name one of them, or add it to the policy.")
    allowed = tuple(key for key in keys if key not in OF_THE_WHOLE)
    moved = dict.fromkeys(OF_THE_WHOLE, "It holds for all suites: put it at the start of a line, without indentation.")
    return {key: value for key, value in given.items() if key != "suites"} | listed[suite].fields(
        allowed, elsewhere=moved
    )


def _suites(value: Value) -> dict[str, Value]:
    found = value.below()
    if not found:
        raise value.refused("is empty", f"Remove the line, or list the suites:\n{_EXAMPLE}")
    if len(found) > SUITE_LIMIT:
        raise value.refused(f"lists {len(found)} suites; at most {SUITE_LIMIT} are compared", "List fewer suites.")
    for suite, below in found.items():
        if not SUITE_NAME.fullmatch(suite):
            what = f"{value.file}: {shown(suite)} cannot be a suite's name: 1 to 50 letters, digits, `.`, `_` or `-`"
            raise UnusablePolicy(what, where=f"line {below.node.line}", remedy="Give the suite a plain name.")
    return found
