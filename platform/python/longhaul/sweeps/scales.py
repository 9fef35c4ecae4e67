# SPDX-License-Identifier: Apache-2.0
"""An axis's values as numbers of one unit, and whether they want a logarithmic axis."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from longhaul.units import Frequency, Quantity, Rate, Size, Time, UnitError, parse_share

LOG_FROM = 30  # values over 0 whose largest is so many times the smallest: a logarithmic axis
_PLAIN = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Scale:
    """An axis's values as numbers of one unit."""

    unit: str
    of: Mapping[str, float]

    @property
    def is_logarithmic(self) -> bool:
        """Tell whether the values lie too far apart for a linear axis."""
        values = self.of.values()
        return min(values) > 0 and max(values) >= LOG_FROM * min(values)


def scale(texts: Sequence[str]) -> Scale | None:
    """Return the values as numbers; None if they are none, or not of one kind."""
    if all(_PLAIN.fullmatch(text) for text in texts):
        return Scale("", {text: float(text) for text in texts})
    try:
        return Scale("%", {text: 100 * parse_share(text) for text in texts})
    except UnitError:
        pass
    for kind in (Time, Size, Rate, Frequency):
        try:
            read = {text: kind.parse(text) for text in texts}
        except UnitError:
            continue
        return _in_one_unit(kind, read)
    return None


def _in_one_unit(kind: type[Quantity], read: Mapping[str, Quantity]) -> Scale:
    """Choose the largest unit in which the smallest value but zero is not below 1."""
    least = min((value.count for value in read.values() if value.count), default=1)
    fitting = {
        suffix: factor
        for suffix, factor in kind.SUFFIXES.items()
        if factor <= least and suffix not in kind.READ_ONLY
    }
    binary = all(v.count % 1024 == 0 for v in read.values()) if kind is Size else False
    usual = {s: f for s, f in fitting.items() if ("i" in s) == binary} or fitting
    unit = max(usual, key=lambda suffix: usual[suffix], default=kind.BASE)
    factor = kind.SUFFIXES[unit]
    return Scale(unit, {text: value.count / factor for text, value in read.items()})
