# SPDX-License-Identifier: Apache-2.0
"""The figures with their values, references and errors: the rows of the page and the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from longhaul.catalogue.entry import Figure, Measurement
from longhaul.catalogue.recorded import recorded
from longhaul.catalogue.values import Published, Values
from longhaul.papers import reproductions
from longhaul.published.reasons import NO_REASON, brief, is_far
from longhaul.results.words import figure_text, split_unit
from longhaul.sweeps.spread import spread_text


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
        return list(_published(one, there)) if there else []
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


def _published(one: Measurement, there: Values) -> Iterator[Row]:
    for scenario in recorded(one, there):
        for each in scenario.figures:
            kept = scenario.of(each.point.case, each.name)
            if kept is not None:
                relative = each.name in scenario.entry.references.relative
                yield _compared(each, kept, relative=relative)
        for kept in scenario.alone:
            words, unit = split_unit(kept.figure)
            what = f"{scenario.entry.reproduces}, no number: {words}{_case(kept)}"
            yield Row(what, _number(kept, unit), "", "")


def _compared(each: reproductions.Compared, kept: Published, *, relative: bool) -> Row:
    words, unit = split_unit(each.name)
    nothing = "others are relative to it" if relative and each.expected is None else "–"
    error = nothing if each.error_pct is None else f"{each.error_pct:+.1f} %"
    why = (brief(each.reason) if each.reason else NO_REASON) if each.is_far else ""
    chance = False
    if kept.spread and kept.spread["ci95"] and each.expected is not None:
        least, most = kept.spread["ci95"]
        chance = least <= each.expected <= most
    return Row(
        f"{each.source}: {words}{_case(kept)}",
        _number(kept, unit),
        _text(each.published, "") + ", in no unit" if relative else _text(each.published, unit),
        error,
        each.is_far,
        why,
        chance,
    )


def _case(kept: Published) -> str:
    return f" (`{' '.join(kept.case)}`)" if kept.case else ""


def _number(kept: Published, unit: str) -> str:
    """Return a kept figure with its unit, and with its interval if it is a mean."""
    number = spread_text(kept.spread, unit) if kept.spread else figure_text(kept.value, unit)
    return f"{number} {unit}".rstrip()
