"""Numbers that tests record about themselves, as with pytest's ``record_property``: metrics beside pass and fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clearband.results import lookup, names, values
from clearband.results.identity import text_key
from clearband.results.result_file import shown
from clearband.results.rows import refuse_too_wide
from clearband.results.table import Series

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from clearband.results.result_file import ResultFile

_LISTED = 12


def metrics(
    file: ResultFile, rows: Sequence[Mapping[str, object]], *, text_cells: bool, taken: Collection[str]
) -> tuple[list[Series], list[str]]:
    """Return the properties that are numbers, or words for yes and no, and notes about those that nearly are.

    Parameters
    ----------
    file
        Their file.
    rows
        The properties of each test; none for a test that was not run.
    text_cells
        Whether every property is text, as in XML.
    taken
        Names of metrics that the format itself has; a property of that name becomes ``property.<name>``.

    """
    known = dict.fromkeys(name for row in rows for name in row)
    refuse_too_wide(file, known, len(rows))
    series: list[Series] = []
    notes: list[str] = []
    for name in known:
        if names.is_no_metric(name):
            continue
        cells = [_filled(row.get(name)) for row in rows]
        called = f"property.{name}" if name in taken else name
        match values.read(cells, text_cells=text_cells):
            case values.Numbers(values=found, empty=False):
                series.append(Series(name=called, values=found))
            case values.NotNumbers(hint=str(hint)):
                notes.append(f"The property `{shown(name)}` {hint} and was not read as a metric.")
            case values.Refused(row=row, too_large=too_large):
                why = "a number beyond every limit" if too_large else shown(cells[row], width=40)
                notes.append(
                    f"The property `{shown(name)}` holds {why} among its numbers and was not read as a metric."
                )
            case _:
                pass
    return series, notes


def chosen_ids(
    file: ResultFile, names_of_tests: Sequence[str], rows: Sequence[Mapping[str, object]], field: str
) -> list[str]:
    """Return the ids that a person chose with --id: a field that every test has.

    Parameters
    ----------
    file
        Their file.
    names_of_tests
        What the tests are called otherwise.
    rows
        All fields of each test.
    field
        The chosen one; a dot leads into an object.

    """
    texts = [lookup.id_text(lookup.inside(row, field)) for row in rows]
    if None in texts:
        first = shown(names_of_tests[texts.index(None)])
        known = dict.fromkeys(name for row in rows for name in row)
        some = ", ".join(f"`{shown(name, width=40)}`" for name in list(known)[:_LISTED])
        raise file.problem(
            f"test {first} has no `{shown(field)}`" if any(texts) else f"no test has a `{shown(field)}`",
            remedy=f"Name one with --id that every test has; there is {some}{' …' if len(known) > _LISTED else ''}.",
        )
    return [text_key(text) for text in texts if text is not None]


def _filled(cell: object) -> object:
    text = cell.strip() if isinstance(cell, str) else cell
    return None if text == "" else text
