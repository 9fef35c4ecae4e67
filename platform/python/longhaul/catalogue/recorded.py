# SPDX-License-Identifier: Apache-2.0
"""Kept values of the papers' scenarios: points and comparisons, as a report has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from longhaul import registry
from longhaul.catalogue.entry import Measurement
from longhaul.catalogue.values import Published, Values
from longhaul.papers import reproductions
from longhaul.papers.reproductions import Compared
from longhaul.registry import ScenarioEntry
from longhaul.settings import values
from longhaul.sweeps.points import Point, Status, split

QUICK = "--quick"


@dataclass(frozen=True)
class Recorded:
    """A scenario's kept figures; `alone` are those that no number of the paper is beside."""

    entry: ScenarioEntry
    measurement: Measurement
    values: Values
    points: tuple[Point, ...]
    figures: tuple[Compared, ...]
    alone: tuple[Published, ...]
    kept: tuple[Published, ...]

    def of(self, case: Sequence[str], figure: str) -> Published | None:
        """Return a kept figure."""
        return next((p for p in self.kept if p.case == tuple(case) and p.figure == figure), None)

    @property
    def repeated(self) -> bool:
        """Whether the figures are means of repeated runs."""
        return any(each.spread for each in self.kept)


def recorded(one: Measurement, there: Values) -> list[Recorded]:
    """Return what a measurement keeps, by scenario, in the order of its values."""
    return [
        _scenario(one, there, tuple(group))
        for _, group in groupby(there.published, attrgetter("scenario"))
    ]


def _scenario(one: Measurement, there: Values, kept: tuple[Published, ...]) -> Recorded:
    entry = registry.find(kept[0].scenario)
    fixed = list(entry.quick) if QUICK in one.words()[1] else []
    points, figures = reproductions.compare(entry, fixed, _points(entry, fixed, kept))
    keys = {(each.case, each.figure) for each in kept}
    compared = tuple(each for each in figures if (each.point.case, each.name) in keys)
    beside = {(each.point.case, each.name) for each in compared}
    alone = tuple(each for each in kept if (each.case, each.figure) not in beside)
    return Recorded(entry, one, there, points, compared, alone, kept)


def _points(entry: ScenarioEntry, fixed: list[str], kept: Sequence[Published]) -> list[Point]:
    """Return what a report would have of these cases, with nothing but their figures."""
    cases: dict[tuple[str, ...], dict[str, Any]] = {}
    verdicts: dict[tuple[str, ...], str] = {}
    for each in kept:
        verdicts[each.case] = each.limited_by
        here = cases.setdefault(each.case, {})
        *outer, last = each.figure.split(".")
        for key in outer:
            here = here.setdefault(key, {})
        here[last] = each.value
    return [
        Point(
            case,
            "",
            Status.DONE,
            "",
            values(entry.parse_case(fixed, split(case)[0])),
            result={
                "measured": measured,
                "bottleneck": {"what": verdicts[case]},
                "reference": {},
            },
        )
        for case, measured in cases.items()
    ]
