# SPDX-License-Identifier: Apache-2.0
"""`longhaul warmup`: how long a scenario runs until its goodput stands still.

Every case is run several times with warm-up 0 and a long window; each run's series is cut where its
start-up ends (`steadiness`). The longest cut, rounded up, is the warm-up that the scenario needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul import registry
from longhaul.errors import LonghaulError, UsageError
from longhaul.outdir import write_json
from longhaul.registry import ScenarioEntry
from longhaul.results.steadiness import METHOD, TOO_SHORT, rounded_up
from longhaul.sweeps import plan as sweep_plan
from longhaul.sweeps.intervals import Sample
from longhaul.sweeps.plan import Plan
from longhaul.sweeps.points import Case, Point
from longhaul.sweeps.spread import spread_text
from longhaul.units import Time

FILE = "warmup.json"
NEEDED = ("warmup", "duration")  # settings of a scenario whose warm-up can be looked for
LONGER = 2  # than what a run of the scenario measures, if no duration is given


@dataclass(frozen=True)
class Found:
    """Figures of a case's runs; `steady` are those of results.json, in the runs' order."""

    case: Case
    steady: tuple[dict[str, Any], ...]

    @property
    def too_short(self) -> int:
        """In how many runs the rate does not stand still before the half of the window."""
        return sum(one["verdict"] == TOO_SHORT for one in self.steady)

    @property
    def warmups(self) -> list[Time]:
        """Each run's start-up, as it is told by its series."""
        there = (one["warmup_s"] for one in self.steady if one["warmup_s"] is not None)
        return [Time(round(seconds * 1e12)) for seconds in there]

    @property
    def needed(self) -> Time:
        """The warm-up to set: the longest start-up, rounded up."""
        return rounded_up(max(self.warmups))

    def sample(self, name: str) -> Sample | None:
        """Return a figure of the runs."""
        return Sample.of(one[name] for one in self.steady)

    def as_json(self) -> dict[str, Any]:
        """Return the form of warmup.json."""
        samples = {name: self.sample(name) for name in ("warmup_s", "whole_gbps", "steady_gbps")}
        return {
            "case": list(self.case),
            "runs": len(self.steady),
            "too_short": self.too_short,
            "warmup": None if self.too_short else self.needed.short(),
            **{name: sample and sample.as_json() for name, sample in samples.items()},
        }


def plan(
    name: str,
    given: Sequence[str],
    out: Path,
    seed: int,
    *,
    params: Sequence[str],
    layout: int,
    repeat: int,
) -> Plan:
    """Return the runs to make; a UsageError for a scenario without a warm-up to look for."""
    entry = registry.find(name)
    missing = next((setting for setting in NEEDED if setting not in entry.settings), None)
    if missing:
        raise UsageError(f"{name} has no setting {missing}, so its warm-up cannot be found")
    wrong = next((text for text in given if text.partition("=")[0] == "warmup"), None)
    if wrong:
        raise UsageError(f"--set {wrong}: this command finds the warm-up; leave it out")
    cases = [_long(entry, given, case) for case in entry.cases(given) or [()]]
    made = sweep_plan.plan_cases(
        name,
        cases,
        [*given, "warmup=0s"],
        out,
        seed,
        params=params,
        layout=layout,
        repeat=repeat,
    )
    for case in made.cases:
        workload = entry.build(entry.parse_case(made.fixed, case), seed, layout).check()
        if not workload.measured_window():
            raise UsageError(f"{workload.KIND} has no rate that could become steady")
    return made


def _long(entry: ScenarioEntry, given: Sequence[str], case: Case) -> Case:
    """Return a case with a long window: as long as was given, else twice what its runs simulate."""
    kept = tuple(text for text in case if text.partition("=")[0] not in NEEDED)
    asked = next((text for text in given if text.partition("=")[0] == "duration"), None)
    if asked:
        return (*kept, asked)
    settings = entry.parse_case(given, case)
    duration = Time((settings.warmup.ps + settings.duration.ps) * LONGER)
    return (*kept, f"duration={duration}")


def found(plan: Plan, points: Sequence[Point]) -> list[Found]:
    """Return what the runs of each case say; a LonghaulError where a run has no series of it."""
    by_case: dict[Case, list[dict[str, Any]]] = {case: [] for case in plan.cases}
    for point in points:
        if point.steady is None:
            raise LonghaulError(
                f"{point.name}: the window is too short for {METHOD}, or nothing arrived in it; "
                "take a longer --set duration"
            )
        by_case[point.case].append(point.steady)
    return [Found(case, tuple(steady)) for case, steady in by_case.items()]


def show(plan: Plan, all_of: Sequence[Found], console: Console) -> None:
    """Write warmup.json and print the table; a LonghaulError if a case's window is too short."""
    write_json(plan.out / FILE, {"scenario": plan.name, "method": METHOD,
                                 "cases": [each.as_json() for each in all_of]})  # fmt: skip
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("case", "warm-up", "in single runs", "goodput with start-up, Gb/s",
                    "without, Gb/s", "stands still in"):  # fmt: skip
        table.add_column(heading)
    for each in all_of:
        single = sorted(each.warmups, key=lambda time: time.ps)
        ends = dict.fromkeys(time.short() for time in (*single[:1], *single[-1:]))
        still = len(each.steady) - each.too_short
        table.add_row(
            " ".join(each.case),
            "too short to tell" if each.too_short else each.needed.short(),
            " to ".join(ends) or "–",
            _text(each.sample("whole_gbps")),
            _text(each.sample("steady_gbps")),
            f"{still} of {len(each.steady)} runs",
        )
    console.print(table, highlight=False)
    console.print(
        f"The warm-up is the longest of the runs by {METHOD} on the receiver's rate of user data, "
        f"rounded up; ± is a 95 % confidence interval. {plan.out / FILE}",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
    short = next((each for each in all_of if each.too_short), None)
    if short:
        raise LonghaulError(
            f"{plan.name} {' '.join(short.case)}: too short to tell in {short.too_short} of "
            f"{len(short.steady)} runs; take a longer --set duration"
        )


def _text(sample: Sample | None) -> str:
    return spread_text(sample.as_json(), "Gb/s") if sample else "–"
