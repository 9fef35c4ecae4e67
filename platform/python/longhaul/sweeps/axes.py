# SPDX-License-Identifier: Apache-2.0
"""`--over`: the names that a sweep varies, and their values.

`NAME=V1,V2,...` where NAME is a setting of the scenario or OBJECT.NAME, a model's parameter. A
value may be a range: `0ms..400ms/5` is five values evenly apart, `1ms..1s/x10` each ten times the
one before. Names that change together stand as `rtt,window=1ms:1MiB,10ms:10MiB`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from longhaul.errors import UsageError
from longhaul.registry import ScenarioEntry
from longhaul.runs import overrides
from longhaul.settings import (
    Choice,
    ChoiceOrCount,
    Count,
    Number,
    Quantities,
    Setting,
    Share,
    Text,
    WorkloadName,
)

MOST_VALUES = 10_000  # of an axis: more is a slip of the pen
DIGITS = 4  # of a range's inner values that have no short exact form
_RANGE = re.compile(r"(?P<first>\S+)\.\.(?P<last>\S+)/(?P<by>x?)(?P<count>[0-9]+(?:\.[0-9]+)?)")
_ENDS = re.compile(r"\.?[0-9]\S*\.\.\S+")
_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+)([^0-9.]*)")


def is_parameter(name: str) -> bool:
    """Tell whether a name is a model's parameter; a setting's has no dot."""
    return "." in name


@dataclass(frozen=True)
class Axis:
    """Names that change together; `steps[i][j]` is the text of step i's value of name j."""

    names: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]

    def assignments(self) -> list[tuple[str, ...]]:
        """Return each step as NAME=VALUE texts."""
        return [
            tuple(f"{name}={text}" for name, text in zip(self.names, step, strict=True))
            for step in self.steps
        ]


def read(over: str, entry: ScenarioEntry) -> Axis:
    """Read one `--over`; a UsageError says what is wrong with it."""
    left, equals, right = over.partition("=")
    names = tuple(left.split(","))
    if not equals or not right or not all(all(name.split(".")) for name in names):
        raise UsageError(f"--over {over}: write name=value,value, such as --over rtt=1ms,10ms")
    known = {name: None if is_parameter(name) else entry.setting(name) for name in names}
    steps: list[tuple[str, ...]] = []
    for item in right.split(","):
        texts = item.split(":", len(names) - 1) if len(names) > 1 else [item]
        if len(texts) != len(names):
            raise UsageError(
                f"--over {over}: {item} wants {len(names)} values, as {_sample(names)}"
            )
        columns = [
            _values(over, name, known[name], text) for name, text in zip(names, texts, strict=True)
        ]
        if len({len(column) for column in columns}) > 1:
            raise UsageError(f"--over {over}: the ranges of {item} are not of one length")
        steps += zip(*columns, strict=True)
    _check(over, names, known, steps)
    return Axis(names, tuple(steps))


def _sample(names: tuple[str, ...]) -> str:
    return f"{','.join(names)}={':'.join('A' * len(names))},{':'.join('B' * len(names))}"


def _check(
    over: str,
    names: tuple[str, ...],
    known: dict[str, Setting | None],
    steps: list[tuple[str, ...]],
) -> None:
    """Check every value, and that no step stands there twice."""
    seen: dict[tuple[object, ...], tuple[str, ...]] = {}
    for step in steps:
        values: list[object] = []
        for name, text in zip(names, step, strict=True):
            setting = known[name]
            if setting:
                values.append(setting.kind.parse(text, name))
            else:
                (read_as,) = overrides.parse([f"{name}={text}"])
                values.append(read_as.value)
        first = seen.setdefault(tuple(values), step)
        if first is not step:
            same = "" if first == step else f", which is {':'.join(first)}"
            raise UsageError(f"--over {over}: {':'.join(step)} stands there twice{same}")


def _values(over: str, name: str, setting: Setting | None, text: str) -> list[str]:
    """Return the text itself, or all values of a range."""
    match = _RANGE.fullmatch(text) if _ENDS.fullmatch(text) else None
    kind = setting.kind if setting else None
    if match is None:
        if _ENDS.fullmatch(text) and not isinstance(kind, Text | WorkloadName):
            ends = text.partition("/")[0]
            raise UsageError(
                f"--over {over}: how many values? {name}={ends}/5 is five evenly apart, "
                f"{ends}/x2 each twice the one before"
            )
        return [text]
    if kind and not isinstance(kind, Quantities | Count | Number | Share | ChoiceOrCount):
        what = f"one of {kind.range_text()}" if isinstance(kind, Choice) else kind.range_text()
        raise UsageError(f"--over {over}: {name} has no ranges: it is {what}")
    first, last = match["first"], match["last"]
    if isinstance(kind, Quantities):
        quantity = type(kind.least)
        ends = kind.parse(first, name), kind.parse(last, name)
        points = _points(over, Fraction(ends[0].count), Fraction(ends[1].count), match)
        inner = [quantity(int(_whole(point))).short() for point in points[1:-1]]
        end = quantity(int(_whole(points[-1]))).short()
        return [first, *inner, last if points[-1] == ends[1].count else end]
    low, high = _NUMBER.fullmatch(first), _NUMBER.fullmatch(last)
    if not low or not high or low[2] != high[2]:
        raise UsageError(f"--over {over}: both ends of {text} want a number, of one unit")
    points = _points(over, Fraction(low[1]), Fraction(high[1]), match)
    if isinstance(kind, Count | ChoiceOrCount):
        points = [Fraction(round(point)) for point in points]
    return [f"{_decimal(_short(point))}{low[2]}" for point in points]


def _points(over: str, low: Fraction, high: Fraction, match: re.Match[str]) -> list[Fraction]:
    """Return a range's values: evenly apart with both ends, or each a multiple of the last one."""
    count = Fraction(match["count"])
    if match["by"]:
        if count <= 1 or not 0 < low < high:
            raise UsageError(
                f"--over {over}: {match[0]} wants a factor over 1 and a first value over 0 and "
                "below the last"
            )
        if math.log(high / low, count) > MOST_VALUES:
            raise UsageError(f"--over {over}: {match[0]} is more than {MOST_VALUES} values")
        points = [low]
        while points[-1] * count <= high:
            points.append(points[-1] * count)
        return points
    if count.denominator != 1 or not 2 <= count <= MOST_VALUES:
        raise UsageError(f"--over {over}: {match[0]} wants 2 to {MOST_VALUES} values")
    return [low + (high - low) * i / (int(count) - 1) for i in range(int(count))]


def _whole(value: Fraction) -> Fraction:
    """Return a whole number of base units as it is, else one of few digits."""
    return value if value.denominator == 1 else Fraction(round(_rounded(value)))


def _short(value: Fraction) -> Fraction:
    """Return a value of up to six decimals as it is, else one of few digits."""
    return value if (value * 10**6).denominator == 1 else _rounded(value)


def _rounded(value: Fraction) -> Fraction:
    step = Fraction(10) ** (math.floor(math.log10(value)) + 1 - DIGITS)
    return round(value / step) * step


def _decimal(value: Fraction) -> str:
    text = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
