# SPDX-License-Identifier: Apache-2.0
"""Programs that work between their system calls take no simulated time, and the run says so."""

import json
from pathlib import Path

from rig.scenarios import command, pair, simulate

BUSY = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done"


def test_a_run_whose_programs_work_without_system_calls_warns(tmp_path: Path) -> None:
    scenario, sender, receiver = pair("uncounted", mtu=1500)
    run = simulate(scenario, command(sender, receiver, BUSY), tmp_path / "out")
    part = json.loads((run.folder / "manifest.json").read_text())["uncounted_programs"]
    working, serving = (part["machines"][name]["host_s"] for name in ("sender", "receiver"))
    assert working > 0.05 > part["window_s"]
    assert serving < 0.05
    assert "<b>Not counted:</b>" in (run.folder / "report.html").read_text()
