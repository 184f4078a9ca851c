"""docs/benchmarks.md, written from the results: what was run, what came out, where a target is missed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench import table
from bench.parts.process import SIZES
from bench.parts.readers import BARE
from bench.peers import PEERS
from bench.plot import Line, picture
from bench.targets import targets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.results import Measured
    from bench.targets import Target
    from bench.timing import Row

WORDS: Final = Path(__file__).with_name("page.md")
PICTURE: Final = "images/benchmarks.svg"
_NOT_MEASURED: Final = "Not measured in this run."


def page(parts: Mapping[str, Measured]) -> str:
    """Return the page; parts that were not measured say so."""
    rows = {name: measured.rows for name, measured in parts.items()}
    filled = {
        "machine": _machines(parts),
        "versions": _versions(parts),
        "targets": _targets(targets(rows)),
        "startup": table.with_memory(rows["startup"], base="import floor") if "startup" in rows else _NOT_MEASURED,
        "process": table.by_size(rows["process"], base="Clearband") if "process" in rows else _NOT_MEASURED,
        "memory": _memory(rows.get("process", ())),
        "peers": _peers(),
        "computing": table.by_size(rows["computing"], base="Clearband") if "computing" in rows else _NOT_MEASURED,
        "large": table.with_memory(rows["large"], base="bare read (msgspec)") if "large" in rows else _NOT_MEASURED,
        "readers": _readers(rows["readers"]) if "readers" in rows else _NOT_MEASURED,
        "growth": _growth(rows["growth"]) if "growth" in rows else _NOT_MEASURED,
        "container": _container(rows.get("container", ())),
        "failed": _failed(rows),
    }
    text = WORDS.read_text("utf-8")
    for name, part in filled.items():
        text = text.replace(f"<!-- {name} -->", part)
    return text


def plot(parts: Mapping[str, Measured]) -> str | None:
    """Return the picture of whole processes over n; None where they were not measured."""
    if "process" not in parts:
        return None
    rows = parts["process"].rows
    lines = []
    for name in dict.fromkeys(row.name for row in rows):
        points = [(row.size, row.median) for row in rows if row.name == name and not math.isnan(row.median)]
        is_floor = name == "import floor" or name.startswith("bare read")
        lines.append(Line(name=name, points=points, is_ours=name.startswith("Clearband"), is_floor=is_floor))
    return picture(lines, title="From JSON lines to intervals: seconds of the whole process")


def _machines(parts: Mapping[str, Measured]) -> str:
    said = dict.fromkeys(f"{one.machine}; up to {one.repeats} repeats, interleaved" for one in parts.values())
    return "; ".join(said) + "."


def _versions(parts: Mapping[str, Measured]) -> str:
    merged: dict[str, str] = {}
    for one in parts.values():
        merged.update(one.versions)
    return ", ".join(f"{name} {version}" for name, version in sorted(merged.items())) + "."


def _targets(found: Sequence[Target]) -> str:
    lines = []
    for target in found:
        said = {True: "met", False: "**missed**", None: "not measured"}[target.is_met]
        bound = f"at least {target.bound:g}×" if target.at_least else f"below {target.bound:g}×"
        lines.append([target.what, table.ratio(target.found, 1.0), bound, said])
    return table.markdown(["", "ratio", "target", ""], lines)


def _memory(rows: Sequence[Row]) -> str:
    if not rows:
        return _NOT_MEASURED
    names = list(dict.fromkeys(row.name for row in rows))
    lines = []
    for name in names:
        found = [table.row_of(rows, name, size) for size in SIZES]
        lines.append([name, *(table.NOTHING if one is None else table.mebibytes(one.memory) for one in found)])
    return table.markdown(["", *(f"{size:,}" for size in SIZES)], lines)


def _peers() -> str:
    lines = [[peer.name, peer.environment.requirements[0].replace("==", " ") if len(peer.environment.requirements) == 1
              else "library", peer.does] for peer in PEERS]  # fmt: skip
    return table.markdown(["", "version", "what it computes"], lines).replace("---:", ":---")


def _readers(rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        if row.name.endswith(BARE):
            continue
        bare = table.row_of(rows, f"{row.name}, {BARE}")
        lines.append(
            [
                row.name,
                f"{row.amount:,.1f} MB",
                row.failed or f"{row.amount / row.median:,.0f} MB/s",
                table.NOTHING if bare is None else bare.failed or f"{bare.amount / bare.median:,.0f} MB/s",
                table.ratio(row.median, math.nan if bare is None else bare.median),
            ]
        )
    return table.markdown(["", "file", "reader", BARE, "time ×"], lines)


def _growth(rows: Sequence[Row]) -> str:
    sizes = sorted({row.size for row in rows})
    lines = []
    for name in dict.fromkeys(row.name for row in rows):
        first = table.median_of(rows, name, sizes[0])
        cells = []
        for size in sizes:
            row = table.row_of(rows, name, size)
            if row is None or row.failed or math.isnan(row.median):
                cells.append(table.NOTHING if row is None or not row.failed else row.failed)
            else:
                cells.append(f"{table.seconds(row.median)} ({table.ratio(row.median, first)})")
        lines.append([name, *cells])
    return table.markdown(["", *(f"{size:,}" for size in sizes)], lines)


def _container(rows: Sequence[Row]) -> str:
    if not rows:
        return _NOT_MEASURED
    if all(row.failed for row in rows):
        return f"Not measured: {rows[0].failed}."
    return table.markdown(["", "time"], [[row.name, row.failed or table.seconds(row.median)] for row in rows])


def _failed(rows: Mapping[str, Sequence[Row]]) -> str:
    said = dict.fromkeys(
        f"- {row.name} at {row.size:,}: {row.failed}."
        for part, many in rows.items()
        for row in many
        if row.failed and part != "container"
    )
    return "\n".join(said) or "Nothing failed."
