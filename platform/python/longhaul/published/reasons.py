# SPDX-License-Identifier: Apache-2.0
"""Why figures are far from the published ones: the text beside them wherever they are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

LIMIT_PCT = 20.0  # beyond, a figure needs a stated reason
NO_REASON = "no reason is stated"
_NEXT_SENTENCE = re.compile(r"\. +(?=[A-Z])")
_PLACE = re.compile(r"\b[\w/]+\.md(?:, [^():;.]+)?")  # "docs/opteron_10g.md, Table 4"


def is_far(error_pct: float | None) -> bool:
    """Tell whether a reason has to be stated for a figure's error."""
    return error_pct is not None and abs(error_pct) > LIMIT_PCT


def of_case(case: Mapping[str, Any]) -> dict[str, str]:
    """Return the stated reason of each figure of a case of results.json that is far off."""
    stated: Mapping[str, str] = case.get("error_reason", {})
    far = (name for name, error in case["error_pct"].items() if is_far(error))
    return {name: stated.get(name) or NO_REASON for name in far}


def brief(reason: str) -> str:
    """Return a reason's first sentence, and where the rest is told, as a terminal shows it."""
    first, *rest = _NEXT_SENTENCE.split(reason, maxsplit=1)
    if not rest:
        return reason
    places = _PLACE.findall(rest[0])
    return f"{first} ({places[-1] if places else 'the page has the rest'})"


def grouped(far: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return each reason once, with the places it is of, from pairs of place and reason."""
    found: dict[str, list[str]] = {}
    for place, reason in far:
        places = found.setdefault(reason or NO_REASON, [])
        if place not in places:
            places.append(place)
    return found
