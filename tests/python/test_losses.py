# SPDX-License-Identifier: Apache-2.0
"""The verdict on runs that TCP held up: losses before the window, and round trips it can trust."""

from typing import Any

import pytest
from longhaul.results.bottleneck import judge
from test_bottleneck import host, run

TCP = {"snd_wnd_bytes": 0.0, "timeouts": 0.0, "cwnd_bytes": 20_000.0}


def told(before: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """Return a run that no stage limits; names of TCP's figures go to the sender's report."""
    tcp = TCP | {name: changes.pop(name) for name in list(changes) if name in TCP | TICK}
    none: dict[str, Any] = {"retransmits": 0, "drops": {}}
    return run(**changes, before_window=none | (before or {}), guest={"sender": {"tcp": tcp}})


TICK = {"rtt_tick_ms": 10.0}


def test_a_loss_before_the_window_is_told_with_what_came_of_it() -> None:
    before = {"retransmits": 9, "drops": {"anue.west_to_east.lost": 9}}
    found = judge(told(before, timeouts=2.0), causes={"anue.west_to_east.lost": "set"})
    assert found.what == "loss"
    assert found.why.startswith(
        "before the window 9 segments were sent again, "
        "frames lost: 9 at anue.west_to_east.lost (set); "
        "in it no segment was sent again, nothing was lost; TCP timed out twice in all; "
        "its congestion window was 0.020 MB near its end; no stage was full"
    )
    assert found.evidence["before_window.drops.anue.west_to_east.lost"] == 9


def test_frames_that_are_lost_while_tcp_waits_for_its_timer_are_told() -> None:
    found = judge(told({"retransmits": 3}, timeouts=1.0, drops={"x.lost": 1}))
    assert found.what == "loss"
    assert "no segment was sent again, frames lost: 1 at x.lost; TCP timed out once" in found.why


def test_a_connection_that_stands_still_for_a_lost_frame_is_held_up_by_loss() -> None:
    """The frame is lost before the window, and TCP's timer expires behind it."""
    found = judge(told({"drops": {"x.lost": 1}}, goodput_gbps=0.0))
    assert found.what == "loss"
    assert found.why.startswith(
        "no user data arrived in the window; before the window frames lost: 1 at x.lost; in it"
    )
    found = judge(told(goodput_gbps=0.0))
    assert found.what == "TCP start-up"
    assert found.why.startswith("nothing was lost, and no user data arrived in the window")


@pytest.mark.parametrize(
    ("before", "drops", "said"),
    [
        ({}, {}, "nothing was lost, and TCP's windows"),
        ({}, {"x.lost": 1}, "no segment was sent again (frames lost: 1 at x.lost), and"),
        ({"drops": {"x.lost": 2}}, {},
         "no segment was sent again (frames lost before the window: 2 at x.lost), and"),
    ],
)  # fmt: skip
def test_nothing_was_lost_only_where_every_counter_says_so(
    before: dict[str, Any], drops: dict[str, int], said: str
) -> None:
    found = judge(told(before, drops=drops))
    assert found.what == "TCP start-up"
    assert found.why.startswith(said)


def test_a_stage_that_was_mostly_full_is_named_beside_an_earlier_loss() -> None:
    measured = told({"retransmits": 3}) | {"sender": host(cpu_busy=80)}
    found = judge(measured)
    assert found.what == "sender's CPU"
    assert "the rest is recovery: before the window 3 segments were sent again;" in found.why


def test_modelled_systems_are_not_said_to_have_waited() -> None:
    """A figure that a system's report does not have is not shown as zero."""
    assert "it waited" not in judge(told()).why


WINDOW = 10_000_000


def test_a_clock_of_long_ticks_does_not_tell_the_round_trip() -> None:
    """10 ms of srtt on a path of 2 ms: by it the window would be full at 8 Gb/s, 5 times over."""
    measured = told(
        goodput_gbps=3.0, rtt_ms=10.0, in_flight={"mean_bytes": 750_000.0}, rtt_tick_ms=10.0
    )
    found = judge(measured, window_bytes=1_000_000)
    assert found.evidence["window_filled_pct"] == pytest.approx(75.0)
    assert found.what == "TCP start-up"
    full = {"goodput_gbps": 3.9, "in_flight": {"mean_bytes": 975_000.0}}
    found = judge(measured | full, window_bytes=1_000_000)
    assert found.what == "application window"
    assert found.why.startswith(
        "1.000 MB per 2.000 ms on the path (TCP's clock has ticks of 10 ms) allow 4.000 Gb/s, "
        "98 % of it was reached"
    )


def test_a_clock_of_short_ticks_is_the_senders_own() -> None:
    """What waits in the host is on TCP's way, too: 9.4 MB by its time, 7.5 behind the adapter."""
    measured = told(goodput_gbps=3.0, rtt_ms=25.0, in_flight={"mean_bytes": 7.5e6}, rtt_tick_ms=1.0)
    assert "per 25.000 ms allow" in judge(measured, window_bytes=WINDOW).why


@pytest.mark.parametrize(
    ("end", "what"), [(240_000.0, "none of the observed resources"), (500_000.0, "TCP start-up")]
)
def test_windows_that_were_full_before_are_not_said_to_grow(end: float, what: str) -> None:
    """Streams that are full at first and then stand with half a window; or grow until the end."""
    flight = {"mean_bytes": 250_000.0, "most_bytes": 600_000.0, "end_bytes": end}
    found = judge(told(goodput_gbps=1.06, rtt_ms=0.5, in_flight=flight), window_bytes=524_288)
    assert found.what == what
    assert found.evidence["in_flight.most_bytes"] == 600_000.0
    room = "window of 0.524 MB was full at times only: 0.600 MB were on the way at most, 0.250 MB"
    assert (room in found.why) == (what != "TCP start-up")


@pytest.mark.parametrize("rtt_ms", [60.0, 2.0])  # TCP's last segments; an idle path's ping
def test_what_was_on_the_way_counts_where_tcps_round_trip_says_something_else(
    rtt_ms: float,
) -> None:
    measured = told(goodput_gbps=3.0, rtt_ms=rtt_ms, in_flight={"mean_bytes": 9.375e6})
    found = judge(measured, window_bytes=WINDOW)
    assert found.what == "application window"
    assert found.why.startswith(
        f"10.000 MB per 25.000 ms on the path (TCP or ping told {rtt_ms:.3f} ms) allow 3.200 Gb/s, "
        "94 % of it was reached;"
    )
    assert found.evidence["window_filled_pct"] == pytest.approx(93.75)


def test_segments_that_nobody_has_acknowledged_yet_are_on_the_way() -> None:
    """Streams that stand with full windows: 0.5 ms by their acknowledged segments, 12 % of it."""
    measured = told(
        goodput_gbps=1.06, rtt_ms=0.5, path_rtt_ms=0.5, in_flight={"mean_bytes": 500_000.0}
    )
    found = judge(measured, window_bytes=524_288)
    assert found.what == "application window"
    assert "95 % of it was reached" in found.why


@pytest.mark.parametrize(
    ("in_flight", "said"),
    [
        (10.0e6, "100 % of it was reached;"),
        (10.4e6, "104 % of it was reached (a mean of 10.400 MB was on the way: sockets had more"),
    ],
)
def test_more_than_all_of_a_window_has_its_reason(in_flight: float, said: str) -> None:
    measured = told(goodput_gbps=3.4, rtt_ms=25.0, in_flight={"mean_bytes": in_flight})
    assert said in judge(measured, window_bytes=WINDOW).why


def test_a_round_trip_that_nothing_confirms_says_so() -> None:
    measured = told(goodput_gbps=3.4, rtt_ms=25.0)
    assert (
        "106 % of it was reached (over 100 %: the round trip was"
        in judge(measured, window_bytes=WINDOW).why
    )


def test_a_system_that_offers_more_than_it_was_asked_for_is_held_by_that() -> None:
    """Windows rounds a socket's buffer up to whole segments: 3 in flight of 4 kB asked for."""
    measured = told(
        goodput_gbps=3.84, rtt_ms=25.0, in_flight={"mean_bytes": 12e6}, snd_wnd_bytes=12_500_000.0
    )
    found = judge(measured, window_bytes=WINDOW)
    assert found.why.startswith("12.500 MB per 25.000 ms allow 4.000 Gb/s, 96 % of it")


def test_a_path_without_tcps_own_time_has_its_own() -> None:
    found = judge(run(rtt_ms=None, in_flight={"mean_bytes": 9.375e6}), window_bytes=WINDOW)
    assert found.why.startswith("10.000 MB per 25.000 ms on the path allow 3.200 Gb/s, 94 %")
