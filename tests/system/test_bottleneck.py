# SPDX-License-Identifier: Apache-2.0
"""The verdict on real guests: each limit is brought about, and named with its evidence."""

import pytest
from rig.points import FAST_ENGINE, Point, point, steady

SLOW_ENGINE = ("--param", "*.eth0.tx_kib_clocks=200")


def is_said(run: Point, what: str) -> None:
    assert run.verdict["what"] == what, run.verdict["why"]


def test_standard_frames_are_limited_by_the_receivers_core() -> None:
    run = steady("mtu=1500")
    is_said(run, "receiver's CPU")
    evidence = run.verdict["evidence"]
    assert evidence["receiver.cpu_busy_pct"] > 95
    assert evidence["receiver.cpu_softirq_pct"] > 50
    assert evidence["sender.cpu_busy_pct"] < 80  # it waits


def test_at_66_mhz_the_senders_bus_is_the_limit_by_its_data() -> None:
    run = steady("pcix_mhz=66", options=FAST_ENGINE)
    is_said(run, "sender's PCI-X bus: data")
    evidence = run.verdict["evidence"]
    assert evidence["sender.pcix_idle_pct"] < 5
    assert evidence["sender.pcix_dma_data_pct"] > 80
    assert evidence["sender.adapter_tx_blocked_pct"] > 70  # ready, and kept waiting
    assert evidence["sender.cpu_busy_pct"] < 80


def test_with_one_read_at_a_time_it_is_the_latency_of_the_reads() -> None:
    run = steady("outstanding=1", options=FAST_ENGINE)
    is_said(run, "sender's PCI-X bus: split latency")
    evidence = run.verdict["evidence"]
    assert evidence["sender.pcix_split_wait_pct"] > 30
    assert evidence["sender.adapter_tx_blocked_pct"] > 70


def test_an_engine_of_6_4_gbps_is_the_limit_before_its_bus() -> None:
    run = steady(options=SLOW_ENGINE)
    is_said(run, "sender's adapter")
    evidence = run.verdict["evidence"]
    busy = evidence["sender.adapter_tx_busy_pct"]
    assert busy > 90 > 5 > evidence["sender.adapter_tx_blocked_pct"]
    # 200 clocks of 6.4 ns for 1024 bytes, and 8 for each descriptor and packet beside them.
    assert 6.2 < run.measured["goodput_gbps"] / (busy / 100) < 1024 * 8 / (200 * 6.4)


def test_a_window_smaller_than_the_path_is_the_limit() -> None:
    sets = ("rtt=20ms", "window=1MiB", "warmup=100ms", "duration=2s")
    run = point("ixgb_wan", *sets)
    is_said(run, "application window")
    # Linux makes 2 MiB of it, of which tcp_adv_win_scale=2 lets three quarters be offered; what was
    # asked for is less. The offer is one look, and data that wait to be read are not in it: in the
    # middle of a burst it may be any part. One below the flight cannot be the flight's limit.
    offered = run.measured["guest"]["sender"]["tcp"]["snd_wnd_bytes"]
    assert 0 < offered <= 1.5 * 2**20
    in_flight = run.measured["goodput_gbps"] * 1e6 / 8 * run.measured["rtt_ms"]
    window = min(offered, 2**20) if 1.05 * offered >= in_flight else 2**20
    most_gbps = window * 8 / run.measured["rtt_ms"] / 1e6
    filled = 100 * run.measured["goodput_gbps"] / most_gbps
    assert run.verdict["evidence"]["window_filled_pct"] == pytest.approx(filled, abs=0.01)
    # By whole segments; of a hundred bursts one may be cut off or come in whole.
    assert 80 <= filled <= 101


def test_a_start_up_that_never_reached_the_window_is_not_called_its_limit() -> None:
    run = point("ixgb_wan", "rtt=20ms", "duration=50ms")  # three round trips
    is_said(run, "TCP start-up")
    assert run.verdict["evidence"]["window_filled_pct"] < 50


def test_loss_is_named_with_its_place() -> None:
    run = point("ixgb_wan", "rtt=10ms", "loss=0.1%", "duration=200ms")
    is_said(run, "loss")
    lost = run.count("anue.west_to_east.lost")
    assert lost > 0
    assert run.measured["retransmits"] > 0
    assert run.measured["goodput_gbps"] > 0
    assert run.verdict["evidence"]["drops.anue.west_to_east.lost"] == lost
    assert f"{lost} at anue.west_to_east.lost" in run.verdict["why"]


def test_datagrams_that_arrive_as_offered_are_limited_by_their_rate() -> None:
    run = point("ixgb_b2b", "workload=udp", "rate=500Mb/s", "duration=200ms")
    is_said(run, "application's rate")
