# SPDX-License-Identifier: Apache-2.0
"""Studies in a short form: runs, what is said of them, the page, and a second start."""

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


WAYS = """
title = "TCP in the adapter"
question = "Where does it pay?"
scenario = "offload"
sets = ["card=t110", "window=4MB", "warmup=250ms", "duration=10ms"]
not_modelled = ["the rest"]
ways = [{name = "host", title = "host", sets = ["toe=off"]},
        {name = "toe", title = "adapter", sets = ["toe=on"]}]
pairs = [{way = "toe", against = "host"}]
axes = [{name = "mtu", title = "MTU", unit = "B", over = "mtu=1500,9000", short = "mtu=1500"}]
figures = [{name = "goodput", of = ["measured:goodput_gbps"], better = "higher"}]
short = {}
"""
STOPS = re.compile(
    r"^toe over host, goodput against MTU: stops paying at (\d+) B \(between 1500 and 9000\)", re.M
)


def test_tcp_in_the_adapter_stops_paying_with_jumbo_frames(tmp_path: Path) -> None:
    """Software TCP is limited by its CPU at 1500 B, both by the bus at 9000 B."""
    (tmp_path / "ways.toml").write_text(WAYS)
    first = longhaul(tmp_path, "study", "ways.toml", "--out", "study")
    found = STOPS.search(first.stdout)
    assert found, first.stdout
    assert 8000 < int(found[1]) < 9000
    assert "stops paying at" in (tmp_path / "study" / "report.html").read_text()
    again = longhaul(tmp_path, "study", "ways.toml", "--out", "study")
    assert "finished" not in again.stdout + again.stderr, "its runs are there"
    assert STOPS.search(again.stdout)
