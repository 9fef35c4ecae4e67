# SPDX-License-Identifier: Apache-2.0
"""A test's two runs, the adapter's and its twin's: when both are over they are compared."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.runs.child_runs import Ended
from longhaul.validation.catalog import ValidationTest
from longhaul.validation.judge import LINE, PORT
from longhaul.validation.outcome import FAILED, Finding, Outcome
from longhaul.validation.twins import comparison, recorded
from longhaul.validation.twins.chosen import Twin

TWIN = "-twin"  # behind a test's name: its run with the twin


class Halves:
    """Runs of which the other half is not over yet."""

    def __init__(self, twin: Twin | None, out: Path) -> None:
        self._twin, self._out = twin, out
        self._judged: dict[str, Outcome] = {}
        self._twins: dict[str, Ended] = {}
        self._done: set[str] = set()

    def judged(self, test: ValidationTest, made: Outcome) -> Outcome | None:
        """Take the adapter's half; return the test's outcome if it needs no more."""
        self._judged[test.name] = made
        return self._whole(test)

    def twin_ended(self, test: ValidationTest, ended: Ended) -> Outcome | None:
        """Take the twin's half; return the test's outcome if it needs no more."""
        self._twins[test.name] = ended
        return self._whole(test)

    def _whole(self, test: ValidationTest) -> Outcome | None:
        made, ended = self._judged.get(test.name), self._twins.get(test.name)
        if made is None or test.name in self._done or (made.passed and ended is None):
            return None
        self._done.add(test.name)
        return self._compared(test, made, ended) if made.passed and ended else made

    def _compared(self, test: ValidationTest, made: Outcome, ended: Ended) -> Outcome:
        assert self._twin is not None
        if ended.code != 0:
            found = Finding(
                "twin", f"the run with {self._twin.name} does not end well: {ended.why}"
            )
            return dataclasses.replace(made, findings=(*made.findings, found))
        try:
            runs = [recorded.read(self._out / name, LINE, PORT)
                    for name in (made.test, f"{made.test}{TWIN}")]  # fmt: skip
            checks = tuple(
                comparison.checks(
                    runs[0], runs[1], self._twin.registers, with_values=test.twin == "all"
                )
            )
        except (OSError, LonghaulError) as error:
            found = Finding("twin", f"cannot be compared: {error}")
            return dataclasses.replace(made, findings=(*made.findings, found))
        failed = sorted((each for each in checks if each.verdict == FAILED),
                        key=lambda each: each.begin_s or 0.0)  # fmt: skip
        return dataclasses.replace(
            made,
            checks=(*made.checks, *checks),
            findings=(
                *made.findings,
                *(Finding(each.name, each.said, each.begin_s) for each in failed),
            ),
            notes=(*made.notes, comparison.LIMITS),
        )
