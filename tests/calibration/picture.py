"""A small-multiple picture of coverage curves as SVG: no plotting library, no fonts to embed, readable on dark pages."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, COLUMNS = 300, 190, 2
LEFT, RIGHT, TOP, BOTTOM = 44, 20, 40, 30
LOWEST = 0.5
COLOURS = {"percentile": "#0969da", "expanded": "#1a7f37", "bca": "#9a6700", "bounded": "#8250df"}
DASHES = {"percentile": "", "expanded": "6 3", "bca": "2 3", "bounded": "9 3 2 3"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One population: a curve of (n, coverage) per method."""

    title: str
    curves: Mapping[str, Sequence[tuple[int, float]]]


def picture(panels: Sequence[Panel]) -> str:
    """Return the SVG of all panels with a legend; coverage below a half is drawn at the edge."""
    rows = math.ceil(len(panels) / COLUMNS)
    width, height = COLUMNS * WIDTH, rows * HEIGHT + 34
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'font-family="-apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="11">'
        ),
        f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>',
        *_legend(),
    ]
    for place, panel in enumerate(panels):
        x, y = place % COLUMNS * WIDTH, place // COLUMNS * HEIGHT + 34
        parts += [f'<g transform="translate({x} {y})">', *_panel(panel), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _legend() -> list[str]:
    lines = []
    for place, method in enumerate(COLOURS):
        x = LEFT + 110 * place
        lines += [
            f'<path d="M{x} 22h26" {_stroke(method)}/>',
            f'<text x="{x + 32}" y="26" fill="#1f2328">{method}</text>',
        ]
    return lines


def _stroke(method: str) -> str:
    return f'fill="none" stroke="{COLOURS[method]}" stroke-width="2" stroke-dasharray="{DASHES[method]}"'


def _panel(panel: Panel) -> list[str]:
    sizes = [n for n, _ in next(iter(panel.curves.values()))]
    logs = [math.log(n) for n in sizes]

    def x(n: int) -> float:
        return LEFT + (math.log(n) - logs[0]) / (logs[-1] - logs[0]) * (WIDTH - LEFT - RIGHT)

    def y(coverage: float) -> float:
        return TOP + (1.0 - max(LOWEST, coverage)) / (1.0 - LOWEST) * (HEIGHT - TOP - BOTTOM)

    lines = [f'<text x="{LEFT}" y="{line}" fill="#1f2328" font-weight="600">{escape(text)}</text>'
             for line, text in zip((16, 30), _wrapped(panel.title), strict=False)]  # fmt: skip
    for level in (0.5, 0.75, 0.95, 1.0):
        colour = "#cf222e" if level == 0.95 else "#d1d9e0"
        lines += [
            f'<path d="M{LEFT} {y(level):.1f}H{WIDTH - RIGHT}" stroke="{colour}" stroke-width="1"/>',
            f'<text x="{LEFT - 6}" y="{y(level) + 4:.1f}" text-anchor="end" fill="#59636e">{100 * level:.0f} %</text>',
        ]
    lines += [
        f'<text x="{x(n):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle" fill="#59636e">{n:,}</text>'
        for n in sizes
    ]
    for method, curve in panel.curves.items():
        path = "L".join(f"{x(n):.1f} {y(coverage):.1f}" for n, coverage in curve)
        lines.append(f'<path d="M{path}" {_stroke(method)}/>')
    return lines


def _wrapped(title: str) -> list[str]:
    """Break a title once, at a space before the 38th letter."""
    if len(title) <= 38:
        return ["", title]
    cut = title.rfind(" ", 0, 38)
    return [title[:cut], title[cut + 1 :]]
