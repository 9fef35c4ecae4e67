# SPDX-License-Identifier: Apache-2.0
"""Several cases of a scenario as runs side by side; finished runs are not repeated.

The cases are every combination of some settings and parameters (`longhaul sweep`), or those that a
scenario has by itself, such as the rows of a published table (`longhaul run`). The sweep's folder
keeps every case that was ever asked for: `sweep.json` lists them, each has a folder of its own.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from longhaul import json_file, registry
from longhaul.errors import Interrupted, LonghaulError, UsageError
from longhaul.outdir import cannot_make, is_whole, write_json, write_text
from longhaul.process import ending_signals_raise, uninterrupted
from longhaul.results.runview import SWEEP
from longhaul.runs import child_runs
from longhaul.runs.child_runs import Ended, Job, Pool
from longhaul.sweeps import points as sweep_points
from longhaul.sweeps import points_table, ranking
from longhaul.sweeps import table as sweep_table
from longhaul.sweeps.page import render_sweep
from longhaul.sweeps.plan import Plan, Run, parameter_cases, plan, plan_cases
from longhaul.sweeps.points import Point, Status, status

__all__ = ["LOCK", "Plan", "parameter_cases", "plan", "plan_cases", "run"]

LOCK = ".sweep.lock"  # in a sweep's folder: held while somebody is at it
GROWS = ("points", "repeat")  # of sweep.json: what later commands may add to
OpenPool = Callable[[Path], Pool]  # by the sweep's lock, which its runs watch


def run(plan: Plan, open_pool: OpenPool, console: Console, tables: Console) -> None:
    """Run what is missing; write one table, one page and one results.json for all.

    News go to `console`, the figures of all cases to `tables`.
    """
    with _claimed(plan) as (lock, whole):
        sweep = _Sweep(plan, whole, console)
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
        if plan.baseline:
            ranking.show(sweep.points(), plan.baseline, registry.find(plan.scenario), tables)
        sweep.complain()


@contextlib.contextmanager
def _claimed(plan: Plan) -> Generator[tuple[Path, Plan]]:
    """Hold the sweep's folder for a block; yields the lock, and the plan of all ever asked for."""
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
        known = replace(plan, cases=())
        found = _record(path) if path.exists() else {}
        if found:
            cases = tuple(tuple(map(str, case)) for case in found.get("points", []))
            before = replace(plan, cases=cases, repeat=found.get("repeat", 1))
            if {name: found.get(name) for name in found if name not in GROWS} == plan.identity():
                known = before
            elif any(status(plan.out / run.name)[0] is not Status.MISSING for run in before.runs()):
                raise UsageError(f"{plan.out} holds another sweep; choose another --out")
        cases = tuple(dict.fromkeys([*plan.cases, *known.cases]))
        whole = replace(plan, cases=cases, repeat=max(plan.repeat, known.repeat))
        if whole != known or not found:
            more = {"repeat": whole.repeat} if whole.repeat > 1 else {}
            more |= {"points": [list(case) for case in cases]}
            write_json(path, plan.identity() | more)
        yield lock, whole


def _record(path: Path) -> dict[str, Any]:
    try:
        found: Any = json_file.read(path)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}  # pyright: ignore[reportUnknownVariableType]


class _Sweep:
    """A plan that is being carried out, with what is known of all its points."""

    def __init__(self, plan: Plan, whole: Plan, console: Console) -> None:
        self._plan, self._whole, self._console = plan, whole, console
        self._entry = registry.find(plan.scenario)
        self._runs = {run.name: run for run in whole.runs()}
        self._points = {name: self._load(run) for name, run in self._runs.items()}
        self._rows = {name: self._row(run) for name, run in self._runs.items()}
        self._asked = [run.name for run in plan.runs()]
        self._lost: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._done = 0

    def _load(self, run: Run) -> Point:
        return Point.load(self._entry, self._plan.out / run.name, self._plan.fixed, run.case)

    def _row(self, run: Run) -> dict[str, Any]:
        """Return a run's row of the table; a repetition tells its point from its folder."""
        which = run.repetition
        cells = sweep_table.row(self._entry, self._points[run.name], which.seed, which.layout)
        if self._whole.repeat == 1:
            return cells
        own = {"point": self._whole.label(run.case), "repetition": which.seed - self._plan.seed}
        return own | {"run": run.name} | {k: v for k, v in cells.items() if k not in own}

    def points(self) -> list[Point]:
        """Return all points, those asked for now and earlier ones; repetitions are one point."""
        return self._whole.joined({run: self._points[n] for n, run in self._runs.items()})

    def repetitions(self) -> list[tuple[Run, Point]]:
        """Return the runs behind points of several; none where every point is one run."""
        if self._whole.repeat == 1:
            return []
        return [(run, self._points[name]) for name, run in self._runs.items()]

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
                self._take(each, f"{self._done} of {total}{child_runs.to_go(ahead)}")
            if ended:
                self._write_table()

    def _job(self, name: str, lock: Path) -> Job:
        plan, run = self._plan, self._runs[name]
        folder = plan.out / name
        folder.parent.mkdir(exist_ok=True)
        sets, params = sweep_points.split(run.case)
        command = child_runs.command(
            plan.scenario,
            folder,
            (*plan.fixed, *sets),
            (*plan.params, *params),
            seed=run.repetition.seed,
            layout=run.repetition.layout,
            force=plan.force,
            lock=lock,
            software=plan.software,
            coverage=plan.coverage,
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
        self._points[name] = self._load(self._runs[name])
        self._rows[name] = self._row(self._runs[name])

    def _write_table(self) -> None:
        sweep_table.write(self._plan.out / sweep_table.TABLE, list(self._rows.values()))

    def write(self) -> None:
        """Write the table, the page, and one results.json for all that is done."""
        self._write_table()
        points = self.points()
        plan = self._plan
        fixed = (*plan.fixed, *plan.params)
        page = render_sweep(
            self._entry,
            points,
            fixed,
            plan.seed,
            plan.layout,
            self.repetitions(),
            ranking.rank(points, plan.baseline, self._entry) if plan.baseline else None,
        )
        write_text(plan.out / "report.html", page)
        done = [point for point in points if point.result]
        if done:
            write_json(
                plan.out / "results.json",
                {
                    "scenario": self._entry.name,
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
