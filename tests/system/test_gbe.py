# SPDX-License-Identifier: Apache-2.0
"""GBE-TUNING end to end: what the article's figures rise and fall with."""

from typing import Any

import pytest
from rig.points import point

SHORT = ("duration=60ms", "warmup=50ms")


def measured(scenario: str, *sets: str) -> dict[str, Any]:
    return point(scenario, *SHORT, *sets).measured


def test_larger_buffers_of_winsock_are_faster_until_they_leave_the_cache() -> None:
    rates = {
        kib: measured("gbe_winsock", f"buffer={kib}KiB")["goodput_gbps"] for kib in (8, 32, 64, 256)
    }
    assert rates[8] < rates[32] < rates[64] * 1.05
    assert rates[64] == pytest.approx(0.823, rel=0.15)
    assert rates[256] < 0.85 * rates[64]


def test_jumbo_frames_fill_the_line_and_give_the_receivers_cpu_back() -> None:
    plain, jumbo = (measured("gbe_jumbo", f"frame={frame}") for frame in (1514, 9014))
    assert plain["receiver"]["cpu_busy_pct"] > 95
    assert jumbo["goodput_gbps"] == pytest.approx(0.988, rel=0.05)
    assert jumbo["receiver"]["cpu_busy_pct"] < 85


def test_a_file_is_read_more_slowly_than_netperf_sends_and_small_windows_slow_it() -> None:
    small, usual, large = (
        measured("gbe_smb", f"window={window}B")["goodput_gbps"] for window in (4380, 17520, 64240)
    )
    assert small < 0.6 * usual
    assert usual <= large < 0.8
