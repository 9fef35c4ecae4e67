# SPDX-License-Identifier: Apache-2.0
"""Flushes of nic_ring: the write-backs that they begin, and their ends."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import FallingEdge
from nic_ring import Ring


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_flush_while_a_run_is_written_takes_what_came_since(dut: Any) -> None:
    """The words of the first run are still to be taken when the second flush comes."""
    ring = Ring(dut)
    await ring.start(64)
    await ring.thresholds(0, 0, 30)
    await ring.tail(20)
    await ring.bring(settle=True)
    await ring.take(6)
    for _ in range(4):
        await ring.done()
    await ring.settle()
    await ring.pulse("flush_i")
    ring.model.flush()
    while not ring.runs:
        await FallingEdge(dut.clk)
    await ring.done()
    await ring.flush()
    assert [run.count for run in ring.model.runs] == [4, 1]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_flush_ends_when_the_bus_has_answered_what_a_timer_covers(dut: Any) -> None:
    """At once if nothing is covered; not for what came later; the second and third end together."""
    ring = Ring(dut)
    await ring.start(64)
    await ring.thresholds(0, 0, 30)
    await ring.tail(40)
    await ring.bring(settle=True)
    await ring.take(6)
    await ring.done()
    await ring.flush()
    assert ring.model.flushed == 1, "no timer tells of it"
    await ring.done(cover=True)
    await ring.flush()
    await ring.answer(settle=True)
    assert ring.model.flushed == 1 and len(ring.model.runs) == 1
    await ring.done()
    await ring.answer(error=True, settle=True)
    assert ring.model.flushed == 2, "an error on the bus ends it, too"
    for _ in range(3):
        await ring.done(cover=True)
        await ring.flush()
    assert ring.model.flushes == [4, 6]
    for flushed in (3, 3, 4):
        await ring.answer(settle=True)
        assert ring.model.flushed == flushed
    await ring.flush()
    assert ring.model.flushed == 5


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_flush_as_another_ends_waits_for_its_own(dut: Any) -> None:
    """In the clock of flushed_o, with a flush that waits behind it and without."""
    ring = Ring(dut)
    await ring.start(64)
    await ring.thresholds(0, 0, 30)
    await ring.tail(40)
    await ring.bring(settle=True)
    await ring.take(6)
    for flushes in (1, 2):
        for _ in range(flushes):
            await ring.done(cover=True)
            await ring.flush()
        await ring.done(cover=True)
        waiting = ring.model.flushes[1:]
        await ring.answer(settle=True, flush=True)
        assert ring.model.flushes == [*waiting, ring.model.done]
        while ring.model.runs:
            await ring.answer(settle=True)
        assert not ring.model.flushes
