# SPDX-License-Identifier: Apache-2.0
"""The worth of TSO: OPTERON-10G saw about 10 % less load on the sender's CPU, not more speed."""

import pytest
from rig.points import FAST_ENGINE, Point, point


def run_of(tso: bool) -> Point:
    """Run long enough for several rounds of filling and draining the socket buffer."""
    sets = ("warmup=60ms", "duration=200ms", f"tso={'on' if tso else 'off'}")
    return point("ixgb_b2b", *sets, options=FAST_ENGINE)


def frames_a_packet(run: Point) -> float:
    """Return how many frames the adapter made of what the stack handed it at once."""
    return run.count("sender.eth0.tx.frames") / run.count("sender.core.packets_sent")


def test_the_adapter_cuts_what_the_stack_hands_it_at_once() -> None:
    assert frames_a_packet(run_of(False)) == pytest.approx(1.0, abs=0.01)
    # 64 KiB with headers hold seven segments of 9146 bytes; the window's edges cut some in two.
    assert frames_a_packet(run_of(True)) == pytest.approx(7.0, rel=0.02)
    assert run_of(False).count("sender.eth0.tx.super_frames") == 0


def paced_gbps(run: Point) -> float:
    """Return the goodput while the bus has work: pauses of the stack are not the adapter's."""
    return run.measured["goodput_gbps"] / (1 - run.measured["sender"]["pcix_idle_pct"] / 100)


def test_without_it_the_stack_works_harder_at_the_same_speed() -> None:
    off, on = run_of(False), run_of(True)
    assert paced_gbps(off) == pytest.approx(paced_gbps(on), rel=0.06)
    cost = [r.measured["sender"]["cpu_busy_pct"] / r.measured["goodput_gbps"] for r in (off, on)]
    # It saves what is done once a packet, on the way from TCP to the driver; copies stay.
    assert 1.06 < cost[0] / cost[1] < 1.25


def test_the_bus_is_the_limit_with_and_without() -> None:
    for tso in (True, False):
        verdict = run_of(tso).verdict
        assert verdict["what"] == "sender's PCI-X bus: data", verdict["why"]
