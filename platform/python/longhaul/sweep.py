# SPDX-License-Identifier: Apache-2.0
"""Several cases of a scenario as runs side by side; finished runs are not repeated.

The cases are every combination of some settings (`longhaul sweep`), or those that a scenario has by
itself, such as the rows of a published table (`longhaul run`).
"""

from __future__ import annotations

import itertools
import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul import child_runs, registry
from longhaul.errors import Interrupted, LonghaulError, UsageError
from longhaul.outdir import cannot_make, is_whole, write_json, write_text
from longhaul.process import ending_signals_raise, uninterrupted
from longhaul.reference import lookup
from longhaul.report import render
from longhaul.report.page import figure_text, split_unit
from longhaul.runview import SWEEP, RunView


@dataclass(frozen=True)
class Plan:
    """All cases of a sweep; each case is the assignments that set it apart."""

    scenario: str
    fixed: tuple[str, ...]
    cases: tuple[tuple[str, ...], ...]
    seed: int
    out: Path
    params: tuple[str, ...] = ()
    force: bool = False  # finished runs are repeated

    def folder(self, case: Sequence[str]) -> Path:
        """Return the case's folder, named after its values."""
        return self.out / ",".join(case).replace("/", "-").replace(" ", "_")

    def identity(self) -> dict[str, Any]:
        """Return what must be the same for a sweep to go on in the same folder."""
        same = {"scenario": self.scenario, "set": list(self.fixed), "seed": self.seed}
        return same | ({"param": list(self.params)} if self.params else {})

    def axes(self) -> list[str]:
        """Return the names of all settings that set cases apart, in order."""
        names = [text.partition("=")[0] for case in self.cases for text in case]
        return list(dict.fromkeys(names))


def plan(scenario: str, over: Sequence[str], fixed: Sequence[str], out: Path, seed: int) -> Plan:
    """Check every value of every case before anything runs."""
    entry = registry.find(scenario)
    axes: list[list[str]] = []
    for axis in over:
        name, equals, texts = axis.partition("=")
        if not equals or not texts:
            raise UsageError(f"--over {axis}: write name=value,value, such as --over rtt=1ms,10ms")
        values = texts.split(",")
        kind = entry.setting(name).kind
        read = [kind.parse(text, name) for text in values]
        again = next((i for i, value in enumerate(read) if value in read[:i]), None)
        if again is not None:
            first = values[read.index(read[again])]
            same = "" if first == values[again] else f", which is {first}"
            raise UsageError(f"--over {axis}: {values[again]} stands there twice{same}")
        axes.append([f"{name}={text}" for text in values])
    names = [axis[0].partition("=")[0] for axis in axes]
    double = next((name for name in names if names.count(name) > 1), None)
    if double:
        raise UsageError(f"--over names {double} twice")
    both = next((text for text in fixed if text.partition("=")[0] in names), None)
    if both:
        raise UsageError(f"--set {both}: --over varies {both.partition('=')[0]}; take one of them")
    cases = tuple(itertools.product(*axes))
    for case in cases:
        entry.build(entry.parse([*fixed, *case]), seed)
    return Plan(scenario, tuple(fixed), cases, seed, out)


def plan_cases(
    scenario: str,
    cases: Sequence[tuple[str, ...]],
    given: Sequence[str],
    out: Path,
    seed: int,
    *,
    params: Sequence[str] = (),
    force: bool = False,
) -> Plan:
    """Check a scenario's own cases; what is `given` holds for all that do not say it themselves."""
    entry = registry.find(scenario)
    names = {text.partition("=")[0] for case in cases for text in case}
    fixed = tuple(text for text in given if text.partition("=")[0] not in names)
    for case in cases:
        entry.build(entry.parse_case(given, case), seed)
    return Plan(scenario, fixed, tuple(cases), seed, out, tuple(params), force)


def run(plan: Plan, jobs: int, console: Console, tables: Console) -> None:
    """Run what is missing, `jobs` at a time; write one page and one results.json for all.

    News go to `console`, the figures of all cases to `tables`.
    """
    _claim(plan)
    waiting = [case for case in plan.cases if plan.force or not is_whole(plan.folder(case))]
    kept = len(plan.cases) - len(waiting)
    if kept:
        console.print(f"{kept} of {len(plan.cases)} runs are already there", highlight=False)
    running: dict[tuple[str, ...], subprocess.Popen[bytes]] = {}
    failed: list[str] = []
    with ending_signals_raise():
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    case = waiting.pop(0)
                    running[case] = _start(plan, case)
                    console.print(f"started {plan.folder(case).name}", highlight=False)
                time.sleep(0.1)
                failed += _reap(plan, running, console)
        except Interrupted:
            left = len(waiting) + len(running)
            raise Interrupted(f"interrupted; the same command does the {left} runs left") from None
        finally:
            uninterrupted(lambda: _end(running))
    done = [plan.folder(case) for case in plan.cases if is_whole(plan.folder(case))]
    if done:
        _write(plan, done)
        show(plan, tables)
    if failed:
        raise LonghaulError(f"{len(failed)} of {len(plan.cases)} runs failed: {failed[0]}")


def _claim(plan: Plan) -> None:
    path = plan.out / SWEEP
    try:
        plan.out.mkdir(parents=True, exist_ok=True)
        if path.exists():
            if _identity(path) != plan.identity():
                raise UsageError(f"{plan.out} holds another sweep; choose another --out")
        elif any(plan.out.iterdir()):
            raise UsageError(f"{plan.out} is not empty and holds no sweep; choose another --out")
        else:
            write_json(path, plan.identity())
    except OSError as error:
        raise cannot_make(plan.out, error) from None


def _identity(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except ValueError:
        return None


def _start(plan: Plan, case: Sequence[str]) -> subprocess.Popen[bytes]:
    folder = plan.folder(case)
    sets = (*plan.fixed, *case)
    command = child_runs.command(
        plan.scenario, folder, sets, plan.params, seed=plan.seed, force=plan.force
    )
    with folder.with_name(f"{folder.name}.log").open("wb") as log:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _reap(
    plan: Plan,
    running: dict[tuple[str, ...], subprocess.Popen[bytes]],
    console: Console,
) -> list[str]:
    failed: list[str] = []
    for case, process in list(running.items()):
        code = process.poll()
        if code is None:
            continue
        del running[case]
        folder = plan.folder(case)
        if code == 0:
            console.print(f"finished {folder.name}", highlight=False)
        else:
            log = folder.with_name(f"{folder.name}.log").read_text(errors="replace")
            why = child_runs.complaint(log, code)
            console.print(f"failed {folder.name}: {why}", highlight=False, markup=False)
            failed.append(f"{folder.name}: {why}")
    return failed


def _end(running: Mapping[tuple[str, ...], subprocess.Popen[bytes]]) -> None:
    """Ask every run to end; each ends its own simulator and guests before it goes."""
    for process in running.values():
        process.terminate()
    for process in running.values():
        process.wait()


def _write(plan: Plan, folders: Sequence[Path]) -> None:
    runs = [RunView.load(folder) for folder in folders]
    results = [run.results for run in runs]
    write_text(plan.out / "report.html", render(runs))
    write_json(
        plan.out / "results.json",
        {
            "scenario": plan.scenario,
            "simulated_s": sum(r["simulated_s"] for r in results),
            "wall_s": sum(r["wall_s"] for r in results),
            "cases": [case for r in results for case in r["cases"]],
        },
    )


HOSTS = ("sender.cpu_busy_pct", "receiver.cpu_busy_pct")


def show(plan: Plan, console: Console) -> None:
    """Print a line of figures for every case, beside published ones, and what limited it.

    A case that failed has none.
    """
    done = {c: RunView.load(plan.folder(c)) for c in plan.cases if is_whole(plan.folder(c))}
    headline = [*dict.fromkeys(name for run in done.values() for name in run.headline), *HOSTS]
    published = {name for run in done.values() for name in run.case["reference"]}
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for axis in plan.axes():
        table.add_column(axis)
    for name in headline:
        words, unit = split_unit(name)
        table.add_column(f"{words}, {unit}" if unit else words, justify="right")
        if name in published:
            table.add_column("published", justify="right")
            table.add_column("%", justify="right")
    table.add_column("limited by")
    for case in plan.cases:
        given = dict(text.split("=", 1) for text in case)
        values = [given.get(axis, "") for axis in plan.axes()]
        run = done.get(case)
        shown: list[str] = []
        for name in headline:
            shown.append(_figure(run and run.measured, name))
            if name in published:
                shown.append(_figure(run and run.case["reference"], name))
                error = run.case["error_pct"].get(name) if run else None
                shown.append("" if error is None else f"{error:+.1f}")
        table.add_row(*values, *shown, run.case["bottleneck"]["what"] if run else "failed")
    console.print(table, highlight=False, markup=False)


def _figure(figures: Mapping[str, Any] | None, name: str) -> str:
    """Return a figure as text; a dash where the case has none."""
    if figures is None:
        return "–"
    value = figures[name] if name in figures else lookup(figures, name)
    return figure_text(value, split_unit(name)[1])
