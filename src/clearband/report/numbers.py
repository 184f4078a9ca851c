"""Every rounding rule of what people read.

- The width of the interval decides: the last digit shown is the second digit of half the interval's width, and never
  finer than the Monte Carlo error of its ends.
- Rounding never moves the end of an interval, or p, onto or across a line it is compared with (zero, margin, smallest
  effect, alpha): it gets more digits instead.
- What a set detects is rounded up, never down: the smaller number would promise too much.
- Metrics whose values are 0 or 1 are shown in percent, their changes in points; others in the unit of the policy.
- The minus sign is U+2212, a change of unknown sign is never printed, and p is never "0.000".
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clearband.vocabulary import Reducer, Statistic

if TYPE_CHECKING:
    from clearband.comparison import MetricResult
    from clearband.policy import MetricPolicy

MINUS, NBSP, NONE = "\u2212", "\u00a0", "–"
MOST_DECIMALS = 8
_UNIT = re.compile(r"[A-Za-z0-9%°µ€£¥²³·/ ]{1,12}")
_POINTS = ("point", "points")


def count(number: int) -> str:
    """Return a count, thousands grouped: ``1,024``."""
    return f"{number:,}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return ``1 question`` or ``2 questions``."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def percent(share: float) -> str:
    """Return a share such as the confidence, every digit it was given with: ``95 %``."""
    return f"{share * 100:.10g}{NBSP}%"


def exponent(value: float) -> int:
    """Return the decimal exponent of `value` after rounding to two digits: 0.0996 is 1.0e-1."""
    return int(f"{abs(value):.1e}".partition("e")[2])


def decimals_for(size: float) -> int:
    """Return how many decimals show the first two digits of `size`."""
    return max(0, 1 - exponent(size)) if size else 0


def fixed(value: float, decimals: int, *, signed: bool = False) -> str:
    """Return `value` with so many decimals, a true minus sign, and no sign on zero."""
    if decimals > MOST_DECIMALS or abs(value) >= 1e15:
        text = f"{value:.2g}" if value else "0"
    else:
        text = f"{value:,.{decimals}f}" if abs(value) >= 10_000 else f"{value:.{decimals}f}"
    if not re.search("[1-9]", text):
        return text.lstrip("-")
    return (text if text.startswith("-") or not signed else f"+{text}").replace("-", MINUS)


def faithful(value: float, decimals: int, lines: tuple[float, ...]) -> int:
    """Return the fewest decimals, at least `decimals`, that keep `value` on its side of each of `lines`."""
    for more in range(decimals, MOST_DECIMALS + 1):
        rounded = float(f"{value:.{more}f}")
        if all((rounded > line) == (value > line) and (rounded < line) == (value < line) for line in lines):
            return more
    return MOST_DECIMALS + 1


def p_value(p: float | None, alpha: float = 0.05) -> str:
    """Return p with three decimals, more where it is close to `alpha`, and ``< 0.001`` where it is small."""
    if p is None:
        return NONE
    smallest = min(0.001, alpha)
    if p < smallest:
        return f"<{NBSP}{smallest:.12g}"
    if 0.9995 <= p < 1:
        return f">{NBSP}0.999"
    return fixed(p, faithful(p, max(3, 1 - exponent(smallest)) if smallest < 0.001 else 3, (alpha,))) if p < 1 else "1"


def about(value: float | None, *, signed: bool = False) -> str:
    """Return an amount with the two digits that matter, or a dash."""
    return NONE if value is None else fixed(value, decimals_for(value), signed=signed)


def needed(metric: MetricResult) -> str:
    """Return the suggested number of questions, no more exact than its basis allows."""
    if metric.n_suggested is None:
        return NONE
    if metric.n_suggested_basis == "measured" and metric.n_suggested > 10 * metric.n:
        return f">{NBSP}10×"
    return count(metric.n_suggested)


def is_rate(metric: MetricResult, policy: MetricPolicy) -> bool:
    """Return whether every value is 0 or 1, as far as the sums tell.

    True where both sums are whole numbers in range and all differences that are not 0 are a whole 1.
    """
    means = (metric.baseline_mean, metric.candidate_mean)
    if metric.statistic is not Statistic.MEAN or metric.reducer is not Reducer.MEAN:
        return False
    if policy.unit is not None or policy.range not in {None, (0.0, 1.0)} or metric.n < 2 or metric.delta is None:
        return False
    for mean in means:
        if mean is None or not 0 <= mean <= 1 or abs(mean * metric.n - round(mean * metric.n)) > 1e-6:
            return False
    if metric.nonzero == 0:
        return True
    squares = (metric.sd or 0.0) ** 2 * (metric.n - 1) + metric.n * metric.delta**2
    return abs(squares - metric.nonzero) < 1e-6 * metric.n


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How the numbers of one metric are written."""

    factor: float
    decimals: int
    unit: str
    """After a value, with its space; empty where there is none."""
    points: bool
    """Whether changes are percentage points."""
    lines: tuple[float, ...]
    """The numbers that a change is compared with, in the metric's own units."""
    levels: Figures | None = None
    """How means are written where they are not in the unit of their change, which is relative; None where they are."""

    @classmethod
    def of(cls, metric: MetricResult, policy: MetricPolicy) -> Figures:
        """Return the figures that suit `metric`."""
        if metric.statistic is Statistic.RELATIVE:
            return cls._relative(metric, policy)
        points = is_rate(metric, policy)
        factor = 100.0 if points else 1.0
        unit = f"{NBSP}%" if points else ""
        if policy.unit is not None and _UNIT.fullmatch(policy.unit):
            unit = f"{NBSP}{policy.unit}"
        lines = {0.0, metric.margin, -metric.margin}
        if metric.effect is not None:
            lines |= {metric.effect, -metric.effect}
        return cls(
            factor=factor,
            decimals=_decimals(metric, factor),
            unit=unit,
            points=points,
            lines=tuple(sorted(lines)),
        )

    @classmethod
    def _relative(cls, metric: MetricResult, policy: MetricPolicy) -> Figures:
        """Return figures whose changes are per cent of the baseline, and whose means are in the metric's own unit."""
        own = f"{NBSP}{policy.unit}" if policy.unit is not None and _UNIT.fullmatch(policy.unit) else ""
        sizes = [abs(value) for value in (metric.baseline_mean, metric.candidate_mean) if value]
        digits = min(max(0, 2 - exponent(max(sizes))), MOST_DECIMALS) if sizes else 0
        lines = {0.0} | ({metric.effect, -metric.effect} if metric.effect is not None else set())
        return cls(
            factor=100.0,
            decimals=_decimals(metric, 100.0),
            unit=f"{NBSP}%",
            points=False,
            lines=tuple(sorted(lines)),
            levels=cls(factor=1.0, decimals=digits, unit=own, points=False, lines=()),
        )

    @property
    def level_unit(self) -> str:
        """The unit behind a mean."""
        return self.unit if self.levels is None else self.levels.unit

    def level(self, value: float | None) -> str:
        """Return a mean: ``0.412`` or ``41.2 %``."""
        if self.levels is not None:
            return self.levels.level(value)
        return NONE if value is None else fixed(value * self.factor, self.decimals) + self.unit

    def change(self, value: float) -> str:
        """Return a change with its unit: ``+0.022``, ``+2.2 points``."""
        bare = fixed(value * self.factor, self.decimals, signed=True)
        return (
            f"{bare}{NBSP}{_POINTS[bare.strip('+' + MINUS) not in {'1', '1.0'}]}" if self.points else bare + self.unit
        )

    def interval(self, ends: tuple[float, float]) -> str:
        """Return an interval of changes, kept on one line: ``[−0.003, +0.046]``."""
        return f"[{self._end(ends[0])},{NBSP}{self._end(ends[1])}]"

    def _end(self, value: float) -> str:
        scaled = value * self.factor
        lines = tuple(line * self.factor for line in self.lines)
        return fixed(scaled, faithful(scaled, self.decimals, lines), signed=True)

    def change_with_interval(self, value: float | None, ends: tuple[float, float] | None) -> str:
        """Return ``+2.2 points [−0.3, +4.6]``, or what there is of it."""
        if value is None:
            return NONE
        return self.change(value) if ends is None else f"{self.change(value)} {self.interval(ends)}"

    def given(self, amount: float) -> str:
        """Return an amount that a person wrote down (a margin, a smallest effect) as it was written."""
        return self._with_unit(f"{amount * self.factor:.12g}")

    def about(self, amount: float) -> str:
        """Return an amount that was computed (what this set detects), two digits of it, rounded up."""
        scaled = abs(amount) * self.factor
        decimals = decimals_for(scaled)
        step = 10.0**-decimals
        # A hair below a whole step is that step: 0.03 came out of a sum.
        return self._with_unit(fixed(math.ceil(scaled / step - 1e-6) * step, decimals))

    def _with_unit(self, text: str) -> str:
        return f"{text}{NBSP}{_POINTS[text != '1']}" if self.points else text + self.unit


def shows_unit(policy: MetricPolicy) -> bool:
    """Return whether the policy's unit can stand behind a number; a strange one is quoted beside the name instead."""
    return policy.unit is None or bool(_UNIT.fullmatch(policy.unit))


def _decimals(metric: MetricResult, factor: float) -> int:
    half = 0.0 if metric.interval is None else (metric.interval[1] - metric.interval[0]) / 2 * factor
    if half > 0:
        decimals = decimals_for(half)
    else:
        values = [abs(v) * factor for v in (metric.baseline_mean, metric.candidate_mean, metric.delta) if v]
        decimals = min(max(0, 2 - exponent(max(values))), MOST_DECIMALS) if values else 0
    error = max(metric.monte_carlo_error or (0.0, 0.0)) * factor
    return min(decimals, max(0, math.floor(-math.log10(error)))) if error > 0 else decimals
