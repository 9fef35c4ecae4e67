# SPDX-License-Identifier: Apache-2.0
"""Several cases of a scenario as runs side by side; finished runs are not repeated.

The cases are every combination of some settings and parameters (`longhaul sweep`), or those that a
scenario has by itself, such as the rows of a published table (`longhaul run`). The sweep's folder
keeps every case that was ever asked for: `sweep.json` lists them, each has a folder of its own.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from longhaul import (
    child_runs,
    overrides,
    points_table,
    registry,
    sweep_axes,
    sweep_points,
    sweep_table,
)
from longhaul.child_runs import Ended, Job, Pool
from longhaul.errors import Interrupted, LonghaulError, UsageError
from longhaul.outdir import cannot_make, is_whole, write_json, write_text
from longhaul.process import ending_signals_raise, uninterrupted
from longhaul.report.sweep_page import render_sweep
from longhaul.runview import SWEEP
from longhaul.sweep_points import Case, Point, Status, status

LOCK = ".sweep.lock"  # in a sweep's folder: held while somebody is at it
OpenPool = Callable[[Path], Pool]  # by the sweep's lock, which its runs watch


@dataclass(frozen=True)
class Plan:
    """All cases of a sweep; each case is the assignments that set it apart."""

    scenario: str
    fixed: tuple[str, ...]
    cases: tuple[Case, ...]
    seed: int
    out: Path
    params: tuple[str, ...] = ()
    force: bool = False  # finished runs are repeated
    retry: bool = False  # failed runs are repeated
    layout: int = 0

    def folder(self, case: Sequence[str]) -> Path:
        """Return the case's folder, named after its values."""
        return self.out / sweep_points.folder_name(case)

    def identity(self) -> dict[str, Any]:
        """Return what must be the same for a sweep to go on in the same folder."""
        same = {"scenario": self.scenario, "set": list(self.fixed), "seed": self.seed}
        same |= {"layout": self.layout} if self.layout else {}
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
        entry.build(entry.parse([*fixed, *settings]), seed, layout)
    made = Plan(scenario, tuple(fixed), cases, seed, out, tuple(params), retry=retry, layout=layout)
    _check_folders(made)
    return made


def plan_cases(
    scenario: str,
    cases: Sequence[Case],
    given: Sequence[str],
    out: Path,
    seed: int,
    *,
    params: Sequence[str] = (),
    force: bool = False,
    layout: int = 0,
) -> Plan:
    """Check a scenario's own cases; what is `given` holds for all that do not say it themselves."""
    entry = registry.find(scenario)
    names = {text.partition("=")[0] for case in cases for text in case}
    fixed = tuple(text for text in given if text.partition("=")[0] not in names)
    for case in cases:
        entry.build(entry.parse_case(given, case), seed, layout)
    return Plan(
        scenario,
        fixed,
        tuple(cases),
        seed,
        out,
        tuple(params),
        force,
        retry=True,
        layout=layout,
    )


def parameter_cases(plan: Plan) -> list[Case]:
    """Return cases with every value of models' parameters once: what the simulator has to check.

    Settings are checked where the plan is made; the simulator alone knows the parameters.
    """
    if not plan.params and not any(sweep_points.split(case)[1] for case in plan.cases):
        return []
    return list({sweep_points.split(case)[1]: case for case in reversed(plan.cases)}.values())[::-1]


def _check_folders(plan: Plan) -> None:
    """Refuse cases that only letters tell apart which a folder's name cannot have."""
    there: dict[Path, Case] = {}
    for case in plan.cases:
        other = there.setdefault(plan.folder(case), case)
        if other is not case:
            raise UsageError(f"{' '.join(case)} and {' '.join(other)} would share a folder")


def run(plan: Plan, open_pool: OpenPool, console: Console, tables: Console) -> None:
    """Run what is missing; write one table, one page and one results.json for all.

    News go to `console`, the figures of all cases to `tables`.
    """
    with _claimed(plan) as (lock, cases):
        sweep = _Sweep(plan, cases, console)
        with ending_signals_raise():
            try:
                sweep.go(lambda: open_pool(lock), lock)
            except Interrupted:
                left = len(sweep.left())
                raise Interrupted(
                    f"interrupted; the same command does the {left} runs left"
                ) from None
            finally:
                uninterrupted(sweep.write)
        points_table.show(sweep.points(), plan.scenario, tables)
        sweep.complain()


@contextlib.contextmanager
def _claimed(plan: Plan) -> Generator[tuple[Path, tuple[Case, ...]]]:
    """Hold the sweep's folder for a block; yields the lock, and all cases ever asked for."""
    path, lock = plan.out / SWEEP, plan.out / LOCK
    try:
        plan.out.mkdir(parents=True, exist_ok=True)
        if not path.exists() and any(p.name != LOCK for p in plan.out.iterdir()):
            raise UsageError(f"{plan.out} is not empty and holds no sweep; choose another --out")
        held = contextlib.ExitStack()
        held.enter_context(child_runs.holding(lock))
    except OSError as error:
        raise cannot_make(plan.out, error) from None
    with held:
        known: list[Case] = []
        if path.exists():
            found = _record(path)
            known = [tuple(map(str, case)) for case in found.get("points", [])]
            if {name: found.get(name) for name in found if name != "points"} != plan.identity():
                if any(status(plan.folder(case))[0] is not Status.MISSING for case in known):
                    raise UsageError(f"{plan.out} holds another sweep; choose another --out")
                known = []  # nothing came of it
        cases = tuple(dict.fromkeys([*plan.cases, *known]))
        if list(cases) != known:
            write_json(path, plan.identity() | {"points": [list(case) for case in cases]})
        yield lock, cases


def _record(path: Path) -> dict[str, Any]:
    try:
        found: Any = json.loads(path.read_text())
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}  # pyright: ignore[reportUnknownVariableType]


class _Sweep:
    """A plan that is being carried out, with what is known of all its points."""

    def __init__(self, plan: Plan, cases: Sequence[Case], console: Console) -> None:
        self._plan, self._console = plan, console
        self._entry = registry.find(plan.scenario)
        self._cases = {plan.folder(case).name: case for case in cases}
        self._points = {name: self._load(case) for name, case in self._cases.items()}
        self._rows = {name: self._row(point) for name, point in self._points.items()}
        self._asked = [plan.folder(case).name for case in plan.cases]
        self._lost: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._done = 0

    def _load(self, case: Case) -> Point:
        folder = self._plan.folder(case)
        return Point.load(self._entry, folder, self._plan.fixed, case)

    def _row(self, point: Point) -> dict[str, Any]:
        return sweep_table.row(self._entry, point, self._plan.seed, self._plan.layout)

    def points(self) -> list[Point]:
        """Return all points, those asked for now and earlier ones."""
        return list(self._points.values())

    def left(self) -> list[str]:
        """Return the points asked for that have no outcome yet."""
        return [n for n in self._asked if self._points[n].status is Status.MISSING]

    def _say(self, line: str) -> None:
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    def go(self, open_pool: Callable[[], Pool], lock: Path) -> None:
        """Run what is to be run."""
        waiting = [name for name in self._asked if self._is_to_run(self._points[name])]
        self._write_table()
        for name in waiting:
            if self._points[name].status is not Status.DONE:
                sweep_points.forget_failure(self._plan.out / name)
                self._reload(name)
        kept = [self._points[name] for name in self._asked if name not in set(waiting)]
        done = sum(point.status is Status.DONE for point in kept)
        if done:
            self._say(f"{done} of {len(self._asked)} runs are already there")
        if len(kept) > done:
            self._say(f"{len(kept) - done} failed before; --retry-failed repeats them")
        if not waiting:
            return
        with open_pool() as pool:
            if pool.where:
                self._say(f"{len(waiting)} runs go to {pool.where}")
            self._drain(pool, waiting, lock)

    def _is_to_run(self, point: Point) -> bool:
        if point.status is Status.DONE:
            return self._plan.force
        return point.status is Status.MISSING or self._plan.retry

    def _drain(self, pool: Pool, waiting: list[str], lock: Path) -> None:
        begin, total, running = time.monotonic(), len(waiting), 0
        while waiting or running:
            while waiting and not pool.full():
                name = waiting.pop(0)
                pool.start(self._job(name, lock))
                running += 1
                self._say(f"started {name}")
            ended = pool.ended()
            running -= len(ended)
            for each in ended:
                self._done += 1
                ahead = (time.monotonic() - begin) / self._done * (total - self._done)
                self._take(each, f"{self._done} of {total}{_ahead(ahead)}")
            if ended:
                self._write_table()

    def _job(self, name: str, lock: Path) -> Job:
        plan, case = self._plan, self._cases[name]
        folder = plan.folder(case)
        sets, params = sweep_points.split(case)
        command = child_runs.command(
            plan.scenario,
            folder,
            (*plan.fixed, *sets),
            (*plan.params, *params),
            seed=plan.seed,
            layout=plan.layout,
            force=plan.force,
            lock=lock,
        )
        return Job(name, tuple(command), sweep_points.log_path(folder))

    def _take(self, ended: Ended, count: str) -> None:
        folder = self._plan.out / ended.name
        if ended.code == 0 and is_whole(folder):
            self._say(f"finished {ended.name} ({count})")
        elif not ended.code:
            why = ended.why or "ended well without a result"
            self._lost[ended.name] = why
            self._say(f"lost {ended.name}: {why}")
        else:
            self._failed[ended.name] = ended.why
            sweep_points.note_failure(folder, ended.why, ended.code)
            self._say(f"failed {ended.name}: {ended.why} ({count})")
        self._reload(ended.name)

    def _reload(self, name: str) -> None:
        self._points[name] = self._load(self._cases[name])
        self._rows[name] = self._row(self._points[name])

    def _write_table(self) -> None:
        sweep_table.write(self._plan.out / sweep_table.TABLE, list(self._rows.values()))

    def write(self) -> None:
        """Write the table, the page, and one results.json for all that is done."""
        self._write_table()
        points = self.points()
        plan = self._plan
        fixed = (*plan.fixed, *plan.params)
        page = render_sweep(self._entry, points, fixed, plan.seed, plan.layout)
        write_text(plan.out / "report.html", page)
        done = [point for point in points if point.result]
        if done:
            write_json(
                plan.out / "results.json",
                {
                    "scenario": plan.scenario,
                    "simulated_s": sum(point.simulated_s or 0 for point in done),
                    "wall_s": sum(point.wall_s or 0 for point in done),
                    "cases": [point.result for point in done],
                },
            )

    def complain(self) -> None:
        """Raise a LonghaulError that says how many points failed, which first, and why."""
        failed = {
            name: self._failed.get(name, self._points[name].why)
            for name in self._asked
            if name in self._failed or self._points[name].status is Status.FAILED
        }
        total = len(self._asked)
        parts = [f"{len(failed)} of {total} runs failed: {n}: {w}" for n, w in failed.items()][:1]
        for name, why in [*self._lost.items()][:1]:
            lost = f"{len(self._lost)} of {total} runs were lost: {name} {why}"
            parts.append(f"{lost}; the same command does them")
        if parts:
            raise LonghaulError("; ".join(parts))


def _ahead(seconds: float) -> str:
    if seconds < 1:
        return ""
    return f", {seconds:.0f} s to go" if seconds < 120 else f", {seconds / 60:.0f} min to go"
