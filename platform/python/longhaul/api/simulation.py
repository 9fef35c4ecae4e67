# SPDX-License-Identifier: Apache-2.0
"""An open simulation: SystemC in this process, run in steps."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Self

from longhaul import boxes, registry, schema
from longhaul.api import native, times
from longhaul.api.outcome import Outcome
from longhaul.api.probes import Probe, Probes
from longhaul.api.recording import Recording
from longhaul.api.registers import AdapterRegisters, BoxRegisters
from longhaul.errors import LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.outdir import OutDir
from longhaul.registry import ScenarioEntry
from longhaul.results import simdata
from longhaul.results.simdata import ModelParam
from longhaul.runs import overrides, runner, space
from longhaul.topology import Box, Scenario
from longhaul.types import plugins, workspace_plugins
from longhaul.units import Quantity, Time

Condition = Callable[[], object]
Value = Quantity | str | int | float | bool


@dataclass(frozen=True, kw_only=True)
class _NoSettings:
    """A topology that a script has built has none."""


@dataclass(frozen=True, kw_only=True)
class _Given(ScenarioEntry):
    """A topology that a script has built, where the runner wants a scenario of the tree."""

    scenario: Scenario

    @cached_property
    def module(self) -> ModuleType:
        """The definitions that a scenario's file would have."""
        module = ModuleType(self.name, self.name)
        vars(module).update(SETTINGS=_NoSettings, build=lambda settings, seed: self.scenario)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
        return module


def use_plugins(*files: Path | str) -> None:
    """Let simulations opened from now on load plug-ins, as --plugin does (docs/plugins.md)."""
    plugins.use(map(Path, files))


def open(  # noqa: A001 - as io.open is
    what: str | Scenario,
    *settings: str,
    out: Path | str | None = None,
    seed: int = 1,
    layout: int = 0,
    params: Sequence[str] = (),
    pcap: bool = False,
    timeline: bool = False,
    force: bool = False,
) -> Simulation:
    """Open a scenario with its settings ("rtt=10ms"), or a topology, as a simulation.

    A scenario is given as to `longhaul run`: by its name, or by its path. A process has one
    simulation: SystemC cannot begin again. `params` are as `longhaul run --param` takes them; `out`
    is the run's folder, a temporary one if none is given; a topology has a seed and a layout of its
    own.
    """
    for name, number in (("seed", seed), ("layout", layout)):
        if not 0 <= number < 2**63:
            raise UsageError(f"{name} {number}: wants 0 to 2^63 - 1")
    if isinstance(what, Scenario):
        if settings:
            raise UsageError(f"{settings[0]}: a topology has no settings; a scenario by name has")
        entry: ScenarioEntry = _Given(what.name, Path(), scenario=what)
        seed, layout = what.seed, what.layout
    else:
        entry = registry.find(what)
        workspace_plugins.ensure(lambda line: print(f"longhaul: {line}", file=sys.stderr))
    return Simulation(
        entry,
        entry.parse(settings),
        None if out is None else Path(out),
        seed=seed,
        layout=layout,
        params=params,
        pcap=pcap,
        timeline=timeline,
        force=force,
    )


class Simulation:
    """The process's simulation; `with` closes it, which removes a temporary folder."""

    def __init__(
        self,
        entry: ScenarioEntry,
        settings: Any,
        out: Path | None,
        *,
        seed: int,
        layout: int,
        params: Sequence[str],
        pcap: bool,
        timeline: bool,
        force: bool,
    ) -> None:
        native.load()
        self.scenario = entry.build(settings, seed, layout)
        if self.scenario.has_guests():
            raise UsageError(
                f"{self.scenario.name} has a real guest, which longhaul run starts and a script "
                "cannot; give every machine a modelled system"
            )
        self._temporary = out is None
        self._changes: list[dict[str, Any]] = []
        with contextlib.ExitStack() as undo:
            if out is None:
                scratch = tempfile.TemporaryDirectory(prefix="longhaul-api-")
                out = Path(undo.enter_context(scratch)) / "run"
            self._request = runner.RunRequest(
                entry,
                settings,
                out,
                seed=seed,
                layout=layout,
                pcap=pcap,
                timeline=timeline,
                overrides=overrides.parse(list(params)),
            )
            self._out = OutDir(out, force=force)
            undo.callback(self._out.close)
            undo.callback(self._out.discard)
            self._out.check_space(space.needed(self.scenario, pcap=pcap, timeline=timeline))
            self._config = runner.configuration(self._request, self.scenario, None, None)
            runner.write_inputs(self._out, self.scenario, self._config)
            # A path that is short enough for a socket's name, and stays when the folder moves.
            self._raw = os.open(self._out.raw, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            here = self._config.model_copy(update={"out": f"/proc/self/fd/{self._raw}"})
            self._session = native.session(here.model_dump_json())
            self._probes = Probes(self._session)
            self._undo = undo.pop_all()
        self._outcome: Outcome | None = None

    @property
    def now(self) -> Time:
        """Simulated time."""
        return Time(self._session.now)

    @property
    def over(self) -> bool:
        """Whether all hosts' programs have ended: nothing is left to run."""
        return self._session.over

    @property
    def config(self) -> schema.SimConfig:
        """The simulator's configuration."""
        return self._config

    def run_for(self, duration: Time) -> bool:
        """Let simulated time pass; False if the run was over before.

        What happens at the end itself comes with the next step. An exception of a callback stops
        the step and comes out here; so does Ctrl-C, as KeyboardInterrupt. The simulation can go on
        from there.
        """
        return self._run(times.time(duration, "run_for"), None) == "time"

    def run_until(self, condition: Condition, limit: Time, *, every: Time | None = None) -> bool:
        """Run until a condition holds; False if `limit` has passed, or the run was over, before.

        It is looked at first, then after every instant in which something happened, or `every` so
        long, which is faster.
        """
        times.time(limit, "limit")
        if every is not None:
            times.period(every)
        if condition():
            return True
        if every is None:
            return self._run(limit, condition) == "asked"
        end = self.now + limit
        while self.now < end and not self.over:
            self._run(min(every, Time(end.ps - self.now.ps)), None)
            if condition():
                return True
        return False

    def _run(self, duration: Time, condition: Condition | None) -> str:
        with native.errors():
            return self._session.run(duration.ps, condition)

    def probes(self, *patterns: str) -> list[Probe]:
        """Return the probes whose names match a pattern such as "sender.*.cwnd"; all without."""
        return self._probes.matching(*patterns)

    def probe(self, name: str) -> Probe:
        """Return one probe."""
        return self._probes.one(name)

    def every(self, period: Time, call: Callable[[Time], object]) -> native.Watch:
        """Call `call(time)` at each period, before what happens at that time."""
        number = self._session.every(times.period(period).ps, lambda ps: call(Time(ps)))
        return native.Watch(self._session, number)

    def record(self, *patterns: str, every: Time) -> Recording:
        """Sample the probes that match, now and at each period from now on."""
        recording = Recording(self.probes(*patterns), self.now)
        recording.follow(self.every(every, recording.sample))
        return recording

    def box(self, name: str) -> BoxRegisters:
        """Return the registers of a box whose type has some."""
        maps = boxes.register_maps()
        parts = (part for part in self.scenario.parts.values() if isinstance(part, Box))
        found = {part.name: maps[part.type] for part in parts if part.type in maps}
        if name not in found:
            what = did_you_mean(name, found) if found else "; there is none"
            raise UsageError(f"no {boxes.titles()} is called {name!r}{what}")
        return BoxRegisters(self._session, name, found[name])

    def adapter(self, name: str) -> AdapterRegisters:
        """Return the registers of an adapter, MACHINE.DEVICE."""
        return AdapterRegisters(self._session, name)

    def params(self) -> list[ModelParam]:
        """Return every parameter of the models with its present value, evidence and source."""
        return [ModelParam.model_validate(each) for each in json.loads(self._session.params())]

    def param(self, name: str) -> Any:
        """Return the present value of a parameter, OBJECT.NAME as in the manifest."""
        known = {f"{each.object}.{each.name}": each.value for each in self.params()}
        if name not in known:
            raise UsageError(f"no parameter is called {name!r}{did_you_mean(name, known)}")
        return known[name]

    def set_param(self, name: str, value: Value) -> None:
        """Change a parameter that may change while the simulation runs, for what comes from now on.

        A delay box's delays, losses and rates may, and the speed of an adapter's engines; a
        UsageError names them where another is asked. The manifest tells each change.
        """
        if self._outcome:
            raise UsageError(f"{name}: the run is over")
        before = self.param(name)
        place, _, leaf = name.rpartition(".")
        plain = str(value) if isinstance(value, Quantity) else value
        if isinstance(plain, float) and not math.isfinite(plain):
            raise UsageError(f"{name}: wants a finite number, not {plain}")
        with native.errors():
            self._session.change_param(place, leaf, json.dumps(plain))
        after = self.param(name)
        change = {"time_s": self.now.seconds, "parameter": name, "before": before, "after": after}
        self._changes.append(change)

    def finish(self) -> Outcome:
        """Run to the end and write the run's folder, as `longhaul run` does."""
        if self._outcome:
            return self._outcome
        if not self.over:
            self._run(Time(max(self._session.limit - self.now.ps, 0)), None)
        if not self.over:
            where = self._session.whereabouts()
            raise LonghaulError(f"the run was given up (its limit) at {self.now}; {where}")
        with native.errors():
            self._session.write_results()
        (self._out.raw / "control.sock").unlink(missing_ok=True)
        request = replace(self._request, changes=tuple(self._changes))
        sim = simdata.load(self._out.raw / "sim.json")
        folder = runner.complete(
            self._out, request, self.scenario, self._config, sim, None, native.path()
        )
        self._outcome = Outcome(folder)
        if self._temporary:
            self._outcome.keep()
        return self._outcome

    def close(self) -> None:
        """Let go of the folder; remove it if it is temporary or not finished."""
        undo, self._undo = self._undo, contextlib.ExitStack()
        undo.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
