# SPDX-License-Identifier: Apache-2.0
"""nic_ring held to the rules of the C++ model: directed, and by random events."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge
from nic_memory import falls
from nic_ring import LARGEST_FETCH, Ring

LONGEST = 65528  # RDLEN has 13 bits of eight descriptors


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_fetch_ends_by_burst_cache_and_ring(dut: Any) -> None:
    """The cases of the C++ model's own test; the descriptors are what was fetched."""
    ring = Ring(dut)
    await ring.start(20)
    await ring.tail(19)
    assert ring.model.fetch == (0, LARGEST_FETCH)
    for count, following in ((6, (6, 6)), (6, (12, 4)), (4, (16, 3)), (3, None)):
        await ring.bring(settle=True)
        await ring.take(count)
        assert ring.model.fetch == following
        for _ in range(count):
            await ring.done(report=False)
        await ring.settle()
    await ring.tail(3)
    assert ring.model.fetch == (19, 1)
    await ring.bring(settle=True)
    await ring.take()
    assert ring.model.fetch == (0, 3)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def prefetch_waits_for_both_thresholds(dut: Any) -> None:
    """At most so many left, and so many offered; none without PTHRESH."""
    ring = Ring(dut)
    await ring.start(64)
    await ring.thresholds(2, 4, 0)
    await ring.tail(4)
    await ring.bring(settle=True)
    await ring.take(1)
    await ring.tail(8)
    assert ring.model.fetch is None
    await ring.tail(7)
    await ring.take(1)
    await ring.settle()
    assert ring.model.fetch is None
    await ring.tail(8)
    assert ring.model.fetch == (4, 4)
    await ring.bring(settle=True)
    await ring.thresholds(0, 0, 0)
    await ring.tail(20)
    assert ring.model.fetch is None
    await ring.thresholds(6, 0, 0)
    assert ring.model.fetch == (8, 6)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def write_back_is_at_once_at_the_threshold_or_by_flush(dut: Any) -> None:
    """In order, in runs; those without a report only move the head; the head waits for the bus."""
    ring = Ring(dut)
    await ring.start(64)
    await ring.tail(20)
    await ring.bring(settle=True)
    await ring.take(6)
    await ring.done()
    await ring.settle()
    assert ring.model.head == 0 and len(ring.model.runs) == 1
    await ring.done(report=False)
    await ring.answer(settle=True)
    assert ring.model.head == 2
    await ring.thresholds(0, 0, 4)
    for report in (True, False, True):
        await ring.done(report)
    await ring.settle()
    assert not ring.model.runs
    await ring.flush()
    assert len(ring.model.runs) == 2
    await ring.answer(error=True, settle=True)
    await ring.answer(settle=True)
    await ring.flush()
    await ring.bring(settle=True)
    await ring.take(6)
    for _ in range(4):
        await ring.done()
    await ring.settle()
    assert len(ring.model.runs) == 1 and ring.model.runs[0].count == 4


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_run_ends_by_cache_and_ring_and_four_are_under_way(dut: Any) -> None:
    """What four runs leave goes when one of them is answered."""
    ring = Ring(dut)
    await ring.start(24, head=20)
    await ring.thresholds(16, 0, 30)
    await ring.tail(16)
    await ring.bring(settle=True)  # to the ring's end
    assert ring.model.cached == 4
    for _ in range(2):
        await ring.bring(settle=True)
    await ring.take(13)
    for _ in range(13):
        await ring.done()
    await ring.flush()
    assert [run.count for run in ring.model.runs] == [4, 9]
    for _ in range(2):
        await ring.answer(settle=True)
    while ring.model.fetch:
        await ring.bring(settle=True)
    await ring.take(7)
    for at in range(7):
        await ring.done(report=at != 5)
    await ring.flush()
    assert [run.count for run in ring.model.runs] == [3, 2, 1], "the cache's end, then a gap"
    for _ in range(3):
        await ring.answer(settle=True)
    await ring.tail(15)
    while ring.model.fetch:
        await ring.bring(settle=True)
    await ring.take(12)
    for at in range(12):
        await ring.done(report=at % 2 == 1)
    await ring.flush()
    assert len(ring.model.runs) == 4
    for left in (4, 4, 3, 2, 1, 0):
        await ring.answer(settle=True)
        assert len(ring.model.runs) == left


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_full_cache_writes_back_below_the_threshold(dut: Any) -> None:
    """Of 40 descriptors none waits forever."""
    ring = Ring(dut)
    await ring.start(64, head=9)
    await ring.thresholds(0, 0, 60)
    await ring.tail(49)
    for _ in range(40):
        if not ring.model.cached:
            await ring.bring(settle=True)
        await ring.take()
        await ring.done()
        await ring.settle()
        while ring.model.runs:
            await ring.answer(settle=True)
    assert ring.model.head == 41 and ring.model.drained


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_failed_fetch_halts_the_ring_until_the_next_doorbell(dut: Any) -> None:
    """An error in any word; nothing of it is used; a write of enable helps, too."""
    ring = Ring(dut)
    await ring.start(64)
    for bad in (0, 1, 5, 10, 11):
        await ring.tail(30 + bad)
        await ring.bring(bad, settle=True)
        assert ring.model.cached == 0 and ring.model.fetch is None
        await ring.thresholds(1, 1, bad)
    await ring.tail(40)
    await ring.bring(3, settle=True)
    await ring.enable(True)
    await ring.bring(settle=True)
    await ring.take(6)
    assert ring.model.fetch is not None


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def doorbells_and_heads_are_reduced_by_the_rings_length(dut: Any) -> None:
    """Any index; no length; the longest ring; a new length with work behind it."""
    ring = Ring(dut)
    await ring.start(0)
    await ring.tail(17)
    assert ring.model.fetch is None and ring.model.tail_position == 0
    await ring.length(24)
    await ring.tail(24 + 5)
    assert ring.model.fetch == (0, 5)
    await ring.head(11)
    assert ring.model.head == 0, "it is enabled"
    dut.entries_i.value, dut.tail_i.value = 32, 7  # a doorbell while indices are made again
    ring.model.held = True
    await ring.bring()
    ring.model.held = False
    await falls(dut.clk, 10)
    ring.model.set_length(32)
    ring.model.set_tail(7)
    await ring.pulse("tail_write_i")
    await ring.settle(200)
    await ring.length(24)
    await ring.enable(False)
    await ring.head(65535)
    assert ring.model.head == 65535 % 24
    await ring.tail(65535)
    await ring.enable(True)
    assert ring.model.fetch is None
    await ring.tail(3)
    await ring.bring(settle=True)
    await ring.take(2)
    await ring.done()
    await ring.settle()
    await ring.length(8)
    assert ring.model.head == (65535 + 1) % 8
    await ring.tail(7)
    await ring.length(0)
    await ring.length(16)
    await ring.length(LONGEST)
    await ring.tail(LONGEST + 1)
    await ring.enable(False)
    await ring.head(LONGEST - 3)
    await ring.tail(0)
    await ring.enable(True)
    assert ring.model.fetch == (LONGEST - 3, 3)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_new_head_forgets_what_is_under_way(dut: Any) -> None:
    """A stale fetch is not used, a stale write-back is not told; the doorbell behind it counts."""
    ring = Ring(dut)
    await ring.start(64)
    await ring.tail(8)
    await ring.bring(settle=True)
    await ring.take(6)
    await ring.done()
    await ring.done()
    await ring.settle()
    assert ring.model.fetch is not None and ring.model.runs
    await ring.enable(False)
    dut.head_i.value, dut.tail_i.value = 32, 34
    await ring.pulse("head_write_i")
    await falls(dut.clk, 3)
    await ring.pulse("tail_write_i")
    ring.model.set_head(32)
    ring.brought.clear()
    ring.finished.clear()
    await ring._end_all()  # noqa: SLF001
    ring.model.set_tail(34)
    await ring.settle(300)
    assert ring.model.head == 32 and ring.model.available == 2
    await ring.enable(True)
    await ring.bring(settle=True)
    await ring.take(2)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_reset_tells_and_asks_nothing(dut: Any) -> None:
    """From its first clock on: with a fetch and a write-back under way."""
    ring = Ring(dut)
    await ring.start(64)
    await ring.tail(20)
    await ring.bring(settle=True)
    await ring.take(6)
    await ring.done()
    await ring.settle()
    assert ring.model.fetch is not None and ring.model.runs
    dut.rst_ni.value = 0
    for _ in range(3):
        await FallingEdge(dut.clk)
        for name in ("fetch_error_o", "rd_req_valid_o", "wr_req_valid_o", "wr_valid_o",
                     "desc_valid_o", "written_valid_o", "emptied_o", "head_o"):  # fmt: skip
            assert int(getattr(dut, name).value) == 0, name


async def random_event(ring: Ring) -> None:
    """Let something happen that may happen now."""
    model = ring.model
    events: list[tuple[int, Any]] = [(2, "tail"), (1, "thresholds"), (1, "flush"), (1, "enable")]
    events.append((1, "length" if random.random() < 0.2 else "wait"))
    if model.fetch is not None:
        events.append((8, "bring"))
    if model.runs:
        events.append((4, "answer"))
    if model.cached:
        events.append((12, "take"))
    if model.taken > model.done:
        events.append((14, "done"))
    if not model.enabled:
        events.append((2, "head"))
    weights, names = zip(*events, strict=True)
    match random.choices(names, weights)[0]:
        case "tail":
            ahead = random.choice((0, 1, 5, 16, 30))
            entries = max(model.entries, 1)
            index = (model.index_of(model.done) + ahead) % entries
            await ring.tail(index if random.random() < 0.8 else random.getrandbits(16))
        case "thresholds":
            await ring.thresholds(random.choice((0, 2, 8, 16)), random.choice((0, 3, 9)),
                                  random.choice((0, 1, 2, 5, 14, 20)))  # fmt: skip
        case "flush":
            await ring.flush()
        case "enable":
            await ring.enable(random.random() < 0.8)
        case "length":
            await ring.length(random.choice((8, 16, 24, 40, 40, 0)))
        case "head":
            await ring.head(random.choice((0, random.getrandbits(4), random.getrandbits(16))))
        case "bring":
            bad = random.randrange(2 * model.fetch[1]) if random.random() < 0.1 else None
            await ring.bring(bad, settle=True)
        case "answer":
            behind = model.covered > model.freed and random.random() < 0.3
            await ring.answer(random.random() < 0.1, settle=True, flush=behind)
        case "take":
            await ring.take(random.randint(1, model.cached))
            await ring.settle()
        case "done":
            # One at a time: what a batch becomes depends on the clock.
            likely = random.choice((0.2, 0.7, 1.0))
            for _ in range(random.randint(1, model.taken - model.done)):
                report = random.random() < likely
                await ring.done(report, cover=report and random.random() < 0.5)
                await ring.settle()
        case _:
            await falls(ring.dut.clk, 10)


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def random_events_leave_ring_and_model_alike(dut: Any) -> None:
    """Requests, registers and signals after each of some hundred events."""
    ring = Ring(dut)
    await ring.start(random.choice((24, 40)), head=random.choice((0, 7)))
    for _ in range(420):
        await random_event(ring)
    if not ring.model.entries:
        await ring.length(24)
    while ring.model.fetch or ring.model.runs:
        await ring._end_all()  # noqa: SLF001
        await ring.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def descriptors_flow_faster_than_the_shortest_frames(dut: Any) -> None:
    """Fetched, used, and written back one by one: each in fewer than 10 clocks."""
    ring = Ring(dut)
    await ring.start(64)
    dut.pthresh_i.value = 8
    dut.tail_i.value = 60
    await ring.pulse("tail_write_i")
    used = answers = clocks = waits = taken = 0
    words: list[int] = []
    while used < 60:
        await FallingEdge(dut.clk)
        clocks += 1
        dut.rd_valid_i.value = dut.wr_answered_i.value = 0
        dut.desc_take_i.value = int(dut.desc_valid_o.value)
        dut.done_valid_i.value = dut.done_report_i.value = taken
        taken = int(dut.desc_valid_o.value)
        used += int(dut.desc_valid_o.value)
        if not words and ring.fetches:
            waits += 1
            if waits > 4:  # the bus takes its time
                words, waits = [0] * (2 * ring.fetches.pop()[1]), 0
        if words:
            dut.rd_data_i.value = words.pop()
            dut.rd_valid_i.value, dut.rd_last_i.value = 1, int(not words)
        if len(ring._run_data) > answers:  # noqa: SLF001
            answers += 1
            dut.wr_answered_i.value = 1
    assert clocks < 60 * 10, clocks
