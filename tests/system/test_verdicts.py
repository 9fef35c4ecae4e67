# SPDX-License-Identifier: Apache-2.0
"""The verdict's promises over runs: losses before the window, shares of a window, downloads."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from rig import front_door
from rig.depth import depth

SYSTEMS = (
    "linux-2.4.20 linux-2.6.6 linux-2.6.18 linux-6.1 freebsd-4.5 freebsd-5.1 solaris-9 "
    "windows-2000 windows-xp windows-vista"
).split()
SEEDS = depth(8, 16)
CHOICES = {
    "rtt": ("0.1ms", "0.5ms", "2ms", "5ms", "30ms"),
    "window": ("4KiB", "16KiB", "64KiB", "1MiB", "16MiB"),
    "mtu": ("1500", "4088", "9198", "16114"),
    "loss": ("0", "0", "0.1%", "3%"),
    "duration": ("20ms", "50ms", "100ms"),
    "warmup": ("0ms", "20ms", "50ms"),
    "streams": ("1", "1", "3"),
    "ip": ("v4", "v6"),
}


def case_of(out: Path, scenario: str, *sets: str) -> dict[str, Any]:
    folder = front_door.run(out, scenario, *sets)
    return json.loads((folder / "results.json").read_text())["cases"][0]


def test_a_loss_before_the_window_that_tcp_waits_for_is_the_limit(tmp_path: Path) -> None:
    case = case_of(
        tmp_path / "o", "ixgb_wan", "system=freebsd-4.5", "rtt=2ms", "loss=2%", "window=256KiB",
        "duration=300ms", "warmup=50ms",
    )  # fmt: skip
    before = case["measured"]["before_window"]
    assert before["retransmits"] > 0 and before["drops"]
    assert case["bottleneck"]["what"] == "loss"
    assert re.search("before the window .* sent again", case["bottleneck"]["why"])
    assert "TCP timed out" in case["bottleneck"]["why"]


def test_a_clock_of_10_ms_does_not_tell_a_round_trip_of_1_ms(tmp_path: Path) -> None:
    case = case_of(
        tmp_path / "o", "ixgb_wan", "system=solaris-9", "window=4KiB", "mtu=16114", "rtt=1ms",
        "duration=50ms",
    )  # fmt: skip
    assert case["measured"]["rtt_ms"] == 10
    assert case["measured"]["path_rtt_ms"] == pytest.approx(1.1, rel=0.1)
    assert case["bottleneck"]["what"] == "application window"
    assert 85 <= case["bottleneck"]["evidence"]["window_filled_pct"] <= 100


@pytest.mark.parametrize("seed", range(SEEDS))
def test_whatever_is_run_the_verdict_keeps_to_the_counters(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    sets = [f"{name}={draw.choice(values)}" for name, values in CHOICES.items()]
    case = case_of(tmp_path / "o", "ixgb_wan", f"system={draw.choice(SYSTEMS)}", *sets)
    measured, why = case["measured"], case["bottleneck"]["why"]
    before = measured["before_window"]
    lost = [measured["drops"], before["drops"], measured["retransmits"], before["retransmits"]]
    if why.startswith("nothing was lost"):
        assert not any(lost), (sets, why)
    if case["bottleneck"]["what"] == "loss":
        assert any(lost), (sets, why)
    for share in re.findall(r"(\d+) % of it was reached(?! \(a mean of)", why):
        assert int(share) <= 100, (sets, why)


def test_streams_that_wait_for_delayed_acks_are_not_said_to_fill_their_window(
    tmp_path: Path,
) -> None:
    """128 streams of 4 KiB have 2 KB each on the way, and stand until the delayed ACK.

    By TCP's last round trips it would be 104 or 150 % of the window, by those of the segments that
    were acknowledged in time 12 %.
    """
    case = case_of(
        tmp_path / "o", "pairs", "pairs=1", "streams=128", "window=4KiB", "duration=200ms"
    )
    flight, why = case["measured"]["in_flight"], case["bottleneck"]["why"]
    assert 0.35 < flight["mean_bytes"] / (128 * 4096) < 0.5
    assert "was full at times only" in why and "still growing" not in why
    assert case["bottleneck"]["what"] == "none of the observed resources"


def test_a_download_is_measured_and_judged_by_its_own_direction(tmp_path: Path) -> None:
    """Real guests: iperf's data go from the server, which is the receiver, to the sender."""
    case = case_of(
        tmp_path / "o", "ixgb_b2b", "workload=iperf -c $LH_PEER -R -t 0.1", "serve=iperf -s"
    )
    measured = case["measured"]
    assert measured["main_direction"] == "receiver to sender"
    assert measured["reverse_goodput_gbps"] > 5
    assert measured["goodput_gbps"] < 0.01
    assert case["bottleneck"]["what"].startswith("receiver's"), case["bottleneck"]
    largest = measured["connections"][0]
    assert largest["direction"] == "receiver to sender"
    assert largest["goodput_gbps"] == pytest.approx(measured["reverse_goodput_gbps"], rel=0.01)
    assert 0 < measured["reverse_path_rtt_ms"] < 5
