# SPDX-License-Identifier: Apache-2.0
"""`longhaul bench`: how fast the primitives and whole runs are, in wall time of this machine.

A whole run's speed is that of its measured window: wall seconds per simulated second, and what
passed per wall second, with simulator and guests on one core and no capture or timeline.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT

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
}


def run(only: str, console: Console) -> None:
    """Run the benchmark programs and the whole runs whose names match a regular expression."""
    folder = ROOT / "build" / "release" / "benchmarks"
    programs = sorted(p for p in folder.glob("*_bench") if p.is_file())
    if not programs:
        raise LonghaulError(f"no benchmark program in {folder}")
    for program in programs:
        console.print(program.name, style="bold")
        arguments = [f"--benchmark_filter={only}"] if only else []
        if subprocess.run([str(program), *arguments], check=False).returncode:
            raise LonghaulError(f"{program.name} failed")
    chosen = {name: what for name, what in WHOLE_RUNS.items() if re.search(only, name)}
    if chosen:
        _whole_runs(chosen, console)


def _whole_runs(chosen: dict[str, tuple[str, dict[str, str]]], console: Console) -> None:
    table = Table("whole run", "Gb/s", "wall s/s", "packets/s", "MMIO/s", "exchanges/s")
    for name, (scenario, settings) in chosen.items():
        console.print(f"{name} ...")
        with tempfile.TemporaryDirectory(prefix="longhaul-bench-") as scratch:
            table.add_row(name, *_measure(scenario, settings, Path(scratch) / "run"))
    console.print(table)


def _measure(scenario: str, settings: dict[str, str], out: Path) -> list[str]:
    command = [sys.executable, "-m", "longhaul", "run", scenario, "--out", str(out)]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LonghaulError(f"{' '.join(command)} failed: {done.stderr.strip()[-500:]}")
    results: dict[str, Any] = json.loads((out / "results.json").read_text())
    sim: dict[str, Any] = json.loads((out / "raw" / "sim.json").read_text())
    window = (sim["window"]["end_ps"] - sim["window"]["begin_ps"]) / 1e12
    wall = results["window_wall_s"]

    def per_wall_second(*leaves: str) -> str:
        probes = sim["probes"]
        count = sum(p["delta"] for n, p in probes.items() if n.endswith(leaves) and "delta" in p)
        return f"{count / wall:,.0f}".replace(",", " ")

    return [
        f"{results['cases'][0]['measured']['goodput_gbps']:.2f}",
        f"{wall / window:.2f}",
        per_wall_second(".eth0.mac.tx_frames"),
        per_wall_second(".core.mmio_reads", ".core.mmio_writes"),
        per_wall_second(".guest.exchanges"),
    ]
