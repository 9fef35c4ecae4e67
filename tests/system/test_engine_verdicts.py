# SPDX-License-Identifier: Apache-2.0
"""The verdict on offload engines: each limit is brought about, and named with its evidence."""

import pytest
from rig.fst import Waves
from rig.points import Point, point

SHORT = ("duration=60ms", "warmup=400ms", "rtt=0ms")
LONG = ("duration=100ms", "warmup=1500ms", "rtt=10ms", "mtu=7832")


def t110(*sets: str, param: str = "") -> Point:
    return point("opteron_table1", *sets, options=("--param", param) if param else ())


def test_an_engine_with_costly_headers_is_the_limit() -> None:
    """800 clocks of 8 ns for the headers of a segment of 7832 B are 9.7 Gb/s at most."""
    run = t110(*SHORT, "mtu=7832", param="*.eth0.segment_clocks=800")
    assert run.verdict["what"] == "sender's offload engine, pipeline lane: messages of the host"
    evidence = run.verdict["evidence"]
    assert evidence["sender.toe_pipeline_busy_pct"] > 95
    assert evidence["sender.cpu_busy_pct"] < 80
    parts = [evidence[f"sender.toe_pipeline_{part}_pct"] for part in ("work", "cm", "pm")]
    assert sum(parts) == pytest.approx(evidence["sender.toe_pipeline_busy_pct"], abs=0.2)
    assert run.measured["goodput_gbps"] < 9.7


def test_costly_modulation_events_are_named() -> None:
    run = t110(*SHORT, "mtu=1500", param="*.eth0.modulation_clocks=900")
    assert run.verdict["what"] == "sender's offload engine, pipeline lane: modulation events"
    # A segment of 1448 B in (900 + 8 + 46) clocks, and receive events between them.
    assert run.measured["goodput_gbps"] < 1448 * 8 / (954 * 8)


def test_without_these_the_bus_is_the_limit() -> None:
    run = t110(*SHORT, "mtu=1500")
    assert run.verdict["what"] == "sender's PCI-X bus: data", run.verdict["why"]
    assert run.verdict["evidence"]["sender.toe_pipeline_busy_pct"] < 90


def test_payload_memory_smaller_than_the_path_is_the_limit() -> None:
    run = t110(*LONG, "window=60MB", param="sender.eth0.pm_size=4MiB")
    assert run.verdict["what"] == "sender's payload memory", run.verdict["why"]
    assert run.verdict["evidence"]["sender.toe_pm_full_pct"] > 50
    # 24 pages of 64 KB each round trip.
    assert run.measured["goodput_gbps"] < 24 * 65536 * 8 / 10e6


def test_a_window_smaller_than_the_path_is_the_limit() -> None:
    run = t110(*LONG, "window=1MB")
    assert run.verdict["what"] == "application window", run.verdict["why"]


def test_elements_of_10_us_are_the_limit_of_short_segments() -> None:
    sets = ("engine=pipeline", "mtu=552", "toe=on", "duration=100ms", "warmup=100ms")
    run = point("nec_mss", *sets)
    assert run.verdict["what"].startswith("sender's offload engine, transmit lane: ")
    evidence = run.verdict["evidence"]
    assert evidence["sender.toe_transmit_busy_pct"] > 95
    assert evidence["sender.toe_transmit_work_pct"] > 95  # not its memories


def guests(scenario: str, *sets: str, param: str, options: tuple[str, ...] = ()) -> Point:
    """Run guests whose TCP the chip runs."""
    settings = ("card=t110", "toe=on", "mtu=7832", *sets)
    return point(scenario, *settings, options=("--param", param, *options))


def costly_headers_of_guests() -> Point:
    sets = ("duration=30ms", "warmup=60ms")
    return guests("ixgb_b2b", *sets, param="*.eth0.segment_clocks=800", options=("--waves",))


def test_waves_of_guests_have_the_control_blocks() -> None:
    run = costly_headers_of_guests()
    rows = Waves(run.folder).below("sender.eth0.tcp.c0_10_10_0_2_5001.")
    assert {"waits_for", "unsent", "unread", "snd_wnd", "rto_us", "ssthresh"} <= set(rows)
    assert max(value for _, value in rows["cwnd"].changes) > 100
    acknowledged = [value for _, value in rows["snd_una"].changes]
    assert acknowledged[-1] - acknowledged[0] > 50 * 7780


def test_guests_engine_with_costly_headers_is_the_limit() -> None:
    run = costly_headers_of_guests()
    assert run.verdict["what"] == "sender's offload engine, pipeline lane: messages of the host"
    evidence = run.verdict["evidence"]
    assert evidence["sender.toe_pipeline_busy_pct"] > 95
    assert run.measured["goodput_gbps"] < 7780 * 8 / (800 * 8)


def test_guests_payload_memory_smaller_than_the_path_is_the_limit() -> None:
    sets = ("duration=50ms", "warmup=300ms", "window=60MB", "rtt=10ms")
    run = guests("ixgb_wan", *sets, param="sender.eth0.pm_size=4MiB")
    assert run.verdict["what"] == "sender's payload memory", run.verdict["why"]
    assert run.verdict["evidence"]["sender.toe_pm_full_pct"] > 50
    assert run.measured["goodput_gbps"] < 24 * 65536 * 8 / 10e6


def test_guests_window_smaller_than_the_path_is_the_limit() -> None:
    sets = ("duration=50ms", "warmup=300ms", "window=500kB", "rtt=10ms")
    run = guests("ixgb_wan", *sets, param="*.eth0.watched=1")
    assert run.verdict["what"] == "application window", run.verdict["why"]
    # Linux' own TCP knows neither window of such a socket.
    assert "sender.tcp.cwnd_bytes" not in run.verdict["evidence"]
    assert run.measured["guest"]["sender"]["tcp"] is None


def test_a_guests_start_up_is_told_with_the_waits_of_its_engine() -> None:
    sets = ("duration=30ms", "warmup=30ms", "window=4MB", "rtt=10ms")
    run = guests("ixgb_wan", *sets, param="*.eth0.watched=1")
    assert run.verdict["what"] == "TCP start-up", run.verdict["why"]
    assert "for the congestion window" in run.verdict["why"]
