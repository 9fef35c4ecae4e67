# SPDX-License-Identifier: Apache-2.0
"""`longhaul bench --only glue`: the cost of the glue around RTL that a port map brings.

Two NICs of the template `rtl-nic` fill a gigabit cable between real guests, and `perf` samples the
simulator. The block is what Verilator made; the glue is what stands between it and the models:
clocks, transactors, protocol checkers, the port map's function.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT, simulator
from longhaul.runs.child_runs import LONGHAUL
from longhaul.workspace import creation, kinds

NAME = "glue around RTL"
BLOCK, GLUE, KERNEL, REST = "block", "glue", "SystemC's kernel", "models and the rest"
_NIC = "mynic"
_RUN = ("adapter_b2b", "--set", f"adapter={_NIC}", "--set", "duration=20ms")
_RATE_HZ = 2000
# The RTL object's template that the glue brings into it.
_GLUE = re.compile(r"longhaul::(cosim|portmap)::")


def run(console: Console) -> None:
    """Print where the simulator's time goes, and the glue's over the block's."""
    if shutil.which("perf") is None:
        raise LonghaulError(f"the benchmark '{NAME}' needs perf; apt-get install linux-perf")
    console.print(f"{NAME} ...")
    with tempfile.TemporaryDirectory(prefix="longhaul-glue-") as scratch:
        shares = split(_profile(Path(scratch)))
    table = Table("part", "% of the simulator's time", "% over the block", title=NAME)
    for part in (BLOCK, GLUE, KERNEL, REST):
        over = 100 * shares[part] / shares[BLOCK]
        table.add_row(part, f"{shares[part]:.1f}", "" if part == BLOCK else f"{over:.1f}")
    console.print(table)


def split(lines: Iterable[str]) -> dict[str, float]:
    """Return the percent of each part in perf's `percent;object;symbol` lines.

    A LonghaulError where there is none of the block.
    """
    shares: dict[str, float] = dict.fromkeys((BLOCK, GLUE, KERNEL, REST), 0.0)
    for line in lines:
        if line.startswith("#") or line.count(";") < 2:
            continue
        percent, place, symbol = (word.strip() for word in line.split(";", 2))
        if _GLUE.search(symbol):
            part = GLUE
        elif place.startswith(f"{_NIC}-"):
            part = BLOCK
        elif place.startswith("libsystemc"):
            part = KERNEL
        else:
            part = REST
        shares[part] += float(percent.rstrip("%"))
    if not shares[BLOCK]:
        raise LonghaulError("perf has no sample of the RTL object; is sampling allowed here?")
    return shares


def _profile(scratch: Path) -> list[str]:
    """Make the run under perf; return the report of the largest of its simulators' profiles."""
    workspace = scratch / _NIC
    creation.make(kinds.find("rtl-nic"), _NIC, workspace)
    sampled = scratch / "simulator"
    options = f"-q -F {_RATE_HZ} -o {scratch}/perf.$$"
    sampled.write_text(f'#!/bin/sh\nexec perf record {options} -- {simulator()} "$@"\n')
    sampled.chmod(0o755)
    command = [*LONGHAUL, "run", *_RUN, "--out", str(scratch / "run")]
    environment = os.environ | {
        "LONGHAUL_SIMULATOR": str(sampled),
        "PYTHONPATH": str(ROOT / "platform" / "python"),
    }
    done = subprocess.run(
        command, cwd=workspace, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise LonghaulError(f"{' '.join(command)} failed: {done.stderr.strip()[-500:]}")
    profile = max(scratch.glob("perf.*"), key=lambda path: path.stat().st_size)
    report = ["perf", "report", "-i", str(profile), "--stdio", "-t", ";", "--sort", "dso,symbol"]
    told = subprocess.run(report, capture_output=True, text=True, check=False)
    if told.returncode:
        raise LonghaulError(f"perf report failed: {told.stderr.strip()[-300:]}")
    return told.stdout.splitlines()
