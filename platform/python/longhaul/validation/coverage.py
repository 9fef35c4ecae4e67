# SPDX-License-Identifier: Apache-2.0
"""Coverage of the adapter's RTL by all tests of a validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from longhaul.coverage import kept, merge, page
from longhaul.coverage.page import View
from longhaul.validation.outcome import Outcome

FOLDER = "coverage"  # in the validation's: the merged page


def write(out: Path, done: Sequence[Outcome]) -> list[View]:
    """Merge the coverage of the tests and write its page; `out` is the validation's folder.

    A test whose simulator was killed has none.
    """
    runs = [out / each.test for each in done]
    folders = [run for run in runs if kept.has_some(run)]
    return page.write(out / FOLDER, merge.of(folders)) if folders else []


def record(covered: Sequence[View]) -> dict[str, Any]:
    """Return what results.json has of it; nothing where nobody asked."""
    if not covered:
        return {}
    return {
        "coverage": {
            view.name: {
                **{kind: asdict(tally) for kind, tally in view.totals.items()},
                "missed_covers": [f"{each.instance}.{each.name}" for each in view.missed_covers],
            }
            for view in covered
        }
    }


def lines(covered: Sequence[View]) -> list[str]:
    """Return the totals as lines for a terminal."""
    return [
        f"coverage of {view.name}: "
        + ", ".join(
            f"{kind} {page.percent(tally)}" for kind, tally in view.totals.items() if tally.total
        )
        + (f"; no test hits {len(view.missed_covers)} covers" if view.missed_covers else "")
        for view in covered
    ]
