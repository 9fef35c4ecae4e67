# SPDX-License-Identifier: Apache-2.0
"""Modelled hosts end to end: OPTERON-10G's rows, and the limits that the paper names."""

import polars
import pytest
from longhaul.units import ms
from rig.points import Point, point

SHORT = ("duration=100ms", "warmup=50ms")


def modelled(*sets: str) -> Point:
    return point("opteron_table2", *SHORT, *sets)


def test_standard_frames_are_as_fast_as_published_and_the_cpus_are_the_limit() -> None:
    run = modelled("ip=v6", "mtu=1500")
    assert run.measured["goodput_gbps"] == pytest.approx(3.23, rel=0.10)
    assert run.verdict["what"] in ("sender's CPU", "receiver's CPU"), run.verdict["why"]
    assert run.measured["sender"]["cpu_busy_pct"] > 95


@pytest.mark.parametrize(("ip", "published"), [("v4", 6.05), ("v6", 6.35)])
def test_jumbo_frames_are_as_fast_as_published_and_the_senders_side_is_the_limit(
    ip: str, published: float
) -> None:
    run = modelled(f"ip={ip}", "mtu=9198")
    assert run.measured["goodput_gbps"] == pytest.approx(published, rel=0.10)
    assert run.verdict["what"] in ("sender's CPU", "sender's adapter"), run.verdict["why"]
    assert run.measured["sender"]["adapter_tx_busy_pct"] > 90


def test_what_happens_beside_the_traffic_has_few_rows() -> None:
    """Streams with small windows take seconds to send what their sockets hold."""
    run = point("pairs", "pairs=1", "streams=128", "window=4KiB", "duration=20ms")
    series = polars.read_parquet(run.folder / "series.parquet", columns=["time_ps"])["time_ps"]
    begin, end = run.sim.window.begin_ps, run.sim.window.end_ps
    inside = series.is_between(begin, end)
    assert series[-1] - end > 50 * (end - begin)
    assert inside.sum() >= 200
    assert series.filter(~inside).len() < 2 * series[-1] / ms(10).ps


def test_an_interrupt_ahead_of_its_descriptors_does_not_stall_the_stream() -> None:
    """A bus of 66.67 MHz is slower than the driver, whose adapter holds descriptors back.

    The driver finds nothing where the interrupt is ahead of their write-back. The sender then waits
    0.2 s for its timer, longer than this run.
    """
    run = point(
        *("ixgb_b2b", "system=linux-2.6.6", "duration=150ms"),
        options=("--param", "receiver.pcix.clock=66.666667MHz"),
    )
    assert run.measured["retransmits"] == 0
    assert run.measured["goodput_gbps"] > 3.5
    assert "PCI-X bus" in run.verdict["what"]
