# SPDX-License-Identifier: Apache-2.0
"""The violations of a run's RTL that were only counted (docs/port_maps.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from longhaul.results import simdata

KEY = "violations"  # of a case in results.json


def of_run(sim: simdata.SimData) -> dict[str, dict[str, Any]]:
    """Return what each part with RTL broke, from power-up on: by part, then by rule.

    Of a failed assertion the rule is its file and line.
    """
    found: dict[str, dict[str, Any]] = {}
    for each in sim.violations:
        found.setdefault(each.part, {})[each.rule] = {
            "count": each.count,
            "assertion": each.assertion,
            "first_s": each.first_ps / 1e12,
            "first": each.first,
        }
    return found


def rows(case: Mapping[str, Any]) -> list[tuple[str, str, int, float, str]]:
    """Return part, rule, how often, and the first time (ms) and message, of a case."""
    return [
        (part, rule, each["count"], each["first_s"] * 1e3, each["first"].partition(": ")[2])
        for part, rules in case.get(KEY, {}).items()
        for rule, each in rules.items()
    ]


def warnings(case: Mapping[str, Any]) -> list[str]:
    """Say of each rule and assertion how often it was broken."""
    return [
        f"{part} broke {rule} {_times(count)}{', first' if count > 1 else ''} at {first:.6f} ms"
        for part, rule, count, first, _ in rows(case)
    ]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
