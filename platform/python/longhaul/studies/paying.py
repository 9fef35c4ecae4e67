# SPDX-License-Identifier: Apache-2.0
"""Where along an axis one way pays over another: gains, and the places where that changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from longhaul.sweeps.intervals import Sample, welch
from longhaul.sweeps.scales import LOG_FROM, Scale, scale


@dataclass(frozen=True)
class Gain:
    """The gain of a way at one value of the axis, in percent of the other way's figure.

    Positive is better. `low` to `high` is its 95 % interval; None without repetitions, or where
    these do not differ.
    """

    value: str
    pct: float
    low: float | None = None
    high: float | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest that the gain may be."""
        return (
            self.pct if self.low is None else self.low,
            self.pct if self.high is None else self.high,
        )

    def pays(self, at_least: float) -> bool | None:
        """Tell whether the gain is large enough; None if its interval leaves that open."""
        low, high = self.ends
        if low < at_least <= high:
            return None
        return low >= at_least


@dataclass(frozen=True)
class Crossing:
    """Where a gain passes the least that counts: between two values, near `at`.

    `at` is interpolated along a straight line, on the axis's own scale. `low` and `high` are where
    the ends of the gain's interval do so, within the two values.
    """

    before: str
    after: str
    begins: bool  # to pay; else it stops
    at: float | None  # None on an axis that has no numbers
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Paying:
    """A way against another one, in one figure along one axis."""

    gains: Sequence[Gain]
    crossings: Sequence[Crossing]
    at_least: float

    @property
    def everywhere(self) -> bool:
        """Tell whether the way pays at every value."""
        return bool(self.gains) and all(gain.pays(self.at_least) for gain in self.gains)

    @property
    def nowhere(self) -> bool:
        """Tell whether the way pays at no value."""
        return all(gain.pays(self.at_least) is False for gain in self.gains)


def gain(value: str, way: Sample, against: Sample, better: str) -> Gain | None:
    """Return what a way brings over another; None where the other has nothing."""
    if not against.mean:
        return None
    sign = 100.0 / abs(against.mean) * (1 if better == "higher" else -1)
    pct = sign * (way.mean - against.mean)
    test = welch(against, way)
    if test is None or test.interval is None:
        return Gain(value, pct)
    low, high = sorted(sign * end for end in test.interval)
    return Gain(value, pct, low, high)


def paying(gains: Sequence[Gain], at_least: float) -> Paying:
    """Find where the gain passes the least that counts, in the order of the axis."""
    numeric = scale([each.value for each in gains])
    found: list[Crossing] = []
    for one, other in pairwise(gains):
        was, now = one.pct >= at_least, other.pct >= at_least
        if was == now:
            continue
        places = [
            _place(numeric, (one.value, other.value), (first - at_least, last - at_least), now)
            for first, last in ((one.pct, other.pct), *zip(one.ends, other.ends, strict=True))
        ]
        at, *ends = places
        there = sorted(end for end in ends if end is not None)
        varied = len(there) == 2 and there[0] != there[1]
        found.append(
            Crossing(
                one.value,
                other.value,
                now,
                at,
                there[0] if varied else None,
                there[1] if varied else None,
            )
        )
    return Paying(gains, found, at_least)


def _place(
    numeric: Scale | None, values: tuple[str, str], ends: tuple[float, float], begins: bool
) -> float | None:
    """Return where the line between two ends is zero.

    A line that is zero nowhere between them passes it before or behind them: that end is returned.
    """
    if numeric is None:
        return None
    begin, end = (numeric.of[value] for value in values)
    first, last = ends
    if first * last > 0 or first == last:
        return begin if (first > 0) == begins else end
    share = first / (first - last)
    if begin > 0 and is_spread(numeric):
        return math.exp(math.log(begin) + share * (math.log(end) - math.log(begin)))
    return begin + share * (end - begin)


def is_spread(numeric: Scale) -> bool:
    """Tell whether the values over zero lie too far apart for a linear axis."""
    values = [value for value in numeric.of.values() if value > 0]
    return len(values) > 1 and max(values) >= LOG_FROM * min(values)


def statement(found: Paying, unit: str) -> str:
    """Return in words where a way pays along an axis; `unit` is of values without one."""
    if not found.gains:
        return "nothing is known"
    first, last = found.gains[0], found.gains[-1]
    if found.everywhere or found.nowhere:
        least = min(found.gains, key=lambda each: each.pct)
        most = max(found.gains, key=lambda each: each.pct)
        ends = _gain(least) if least is most else f"{_gain(least)} to {_gain(most)}"
        return f"pays {'throughout' if found.everywhere else 'nowhere'}: {ends}"
    said = [_crossing(each, found, unit) for each in found.crossings]
    if not said:
        pays = first.pct >= found.at_least
        said = [f"by the means it pays {'throughout' if pays else 'nowhere'}"]
    open_at = [each.value for each in found.gains if each.pays(found.at_least) is None]
    if open_at:
        said.append(f"chance decides at {', '.join(open_at)}")
    return f"{'; '.join(said)} ({_gain(first)}, {_gain(last)})"


def _gain(of: Gain) -> str:
    return f"{round(of.pct, 1) + 0.0:+.3g} % at {of.value}"


def _crossing(of: Crossing, found: Paying, unit: str) -> str:
    verb = "pays from" if of.begins else "stops paying at"
    between = f"between {of.before} and {of.after}"
    if of.at is None:
        return f"{verb.removesuffix(' at')} {between}".replace("pays from", "begins to pay")
    numeric = scale([each.value for each in found.gains])
    unit = (numeric.unit if numeric else "") or unit
    if of.low is not None and of.high is not None:
        between += f", by the interval {_rounded(of.low)} to {_rounded(of.high)}"
    at = f"{_rounded(of.at)} {unit}".rstrip()
    return f"{verb} {at} ({between})"


def _rounded(value: float) -> str:
    """Return a place with two digits, as it is between values that lie far apart."""
    return f"{float(f'{value:.2g}'):.10g}"
