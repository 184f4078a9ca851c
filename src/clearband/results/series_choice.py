"""Which of several systems in one file is read: tools write providers, prompts and runs side by side."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clearband.results.result_file import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clearband.errors import UnusableResults
    from clearband.results.result_file import ResultFile

_LISTED = 12
_WIDTH = 200


def numbered(names: Sequence[str]) -> list[str]:
    """Return the names on one line each, ``#2`` and so on behind those that appear again."""
    seen: Counter[str] = Counter()
    out: list[str] = []
    for name in (" ".join(name.split()) for name in names):
        seen[name] += 1
        out.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return out


def choose(file: ResultFile, names: Sequence[str], wanted: str | None) -> int:
    """Return the place of the series that is meant; refuse to guess where there are several.

    Parameters
    ----------
    file
        The file that holds them.
    names
        The series, as `numbered` returns them.
    wanted
        A name, or a beginning that only one name has; None where a person did not say.

    """
    if wanted is None:
        if len(names) == 1:
            return 0
        raise _unchosen(file, names, f"the file holds {len(names)} series")
    text = " ".join(wanted.split())
    if text in names:
        return names.index(text)
    fitting = [place for place, name in enumerate(names) if name.startswith(text)]
    if len(fitting) == 1 and text:
        return fitting[0]
    if fitting:
        many = [names[place] for place in fitting]
        raise _unchosen(file, many, f'{len(fitting)} series of the file begin with "{shown(text)}"')
    raise _unchosen(file, names, f'no series of the file begins with "{shown(text)}"')


def first(names: Sequence[str], chosen: int) -> tuple[str, ...]:
    """Return the names of a file's series, the one that was read in front."""
    return (names[chosen], *names[:chosen], *names[chosen + 1 :])


def _unchosen(file: ResultFile, names: Sequence[str], what: str) -> UnusableResults:
    listed = "; ".join(f'"{shown(name, width=_WIDTH)}"' for name in names[:_LISTED])
    more = f"; and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return file.problem(
        what,
        remedy=f'Say which one is meant, such as --series "{shown(names[0], width=_WIDTH)}" (in a comparison: '
        "--baseline-series and --candidate-series); a beginning is enough where only one begins so. "
        f"The series are {listed}{more}.",
    )
