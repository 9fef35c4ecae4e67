# SPDX-License-Identifier: Apache-2.0
"""The test bench around nic_read and nic_write: three requesters of each, and the host's memory."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, Timer
from nic_memory import Memory, falls

REQUESTERS = 3
BURST_BYTES = 2048
SPAN_BITS, READ_WORD_BITS = 79, 72
HALF_PS = {66: 7576, 100: 5000, 133: 3750, 200: 2500}  # half clocks of the bus, by MHz
INPUTS = ("stop_i", "hold_i", "rd_req_valid_i", "rd_req_i", "rd_ready_i", "wr_req_valid_i",
          "wr_req_i", "wr_word_valid_i", "wr_word_i")  # fmt: skip


@dataclass
class Span:
    """A part of memory that is read or written."""

    address: int
    count: int
    data: bytes = b""  # to write, or read
    bad: list[bool] = field(default_factory=list)  # of each byte read: the bus had an error
    done: bool = False
    answered: bool = False
    error: bool = False

    def word(self) -> int:
        """Return it as span_t."""
        return self.address << 15 | self.count


def words_of(data: bytes) -> deque[int]:
    """Return words, aligned to lane 0; bytes beyond are noise."""
    padded = data + random.randbytes(-len(data) % 8)
    return deque(int.from_bytes(padded[at : at + 8], "little") for at in range(0, len(padded), 8))


def set_fields(values: list[int], bits: int) -> int:
    """Join values of equal width, the first lowest."""
    return sum(value << at * bits for at, value in enumerate(values))


class Dma:
    """Both directions; a span is handed in by read() or write() and filled as the NIC does."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.stopped = False  # requesters are in reset
        self.slow = False  # requesters take and give words in random clocks
        self._asked: list[deque[Span]] = [deque() for _ in range(REQUESTERS)]
        self._reading: list[deque[Span]] = [deque() for _ in range(REQUESTERS)]
        self._given: list[deque[Span]] = [deque() for _ in range(REQUESTERS)]
        self._words: list[deque[int]] = [deque() for _ in range(REQUESTERS)]
        self._writing: list[deque[Span]] = [deque() for _ in range(REQUESTERS)]
        self._unanswered: list[deque[Span]] = [deque() for _ in range(REQUESTERS)]
        self.order: list[tuple[str, int]] = []  # done and answered, as they came

    async def start(self, mhz: int = 133) -> None:
        """Leave reset."""
        for name in INPUTS:
            getattr(self.dut, name).value = 0
        self.dut.bus_half_ps_i.value = HALF_PS[mhz]
        self.dut.rst_ni.value = 0
        self.memory = Memory(self.dut, self.dut.bus_clk, BURST_BYTES)
        await falls(self.dut.bus_clk, 12)
        self.dut.rst_ni.value = 1
        await falls(self.dut.bus_clk, 8)
        cocotb.start_soon(self._run())

    def read(self, who: int, address: int, count: int) -> Span:
        """Ask for bytes."""
        span = Span(address, count)
        self._asked[who].append(span)
        return span

    def write(self, who: int, address: int, data: bytes) -> Span:
        """Give bytes to write."""
        span = Span(address, len(data), data)
        self._given[who].append(span)
        self._words[who] += words_of(data)
        return span

    async def settled(self, patience: int = 12_000) -> None:
        """Wait until all spans are read and answered."""
        queues = (self._asked, self._reading, self._given, self._writing, self._unanswered)
        for _ in range(patience):
            if not any(queue for kind in queues for queue in kind):
                break
            await FallingEdge(self.dut.clk)
        else:
            left = [[len(queue) for queue in kind] for kind in queues]
            raise AssertionError(f"spans are left: {left}")
        await falls(self.dut.clk, 4)
        assert self.idle()

    def idle(self) -> bool:
        """Return whether both say that nothing is under way."""
        return bool(int(self.dut.read_idle_o.value)) and bool(int(self.dut.write_idle_o.value))

    def forget(self) -> None:
        """Be reset: nothing is expected any more."""
        for kind in (self._asked, self._reading, self._given, self._words, self._writing,
                     self._unanswered):  # fmt: skip
            for queue in kind:
                queue.clear()

    def _mask(self, kind: list[Any]) -> int:
        return sum(bool(queue) << at for at, queue in enumerate(kind))

    def _some(self) -> int:
        return random.getrandbits(REQUESTERS) if self.slow else (1 << REQUESTERS) - 1

    async def _run(self) -> None:
        dut = self.dut
        clock = FallingEdge(dut.clk)
        driven = (0, 0, 0, 0)
        while True:
            await clock
            asks, gives = self._mask(self._asked), self._mask(self._given)
            takes, words = self._some(), self._mask(self._words) & self._some()
            valid = (asks, gives, takes, words)
            if valid != driven:
                driven = valid
                dut.rd_req_valid_i.value, dut.wr_req_valid_i.value = asks, gives
                dut.rd_ready_i.value, dut.wr_word_valid_i.value = takes, words
            if asks:
                spans = [queue[0].word() if queue else 0 for queue in self._asked]
                dut.rd_req_i.value = set_fields(spans, SPAN_BITS)
            if gives:
                spans = [queue[0].word() if queue else 0 for queue in self._given]
                dut.wr_req_i.value = set_fields(spans, SPAN_BITS)
            if words:
                heads = [queue[0] if queue else 0 for queue in self._words]
                dut.wr_word_i.value = set_fields(heads, 64)
            await Timer(1, "ns")
            asked = int(dut.rd_req_ready_o.value) & asks
            came = int(dut.rd_valid_o.value) & takes
            given = int(dut.wr_req_ready_o.value) & gives
            taken = int(dut.wr_word_ready_o.value) & words
            done, answered = int(dut.wr_done_o.value), int(dut.wr_answered_o.value)
            if self.stopped or not asked | came | given | taken | done | answered:
                continue
            data = int(dut.rd_data_o.value) if came else 0
            for who in range(REQUESTERS):
                if done >> who & 1:
                    self.order.append(("done", who))
                    span = self._writing[who].popleft()
                    span.done = True
                    self._unanswered[who].append(span)
                if answered >> who & 1:
                    self.order.append(("answered", who))
                    span = self._unanswered[who].popleft()
                    span.answered, span.error = True, bool(int(dut.wr_error_o.value))
                if asked >> who & 1:
                    self._reading[who].append(self._asked[who].popleft())
                if given >> who & 1:
                    self._writing[who].append(self._given[who].popleft())
                if taken >> who & 1:
                    self._words[who].popleft()
                if came >> who & 1:
                    self._take(who, data >> who * READ_WORD_BITS)

    def _take(self, who: int, word: int) -> None:
        span = self._reading[who][0]
        first, lanes = word >> 67 & 7, word >> 64 & 7
        data = (word & (1 << 64) - 1).to_bytes(8, "little")[first : lanes + 1]
        at = (span.address + len(span.data)) % 8
        assert first == at, "the first lane is that of the address"
        span.data += data
        span.bad += [bool(word >> 70 & 1)] * len(data)
        last = bool(word >> 71 & 1)
        assert last == (len(span.data) == span.count), (len(span.data), span.count, last)
        if last:
            self._reading[who].popleft()
            span.answered = True
