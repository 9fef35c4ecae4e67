# SPDX-License-Identifier: Apache-2.0
"""`longhaul bench --only nic`: how fast the 10-gigabit NIC in RTL is between real guests.

iperf fills the path at an MTU of 1500 B, on one core. Rows differ in the hosts with RTL and in what
Verilator is told. `perf` samples the simulator (longhaul.devtools.sampling): the block's own time
is that of the bare Verilated model. Clocks of the NIC's core count while they stand still, too.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul.devtools import sampling
from longhaul.paths import ROOT
from longhaul.results import simdata

NAME = "10-gigabit NIC in RTL"
_BLOCK = "ixgb_rtl"
_CORE_HZ = 156_250_000
_RUN = ("ixgb_b2b", "--set", "mtu=1500", "--set", "duration=20ms")


@dataclass(frozen=True)
class _Row:
    """A run: where the RTL is, how many NICs that are, further options of Verilator."""

    where: str
    nics: int
    options: tuple[str, ...] = ()


_ROWS = {
    "sender": _Row("sender.eth0", 1),
    "receiver": _Row("receiver.eth0", 1),
    "both": _Row("*.eth0", 2),
    "both, without assertions": _Row("*.eth0", 2, ("--no-assert",)),
}


def run(console: Console) -> None:
    """Print speed, the glue's share and the bare model's clocks of each row."""
    sampling.need_perf(NAME)
    table = Table(
        *("hosts with RTL", "Gb/s", "wall s/s", "glue, % over the block", "core clocks/s, bare"),
        title=NAME,
    )
    for name, row in _ROWS.items():
        console.print(f"{NAME}: {name} ...")
        with tempfile.TemporaryDirectory(prefix="longhaul-nic-") as scratch:
            table.add_row(name, *_measured(row, Path(scratch)))
    console.print(table)


def _measured(row: _Row, scratch: Path) -> list[str]:
    """Make a row's run; return its figures."""
    command = [*_RUN, "--param", f"{row.where}.model=rtl"]
    if row.options:
        command += ["--plugin", str(_with_options(row.options, scratch / "rtl"))]
    out = scratch / "run"
    spent = sampling.seconds(command, _BLOCK, out, scratch)
    results: dict[str, Any] = json.loads((out / "results.json").read_text())
    window = simdata.load(out / "raw" / "sim.json").window.seconds
    block, glue = spent[sampling.BLOCK], spent[sampling.GLUE]
    clocks = f"{row.nics * _CORE_HZ * window / block:,.0f}".replace(",", " ")
    return [
        f"{results['cases'][0]['measured']['goodput_gbps']:.2f}",
        f"{results['window_wall_s'] / window:.0f}",
        f"{100 * glue / block:.1f}",
        clocks,
    ]


def _with_options(options: tuple[str, ...], folder: Path) -> Path:
    """Copy the RTL with its map, and have Verilator take further options; return the map."""
    for name in ("common", "nic"):
        shutil.copytree(ROOT / "rtl" / name, folder / name)
    path = folder / "nic" / "ixgb.toml"
    text = path.read_text()
    told = ", ".join(f'"{option}"' for option in options)
    path.write_text(text.replace("[block]\n", f"[block]\noptions = [{told}]\n", 1))
    return path
