"""`make bench`: prepare, measure, write the page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from bench import environments, page, results
from bench.context import Context
from bench.parts import PARTS
from bench.peers import LIBRARIES, PEERS

ROOT: Final = Path(__file__).resolve().parent.parent
SHOWN: Final = ("clearband", "numpy", "scipy", "arch", "orjson", "msgspec", *(peer.name for peer in PEERS))


def main() -> int:
    """Measure the parts that were asked for, and write the page from all that there are."""
    asked = _parser().parse_args()
    home = ROOT / ".cache" / "bench"
    if not asked.page_only:
        context = _context(home, repeats=asked.repeats)
        versions = _versions(context)
        for name in asked.part or PARTS:
            context.say(f"== {name}")
            rows = tuple(PARTS[name](context))
            results.keep(
                results.Measured(
                    part=name, rows=rows, machine=results.machine(), repeats=asked.repeats, versions=versions
                ),
                home / "results",
            )
    parts = {name: found for name in PARTS if (found := results.kept(home / "results", name)) is not None}
    (ROOT / "docs" / "benchmarks.md").write_text(page.page(parts), encoding="utf-8")
    picture = page.plot(parts)
    if picture is not None:
        (ROOT / "docs" / page.PICTURE).write_text(picture, encoding="utf-8")
    print("docs/benchmarks.md")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make bench", description="Measure Clearband beside its peers.")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="measure this part alone (repeatable)")
    parser.add_argument("--repeats", type=int, default=5, help="rounds, at most (default: 5)")
    parser.add_argument("--page-only", action="store_true", help="measure nothing, write the page anew")
    return parser


def _context(home: Path, *, repeats: int) -> Context:
    home.mkdir(parents=True, exist_ok=True)
    own = environments.own(ROOT, home, say=_say)
    if own.missing:
        sys.exit(f"Clearband could not be installed: {own.missing}")
    libraries = environments.prepared(LIBRARIES, home, say=_say)
    peers = {peer.environment.name: environments.prepared(peer.environment, home, say=_say) for peer in PEERS}
    return Context(root=ROOT, home=home, own=own, libraries=libraries, peers=peers, repeats=repeats, say=_say)


def _versions(context: Context) -> dict[str, str]:
    merged: dict[str, str] = {}
    for ready in (*context.peers.values(), context.libraries, context.own):
        merged.update({name: version for name, version in ready.versions().items() if name in SHOWN})
    return merged


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
