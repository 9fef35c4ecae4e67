# SPDX-License-Identifier: Apache-2.0
"""Compares figures that were read again with the values on the page, within their spread."""

from __future__ import annotations

import math
from collections.abc import Iterator

from longhaul.catalogue.entry import Figure, Measurement
from longhaul.catalogue.values import Values
from longhaul.results.words import figure_text

EQUAL = 1e-9  # relative: a simulated figure is the same up to the digits of its sum


def comparable(one: Measurement, there: Values, here: str) -> bool:
    """Tell whether a repetition on the machine `here` can be held against some of the values."""
    return (
        one.kind == "simulated" or there.machine == here or any(each.ratio for each in one.figures)
    )


def differences(one: Measurement, there: Values, again: Values, here: str) -> list[str]:
    """Return a line for each figure that is not the value of the page, within its spread."""
    return [*_own(one, there, again, here), *_published(one, there, again)]


def _own(one: Measurement, there: Values, again: Values, here: str) -> Iterator[str]:
    for each in one.figures:
        if one.kind == "measured" and there.machine != here and not each.ratio:
            continue
        page, found = there.figures.get(each.what), again.figures[each.what]
        if page is None:
            yield f"{one.name}, {each.what}: has no value on the page"
        elif not _alike(there, page, found, one.spread(each)):
            yield f"{one.name}, {each.what}: {_told(one, each, page, found)}"


def _told(one: Measurement, each: Figure, page: float, found: float) -> str:
    unit = f" {each.unit}" if each.unit else ""
    spread = one.spread(each)
    within = f", beyond {spread:g} %" if spread else ""
    return f"{figure_text(found)}{unit} here, {figure_text(page)}{unit} on the page{within}"


def _published(one: Measurement, there: Values, again: Values) -> Iterator[str]:
    page = {each.key: each.value for each in there.published}
    found = {each.key: each.value for each in again.published}
    for key in dict.fromkeys([*page, *found]):
        if key not in found or key not in page:
            place = "the page" if key in page else "the command's output"
            yield f"{one.name}, {key}: is on {place} only"
        elif not _alike(there, page[key], found[key], 0):
            yield f"{one.name}, {key}: {found[key]:g} here, {page[key]:g} on the page"


def _alike(there: Values, page: float, again: float, spread_pct: float) -> bool:
    allowed = max(abs(page) * spread_pct / 100, _last_digit(page) / 2 if there.printed else 0)
    return math.isclose(page, again, rel_tol=EQUAL) or abs(again - page) <= allowed * (1 + EQUAL)


def _last_digit(value: float) -> float:
    """Return what one in the last decimal of a printed number is worth."""
    decimals = f"{value:f}".rstrip("0").partition(".")[2]
    return 10.0 ** -len(decimals)
