# SPDX-License-Identifier: Apache-2.0
"""`longhaul bench`: how fast the primitives and whole runs are, in wall time of this machine.

A whole run's speed is that of its measured window: wall seconds per simulated second, and packets
per wall second. Simulator and guests are on one core, without capture or timeline.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul.devtools import (
    adapter_bench,
    cost_bench,
    fixed_bench,
    glue_bench,
    guest_bench,
    nic_bench,
    ns3_bench,
)
from longhaul.errors import LonghaulError, UsageError
from longhaul.guest import kernel_blocks
from longhaul.paths import ROOT, simulator
from longhaul.process import QUIET_SYSTEMC, a_core, running
from longhaul.results import simdata
from longhaul.runs import child_runs

QUIET = os.environ | QUIET_SYSTEMC

# The box at full rate, as either model. Its clock of 125 MHz never rests.
GNET1 = {"box": "gnet1", "delay": "0s", "duration": "100ms"}
RTL_CLOCKS_PER_S = 125_000_000
# Name, scenario and settings of the whole runs.
WHOLE_RUNS = {
    "jumbo, IPv4, TSO": ("ixgb_b2b", {"mtu": "9198", "duration": "2s"}),
    "jumbo, IPv6, RTT 100 ms": (
        "ixgb_wan",
        {"mtu": "9198", "ip": "v6", "rtt": "100ms", "window": "256MiB", "duration": "3s"},
    ),
    "1500 B, IPv4, TSO": ("ixgb_b2b", {"mtu": "1500", "duration": "2s"}),
    "1500 B, IPv6, no TSO": (
        "ixgb_b2b",
        {"mtu": "1500", "ip": "v6", "tso": "off", "duration": "2s"},
    ),
    "GNET-1 in the path, TLM": ("gnet1_table1", {"model": "tlm"} | GNET1),
    "GNET-1 in the path, RTL": ("gnet1_table1", {"model": "rtl"} | GNET1),
}
# The same run with executed code counted, charged and profiled, and without: accounting's cost.
ACCOUNTING = "CPU accounting"
# A window that neither core can fill makes the traffic the same in both.
ACCOUNTING_RUN = (
    "ixgb_wan",
    {"mtu": "1500", "ip": "v6", "rtt": "10ms", "window": "2MiB", "warmup": "100ms"},
)
ACCOUNTING_TURNS = 5  # alternating; the best of each counts


def pattern(only: str) -> re.Pattern[str]:
    """Read what the user wants; a UsageError says why it is no regular expression."""
    try:
        return re.compile(only)
    except re.error as error:
        raise UsageError(f"--only {only}: no regular expression ({error})") from None


def run(only: re.Pattern[str], console: Console) -> None:
    """Run the benchmarks of the programs and the whole runs whose names match."""
    folder = ROOT / "build" / "release" / "benchmarks"
    programs = sorted(p for p in folder.glob("*_bench") if p.is_file())
    there = {program: _names(program) for program in programs}
    chosen = {
        program: [name for name in names if only.search(name)] for program, names in there.items()
    }
    whole = {name: what for name, what in WHOLE_RUNS.items() if only.search(name)}
    alone = {name: bench for name, bench in _alone().items() if only.search(name)}
    guests = [name for name in guest_bench.RUNS if only.search(name)]
    ns3 = {name: stream for name, stream in ns3_bench.STREAMS.items() if only.search(name)}
    if not (whole or guests or alone or ns3 or any(chosen.values())):
        own = [name for names in there.values() for name in names]
        more = [*WHOLE_RUNS, *guest_bench.RUNS, *_alone(), *ns3_bench.STREAMS]
        names = ", ".join([*own, *more])
        unbuilt = "" if programs else f"; no program of benchmarks is built in {folder}"
        raise UsageError(f"--only {only.pattern}: no benchmark matches; there are {names}{unbuilt}")
    if not (programs or only.pattern):
        raise LonghaulError(f"no benchmark program in {folder}")
    for program, names in chosen.items():
        if not names:
            continue
        console.print(program.name, style="bold")
        exactly = "|".join(f"^{re.escape(name)}$" for name in names)
        command = [str(program), f"--benchmark_filter={exactly}"]
        if subprocess.run(command, check=False, env=QUIET).returncode:
            raise LonghaulError(f"{program.name} failed")
    if whole:
        _whole_runs(whole, console)
    if guests:
        guest_bench.run(guests, console)
    for bench in alone.values():
        bench(console)
    if ns3:
        ns3_bench.run(ns3, child_runs.make, console)


def _alone() -> dict[str, Callable[[Console], None]]:
    """Return the benchmarks that are one function each, in their order."""
    return {
        **cost_bench.BENCHES,
        adapter_bench.NAME: adapter_bench.run,
        fixed_bench.NAME: fixed_bench.run,
        glue_bench.NAME: glue_bench.run,
        nic_bench.NAME: nic_bench.run,
        ACCOUNTING: _accounting,
    }


def _names(program: Path) -> list[str]:
    command = [str(program), "--benchmark_list_tests"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=QUIET)
    if done.returncode:
        raise LonghaulError(f"{program.name} cannot list its benchmarks: {done.stderr.strip()}")
    return [line for line in done.stdout.splitlines() if line.strip()]


def _whole_runs(chosen: dict[str, tuple[str, dict[str, str]]], console: Console) -> None:
    table = Table(
        "whole run", "Gb/s", "wall s/s", "packets/s", "MMIO/s", "exchanges/s", "RTL clocks/s"
    )
    for name, (scenario, settings) in chosen.items():
        console.print(f"{name} ...")
        with tempfile.TemporaryDirectory(prefix="longhaul-bench-") as scratch:
            table.add_row(name, *_measure(scenario, settings, Path(scratch) / "run"))
    console.print(table)


def _accounting(console: Console) -> None:
    """Replay a run with the block table, without it, and with a kernel that counts nothing.

    Without the table code costs no simulated time, so the same second holds more packets and fewer
    exchanges. So two wall times are compared: a simulated second's and a packet's.
    """
    scenario, settings = ACCOUNTING_RUN
    best: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="longhaul-bench-") as scratch:
        original = Path(scratch) / "run"
        child_runs.make(scenario, settings, original)
        config = json.loads((original / "raw" / "config.json").read_text())
        silent = Path(scratch) / "linux"
        kernel_blocks.silence(Path(config["kernel"]), silent)
        kinds: dict[str, dict[str, str]] = {
            "with": {},
            "without": {"kernel_blocks": ""},
            "without, and nothing counts": {"kernel_blocks": "", "kernel": str(silent)},
        }
        for turn in range(ACCOUNTING_TURNS):
            for name, changes in kinds.items():
                console.print(f"{ACCOUNTING}: {name}, {turn + 1} of {ACCOUNTING_TURNS} ...")
                sim = _replay(original, config | changes, Path(scratch) / "again")
                window, wall = sim.window.seconds, sim.window_wall_s
                packets = sim.counted(".eth0.mac.tx_frames")
                exchanges = sim.counted(".guest.exchanges")
                figures = [wall / window, packets / window, exchanges / packets]
                figures.append(wall * 1e6 / packets)
                best[name] = min(best.get(name, figures), figures, key=itemgetter(-1))
    table = Table(
        ACCOUNTING, "wall s/s", "packets/simulated s", "exchanges/packet", "wall us/packet"
    )
    for name, figures in best.items():
        table.add_row(name, *(f"{figure:,.2f}" for figure in figures))
    console.print(table)
    (_, counted), *others = best.items()
    for name, figures in others:
        second, packet = (counted[i] / figures[i] - 1 for i in (0, -1))
        console.print(
            f"{ACCOUNTING}, over {name}: {second:+.1%} wall time a simulated second, "
            f"{packet:+.1%} a packet"
        )


def _replay(original: Path, config: dict[str, Any], folder: Path) -> simdata.SimData:
    shutil.rmtree(folder, ignore_errors=True)
    for machine in config["machines"]:
        files = Path("guests") / machine["name"] / "files"
        shutil.copytree(original / files, folder / files)
    (folder / "config.json").write_text(json.dumps(config))
    command = [str(simulator()), "config.json"]
    log = folder / "simulator.log"
    with a_core() as core, running(command, log=log, core=core, cwd=folder) as process:
        for _ in process.lines(tick=lambda: None):
            pass
        if process.wait():
            raise LonghaulError(f"the simulator failed: {log.read_text()[-500:].strip()}")
    return simdata.load(folder / "sim.json")


def _measure(scenario: str, settings: dict[str, str], out: Path) -> list[str]:
    child_runs.make(scenario, settings, out)
    results: dict[str, Any] = json.loads((out / "results.json").read_text())
    sim = simdata.load(out / "raw" / "sim.json")
    wall = results["window_wall_s"]

    def shown(rate: float) -> str:
        return f"{rate:,.0f}".replace(",", " ")

    def per_wall_second(*leaves: str) -> str:
        return shown(sim.counted(*leaves) / wall)

    clocks = RTL_CLOCKS_PER_S * sim.window.seconds if settings.get("model") == "rtl" else 0

    return [
        f"{results['cases'][0]['measured']['goodput_gbps']:.2f}",
        f"{wall / sim.window.seconds:.2f}",
        per_wall_second(".eth0.mac.tx_frames"),
        per_wall_second(".core.mmio_reads", ".core.mmio_writes"),
        per_wall_second(".guest.exchanges"),
        shown(clocks / wall) if clocks else "",
    ]
