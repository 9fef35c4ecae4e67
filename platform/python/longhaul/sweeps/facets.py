# SPDX-License-Identifier: Apache-2.0
"""Small multiples: which axes of a sweep get plots of their own, so that no colour comes twice."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from longhaul.sweeps.points import Point

Text = Callable[[Point, str], str]  # a point's value of an axis


def values_text(point: Point, names: Sequence[str], text: Text) -> str:
    """Return a point's values of some axes, as `rtt=1ms, mtu=1500`."""
    return ", ".join(f"{name}={text(point, name)}" for name in names)


def by_values(points: Sequence[Point], names: Sequence[str], text: Text) -> dict[str, list[Point]]:
    """Return the points by the text of their values of some axes."""
    found: dict[str, list[Point]] = {}
    for point in points:
        found.setdefault(values_text(point, names, text), []).append(point)
    return found


def follows(points: Sequence[Point], name: str, other: str, text: Text) -> bool:
    """Tell whether an axis's value is known from the other's."""
    pairs = {(text(point, other), text(point, name)) for point in points}
    return len(pairs) == len({value for value, _ in pairs})


def facet_names(
    points: Sequence[Point], names: Sequence[str], text: Text, most: int
) -> tuple[str, ...]:
    """Return the axes whose values get plots of their own, so that a plot has `most` lines at most.

    Of several choices it is the one with the fewest plots, then the one with the fewest axes.
    """
    choices = itertools.chain.from_iterable(
        itertools.combinations(names, count) for count in range(len(names) + 1)
    )
    fitting = [
        apart
        for apart in choices
        if len(by_values(points, [n for n in names if n not in apart], text)) <= most
    ]
    return min(fitting, key=lambda apart: (len(by_values(points, apart, text)), len(apart)))
