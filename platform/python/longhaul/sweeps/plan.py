# SPDX-License-Identifier: Apache-2.0
"""The runs of a sweep: its cases, each so many times, all checked before anything runs."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from longhaul import registry
from longhaul.errors import UsageError
from longhaul.registry import ScenarioEntry
from longhaul.results.repetition import LARGEST, Repetition, repetitions
from longhaul.runs import given, overrides
from longhaul.sweeps import axes as sweep_axes
from longhaul.sweeps import points as sweep_points
from longhaul.sweeps import repeats
from longhaul.sweeps.points import Case, Point
from longhaul.types import plugins


def given_plugins() -> dict[str, str]:
    """Return the checksums of this process's plug-ins: another file is another sweep."""
    return plugins.checksums(plugins.given())


@dataclass(frozen=True)
class Run:
    """One run of a plan, of a case and a repetition; its name is its folder's, from the plan's."""

    name: str
    case: Case
    repetition: Repetition


@dataclass(frozen=True)
class Plan:
    """All cases of a sweep; each case is the assignments that set it apart.

    `scenario` is what `registry.find` finds it by: a name, or the path of one outside of the tree.
    """

    scenario: str
    fixed: tuple[str, ...]
    cases: tuple[Case, ...]
    seed: int
    out: Path
    params: tuple[str, ...] = ()
    force: bool = False  # finished runs are repeated
    retry: bool = False  # failed runs are repeated
    layout: int = 0
    repeat: int = 1  # runs of each case, with seeds and layouts from the first one's on
    baseline: Case = ()  # the case that all others are ranked against; empty for none
    plugins: Mapping[str, str] = field(default_factory=given_plugins)  # SHA-256 by path
    software: given.Given = ()
    coverage: bool = False  # of RTL by port maps

    @property
    def name(self) -> str:
        """Return the scenario's name."""
        return registry.find(self.scenario).name

    def folder(self, case: Sequence[str]) -> Path:
        """Return the case's folder, named after its values; its repetitions lie in it."""
        return self.out / sweep_points.folder_name(case)

    def runs(self) -> list[Run]:
        """Return all runs: every case once, then every case a second time, and so on."""
        found: list[Run] = []
        for repetition in repetitions(self.seed, self.layout, self.repeat):
            for case in self.cases:
                folder = self.folder(case) / (repetition.folder if self.repeat > 1 else "")
                found.append(Run(str(folder.relative_to(self.out)), case, repetition))
        return found

    def points(self, entry: ScenarioEntry) -> list[Point]:
        """Return the point of every case, with the results that it has."""
        return self.joined(dict(zip(self.runs(), self.run_points(entry), strict=True)))

    def run_points(self, entry: ScenarioEntry) -> list[Point]:
        """Return every run as a point of its own, with the results that it has."""
        return [Point.load(entry, self.out / run.name, self.fixed, run.case) for run in self.runs()]

    def joined(self, points: Mapping[Run, Point]) -> list[Point]:
        """Return a point for each case, of those of its runs."""
        if self.repeat == 1:
            return list(points.values())
        return [
            repeats.merged(
                self.label(case),
                {run.repetition: point for run, point in points.items() if run.case == case},
            )
            for case in self.cases
        ]

    def label(self, case: Sequence[str]) -> str:
        """Return how the case's folder is called from the plan's."""
        return str(self.folder(case).relative_to(self.out))

    def identity(self) -> dict[str, Any]:
        """Return what must be the same for a sweep to go on in the same folder."""
        same: dict[str, Any] = dict(registry.find(self.scenario).identity)
        same |= {"set": list(self.fixed), "seed": self.seed}
        same |= {"layout": self.layout} if self.layout else {}
        same |= {"repeated": True} if self.repeat > 1 else {}
        same |= {"plugins": self.plugins} if self.plugins else {}
        same |= given.identity(self.software)
        same |= {"coverage": True} if self.coverage else {}
        return same | ({"param": list(self.params)} if self.params else {})

    def axes(self) -> list[str]:
        """Return the names of all settings that set cases apart, in order."""
        return sweep_points.names(self.cases)


def plan(
    scenario: str,
    over: Sequence[str],
    fixed: Sequence[str],
    out: Path,
    seed: int,
    *,
    params: Sequence[str] = (),
    retry: bool = False,
    layout: int = 0,
    repeat: int = 1,
    software: given.Given = (),
) -> Plan:
    """Check every value of every case before anything runs."""
    entry = registry.find(scenario)
    axes = [sweep_axes.read(text, entry) for text in over]
    overrides.parse(params)
    names = [name for axis in axes for name in axis.names]
    double = next((name for name in names if names.count(name) > 1), None)
    if double:
        raise UsageError(f"--over names {double} twice")
    for option, texts in (("--set", fixed), ("--param", params)):
        both = next((text for text in texts if text.partition("=")[0] in names), None)
        if both:
            name = both.partition("=")[0]
            raise UsageError(f"{option} {both}: --over varies {name}; take one of them")
    steps = itertools.product(*(axis.assignments() for axis in axes))
    cases = tuple(tuple(itertools.chain.from_iterable(step)) for step in steps)
    for settings in dict.fromkeys(sweep_points.split(case)[0] for case in cases):
        given.applied(entry.build(entry.parse([*fixed, *settings]), seed, layout), software)
    made = Plan(
        entry.spec,
        tuple(fixed),
        cases,
        seed,
        out,
        tuple(params),
        retry=retry,
        layout=layout,
        repeat=repeat,
        software=software,
    )
    _check_repetitions(made)
    _check_folders(made)
    return made


def plan_cases(
    scenario: str,
    cases: Sequence[Case],
    assigned: Sequence[str],
    out: Path,
    seed: int,
    *,
    params: Sequence[str] = (),
    force: bool = False,
    layout: int = 0,
    repeat: int = 1,
    software: given.Given = (),
) -> Plan:
    """Check a scenario's own cases; `assigned` holds for all that do not say it themselves."""
    entry = registry.find(scenario)
    names = {text.partition("=")[0] for case in cases for text in case}
    fixed = tuple(text for text in assigned if text.partition("=")[0] not in names)
    for case in cases:
        built = entry.build(entry.parse_case(assigned, case), seed, layout)
        given.applied(built, software)
    made = Plan(
        entry.spec,
        fixed,
        tuple(cases),
        seed,
        out,
        tuple(params),
        force,
        retry=True,
        layout=layout,
        repeat=repeat,
        software=software,
    )
    _check_repetitions(made)
    return made


def parameter_cases(plan: Plan) -> list[Case]:
    """Return cases with every value of models' parameters once, for the simulator to check.

    Settings are checked where the plan is made; the simulator alone knows the parameters, and what
    is in a plug-in.
    """
    known = plan.params or plan.plugins
    if not known and not any(sweep_points.split(case)[1] for case in plan.cases):
        return []
    return list({sweep_points.split(case)[1]: case for case in reversed(plan.cases)}.values())[::-1]


def _check_repetitions(plan: Plan) -> None:
    for name, first in (("seed", plan.seed), ("layout", plan.layout)):
        if first + plan.repeat - 1 > LARGEST:
            raise UsageError(f"--{name} {first}: leaves no room for --repeat {plan.repeat}")


def _check_folders(plan: Plan) -> None:
    """Refuse cases that only letters tell apart which a folder's name cannot have."""
    there: dict[Path, Case] = {}
    for case in plan.cases:
        other = there.setdefault(plan.folder(case), case)
        if other is not case:
            raise UsageError(f"{' '.join(case)} and {' '.join(other)} would share a folder")
