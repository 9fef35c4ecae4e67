# SPDX-License-Identifier: Apache-2.0
"""Runs of the command line for the other kinds: how they are started, found and compared."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import psutil

from longhaul.attack import processes
from longhaul.attack.oracle import Fault
from longhaul.attack.place import Place
from longhaul.paths import ROOT, SIMULATOR

LONGHAUL = (sys.executable, "-m", "longhaul")
FRONT_DOOR = str(ROOT / "longhaul")
OUT = "run"
AROUND_S = 2.0  # of a run: its start, its checks and its report


@dataclass(frozen=True)
class Launch:
    """A run of a scenario with settings and parameters, into `run`."""

    scenario: str
    sets: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    def words(self, out: str = OUT) -> list[str]:
        """Return what follows the program's name on its command line."""
        found = ["run", self.scenario, *self.options]
        found += [word for text in self.sets for word in ("--set", text)]
        found += [word for text in self.params for word in ("--param", text)]
        return [*found, "--out", out]

    def command(self, out: str = OUT, *, front_door: bool = False) -> list[str]:
        """Return the command line: Python's, or that of ./longhaul, which hands over to it."""
        return [*([FRONT_DOOR] if front_door else LONGHAUL), *self.words(out)]


def environment(
    place: Place, simulator: Path, more: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return a launch's environment."""
    return place.environment({SIMULATOR: str(simulator), **(more or {})})


def simulator_of(running: processes.Running) -> psutil.Process | None:
    """Return the simulator of a launch once it runs."""
    return next((p for p in running.family() if _name(p).startswith("longhaul-sim")), None)


def kernels_of(running: processes.Running) -> list[psutil.Process]:
    """Return the processes of the guests' kernels once they run."""
    simulator = simulator_of(running)
    return [p for p in _children(simulator) if any("hostname=" in word for word in _words(p))]


def programs_of(running: processes.Running) -> list[psutil.Process]:
    """Return the host's processes of the guests' programs."""
    return [child for kernel in kernels_of(running) for child in _children(kernel)]


def measured(folder: Path) -> dict[str, Any]:
    """Return the figures of a finished run."""
    return json.loads((folder / "results.json").read_text())["cases"][0]["measured"]


def differing(found: Mapping[str, Any], right: Mapping[str, Any]) -> list[Fault]:
    """Return what a run that ended well has other than an undisturbed one."""
    names = sorted({*_flat(found)} ^ {*_flat(right)}) or _unequal(_flat(found), _flat(right))
    return [Fault("result", f"{name} is not that of an undisturbed run") for name in names[:1]]


def _unequal(found: Mapping[str, Any], right: Mapping[str, Any]) -> list[str]:
    def same(one: object, other: object) -> bool:
        both = isinstance(one, float) and isinstance(other, float)
        return one == other or both and math.isnan(one) and math.isnan(other)  # type: ignore[arg-type]

    return [name for name in found if not same(found[name], right[name])]


def _flat(value: Any, at: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        return {at: value}
    items = cast("dict[str, Any]", value).items()
    return {name: leaf for key, each in items for name, leaf in _flat(each, f"{at}.{key}").items()}


def _children(process: psutil.Process | None) -> list[psutil.Process]:
    try:
        return process.children() if process else []
    except psutil.Error:
        return []


def _name(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.Error:
        return ""


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def seconds(folder: Path) -> float:
    """Return how long a finished run's simulation took, with some for what is around it."""
    return float(json.loads((folder / "results.json").read_text())["wall_s"]) + AROUND_S
