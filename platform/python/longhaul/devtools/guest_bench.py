# SPDX-License-Identifier: Apache-2.0
"""The host's cost of a frame between two real guests, by part of the platform.

It shows CPU times of the measured window, of the simulator and of each guest's processes. A guest's
are split by whether the processes ran their own instructions (`user`) or the host's kernel did
something for them (`system`). The host's accounting has ticks of 10 ms. Simulator and guests take
turns on one core, so the parts add up to the wall time, but for what other programs took.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul.results import simdata
from longhaul.results.simdata import SimData
from longhaul.runs import child_runs

RUNS = {
    "guests: jumbo, IPv4": {"mtu": "9198", "ip": "v4"},
    "guests: jumbo, IPv6": {"mtu": "9198", "ip": "v6"},
    "guests: 1500 B, IPv4": {"mtu": "1500", "ip": "v4"},
    "guests: 1500 B, IPv6": {"mtu": "1500", "ip": "v6"},
}
SCENARIO, DURATION = "ixgb_b2b", "2s"
FRAMES = ".eth0.mac.tx_frames"
COLUMNS = {
    "models": "the simulator's own instructions: models, SystemC, what is watched",
    "simulator's host": "the host's kernel for the simulator: exchanges",
    "guests' code": "the guests' kernels' own instructions, accounting among them",
    "guests' host": "the host's kernel for them: exchanges, stops of their programs, page tables",
    "programs": "the guests' programs, and the host's kernel for them",
}


def parts_us(sim: SimData) -> dict[str, float]:
    """Return the microseconds of CPU time of a frame by part, in the order of COLUMNS."""
    frames = sim.counted(FRAMES)
    host = sim.host_s
    kernels = [guest.kernel for guest in host.guests.values()]
    programs = [guest.programs for guest in host.guests.values()]
    seconds = (
        host.simulator.user,
        host.simulator.system,
        sum(each.user for each in kernels),
        sum(each.system for each in kernels),
        sum(each.user + each.system for each in programs),
    )
    return dict(zip(COLUMNS, (1e6 * each / frames for each in seconds), strict=True))


def _row(settings: Mapping[str, str], out: Path) -> list[str]:
    child_runs.make(SCENARIO, {**settings, "duration": DURATION}, out)
    results: dict[str, Any] = json.loads((out / "results.json").read_text())
    sim = simdata.load(out / "raw" / "sim.json")
    frames = sim.counted(FRAMES)
    return [
        f"{results['cases'][0]['measured']['goodput_gbps']:.2f}",
        f"{results['window_wall_s'] / sim.window.seconds:.2f}",
        f"{1e6 * results['window_wall_s'] / frames:.1f}",
        *(f"{part:.1f}" for part in parts_us(sim).values()),
        f"{sim.counted('.guest.exchanges') / frames:.2f}",
    ]


def run(names: Iterable[str], console: Console) -> None:
    """Make the runs of these names; one table, and what its columns are."""
    table = Table("us a frame", "Gb/s", "wall s/s", "wall", *COLUMNS, "exchanges/frame")
    for name in names:
        console.print(f"{name} ...")
        with tempfile.TemporaryDirectory(prefix="longhaul-bench-") as scratch:
            table.add_row(name.removeprefix("guests: "), *_row(RUNS[name], Path(scratch) / "run"))
    console.print(table)
    for part, what in COLUMNS.items():
        console.print(f"  {part}: {what}")
