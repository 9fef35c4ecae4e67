# SPDX-License-Identifier: Apache-2.0
"""Two real guests with each adapter: the host's time of a simulated second and of a gigabyte.

The runs take turns on one core, and the least of each counts. CPU time is of the simulator and of
all processes of the guests in the measured window, so other work on the machine hardly shows in it.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul.results import simdata
from longhaul.results.simdata import HostSeconds
from longhaul.runs import child_runs

NAME = "adapters of guests"
TURNS = 3
SCENARIO = "ixgb_b2b"
MTUS = {"jumbo": "9198", "1500 B": "1500"}
WARMUP, DURATION = "300ms", "500ms"  # a T110's congestion window begins with one segment
OVER = "ixgb"
ADAPTERS: Mapping[str, Mapping[str, str]] = {
    OVER: {},
    "N110": {"card": "n110"},
    "T110, a NIC": {"card": "t110"},
    "T110, offload": {"card": "t110", "toe": "on"},
}
FIGURES = ("wall s/s", "CPU s/s", "CPU s/GB")


def cpu_s(host: HostSeconds) -> float:
    """Return the CPU time of simulator and guests in the measured window."""
    guests = [part for guest in host.guests.values() for part in (guest.kernel, guest.programs)]
    return sum(each.user + each.system for each in (host.simulator, *guests))


def _measure(settings: Mapping[str, str], out: Path) -> dict[str, float]:
    child_runs.make(SCENARIO, {**settings, "warmup": WARMUP, "duration": DURATION}, out)
    results: dict[str, Any] = json.loads((out / "results.json").read_text())
    sim = simdata.load(out / "raw" / "sim.json")
    seconds, cpu = sim.window.seconds, cpu_s(sim.host_s)
    goodput = results["cases"][0]["measured"]["goodput_gbps"]
    figures = (results["window_wall_s"] / seconds, cpu / seconds, cpu / (goodput * seconds / 8))
    return {"Gb/s": goodput, **dict(zip(FIGURES, figures, strict=True))}


def run(console: Console) -> None:
    """Make all runs in turn; one table, with the ratios to ixgb's."""
    least: dict[tuple[str, str], dict[str, float]] = {}
    for turn, size, adapter in itertools.product(range(TURNS), MTUS, ADAPTERS):
        console.print(f"{NAME}: {size}, {adapter}, {turn + 1} of {TURNS} ...")
        with tempfile.TemporaryDirectory(prefix="longhaul-bench-") as scratch:
            got = _measure({"mtu": MTUS[size], **ADAPTERS[adapter]}, Path(scratch) / "run")
        old = least.get((size, adapter), got)
        least[size, adapter] = {name: min(old[name], value) for name, value in got.items()}
    table = Table(NAME, "Gb/s", *FIGURES, *(f"{name} / {OVER}'s" for name in FIGURES))
    for (size, adapter), figures in least.items():
        over = least[size, OVER]
        ratios = (f"{figures[name] / over[name]:.2f}" for name in FIGURES)
        row = (f"{figures['Gb/s']:.2f}", *(f"{figures[name]:.2f}" for name in FIGURES), *ratios)
        table.add_row(f"{adapter}, {size}", *row)
    console.print(table)
