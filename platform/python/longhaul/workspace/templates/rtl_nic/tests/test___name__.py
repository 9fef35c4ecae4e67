# SPDX-License-Identifier: Apache-2.0
"""The driver on the RTL, by the command line. Start: `longhaul python -m pytest tests`."""

import json
import subprocess
from pathlib import Path

from longhaul.paths import ROOT

WORKSPACE = Path(__file__).parents[1]


def measured(out: Path, *settings: str) -> dict[str, float]:
    """Run the workspace's scenario and return its figures."""
    words = [word for text in settings for word in ("--set", text)]
    command = [str(ROOT / "longhaul"), "run", *words, "--out", str(out)]
    subprocess.run(command, cwd=WORKSPACE, check=True)
    return json.loads((out / "results.json").read_text())["cases"][0]["measured"]


def test_ping(tmp_path: Path) -> None:
    """The echo comes back in less than a millisecond."""
    assert 0 < measured(tmp_path / "run")["rtt_ms"] < 1


def test_tcp_both_ways(tmp_path: Path) -> None:
    """The NIC sends and receives more than a tenth of its 1 Gb/s."""
    for direction in ("out", "in"):
        figures = measured(tmp_path / direction, "workload=iperf", f"direction={direction}")
        assert 0.1 < figures["goodput_gbps"] < 1.0
