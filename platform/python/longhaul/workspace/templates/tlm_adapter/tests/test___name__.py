# SPDX-License-Identifier: Apache-2.0
"""The driver on the adapter, by the command line. Start: `longhaul python -m pytest tests`."""

import json
import subprocess
from pathlib import Path

from longhaul.paths import ROOT

WORKSPACE = Path(__file__).parents[1]


def test_the_driver_carries_a_tcp_stream(tmp_path: Path) -> None:
    """Two guests send more than a tenth of the adapter's 1 Gb/s, and lose nothing."""
    out = tmp_path / "run"
    words = [str(ROOT / "longhaul"), "run", "--set", "duration=20ms", "--out", str(out)]
    subprocess.run(words, cwd=WORKSPACE, check=True)
    measured = json.loads((out / "results.json").read_text())["cases"][0]["measured"]
    assert 0.1 < measured["goodput_gbps"] < 1.0
    assert "dl2k" in json.loads((out / "manifest.json").read_text())["checksums"]["drivers"]
