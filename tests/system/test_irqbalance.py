# SPDX-License-Identifier: Apache-2.0
"""Interrupts that move between a modelled host's processors: where they reorder packets."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from longhaul.results import simdata
from rig import wire
from rig.scripts import longhaul, start

SETTINGS = (
    *("ixgb_b2b", "--set", "system=linux-2.6.6", "--set", "card=n110", "--set", "mtu=1500"),
    *("--set", "processors=2", "--set", "duration=50ms"),
)
HOLDS = "*.host.net.backlog_holds_softirqs"


@functools.cache
def _run(folder: Path, *more: str) -> Path:
    out = folder / f"run-{len(list(folder.iterdir()))}"
    longhaul(folder, "run", *SETTINGS, *more, "--pcap", "--out", str(out))
    return out


def probes(out: Path) -> simdata.SimData:
    return simdata.load(out / "raw" / "sim.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("irqbalance")


def each(folder: Path, *more: str) -> Path:
    return _run(folder, "--set", "irqbalance=each", *more)


def test_interrupts_in_turn_make_segments_overtake_each_other(folder: Path) -> None:
    sim = probes(each(folder))
    assert sim.counter("receiver.interrupts.turns") > 100
    assert sim.counter("receiver.stack.out_of_order") > 20
    assert sim.counter("sender.stack.retransmits") > 5
    # Nothing was lost, so that each retransmission was in vain.
    for part in ("sender_link.a_to_b", "trunk.a_to_b", "receiver_link.a_to_b"):
        assert sim.counter(f"{part}.lost") == 0
    assert sim.counter("receiver.stack.drop_input_queue") == 0


def test_the_sender_sees_duplicate_acks(folder: Path) -> None:
    capture = each(folder) / "sender_link.pcapng"
    assert len(wire.rows(capture, "tcp.analysis.duplicate_ack", "frame.number")) > 20


def test_an_interrupt_that_stays_reorders_nothing(folder: Path) -> None:
    sim = probes(_run(folder, "--param", f"{HOLDS}=true"))
    assert sim.counter("receiver.interrupts.turns") == 0
    assert sim.counter("receiver.stack.out_of_order") == 0
    assert sim.counter("sender.stack.retransmits") == 0


def test_polling_keeps_the_order(folder: Path) -> None:
    """A device is on one processor's list only, and its poll hands packets on at once."""
    sim = probes(each(folder, "--param", "*.host.eth0.polling=true"))
    assert sim.counter("receiver.interrupts.turns") > 100
    assert sim.counter("receiver.stack.out_of_order") == 0


def test_packets_wait_where_a_process_holds_softirqs_off(folder: Path) -> None:
    sim = probes(each(folder, "--param", f"{HOLDS}=false"))
    assert sim.counter("receiver.interrupts.turns") > 100
    assert sim.counter("receiver.stack.out_of_order") == 0


def test_one_processor_has_nowhere_to_move_an_interrupt(tmp_path: Path) -> None:
    words = ("run", "ixgb_b2b", "--set", "system=linux-2.6.6", "--set", "irqbalance=each")
    done = start(["-m", "longhaul", *words], cwd=tmp_path)
    assert done.returncode != 0
    assert "set processors=2 or more" in done.stdout + done.stderr
