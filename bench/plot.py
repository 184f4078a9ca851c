"""One picture: the time of whole processes over the number of questions, both logarithmic. SVG without a library."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 760
HEIGHT: Final = 420
LEFT: Final = 62
RIGHT: Final = 178
TOP: Final = 40
BOTTOM: Final = 44
OURS: Final = "#0969da"
THEIRS: Final = ("#9a6700", "#8250df", "#1a7f37", "#bf3989", "#57606a", "#bc4c00", "#116329", "#6639ba", "#953800")
FLOOR: Final = "#8c959f"
_LABEL_APART: Final = 14.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One tool: (questions, seconds), both above 0."""

    name: str
    points: Sequence[tuple[float, float]]
    is_ours: bool = False
    is_floor: bool = False


def picture(lines: Sequence[Line], *, title: str) -> str:
    """Return the SVG; lines without a point are left out."""
    drawn = [line for line in lines if line.points]
    xs = [x for line in drawn for x, _ in line.points]
    ys = [y for line in drawn for _, y in line.points]
    scale = _Scale(
        low=(math.log10(min(xs)), math.floor(math.log10(min(ys)))),
        high=(math.log10(max(xs)), math.ceil(math.log10(max(ys)))),
    )
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'font-family="-apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="11">'
        ),
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="13" font-weight="600" fill="#1f2328">{escape(title)}</text>',
        *_axes(scale, sorted(set(xs))),
    ]
    colours = iter(THEIRS * (1 + len(drawn) // len(THEIRS)))
    labels: list[tuple[float, str, str]] = []
    for line in drawn:
        colour = OURS if line.is_ours else FLOOR if line.is_floor else next(colours)
        parts.append(_path(line, scale, colour))
        labels.append((scale.y(line.points[-1][1]), line.name, colour))
    parts += _labels(labels)
    return "\n".join([*parts, "</svg>"]) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    low: tuple[float, float]
    high: tuple[float, float]

    def x(self, value: float) -> float:
        """Return the column of a number of questions."""
        share = (math.log10(value) - self.low[0]) / max(1e-9, self.high[0] - self.low[0])
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """Return the height of a time."""
        share = (math.log10(value) - self.low[1]) / max(1e-9, self.high[1] - self.low[1])
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _axes(scale: _Scale, sizes: Sequence[float]) -> list[str]:
    parts = []
    for power in range(int(scale.low[1]), int(scale.high[1]) + 1):
        y = scale.y(10.0**power)
        word = f"{10.0**power:g} s"
        parts += [
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#d0d7de" stroke-width="1"/>',
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#57606a">{word}</text>',
        ]
    for size in sizes:
        x = scale.x(size)
        parts.append(
            f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#57606a">{size:,.0f}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle" fill="#57606a">questions</text>')
    return parts


def _path(line: Line, scale: _Scale, colour: str) -> str:
    points = [(scale.x(x), scale.y(y)) for x, y in line.points]
    dash = ' stroke-dasharray="4 3"' if line.is_floor else ""
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points)
    width = 3 if line.is_ours else 1.5
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>{dots}'


def _labels(labels: list[tuple[float, str, str]]) -> list[str]:
    """Return the names at the right, moved apart where lines end close to each other."""
    parts, last = [], -math.inf
    for y, name, colour in sorted(labels):
        last = max(y, last + _LABEL_APART)
        parts.append(f'<text x="{WIDTH - RIGHT + 10}" y="{last + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    return parts
