# SPDX-License-Identifier: Apache-2.0
"""GNET-1's testbed and its scenarios: what guests and box are told, and which runs there are."""

import pytest
from longhaul import registry
from longhaul.errors import UsageError
from longhaul.testbeds import gnet1, linux24
from longhaul.topology import Iperf
from longhaul.units import Size, mb, s

DISCARD = registry.find("gnet1_discard")


def told(*assignments: str) -> dict[str, str]:
    return DISCARD.build(DISCARD.parse(assignments), 1).guest_settings()["receiver"]


def module_args(*assignments: str) -> tuple[str, ...]:
    scenario = DISCARD.build(DISCARD.parse(assignments), 1)
    return scenario.check().sender.nics[0].module_args


def test_the_window_is_half_of_what_is_not_overhead() -> None:
    """Linux 6.1 was seen to offer 1501952 bytes of two million (docs/gnet1_discard.md)."""
    assert linux24.window_segments(mb(2), 1500) == 1_500_000 // 1448
    assert linux24.window_segments(Size(2 * 2**20), 1500) == 1_572_864 // 1448


def test_slow_start_ends_where_the_windows_segments_do_unless_the_kernel_is_to_say() -> None:
    def ssthresh(*assignments: str) -> int | None:
        workload = DISCARD.build(DISCARD.parse(assignments), 1).check()
        assert isinstance(workload, Iperf) and workload.kernel
        return workload.kernel.ssthresh

    assert ssthresh() == 1035
    assert ssthresh("window=1MB") == 517
    assert ssthresh("ssthresh=kernel") is None
    assert ssthresh("ssthresh=700") == 700


def test_a_receiver_joins_as_many_frames_as_one_ack_is_for() -> None:
    """GRO joins while the packet stays below its limit: 5 segments are 7292 bytes, 6 are 8740."""
    assert 52 + 5 * 1448 < int(told()["LH_GRO_MAX_SIZE"]) <= 52 + 6 * 1448
    assert "gro on" in told()["LH_OFFLOADS"]
    assert "LH_GRO_MAX_SIZE" not in told("frames_per_ack=2")
    assert "gro off" in told("frames_per_ack=2")["LH_OFFLOADS"]


@pytest.mark.parametrize("frames", range(3, 29))
@pytest.mark.parametrize("mtu", [1280, 1500])
def test_every_number_of_frames_an_ack_has_a_limit_of_its_own(frames: int, mtu: int) -> None:
    limit = int(told(f"frames_per_ack={frames}", f"mtu={mtu}")["LH_GRO_MAX_SIZE"])
    headers = 20 + 32
    assert headers + frames * (mtu - headers) < limit <= headers + (frames + 1) * (mtu - headers)


def test_only_a_queue_of_linux_24_may_fill_up() -> None:
    names = ("LH_TXQUEUELEN", "LH_BQL", "LH_TCP_SMALL_QUEUES")
    assert [told("sender_queue=linux24")[name] for name in names] == ["100", "0", "0"]
    assert not set(names) & set(told())


def test_an_interrupt_rate_is_a_number_or_a_mode_of_the_driver() -> None:
    assert "e1000.InterruptThrottleRate=8000" in module_args()
    assert "e1000.InterruptThrottleRate=3" in module_args("interrupt_rate=conservative")
    with pytest.raises(UsageError, match="^interrupt_rate=50: must be .*, or 100 to 100000$"):
        DISCARD.parse(["interrupt_rate=50"])
    with pytest.raises(UsageError, match="neither a number nor one of .*; did you mean dynamic"):
        DISCARD.parse(["interrupt_rate=dynamik"])


def test_without_settings_each_delay_is_a_case_with_time_to_recover_in() -> None:
    assert [case[0] for case in DISCARD.cases([])] == [f"delay={n}" for n in DISCARD.module.MORE]
    assert DISCARD.cases(["delay=4ms"]) == [("delay=4ms", "duration=12s")]
    assert DISCARD.cases(["delay=4ms", "duration=1s"]) == [("delay=4ms",)]
    assert DISCARD.cases(["delay=4500us"]) == [("delay=4500us",)]
    slow = ["delay=5ms"]
    assert DISCARD.parse_case(slow, DISCARD.cases(slow)[0]).duration == s(20)
    short = ["delay=5ms", "duration=2s"]
    assert DISCARD.parse_case(short, DISCARD.cases(short)[0]).duration == s(2)


def test_the_references_are_the_papers_two_figures_of_linux() -> None:
    def recovery(*assignments: str) -> float | None:
        row = DISCARD.references.match(DISCARD.parse(assignments))
        return row.reference["recovery_s"] if row else None

    assert recovery("delay=4ms") == 8
    assert recovery("delay=4ms", "window=1MB") is None
    assert recovery("delay=5ms") is None


def test_the_senders_cable_ends_at_the_port_whose_frames_are_discarded() -> None:
    scenario = DISCARD.build(DISCARD.parse([]), 1)
    assert str(scenario.links[0].b) == "gnet1.p0"
    assert gnet1.PHY == scenario.links[0].phy
