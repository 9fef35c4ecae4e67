# SPDX-License-Identifier: Apache-2.0
"""The verdict from made-up figures: every case, and the edge of each rule."""

from typing import Any

import pytest
from longhaul.results.bottleneck import Verdict, judge
from longhaul.results.stages import bus_parts, listed, stages

BUS = {
    "pcix_dma_data_pct": 30.0,
    "pcix_protocol_pct": 3.0,
    "pcix_read_requests_pct": 3.0,
    "pcix_disconnects_pct": 1.0,
    "pcix_retries_pct": 0.5,
    "pcix_mmio_pct": 0.5,
    "pcix_aborts_pct": 0.0,
    "pcix_arbitration_pct": 1.0,
    "pcix_split_wait_pct": 3.0,
}


def host(**changes: float) -> dict[str, float]:
    """Return a host that is nowhere full; `bus_NAME` changes what the bus's clocks went for."""
    causes = BUS | {
        f"pcix_{name.removeprefix('bus_')}_pct": value
        for name, value in changes.items()
        if name.startswith("bus_")
    }
    assert sum(causes.values()) <= 100.0
    found = {
        "cpu_busy_pct": 40.0,
        "cpu_system_pct": 25.0,
        "cpu_softirq_pct": 10.0,
        "cpu_mmio_stall_pct": 5.0,
        "cpu_memory_wait_pct": 8.0,
        **causes,
        "pcix_idle_pct": 100.0 - sum(causes.values()),
        "mem_busy_pct": 10.0,
        "mem_node0_busy_pct": 20.0,
        "mem_node1_busy_pct": 0.0,
        "mem_path_busy_pct": 0.0,
        "adapter_tx_busy_pct": 20.0,
        "adapter_tx_blocked_pct": 5.0,
        "adapter_rx_busy_pct": 20.0,
        "adapter_rx_blocked_pct": 1.0,
    }
    own = {f"{n}_pct": v for n, v in changes.items() if not n.startswith("bus_")}
    assert own.keys() <= found.keys() | {"kernel_lock_held_pct"}  # which few systems have
    return found | own


def run(
    sender: dict[str, float] | None = None, receiver: dict[str, float] | None = None, **more: Any
) -> dict[str, Any]:
    return {
        "goodput_gbps": 3.0, "wire_gbps": 3.1, "line_busy_pct": 31.0, "rtt_ms": 0.1,
        "retransmits": 0, "drops": {}, "sender": sender or host(), "receiver": receiver or host(),
    } | more  # fmt: skip


def verdict(measured: dict[str, Any], window_bytes: int | None = 10_000_000) -> Verdict:
    return judge(measured, window_bytes=window_bytes)


FULL_BUS = {"bus_dma_data": 78.0, "bus_protocol": 5.0, "bus_read_requests": 7.0}


@pytest.mark.parametrize(
    ("measured", "what"),
    [
        (run(sender=host(cpu_busy=98)), "sender's CPU"),
        (run(receiver=host(cpu_busy=98)), "receiver's CPU"),
        (run(sender=host(**FULL_BUS)), "sender's PCI-X bus: data"),
        (run(receiver=host(**FULL_BUS)), "receiver's PCI-X bus: data"),
        (run(sender=host(bus_dma_data=60, bus_protocol=12, bus_read_requests=20)),
         "sender's PCI-X bus: overhead"),
        (run(sender=host(bus_dma_data=40, bus_split_wait=50)),
         "sender's PCI-X bus: split latency"),
        (run(sender=host(bus_dma_data=60, bus_disconnects=28)),
         "sender's PCI-X bus: disconnects"),
        (run(sender=host(bus_dma_data=60, bus_retries=28)), "sender's PCI-X bus: retries"),
        (run(sender=host(bus_dma_data=60, bus_mmio=28)), "sender's PCI-X bus: MMIO"),
        (run(sender=host(cpu_busy=99, cpu_mmio_stall=60)), "sender's PCI-X bus: MMIO"),
        (run(sender=host(cpu_busy=99, cpu_mmio_stall=60, bus_mmio=0)),
         "sender's platform bus: MMIO"),
        (run(receiver=host(cpu_busy=99, cpu_memory_wait=55)), "receiver's memory: latency"),
        (run(receiver=host(mem_node1_busy=96)), "receiver's memory: bandwidth"),
        (run(sender=host(mem_path_busy=97)), "sender's memory: other node"),
        (run(sender=host(adapter_tx_busy=97)), "sender's adapter"),
        (run(receiver=host(adapter_rx_busy=97)), "receiver's adapter"),
        (run(sender=host(kernel_lock_held=96, cpu_busy=55)), "sender's kernel lock"),
        (run(line_busy_pct=99.0), "wire"),
        (run(rtt_ms=25.0), "application window"),  # 10 MB per 25 ms are 3.2 Gb/s
        (run(retransmits=12), "loss"),
    ],
)  # fmt: skip
def test_every_limit_is_named(measured: dict[str, Any], what: str) -> None:
    found = verdict(measured)
    assert found.what == what
    assert found.evidence["sender.cpu_busy_pct"] == measured["sender"]["cpu_busy_pct"]


def test_a_share_is_told_of_what_it_is_the_share_of() -> None:
    """A core that waits for lines is its memory's fault, but its busy time is not the memory's."""
    waiting = host(cpu_busy=43, cpu_memory_wait=30)
    why = verdict(run(sender=waiting)).why
    assert "the fullest is sender's CPU, mostly waiting for memory, 43.0 %" in why
    stalled = host(cpu_busy=97, cpu_mmio_stall=60)
    found = verdict(run(sender=stalled, receiver=host(adapter_rx_busy=98)))
    assert found.why.endswith("sender's CPU, mostly waiting for registers, 97.0 %")


def test_engines_that_the_data_do_not_pass_are_no_stage() -> None:
    measured = run(sender=host(adapter_rx_busy=99), receiver=host(adapter_tx_busy=99))
    assert verdict(measured).what == "none of the observed resources"


def test_a_lock_that_is_mostly_free_is_not_the_limit() -> None:
    assert verdict(run(sender=host(kernel_lock_held=60, cpu_busy=98))).what == "sender's CPU"


def test_stages_come_in_the_order_in_which_data_pass_them() -> None:
    order = [stage.what for stage in stages(run())]
    half = ["CPU", "memory", "memory", "PCI-X bus", "adapter"]
    assert order == [
        *(f"sender's {what}" for what in half),
        "wire",
        *(f"receiver's {what}" for what in reversed(half)),
    ]


def test_a_bus_that_waits_for_read_data_is_full_though_hardly_occupied() -> None:
    """Sender's engine kept waiting, bus idle 2 %: the round trips of its reads set the pace."""
    sender = host(bus_dma_data=30, bus_split_wait=60, adapter_tx_blocked=80, cpu_busy=60)
    found = verdict(run(sender=sender))
    assert found.what == "sender's PCI-X bus: split latency"
    assert "split latency 60.0 %" in found.why
    assert "the adapter, ready to read, was kept waiting 80.0 %" in found.why
    assert "the sender's CPU was idle 40.0 %" in found.why


def test_the_engine_and_not_the_bus_that_runs_beside_it() -> None:
    """A slow engine asks early, so reads are always under way; but the engine never waits."""
    sender = host(
        bus_dma_data=75, bus_read_requests=7, bus_split_wait=10,
        adapter_tx_busy=97.9, adapter_tx_blocked=1,
    )  # fmt: skip
    found = verdict(run(sender=sender))
    assert found.what == "sender's adapter"
    assert "close behind: sender's PCI-X bus 98.0 %" in found.why


def test_a_core_that_a_full_bus_keeps_waiting_is_not_the_limit() -> None:
    sender = host(cpu_busy=100, cpu_mmio_stall=13, **FULL_BUS)
    found = verdict(run(sender=sender))
    assert found.what == "sender's PCI-X bus: data"
    assert found.why.endswith("close behind: sender's CPU 100.0 %")


def test_the_same_core_beside_an_idle_bus_is() -> None:
    assert verdict(run(sender=host(cpu_busy=100, cpu_mmio_stall=13))).what == "sender's CPU"


def test_of_two_full_cores_the_fuller_is_named_and_the_other_is_close() -> None:
    measured = run(sender=host(cpu_busy=93.0), receiver=host(cpu_busy=97.5))
    found = verdict(measured)
    assert found.what == "receiver's CPU"
    assert found.why.startswith("busy 97.5 % of the time (system 25.0 %, softirq 10.0 %")
    assert found.why.endswith("close behind: sender's CPU 93.0 %")


def test_a_receiver_that_keeps_the_sender_waiting_says_so() -> None:
    found = verdict(run(sender=host(cpu_busy=35), receiver=host(cpu_busy=98)))
    assert found.why.endswith("; the sender's CPU was idle 65.0 %")


@pytest.mark.parametrize(("busy", "what"), [(90.0, "sender's CPU"), (89.9, "application window")])
def test_a_stage_is_full_from_90_pct_on(busy: float, what: str) -> None:
    assert verdict(run(sender=host(cpu_busy=busy), rtt_ms=25.0)).what == what


@pytest.mark.parametrize(
    ("goodput", "what"), [(2.73, "application window"), (2.71, "none of the observed resources")]
)
def test_the_window_is_the_limit_from_85_pct_of_it_on(goodput: float, what: str) -> None:
    found = verdict(run(rtt_ms=25.0, goodput_gbps=goodput))  # 3.2 Gb/s allowed
    assert found.what == what
    assert found.evidence["window_filled_pct"] == pytest.approx(goodput / 3.2 * 100, abs=0.01)


def test_the_window_that_the_receiver_offers_counts_not_the_one_asked_for() -> None:
    told = {"guest": {"sender": {"tcp": {"snd_wnd_bytes": 6.25e6}}}}  # 2 Gb/s of 25 ms
    found = verdict(run(rtt_ms=25.0, goodput_gbps=1.9, **told))
    assert found.what == "application window"
    assert found.why.startswith("6.250 MB per 25.000 ms allow 2.000 Gb/s, 95 % of it was reached")


@pytest.mark.parametrize(
    ("offered", "goodput"),
    [
        (4.9e6, 1.5),  # under half of the buffer: it grows with the data
        (6.25e6, 2.2),  # less than was in flight: data lay unread when it was looked at
        (64e6, 2.0),  # the sender's own buffer is smaller
    ],
)
def test_an_offer_that_is_no_window_of_the_run_leaves_the_one_asked_for(
    offered: float, goodput: float
) -> None:
    told = {"guest": {"sender": {"tcp": {"snd_wnd_bytes": offered}}}}
    found = verdict(run(rtt_ms=25.0, goodput_gbps=goodput, **told))  # 3.2 Gb/s asked for
    assert found.evidence["window_filled_pct"] == pytest.approx(goodput / 3.2 * 100, abs=0.01)


def test_loss_says_where_frames_were_lost() -> None:
    drops = {"mg8.p0.dropped": 2, "anue.west_to_east.lost": 40}
    found = verdict(run(retransmits=1, drops=drops))
    assert found.what == "loss"
    assert found.why.startswith(
        "1 segment was sent again, frames lost: 40 at anue.west_to_east.lost, 2 at mg8.p0.dropped;"
    )
    assert found.evidence["drops.anue.west_to_east.lost"] == 40


def test_loss_in_a_box_says_what_did_it() -> None:
    drops = {"gnet1.red_drop_p0": 785, "receiver.eth0.mac.rx_bad_fcs": 1}
    measured = run(retransmits=786, drops=drops)
    found = judge(measured, causes={"gnet1.red_drop_p0": "RED"})
    assert found.why.startswith(
        "786 segments were sent again, frames lost: 785 at gnet1.red_drop_p0 (RED), "
        "1 at receiver.eth0.mac.rx_bad_fcs;"
    )
    assert found.evidence["drops.gnet1.red_drop_p0"] == 785


@pytest.mark.parametrize(("goodput", "what"), [(1.7, "congestion window's limit"), (1.5, "TCP")])
def test_a_system_that_limits_its_congestion_window_is_named(goodput: float, what: str) -> None:
    tcp = {"snd_wnd_bytes": 336e6, "cwnd_limit_bytes": 93.584e6}  # 65535 segments: 1.87 Gb/s
    measured = run(goodput_gbps=goodput, rtt_ms=400.0, guest={"sender": {"tcp": tcp}})
    verdict = judge(measured, window_bytes=448_000_000)
    assert verdict.what.startswith(what), verdict
    assert verdict.evidence["sender.tcp.cwnd_limit_bytes"] == 93.584e6


def test_a_full_window_counts_before_a_stray_loss() -> None:
    assert verdict(run(rtt_ms=25.0, retransmits=1)).what == "application window"


def tcp(rwnd: float, sndbuf: float) -> dict[str, Any]:
    limits = {"rwnd_limited_pct": rwnd, "sndbuf_limited_pct": sndbuf}
    return {"guest": {"sender": {"tcp": limits}}}


@pytest.mark.parametrize(
    ("rwnd", "sndbuf", "what", "words"),
    [
        (60, 10, "application window", "TCP waited for the receiver's window 60.0 %"),
        (10, 60, "application window", "TCP waited for the sender's buffer 60.0 %"),
        (20, 10, "TCP start-up", "it waited 20.0 % for the receiver's, 10.0 % for its buffer"),
    ],
)
def test_tcp_itself_says_what_it_waited_for(
    rwnd: float, sndbuf: float, what: str, words: str
) -> None:
    found = verdict(run(**tcp(rwnd, sndbuf)))
    assert found.what == what
    assert words in found.why
    assert found.evidence["sender.tcp.rwnd_limited_pct"] == rwnd


@pytest.mark.parametrize(
    ("window_s", "goodput", "what"),
    [
        (0.4, 0.7, "TCP start-up"),  # 4 round trips, 7 % of what the window allows
        (0.4, 5.0, "application window"),  # 50 %: filled once it had grown
        (1.9, 0.7, "TCP start-up"),
        (2.0, 0.7, "application window"),  # 20 round trips are enough to grow
    ],
)
def test_a_receivers_window_that_is_still_growing_is_not_the_applications(
    window_s: float, goodput: float, what: str
) -> None:
    measured = run(rtt_ms=100.0, goodput_gbps=goodput, window_s=window_s, **tcp(60, 0))
    assert verdict(measured, window_bytes=125_000_000).what == what


def test_a_stage_that_was_full_after_a_start_up_is_named() -> None:
    bus = {"bus_dma_data": 60.0, "bus_read_requests": 10.0}
    found = verdict(run(sender=host(**bus), **tcp(10, 0)))  # 79 % in all
    assert found.what == "sender's PCI-X bus: data"
    assert found.why.endswith("; the rest is start-up")
    assert verdict(run(sender=host(**bus), **tcp(70, 0))).what == "application window"


@pytest.mark.parametrize(
    ("goodput", "drops", "what"),
    [
        (0.995, {}, "application's rate"),
        (0.9, {"xg1200.p0.dropped": 7}, "loss"),
        (0.9, {}, "none of the observed resources"),
    ],
)
def test_datagrams_come_as_fast_as_they_are_offered_or_are_lost(
    goodput: float, drops: dict[str, int], what: str
) -> None:
    measured = run(goodput_gbps=goodput, drops=drops)
    assert judge(measured, offered_gbps=1.0).what == what


def test_pings_have_no_limit_but_latency() -> None:
    found = judge(run(goodput_gbps=None))
    assert found.what == "none of the observed resources"
    assert "goodput_gbps" not in found.evidence


def test_without_figures_nothing_is_claimed() -> None:
    assert judge({"goodput_gbps": 3.0}) == Verdict("unknown", "nothing was measured", {})


def test_the_parts_of_a_bus_are_all_of_its_clocks_but_the_idle_ones() -> None:
    found = host(bus_aborts=2.0)
    assert sum(bus_parts(found).values()) == pytest.approx(100.0 - found["pcix_idle_pct"])
    assert bus_parts({}) == {}


def test_shares_are_listed_by_size_and_nothing_is_listed_as_zero() -> None:
    assert listed({"a": 1.0, "b": 20.04, "c": 0.04, "d": 3.0}) == "b 20.0 %, d 3.0 %, a 1.0 %"


def engine(lane: str = "pipeline", **shares: float) -> dict[str, float]:
    """Return the figures of an offload engine: of one lane, `wait_*` and `pm_full` of all."""
    lanes = ("busy", "receive", "message", "modulation", "timer", "separated", "tx_fifo",
             "replies", "payload", "memory", "work", "cm", "pm")  # fmt: skip
    found = {f"toe_{lane}_{name}_pct": shares.pop(name, 0.0) for name in lanes}
    of_all = ("wait_host", "wait_turn", "wait_cwnd", "wait_window", "pm_full")
    found |= {f"toe_{name}_pct": shares.pop(name, 0.0) for name in of_all}
    assert not shares
    return found


@pytest.mark.parametrize(
    ("lane", "shares", "part"),
    [
        ("pipeline", {"busy": 96, "modulation": 96, "work": 96}, "modulation events"),
        ("pipeline", {"busy": 96, "receive": 96, "work": 40, "pm": 56}, "payload memory"),
        ("pipeline", {"busy": 96, "receive": 96, "work": 40, "cm": 56}, "context memory"),
        ("transmit", {"busy": 60, "message": 60, "work": 60, "memory": 35}, "memory"),
        ("pipeline", {"busy": 30, "modulation": 30, "work": 30, "separated": 65}, "separators"),
    ],
)
def test_an_engine_that_never_waits_for_others_is_the_limit(
    lane: str, shares: dict[str, float], part: str
) -> None:
    found = verdict(run(sender=host() | engine(lane, **shares)))
    expected = part if part != "memory" else "memory of the lanes"
    assert found.what == f"sender's offload engine, {lane} lane: {expected}"
    assert found.evidence[f"sender.toe_{lane}_busy_pct"] == shares["busy"]


def test_an_engine_that_waits_for_the_wire_or_its_host_is_not_the_limit() -> None:
    waits = engine(busy=50, modulation=50, work=50, tx_fifo=30, replies=19)
    assert verdict(run(sender=host() | waits, line_busy_pct=99.0)).what == "wire"
    (stage,) = [each for each in stages(run(sender=host() | waits)) if "engine" in each.what]
    assert stage.full_pct == 50
    assert "transmit FIFO 30.0 %, messages that the host does not take 19.0 %" in stage.why


def test_full_payload_memory_is_the_limit_only_if_nothing_else_holds_its_data() -> None:
    full = host() | engine(busy=20, message=20, work=20, wait_host=90, wait_cwnd=10, pm_full=85)
    found = verdict(run(sender=full))
    assert found.what == "sender's payload memory"
    assert "85.0 % of the time" in found.why
    held = host() | engine(busy=20, message=20, work=20, wait_host=10, wait_cwnd=90, pm_full=85)
    assert verdict(run(sender=held)).what != "sender's payload memory"


def test_an_engine_that_waits_for_the_receivers_window_is_limited_by_it() -> None:
    waits = host() | engine(busy=20, message=20, work=20, wait_window=80, wait_host=20)
    found = verdict(run(sender=waits))
    assert found.what == "application window"
    assert "80.0 % for the receiver's window" in found.why


def test_an_engine_in_slow_start_says_what_its_connections_waited_for() -> None:
    waits = host() | engine(busy=20, message=20, work=20, wait_cwnd=95, wait_host=5)
    measured = run(sender=waits, guest={"sender": {"tcp": {"cwnd_bytes": 20_000.0}}})
    found = verdict(measured)
    assert found.what == "TCP start-up"
    assert "95.0 % for the congestion window" in found.why


def test_pause_is_evidence() -> None:
    counts = {"sent": 12, "received": 0, "stopped_pct": 0.0}
    found = verdict(run(pause={"receiver.eth0.mac": counts}))
    assert found.evidence["pause.receiver.eth0.mac.sent"] == 12
