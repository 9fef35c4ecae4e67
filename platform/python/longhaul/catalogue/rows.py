# SPDX-License-Identifier: Apache-2.0
"""The figures with their values, references and errors: what the page and the terminal show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from longhaul import registry
from longhaul.catalogue.entry import Figure, Measurement
from longhaul.catalogue.values import Published, Values
from longhaul.papers import reproductions
from longhaul.published.reasons import NO_REASON, brief, is_far
from longhaul.results.words import figure_text, split_unit
from longhaul.sweeps.points import Point, Status
from longhaul.sweeps.spread import spread_text

QUICK = "--quick"


@dataclass(frozen=True)
class Row:
    """A figure as text; `far` ones are beyond the limit of published figures or miss an aim.

    `chance`: the reference lies in the 95 % interval of repeated runs' mean.
    """

    what: str
    value: str
    reference: str
    error: str
    far: bool = False
    why: str = ""
    chance: bool = False


def rows(one: Measurement, there: Values | None) -> list[Row]:
    """Return the rows of a measurement, without values if it has none."""
    if one.published:
        return list(_published(one, there.published if there else ()))
    return [_own(each, there) for each in one.figures]


def _own(figure: Figure, there: Values | None) -> Row:
    value = there.figures.get(figure.what) if there else None
    reference = ""
    if figure.reference is not None:
        bound = "" if figure.goal == "equal" else f" {figure.goal}"
        reference = f"{_text(figure.reference, figure.unit)}{bound}: {figure.source}"
    if value is None:
        return Row(figure.what, "not measured yet", reference, "")
    error, far = _error(figure, value)
    why = (brief(figure.reason) if figure.reason else NO_REASON) if far else ""
    return Row(figure.what, _text(value, figure.unit), reference, error, far, why)


def _text(value: float, unit: str) -> str:
    """Return a number with its unit; the unit of a plain count is empty."""
    return f"{figure_text(value, unit)} {unit}".rstrip()


def _error(figure: Figure, value: float) -> tuple[str, bool]:
    """Return how far a value is from its reference, and whether that needs a reason."""
    if figure.reference is None:
        return "", False
    off = value - figure.reference
    pct = f"{100 * off / figure.reference:+.1f} %" if figure.reference else f"{off:+g}"
    if figure.goal == "equal":
        far = is_far(100 * off / figure.reference) if figure.reference else bool(off)
        return pct, far
    met = off <= 0 if figure.goal == "at most" else off >= 0
    return "met" if met else f"missed by {pct.lstrip('+-')}", not met


def _published(one: Measurement, listed: Sequence[Published]) -> Iterator[Row]:
    for scenario, group in groupby(listed, attrgetter("scenario")):
        found = {(each.case, each.figure): each for each in group}
        entry = registry.find(scenario)
        fixed = list(entry.quick) if QUICK in one.words()[1] else []
        _, figures = reproductions.compare(entry, fixed, _points(list(found.values())))
        for each in figures:
            recorded = found.get((each.point.case, each.name))
            if recorded is not None:
                yield _compared(each, recorded, relative=each.name in entry.references.relative)


def _points(listed: Sequence[Published]) -> list[Point]:
    """Return what a report would have of these cases, with nothing but their figures."""
    cases: dict[tuple[str, ...], dict[str, Any]] = {}
    for each in listed:
        here = cases.setdefault(each.case, {})
        *outer, last = each.figure.split(".")
        for key in outer:
            here = here.setdefault(key, {})
        here[last] = each.value
    return [
        Point(case, "", Status.DONE, "", {}, result={"measured": measured, "bottleneck": {}})
        for case, measured in cases.items()
    ]


def _compared(each: reproductions.Compared, recorded: Published, *, relative: bool) -> Row:
    words, unit = split_unit(each.name)
    case = f" (`{' '.join(recorded.case)}`)" if recorded.case else ""
    nothing = "others are relative to it" if relative and each.expected is None else "–"
    error = nothing if each.error_pct is None else f"{each.error_pct:+.1f} %"
    number = (
        spread_text(recorded.spread, unit) if recorded.spread else figure_text(each.model, unit)
    )
    why = (brief(each.reason) if each.reason else NO_REASON) if each.is_far else ""
    chance = False
    if recorded.spread and recorded.spread["ci95"] and each.expected is not None:
        least, most = recorded.spread["ci95"]
        chance = least <= each.expected <= most
    return Row(
        f"{each.source}: {words}{case}",
        f"{number} {unit}".rstrip(),
        _text(each.published, "") + ", in no unit" if relative else _text(each.published, unit),
        error,
        each.is_far,
        why,
        chance,
    )
