# SPDX-License-Identifier: Apache-2.0
"""The runs whose profile `./longhaul tune` builds the simulator from."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from longhaul.runs import child_runs

RUNS: tuple[tuple[str, dict[str, str]], ...] = (
    ("opteron_table2", {"ip": "v4", "mtu": "9198", "duration": "150ms"}),
    ("opteron_table2", {"ip": "v4", "mtu": "9198", "duration": "150ms", "mmrbc": "4096"}),
    (
        "ixgb_wan",
        {"system": "linux-2.6.6", "rtt": "1ms", "window": "10MiB", "duration": "150ms"},
    ),
    (
        "ixgb_wan",
        {"system": "linux-2.6.6", "rtt": "1ms", "window": "10MiB", "mtu": "1500"}
        | {"duration": "100ms"},
    ),
    ("opteron_table2", {"ip": "v6", "mtu": "1500", "duration": "100ms"}),
    ("gnet1_table1_modelled", {"box": "gnet1", "delay": "1ms"}),
)
"""Scenario and settings: both adapters, all sizes of bus reads and frames, with TSO and without."""


def train(progress: Callable[[str], None]) -> None:
    """Make all RUNS with the simulator that is chosen; a LonghaulError when one fails."""
    with tempfile.TemporaryDirectory(prefix="longhaul-tune-") as folder:
        for number, (scenario, settings) in enumerate(RUNS, 1):
            sets = " ".join(f"{name}={value}" for name, value in settings.items())
            progress(f"run {number} of {len(RUNS)}: {scenario} {sets}")
            child_runs.make(scenario, settings, Path(folder) / str(number))
