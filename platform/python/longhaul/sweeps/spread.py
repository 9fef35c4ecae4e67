# SPDX-License-Identifier: Apache-2.0
"""Means with their confidence intervals as texts: `6.39 ± 0.05`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from longhaul.results.words import THIN_SPACE, figure_text, split_unit
from longhaul.sweeps.points import Point

WITHIN = {"interval": "interval", "run": "single run", "no": "no", "no spread": "no spread"}
WITHIN_MEANS = (
    "interval: the published figure lies in the 95 % interval of the mean; "
    "single run: where 95 % of single runs lie; no: outside both; no spread: all runs are alike"
)


def spread_text(figure: Mapping[str, Any], unit: str = "") -> str:
    """Return a mean and how far its interval reaches, with no more digits than that leaves known.

    `figure` is that of a `repeat` object. The figure of a single run stands alone.
    """
    if figure["ci95"] is None:
        return figure_text(figure["mean"], unit)
    half = (figure["ci95"][1] - figure["ci95"][0]) / 2
    if half == 0:
        return f"{figure_text(figure['mean'], unit)} ± 0"
    digits = max(0, -math.floor(math.log10(half)))
    if half < 10 and f"{half:e}"[0] in "12":  # a lone 1 or 2 says little
        digits += 1
    return f"{_grouped(figure['mean'], digits)} ± {_grouped(half, digits)}"


def point_text(point: Point, name: str) -> str:
    """Return a point's figure as text; the mean of several runs with its interval."""
    spread, unit = point.spread(name), split_unit(name)[1]
    return spread_text(spread, unit) if spread else figure_text(point.figure(name), unit)


def _grouped(value: float, digits: int) -> str:
    return f"{value:,.{digits}f}".replace(",", THIN_SPACE)


def confidence_line(repeats: Sequence[Mapping[str, Any]]) -> str:
    """Return the sentence that says what ± means, of points that have a `repeat`."""
    numbers = sorted({repeat["number"] for repeat in repeats})
    runs = " to ".join(map(str, dict.fromkeys((numbers[0], numbers[-1]))))
    seeds, layouts = (
        range_text([number for repeat in repeats for number in repeat[name]])
        for name in ("seeds", "layouts")
    )
    figures = [figure for repeat in repeats for figure in repeat["figures"].values()]
    alike = all(not figure["sd"] for figure in figures) and numbers[-1] > 1
    nothing = " Neither changes any figure here, so ± 0 tells nothing of chance." if alike else ""
    return (
        f"± is the {repeats[0]['confidence_pct']} % confidence interval of the mean (Student's t) "
        f"over {runs} runs, seeds {seeds}, layouts {layouts}.{nothing}"
    )


def range_text(numbers: Sequence[int]) -> str:
    """Return whole numbers as `1 to 10`."""
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"
