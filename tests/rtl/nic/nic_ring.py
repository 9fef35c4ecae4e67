# SPDX-License-Identifier: Apache-2.0
"""The test bench around nic_ring: host, bus and engine, and the model that it is held to."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, Timer
from nic_memory import falls
from nic_ring_model import RX_EOP, TX_IDE, RingModel

CACHE, LARGEST_FETCH, RUNS = 16, 6, 4
BASE = 0xFEDC_BA98_7654_3210  # bits 3 to 0 do not count
INPUTS = ("enable_i", "resume_i", "base_i", "entries_i", "pthresh_i", "hthresh_i", "wthresh_i",
          "head_write_i", "head_i", "tail_write_i", "tail_i", "flush_i", "cover_i", "desc_take_i",
          "done_valid_i", "done_i", "done_report_i", "rd_req_ready_i", "rd_valid_i", "rd_last_i",
          "rd_error_i", "rd_data_i", "wr_req_ready_i", "wr_ready_i", "wr_answered_i",
          "wr_error_i")  # fmt: skip
SETTLE = 16  # clocks until the ring has asked for what it wants; but for runs
SETTLE_RUN = 400  # at most, for runs
SETTLE_INDEX = 110  # two divisions


class Ring:
    """Each call is one event, for the RTL and for the model; then both are compared."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.model = RingModel(CACHE, LARGEST_FETCH, RUNS)
        self.memory: dict[int, int] = {}  # index to descriptor
        self.fetches: list[tuple[int, int]] = []  # index, count: as the RTL asks
        self.runs: list[tuple[int, int]] = []
        self.written: list[tuple[int, int]] = []  # flags, count
        self.emptied = self.fetch_errors = self.flushed = 0
        self._words: deque[int] = deque()  # of the run that is being written
        self._run_data: deque[list[int]] = deque()  # of runs on the bus
        self._run = (0, 0)
        self.brought: deque[int] = deque()  # descriptors on chip, unused
        self.finished: deque[int] = deque()  # those that are to be written back

    async def start(self, entries: int, head: int = 0, enable: bool = True) -> None:
        """Leave reset and set the ring up."""
        for name in INPUTS:
            getattr(self.dut, name).value = 0
        self.dut.base_i.value = BASE
        self.dut.rst_ni.value = 0
        await falls(self.dut.clk, 4)
        self.dut.rst_ni.value = 1
        await falls(self.dut.clk, 2)
        cocotb.start_soon(self._watch())
        await self.length(entries)
        await self.head(head)
        if enable:
            await self.enable(True)

    async def _watch(self) -> None:
        """Take what the ring asks of the bus, in random clocks; note its pulses."""
        dut = self.dut
        while True:
            await FallingEdge(dut.clk)
            ready = random.getrandbits(3)
            dut.rd_req_ready_i.value = ready & 1
            dut.wr_req_ready_i.value = ready >> 1 & 1
            dut.wr_ready_i.value = ready >> 2
            await Timer(1, "ns")
            if ready & 1 and int(dut.rd_req_valid_o.value):
                self.fetches.append(self._span(int(dut.rd_req_o.value)))
            if ready & 2 and int(dut.wr_req_valid_o.value):
                self._run = self._span(int(dut.wr_req_o.value))
                self.runs.append(self._run)
                self._words.clear()
            if ready & 4 and int(dut.wr_valid_o.value):
                self._words.append(int(dut.wr_o.value))
                if len(self._words) == 2 * self._run[1]:
                    words = list(self._words)
                    self._run_data.append([low | high << 64 for low, high in
                                           zip(words[::2], words[1::2], strict=True)])  # fmt: skip
            if int(dut.written_valid_o.value):
                value = int(dut.written_o.value)
                self.written.append((value >> 10, value & 0x3FF))
            self.emptied += int(dut.emptied_o.value)
            self.fetch_errors += int(dut.fetch_error_o.value)
            self.flushed += int(dut.flushed_o.value)

    def _span(self, value: int) -> tuple[int, int]:
        address, count = value >> 15, value & 0x7FFF
        assert count and count % 16 == 0
        return (address - (BASE & ~15)) // 16, count // 16

    async def pulse(self, name: str) -> None:
        """Set an input for one clock."""
        getattr(self.dut, name).value = 1
        await FallingEdge(self.dut.clk)
        getattr(self.dut, name).value = 0

    async def settle(self, clocks: int = SETTLE) -> None:
        """Let the RTL do what it can, and compare it with the model."""
        dut, model = self.dut, self.model
        await falls(dut.clk, clocks)
        for _ in range(SETTLE_RUN):
            if len(self._run_data) >= len(model.runs):
                break
            await FallingEdge(dut.clk)
        await falls(dut.clk, 4)
        assert self.fetches == model.asked, f"{self.fetches} {vars(model)}"
        assert self.runs == model.begun, f"{self.runs} {vars(model)}"
        assert self.flushed == model.flushed, f"{self.flushed} {vars(model)}"
        self.fetches.clear()
        self.runs.clear()
        model.asked.clear()
        model.begun.clear()
        assert int(dut.head_o.value) == model.head
        assert int(dut.cached_o.value) == model.cached
        assert int(dut.available_o.value) == model.available
        assert int(dut.drained_o.value) == model.drained
        assert int(dut.desc_valid_o.value) == (model.cached != 0)
        assert int(dut.settled_o.value)
        assert bool(int(dut.busy_o.value)) == (model.fetch is not None or bool(model.runs))

    # ---- Registers ----

    async def length(self, entries: int) -> None:
        """Set the length; work that is under way ends first."""
        self.dut.entries_i.value = entries
        self.model.held = True
        await self._end_all()
        self.model.held = False
        self.model.set_length(entries)
        await self.settle(SETTLE + SETTLE_INDEX)

    async def head(self, index: int) -> None:
        """Write the head register; work that is under way ends unseen."""
        self.dut.head_i.value = index
        await self.pulse("head_write_i")
        forgets = not self.model.enabled
        self.model.set_head(index)
        if forgets:
            self.brought.clear()
            self.finished.clear()
            self.taken_count = 0
            await self._end_all()
        await self.settle(SETTLE + SETTLE_INDEX)

    async def tail(self, index: int) -> None:
        """Ring the doorbell."""
        self.dut.tail_i.value = index
        await self.pulse("tail_write_i")
        self.model.set_tail(index)
        await self.settle(SETTLE + SETTLE_INDEX)

    async def thresholds(self, prefetch: int, host: int, write_back: int) -> None:
        """Write RXDCTL or TXDCTL."""
        self.dut.pthresh_i.value, self.dut.hthresh_i.value = prefetch, host
        self.dut.wthresh_i.value = write_back
        self.model.set_thresholds(prefetch, host, write_back)
        await self.settle()

    async def enable(self, on: bool) -> None:
        """Write RCTL or TCTL."""
        self.dut.enable_i.value = int(on)
        await self.pulse("resume_i")
        self.model.enable(on)
        await self.settle()

    async def flush(self) -> None:
        """Ask for write-backs."""
        await self.pulse("flush_i")
        self.model.flush()
        await self.settle()

    # ---- Bus ----

    async def _end_all(self) -> None:
        if self.model.fetch is not None:
            await self.bring()
        while self.model.runs:
            for _ in range(SETTLE_RUN):
                if self._run_data:
                    break
                await FallingEdge(self.dut.clk)
            await self.answer()

    async def bring(self, bad: int | None = None, settle: bool = False) -> None:
        """Answer the fetch, with an error in one of its words."""
        assert self.model.fetch is not None
        index, count = self.model.fetch
        stale = self.model.fetch_stale
        errors = self.fetch_errors
        found = [random.getrandbits(128) for _ in range(count)]
        for at in range(2 * count):
            while random.random() < 0.3:
                await FallingEdge(self.dut.clk)
            self.dut.rd_data_i.value = found[at // 2] >> 64 * (at % 2) & (1 << 64) - 1
            self.dut.rd_last_i.value = int(at == 2 * count - 1)
            self.dut.rd_error_i.value = int(at == bad)
            await self.pulse("rd_valid_i")
        self.model.fetched(bad is None)
        if bad is None and not stale:
            self.brought += found
            self.memory.update({index + at: value for at, value in enumerate(found)})
        if settle:
            await self.settle()
            assert self.fetch_errors == errors + (bad is not None)

    async def answer(self, error: bool = False, settle: bool = False, flush: bool = False) -> None:
        """Answer the oldest write-back; ask for write-backs in the clock behind it."""
        data = self._run_data.popleft()
        before = len(self.written)
        self.dut.wr_error_i.value = int(error)
        await self.pulse("wr_answered_i")
        flushed = self.model.flushed
        run = self.model.answered()
        if flush:
            await self.pulse("flush_i")
            ended = self.model.flushed
            self.model.flush()
            if flushed != ended != self.model.flushed:
                self.model.flushed -= 1  # one clock of flushed_o tells of both
        else:
            await FallingEdge(self.dut.clk)
        if run is None:
            assert len(self.written) == before, "it is forgotten"
            return
        assert data == [self.finished.popleft() for _ in range(run.count)]
        ide = [value >> TX_IDE & 1 for value in data]
        flags = int(error) << 3 | max(ide) << 2 | (1 - min(ide)) << 1
        flags |= max(value >> RX_EOP & 1 for value in data)
        assert self.written[before:] == [(flags, run.count)]
        if settle:
            await self.settle()

    # ---- Engine ----

    async def take(self, count: int = 1) -> None:
        """Take descriptors, one a clock; they are what was fetched."""
        for _ in range(count):
            await Timer(1, "ns")
            assert int(self.dut.desc_valid_o.value)
            assert int(self.dut.desc_o.value) == self.brought.popleft()
            await self.pulse("desc_take_i")
            self.model.take()

    async def done(self, report: bool = True, cover: bool = False) -> None:
        """Be done with one; a timer tells of it and of all before it."""
        before = self.emptied
        value = random.getrandbits(128)
        self.dut.done_i.value, self.dut.done_report_i.value = value, int(report)
        self.dut.cover_i.value = int(cover)
        await self.pulse("done_valid_i")
        self.dut.cover_i.value = 0
        if report:
            self.finished.append(value)
        self.model.complete(report, cover)
        assert self.emptied == before + self.model.drained
