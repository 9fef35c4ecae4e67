# SPDX-License-Identifier: Apache-2.0
"""The simulator of one run: its start, what is shown meanwhile, and how it ended."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import re
import signal
import time
from pathlib import Path

from rich.console import Console

from longhaul.errors import Interrupted, LonghaulError, UsageError
from longhaul.guest import files as guest_files
from longhaul.outdir import OutDir, is_full, write_text
from longhaul.paths import cache_dir
from longhaul.process import a_core, running
from longhaul.runs import terminal as terminals
from longhaul.runs.progress import RunState, display_for
from longhaul.topology import Scenario

MOST_LINES = 30  # of a failed simulator's message
# Loaded while the simulator is at work, on another core where one is free: with Polars and Jinja
# it takes a third of a second. A simulator that refuses its configuration does so before.
LATER = (
    "results.series",
    "results.results",
    "results.steadiness",
    "report",
)
LATER_AFTER_S = 0.1
BESIDE_GUESS_S = (3.0, 1.0)  # before and after the window of a scenario that never ran here


def simulate(
    out: OutDir,
    name: str,
    scenario: Scenario,
    binary: Path,
    console: Console,
    guests: guest_files.Console | None = None,
) -> None:
    """Run the simulator to its end; every process is gone when this returns or raises.

    `name` is the scenario's; `console` shows the progress. `guests` is the console that the user
    has in a guest.
    """
    log = out.partial / "simulator.log"
    workload = scenario.check()
    setup_s, after_s = _beside_window(name)
    setup_s += workload.warmup.seconds
    state = RunState(name, workload.duration.seconds, setup_s, after_s)
    later = iter(LATER)

    def tick() -> None:
        out.check_there()
        if terminal is None or terminal.tick(display):
            display.show(state)
        if time.monotonic() > state.started + LATER_AFTER_S:
            for module in itertools.islice(later, 1):
                importlib.import_module(f"longhaul.{module}")

    with (
        a_core() as core,
        display_for(console) as display,
        terminals.of(guests.host) if guests else contextlib.nullcontext() as terminal,
        running(
            [str(binary), "config.json"],
            log=log,
            core=core,
            cwd=out.raw,
            console=terminal and terminal.simulators_end,
        ) as process,
    ):
        if terminal:
            terminal.start()
        for line in process.lines(tick):
            state.update(line)
        code = process.wait()
    out.check_there()
    if code:
        raise failure(code, log, out.raw)


def failure(code: int, log: Path, raw: Path) -> LonghaulError:
    """Turn the simulator's end into its own last message, or how it died.

    The message is one line; a guest's last console lines may follow it. The simulator knows its
    folder as "."; a user reads whole paths, and the options that he gave.
    """
    lines = log.read_text(errors="replace").splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("longhaul: ")]
    if code == 130:
        return Interrupted("interrupted")
    if starts:
        said = "\n".join(lines[starts[-1] :][:MOST_LINES]).removeprefix("longhaul: ").rstrip()
        said = re.sub(r"(?<![\w./])\./", f"{raw}/", said)
        said = re.sub(r"^observe\.waves_(trigger|history)\b", r"--waves-\1", said)
        said = re.sub(r"^observe\.coverage\b", "--coverage", said)
        return UsageError(said) if code == 2 else LonghaulError(said)
    if is_full(raw):
        return LonghaulError(f"{raw.parent.parent}: no space left on the disk")
    if code < 0:
        how = f"was killed by {signal.Signals(-code).name}"
        if code == -signal.SIGKILL:
            how += " (from outside: a user, or the kernel because memory ran out)"
    else:
        how = f"failed with exit code {code}"
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return LonghaulError(f"the simulator {how}{f'; its last words: {last}' if last else ''}")


def _beside_file(scenario: str) -> Path:
    return cache_dir() / "durations" / f"beside-{scenario}"


def _beside_window(scenario: str) -> tuple[float, float]:
    """Return the simulated seconds that a run of the scenario spent before its window and after."""
    try:
        before, after = map(float, _beside_file(scenario).read_text().split())
    except (OSError, ValueError):
        return BESIDE_GUESS_S
    return before, after


def remember_beside_window(scenario: str, before_s: float, after_s: float) -> None:
    """Keep the simulated seconds before and after the window, for the next run's progress."""
    path = _beside_file(scenario)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, f"{before_s:.6f} {after_s:.6f}\n")
