# SPDX-License-Identifier: Apache-2.0
"""This tree beside one of its commits: runs of both by turns, on one core.

The commit is checked out and built in the cache, as a user would have it. Each turn makes one run
in each tree, so a neighbour on the machine slows down both. The ratio is that of the best turns;
beside it stand the least and the largest ratio within a turn.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul.devtools import guest_bench
from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import ROOT, cache_dir
from longhaul.process import a_core

WINDOW_DURATION = "1s"


@dataclass(frozen=True)
class Work:
    """A command that both trees do, and whether its measured window counts or all of it."""

    words: tuple[str, ...]
    window: bool


def _pair(settings: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(word for item in settings.items() for word in ("--set", "=".join(item)))


SWEPT = "mtu=1500..9198/20"
WORKS = {
    **{
        f"window, {name.removeprefix('guests: ')}": Work(
            ("run", guest_bench.SCENARIO, *_pair(settings | {"duration": WINDOW_DURATION})),
            window=True,
        )
        for name, settings in guest_bench.RUNS.items()
    },
    "a run of 1 ms": Work(("run", guest_bench.SCENARIO, "--set", "duration=1ms"), window=False),
    "a sweep of 20 runs of 50 ms": Work(
        ("sweep", guest_bench.SCENARIO, "--over", SWEPT, "--set", "duration=50ms", "--jobs", "1"),
        window=False,
    ),
}


@dataclass(frozen=True)
class Tree:
    """A checkout with its front door."""

    name: str
    root: Path

    def call(self, words: Iterable[str], core: int | None = None) -> float:
        """Run its `./longhaul`, on one core if one is given; return the seconds of wall."""
        pinned = ["taskset", "--cpu-list", str(core)] if core is not None else []
        command = [*pinned, str(self.root / "longhaul"), *words]
        started = time.monotonic()
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.root, env=_environment()
        )
        if done.returncode:
            said = (done.stderr or done.stdout).strip()[-500:]
            raise LonghaulError(f"{self.name}: {' '.join(command)} failed: {said}")
        return time.monotonic() - started


@dataclass(frozen=True)
class Figure:
    """One turn's cost: seconds of wall, for a window also microseconds a frame and its rate."""

    wall_s: float
    frame_us: float = 0.0
    gbps: float = 0.0


def _environment() -> dict[str, str]:
    """Return the environment without what names this tree's parts."""
    ours = re.compile(r"LONGHAUL_|PYTHON(?!PYCACHEPREFIX)")
    return {name: value for name, value in os.environ.items() if not ours.match(name)}


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise LonghaulError(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def resolve(commit: str) -> str:
    """Return a commit's full name; a UsageError where this tree's history has none of that name."""
    with contextlib.suppress(LonghaulError):
        return _git("-C", str(ROOT), "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    raise UsageError(f"--against {commit}: {ROOT} has no such commit (`git log` shows them)")


def checkout(sha: str) -> Tree:
    """Return the tree of a commit, checked out in the cache."""
    root = cache_dir() / "commits" / sha[:12]
    if not root.exists():
        root.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f"{sha[:12]}-", dir=root.parent) as scratch:
            clone = str(Path(scratch) / "tree")
            _git("clone", "--quiet", "--shared", "--no-checkout", str(ROOT), clone)
            _git("-C", clone, "checkout", "--quiet", "--detach", sha)
            Path(clone).rename(root)
    return Tree(sha[:8], root)


def _measured(out: Path) -> Figure:
    try:
        results: dict[str, Any] = json.loads((out / "results.json").read_text())
        sim: dict[str, Any] = json.loads((out / "raw" / "sim.json").read_text())
        frames = sum(
            probe["delta"]
            for name, probe in sim["probes"].items()
            if name.endswith(guest_bench.FRAMES)
        )
        wall = float(results["window_wall_s"])
        gbps = float(results["cases"][0]["measured"]["goodput_gbps"])
        return Figure(wall, 1e6 * wall / frames, gbps)
    except (OSError, KeyError, ValueError, ZeroDivisionError) as error:
        raise LonghaulError(
            f"{out}: its results do not tell the window's wall and frames as this tree's do "
            f"({type(error).__name__}: {error}); --against needs a commit from 24 November 2026 on"
        ) from None


def _turn(tree: Tree, work: Work, core: int) -> Figure:
    with tempfile.TemporaryDirectory(prefix="longhaul-bench-") as scratch:
        out = Path(scratch) / "out"
        wall = tree.call([*work.words, "--out", str(out)], core)
        return _measured(out) if work.window else Figure(wall)


def chosen(only: re.Pattern[str]) -> dict[str, Work]:
    """Return the works whose names match; a UsageError that lists all if there is none."""
    found = {name: work for name, work in WORKS.items() if only.search(name)}
    if not found:
        raise UsageError(
            f"--only {only.pattern}: no benchmark of --against matches; there are "
            f"{'; '.join(WORKS)}"
        )
    return found


def run(commit: str, only: re.Pattern[str], turns: int, console: Console) -> None:
    """Build both trees, make the chosen runs by turns, and print a table of the ratios."""
    works = chosen(only)
    other = checkout(resolve(commit))
    this = Tree("this tree", ROOT)
    trees = (other, this)
    for tree in trees:
        console.print(f"{tree.name}: building in {tree.root} ...")
        with tempfile.TemporaryDirectory(prefix="longhaul-bench-") as scratch:
            first = WORKS["a run of 1 ms"].words
            tree.call([*first, "--out", str(Path(scratch) / "out"), "--yes"])
    figures: dict[str, dict[str, list[Figure]]] = {}
    with a_core() as core:
        for name, work in works.items():
            of_work = figures[name] = {tree.name: [] for tree in trees}
            for turn in range(turns):
                for tree in trees:
                    console.print(f"{name}: turn {turn + 1} of {turns}, {tree.name} ...")
                    of_work[tree.name].append(_turn(tree, work, core))
    console.print(_table(other.name, this.name, figures))
    console.print(
        "Least of all turns; in brackets the least and the largest ratio within one turn. "
        "A window's second holds other numbers of frames in the two trees where their guests "
        "differ: compare the microseconds a frame."
    )


def _table(other: str, this: str, figures: Mapping[str, Mapping[str, list[Figure]]]) -> Table:
    table = Table("what", "unit", other, this, "ratio", "Gb/s")
    for name, of_work in figures.items():
        before, after = of_work[other], of_work[this]
        window = before[0].frame_us > 0
        wall = "wall s a simulated s" if window else "wall s"
        rows = [(wall, [f.wall_s for f in before], [f.wall_s for f in after])]
        if window:
            rows.append(("us a frame", [f.frame_us for f in before], [f.frame_us for f in after]))
        gbps = f"{before[0].gbps:.2f}, {after[0].gbps:.2f}" if window else ""
        for unit, old, new in rows:
            within = [b / a for a, b in zip(old, new, strict=True)]
            ratio = f"{min(new) / min(old):.2f} ({min(within):.2f} to {max(within):.2f})"
            table.add_row(name, unit, f"{min(old):.2f}", f"{min(new):.2f}", ratio, gbps)
    return table
