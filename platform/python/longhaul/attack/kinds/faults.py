# SPDX-License-Identifier: Apache-2.0
"""Faults from outside while a run goes on, at instants at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from longhaul.attack import processes
from longhaul.attack.kind import Kind, Verdict
from longhaul.attack.kinds import launches, signals, surroundings
from longhaul.attack.kinds.plans import GUESTS, MODELLED, Basis, Plan, nothing
from longhaul.attack.kinds.results import finished
from longhaul.attack.oracle import DONE, INTERRUPTED, Expected, Fault
from longhaul.attack.place import Place

LIMIT_S = 300.0
STOP_S = 60.0

Make = Callable[[random.Random, Basis], Plan]
_OF_MODELS: tuple[Make, ...] = (
    partial(signals.command_line, guests=False),
    partial(signals.command_line, guests=False),
    partial(signals.simulator, guests=False),
    partial(signals.pause, guests=False),
    surroundings.folder,
    surroundings.place_of_output,
    surroundings.disk,
    surroundings.disk,
    surroundings.limit,
    surroundings.tools,
    surroundings.stand_in,
    surroundings.streams,
    surroundings.variables,
)
_OF_GUESTS: tuple[Make, ...] = (
    partial(signals.command_line, guests=True),
    partial(signals.simulator, guests=True),
    partial(signals.pause, guests=True),
    signals.guest,
    signals.guest,
    surroundings.cache,
)
GUESTS_EVERY = 4  # of so many faults one is of real guests


class Faults(Kind):
    """Case N is one fault of one run, every fourth of real guests."""

    name = "faults"
    what = "signals, full disks, missing tools, damaged caches, while a run goes on"
    weight = 3

    def prepare(self) -> None:
        """Make the undisturbed runs."""
        self._right: dict[launches.Launch, dict[str, Any]] = {}
        seconds: dict[launches.Launch, float] = {}
        for name, launch in (("modelled", MODELLED), ("guests", GUESTS)):
            folder = finished(self.ground, launch, self.ground.base / name)
            self._right[launch] = launches.measured(folder)
            seconds[launch] = launches.seconds(folder)
        self._basis = Basis(seconds, self.ground.base)

    def run(self, number: int, place: Place) -> Verdict:
        """Start a run, disturb it, and judge its end."""
        chance = self.ground.chance(self.name, number)
        makes = _OF_MODELS if (number + 1) % GUESTS_EVERY else _OF_GUESTS
        plan = chance.choice(makes)(chance, self._basis)
        undo = plan.before(place) if plan.before else nothing
        try:
            ended, more = self._carry_out(plan, place)
        finally:
            undo()
        silent = plan.silent
        expected = Expected(plan.codes, says=plan.says, silent=silent)
        command = plan.command()
        return self.verdict(number, plan.label, ended, expected, command=command, more=more)

    def _carry_out(self, plan: Plan, place: Place) -> tuple[processes.Ended, list[Fault]]:
        environment = launches.environment(place, self.ground.simulator, plan.environment)
        for name in ("XDG_CACHE_HOME", "PATH", "LONGHAUL_SIMULATOR"):
            if name in plan.environment and "/" not in plan.environment[name] and environment[name]:
                environment[name] = str(place.work / environment[name])
        patience = self.ground.patience
        stop = None if plan.stop_after is None else STOP_S * patience
        limits = processes.Limits(
            LIMIT_S * patience if plan.stop_after is None else plan.stop_after * patience,
            settle=plan.settle * patience,
            stop=stop,
        )
        expected = [plan.out, launches.OUT, *plan.leaves]
        ended = self.ended(
            plan.command(),
            place,
            environment,
            limits,
            expected=expected,
            disturb=plan.disturb,
            resources=plan.resources,
        )
        if plan.litters:
            ended = processes.without_litter(ended)
        return ended, self._same(plan, place, ended)

    def _same(self, plan: Plan, place: Place, ended: processes.Ended) -> list[Fault]:
        """Hold the figures of a run that ended well against those of an undisturbed one."""
        out = place.work / plan.out
        there = (out / "results.json").exists()
        if ended.code == DONE and not there:
            return [Fault("result", "exit code 0 without results.json")]
        # A signal may come while the figures are printed: they are whole by then.
        too_late = there and ended.code == INTERRUPTED and INTERRUPTED in plan.codes
        if ended.code == DONE or too_late:
            return launches.differing(launches.measured(out), self._right[plan.launch])
        if there and ended.code is not None and ended.code >= 0 and not plan.silent:
            return [Fault("result", f"exit code {ended.code}, but results.json is there")]
        if ended.code == INTERRUPTED and plan.stop_after is not None and not ended.stopped:
            return [Fault("exit code", "130, but nobody interrupted it")]
        return []
