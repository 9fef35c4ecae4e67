# SPDX-License-Identifier: Apache-2.0
"""GNET-1's table 1 with real guests: its rows within what they are to keep."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from rig import front_door

# The tolerances, percent: round trip and rate, each box's own.
KEEPS = {"gnet1": (5, 10), "nistnet": (10, 15)}


def case(out: Path, *sets: str, scenario: str = "gnet1_table1") -> dict[str, Any]:
    folder = front_door.run(out, scenario, *sets)
    return json.loads((folder / "results.json").read_text())["cases"][0]


@pytest.mark.parametrize(
    ("box", "delay", "duration"),
    [
        ("gnet1", "0s", "200ms"),
        ("gnet1", "2ms", "1s"),
        ("gnet1", "100ms", "10s"),
        ("nistnet", "0s", "200ms"),
        ("nistnet", "1ms", "1s"),
        ("nistnet", "100ms", "10s"),
    ],
)
def test_a_row_of_table_1(tmp_path: Path, box: str, delay: str, duration: str) -> None:
    row = case(tmp_path / "o", f"box={box}", f"delay={delay}", f"duration={duration}")
    rtt, rate = KEEPS[box]
    if delay != "0s":  # echoes without delay are rows of their own (docs/gnet1_table1.md)
        assert abs(row["error_pct"]["rtt_ms"]) <= rtt
    assert abs(row["error_pct"]["goodput_gbps"]) <= rate
    assert row["measured"]["retransmits"] == 0
    assert row["measured"]["drops"] == {}
    if delay != "0s":
        assert row["bottleneck"]["what"] in ("application window", "TCP start-up")


def test_the_round_trip_through_gnet1_is_the_set_delay_more(tmp_path: Path) -> None:
    """The shortest ones: skge's race makes an echo late now and then (models/nic/genesis)."""
    near, far = (
        shortest_ms(
            front_door.run(
                tmp_path / delay,
                "gnet1_table1",
                "box=gnet1",
                "cpu_ghz=2.4",
                "workload=ping",
                f"delay={delay}",
                "duration=500ms",
            )
        )
        for delay in ("0s", "3ms")
    )
    assert far - near == pytest.approx(6.0, abs=0.01)  # the hosts differ by microseconds


def shortest_ms(folder: Path) -> float:
    (report,) = folder.rglob("sender/report/ping.txt")
    found = re.search(r"^rtt min/avg/max/mdev = ([\d.]+)/", report.read_text(), re.MULTILINE)
    assert found, report.read_text()
    return float(found[1])


def test_the_same_seed_gives_the_same_row(tmp_path: Path) -> None:
    """Of modelled hosts; those of real guests are in test_golden.py and test_determinism.py."""
    sets, scenario = ("box=nistnet", "delay=2ms", "duration=50ms"), "gnet1_table1_modelled"
    first, second = (case(tmp_path / name, *sets, scenario=scenario)["measured"] for name in "ab")
    assert first == second
