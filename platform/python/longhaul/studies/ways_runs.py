# SPDX-License-Identifier: Apache-2.0
"""The sweeps of a study of several ways: one for each workload and axis, with all ways in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from longhaul import registry
from longhaul.studies.tables import Load, merged
from longhaul.studies.ways import Axis, WayStudy
from longhaul.sweeps import axes as sweep_axes
from longhaul.sweeps import sweep as sweeps
from longhaul.sweeps.plan import Plan
from longhaul.sweeps.points import Case


@dataclass(frozen=True)
class WayPart:
    """One sweep of a study; `cases` are its cases by way and value of the axis."""

    load: Load
    axis: Axis
    values: Sequence[str]
    cases: Mapping[tuple[str, str], Case]
    plan: Plan

    def folders(self, way: str, value: str) -> list[Path]:
        """Return the folders of a case's runs, one for each repetition."""
        case = self.cases[way, value]
        return [self.plan.out / run.name for run in self.plan.runs() if run.case == case]


def parts(study: WayStudy, out: Path, seed: int, repeat: int) -> Iterator[WayPart]:
    """Yield the sweeps with their runs planned; a UsageError says what is wrong with one.

    A point has `repeat` runs, or more where its axis wants more.
    """
    entry = registry.find(study.scenario)
    for load in study.loads:
        for axis in study.axes:
            steps = sweep_axes.read(axis.over, entry)
            cases = {
                (way.name, step[0]): (*way.sets, *assigned)
                for way in study.ways
                for step, assigned in zip(steps.steps, steps.assignments(), strict=True)
            }
            plan = sweeps.plan_cases(
                entry.spec,
                list(cases.values()),
                _sets(study, axis, load),
                out / load.name / axis.name,
                seed,
                params=study.params,
                repeat=max(repeat, axis.repeat),
            )
            values = [step[0] for step in steps.steps]
            yield WayPart(load, axis, values, cases, replace(plan, retry=False))


def _sets(study: WayStudy, axis: Axis, load: Load) -> tuple[str, ...]:
    """Return what holds for all points of a workload along an axis."""
    sets = merged(merged(study.sets, load.sets), axis.sets)
    return merged(sets, axis.of_load.get(load.name, ()))
