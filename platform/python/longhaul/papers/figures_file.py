# SPDX-License-Identifier: Apache-2.0
"""figures.json of `report --all`: every comparison, and what is only drawn in a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from longhaul.papers.reproductions import Compared, Reproduction
from longhaul.sweeps.points import Point


def as_json(all_of: Iterable[Reproduction]) -> list[dict[str, Any]]:
    """Return every comparison, and the model's figures that no number of a paper is beside.

    The latter have None as `published`: those of cases between a paper's numbers, and of drawings.
    """
    return [
        each
        for one in all_of
        for each in (*(_compared(one, figure) for figure in one.figures), *_alone(one))
    ]


def _compared(one: Reproduction, each: Compared) -> dict[str, Any]:
    return {
        **_head(one, each.point, each.name),
        "published": each.published,
        "expected": each.expected,
        "model": each.model,
        "error_pct": each.error_pct,
        "limited_by": each.point.verdict,
        "source": each.source,
        "reason": each.reason,
        "fitted_to": each.fitted,
        **(_spread(each, each.spread) if each.spread else {}),
    }


def _alone(one: Reproduction) -> Iterator[dict[str, Any]]:
    compared = {(each.point.case, each.name) for each in one.figures}
    for point in one.points:
        for name in one.entry.references.figures:
            model = point.number(name)
            if model is None or (point.case, name) in compared:
                continue
            spread = point.spread(name)
            yield {
                **_head(one, point, name),
                "published": None,
                "expected": None,
                "model": model,
                "error_pct": None,
                "limited_by": point.verdict,
                "source": "",
                "reason": "",
                "fitted_to": False,
                **(_interval(spread) if spread else {}),
            }


def _head(one: Reproduction, point: Point, name: str) -> dict[str, Any]:
    return {
        "paper": one.paper,
        "scenario": one.entry.name,
        "case": list(point.case),
        "figure": name,
    }


def _interval(spread: Mapping[str, Any]) -> dict[str, Any]:
    return {"runs": spread["n"], "sd": spread["sd"], "ci95": spread["ci95"]}


def _spread(each: Compared, spread: Mapping[str, Any]) -> dict[str, Any]:
    return _interval(spread) | {"error_ci95_pct": each.error_ci95_pct, "within": each.within}
