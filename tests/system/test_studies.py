# SPDX-License-Identifier: Apache-2.0
"""A study of the tree in its short form: twin and RTL, the page, and a second start."""

from __future__ import annotations

import re
from pathlib import Path

from rig.depth import deep_only
from rig.scripts import longhaul

LOST = re.compile(r"^frames lost at 32KiB: twin ([\d.]+), RTL ([\d.]+) % of the frames", re.M)


@deep_only
def test_rtl_and_twin_lose_the_same_frames_of_a_small_buffer(tmp_path: Path) -> None:
    """Within a few frames, by the statistics of the driver."""
    first = longhaul(tmp_path, "study", "buffer", "--short", "--out", "study")
    found = LOST.search(first.stdout)
    assert found, first.stdout
    twin, rtl = map(float, found.groups())
    assert 10 < twin < 40 and abs(rtl - twin) < 1
    page = (tmp_path / "study" / "report.html").read_text()
    assert "receive packet buffer: by the twin " in page and "PAUSE is off" in page
    again = longhaul(tmp_path, "study", "buffer", "--short", "--out", "study")
    assert "finished" not in again.stdout + again.stderr, "its runs are there"
    assert LOST.search(again.stdout)
