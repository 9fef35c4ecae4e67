# SPDX-License-Identifier: Apache-2.0
"""Figures that are worked out of several numbers of a command's folder."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from longhaul import json_file
from longhaul.errors import LonghaulError
from longhaul.published.reasons import is_far


def _errors(folder: Path) -> list[float]:
    """Return the errors of a report's figures, in percent of what was published."""
    try:
        figures: list[dict[str, Any]] = json_file.read(folder / "figures.json")
    except (OSError, ValueError) as error:
        raise LonghaulError(f"{folder / 'figures.json'}: cannot be read ({error})") from None
    found = [each["error_pct"] for each in figures if each["error_pct"] is not None]
    if not found:
        raise LonghaulError(f"{folder / 'figures.json'}: has no figure that can be compared")
    return found


def median_error(folder: Path) -> float:
    """Return the median of the absolute errors, in percent."""
    return statistics.median(map(abs, _errors(folder)))


def far_figures(folder: Path) -> float:
    """Return how many figures are so far off that they need a stated reason."""
    return sum(map(is_far, _errors(folder)))


def compared_figures(folder: Path) -> float:
    """Return how many figures can be compared."""
    return len(_errors(folder))


def findings(folder: Path) -> float:
    """Return how many findings an attack has."""
    try:
        return len(json_file.read(folder / "attack.json")["findings"])
    except (OSError, ValueError, KeyError) as error:
        raise LonghaulError(f"{folder / 'attack.json'}: cannot be read ({error})") from None


FUNCTIONS: dict[str, Callable[[Path], float]] = {
    each.__name__: each for each in (median_error, far_figures, compared_figures, findings)
}


def call(name: str, folder: Path) -> float:
    """Return what the function of this name makes of a command's folder."""
    if name not in FUNCTIONS:
        raise LonghaulError(f"no function is called {name!r}; there are {', '.join(FUNCTIONS)}")
    return FUNCTIONS[name](folder)
