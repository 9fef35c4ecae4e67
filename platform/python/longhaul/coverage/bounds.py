# SPDX-License-Identifier: Apache-2.0
"""The least coverage that a user wants: --fail-under [KIND=]PERCENT."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from longhaul.coverage.figures import KINDS, Tally
from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean


def parse(texts: Iterable[str]) -> dict[str, float]:
    """Read bounds; a number alone is of lines. A UsageError says what would be right."""
    found: dict[str, float] = {}
    for text in texts:
        kind, equals, number = text.rpartition("=")
        kind = kind if equals else "lines"
        if kind not in KINDS:
            near = did_you_mean(kind, KINDS)
            raise UsageError(f"--fail-under {text}: wants one of {', '.join(KINDS)}{near}")
        try:
            percent = float(number.removesuffix("%"))
        except ValueError:
            percent = -1
        if not 0 <= percent <= 100:
            raise UsageError(f"--fail-under {text}: wants a percentage, such as lines=90")
        found[kind] = percent
    return found


def missed(bounds: Mapping[str, float], name: str, totals: Mapping[str, Tally]) -> list[str]:
    """Return a line for each bound that a design does not keep; nothing to hit keeps all."""
    return [
        f"{name}: {kind} {totals[kind].percent:.2f} %, wants {bound:g} % at least"
        for kind, bound in bounds.items()
        if (percent := totals[kind].percent) is not None and percent < bound
    ]
