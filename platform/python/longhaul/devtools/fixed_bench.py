# SPDX-License-Identifier: Apache-2.0
"""Fixed costs of a run: milliseconds of wall and of CPU by part of the command.

By instants that the run itself takes (`phases.py`). Of several runs of a millisecond the one with
the least CPU time counts, so the simulator's part is its start, the guests' boot and their end.
"""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from longhaul import phases
from longhaul.errors import LonghaulError
from longhaul.paths import ROOT
from longhaul.phases import Took
from longhaul.runs import child_runs

NAME = "fixed cost"
TURNS = 5
PARTS = {
    phases.SCRIPT: "the script: packages, environment, sources",
    phases.INTERPRETER: "Python's start; the script's CPU time is in its own",
    "imports": "modules of the command line",
    "command line": "its reading, and modules of a run",
    "scenario": "topology, settings, the run's folder",
    "guests": "kernel, its blocks, root and image looked for",
    "inputs": "configuration, files and images of the guests",
    "simulator": "from its start to its end; meanwhile the modules of the parts below are loaded",
    "counters": "sim.json",
    "series": "Parquet",
    "profile": "functions of the guests' kernels",
    "manifest": "versions and checksums",
    "figures": "results.json, but for its writing",
    "page": "report.html",
    "last files": "results.json, and the folder's name",
    "terminal": "the table that a user sees",
    "exit": "Python's end",
}
GUESTS = ("ixgb_b2b", {"mtu": "9198", "duration": "1ms"})
MODELLED = ("opteron_table2", {"mtu": "9198", "ip": "v4", "duration": "1ms"})


def by_a_user(scenario: str, settings: Mapping[str, str], scratch: Path) -> list[str]:
    """Return the command as a user gives it."""
    words = child_runs.command(scenario, scratch / "run", _texts(settings), force=True)
    return [str(ROOT / "longhaul"), *words[len(child_runs.LONGHAUL) :]]


def by_a_sweep(scenario: str, settings: Mapping[str, str], scratch: Path) -> list[str]:
    """Return the command as a sweep gives it for a point."""
    lock = scratch / "lock"
    return child_runs.command(scenario, scratch / "run", _texts(settings), force=True, lock=lock)


Command = Callable[[str, Mapping[str, str], Path], list[str]]
RUNS: dict[str, tuple[tuple[str, dict[str, str]], Command]] = {
    "a pair of guests": (GUESTS, by_a_user),
    "modelled hosts": (MODELLED, by_a_user),
    "modelled hosts, a sweep's point": (MODELLED, by_a_sweep),
}


def _texts(settings: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in settings.items()]


def timed(command: Sequence[str], scratch: Path) -> dict[str, Took]:
    """Run a command; return what its parts took."""
    file = scratch / "phases.json"
    started, cpu = time.time(), phases.cpu_s(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command,
        env=os.environ | {phases.FILE: str(file)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    ended, cpu = time.time(), phases.cpu_s(resource.RUSAGE_CHILDREN) - cpu
    if done.returncode:
        raise LonghaulError(f"{' '.join(command)} failed: {done.stderr.strip()[-500:]}")
    return phases.parts(phases.read(file), started, ended, cpu)


def in_all(parts: Iterable[Took]) -> Took:
    """Return the sum of parts."""
    listed = list(parts)
    return Took(sum(each.wall_ms for each in listed), sum(each.cpu_ms for each in listed))


def cheapest(runs: Sequence[Mapping[str, Took]]) -> Mapping[str, Took]:
    """Return the run that took least CPU time in all."""
    return min(runs, key=lambda parts: in_all(parts.values()).cpu_ms)


def table(found: Mapping[str, Mapping[str, Took]]) -> Table:
    """Return the runs' parts side by side, with their sums and what is not the simulator's."""
    shown = Table("ms of wall (of CPU)", *found)
    for part in PARTS:
        shown.add_row(part, *(_text(parts.get(part)) for parts in found.values()))
    shown.add_row("all", *(_text(in_all(parts.values())) for parts in found.values()))
    own = [
        in_all(took for part, took in parts.items() if part != "simulator")
        for parts in found.values()
    ]
    shown.add_row("all but the simulator", *map(_text, own))
    return shown


def _text(took: Took | None) -> str:
    return "" if took is None else f"{took.wall_ms:.0f} ({took.cpu_ms:.0f})"


def run(console: Console) -> None:
    """Make the runs; one table, and what its rows are."""
    found: dict[str, Mapping[str, Took]] = {}
    for name, ((scenario, settings), command) in RUNS.items():
        console.print(f"{NAME}: {name} ...")
        with tempfile.TemporaryDirectory(prefix="longhaul-bench-") as folder:
            scratch = Path(folder)
            with child_runs.holding(scratch / "lock"):
                words = command(scenario, settings, scratch)
                found[name] = cheapest([timed(words, scratch) for _ in range(TURNS)])
    console.print(table(found))
    for part, what in PARTS.items():
        console.print(f"  {part}: {what}", highlight=False)
