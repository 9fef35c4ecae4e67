# SPDX-License-Identifier: Apache-2.0
"""`longhaul bench --only glue`: the cost of the glue around RTL that a port map brings.

Two NICs of the template `rtl-nic` fill a gigabit cable between real guests, and `perf` samples the
simulator (longhaul.devtools.sampling).
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from longhaul.devtools import sampling
from longhaul.workspace import creation, kinds

NAME = "glue around RTL"
_NIC = "mynic"
_RUN = ("adapter_b2b", "--set", f"adapter={_NIC}", "--set", "duration=20ms")


def run(console: Console) -> None:
    """Print where the simulator's time goes, and the glue's over the block's."""
    sampling.need_perf(NAME)
    console.print(f"{NAME} ...")
    with tempfile.TemporaryDirectory(prefix="longhaul-glue-") as scratch:
        workspace = Path(scratch) / _NIC
        creation.make(kinds.find("rtl-nic"), _NIC, workspace)
        spent = sampling.seconds(_RUN, _NIC, Path(scratch) / "run", workspace)
    table = Table("part", "% of the simulator's time", "% over the block", title=NAME)
    for part in sampling.PARTS:
        share = 100 * spent[part] / sum(spent.values())
        over = "" if part == sampling.BLOCK else f"{100 * spent[part] / spent[sampling.BLOCK]:.1f}"
        table.add_row(part, f"{share:.1f}", over)
    console.print(table)
