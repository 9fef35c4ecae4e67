# SPDX-License-Identifier: Apache-2.0
"""The design's side of the core: bursts of AXI4, channel by channel, with any strobes."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cocotb.triggers import Event
from cocotbext.axi import AxiBus
from cocotbext.axi.axi_channels import AxiARSource, AxiAWSource, AxiBSink, AxiRSink, AxiWSource

HIGH = 0x3EDC_BA98_0000_0000
BASES = (0x1000_0000, 0x7FFF_F000, 0x1_0000_0000 - 4096, HIGH)


@dataclass
class Burst:
    """One burst of AXI4, and its answer."""

    address: int  # of its first word
    words: int
    number: int = 0  # ID
    data: bytes = b""  # to write, or read
    strobes: list[int] = field(default_factory=list)  # of each word
    resp: list[int] = field(default_factory=list)  # of each beat read, or of the write
    done: Event = field(default_factory=Event)

    def ended(self) -> bool:
        """Whether all of it is answered."""
        return self.done.is_set()


def some_address(words: int) -> int:
    """Return the address of a burst, often near a boundary, at 4 GiB or at a page's end."""
    base = random.choice(BASES) + 4096 * random.randrange(3)
    return base + 8 * random.choice((random.randrange(512), 16 * random.randrange(32),
                                     16 * random.randrange(1, 32) - 1, 512 - words))  # fmt: skip


def some_strobes(words: int) -> list[int]:
    """Return strobes of a burst: whole, from byte to byte, with holes, or none."""
    kind = random.random()
    if kind < 0.3:
        return [0xFF] * words
    if kind < 0.7:
        first, last = random.randrange(8), random.randrange(8)
        strobes = [0xFF] * words
        strobes[0] = 0xFF << first & 0xFF
        strobes[-1] &= 0xFF >> last
        return strobes
    if kind < 0.95:
        return [random.choice((0xFF, 0, random.getrandbits(8))) for _ in range(words)]
    return [0] * words


class Dma:
    """Sends bursts and takes answers; reads are answered in the order of their addresses."""

    def __init__(self, dut: Any) -> None:
        bus = AxiBus.from_prefix(dut, "s_axi")
        both = dut.clk, dut.rst_ni, False
        self.aw = AxiAWSource(bus.write.aw, *both)
        self.w = AxiWSource(bus.write.w, *both)
        self.b = AxiBSink(bus.write.b, *both)
        self.ar = AxiARSource(bus.read.ar, *both)
        self.r = AxiRSink(bus.read.r, *both)
        self.channels = (self.aw, self.w, self.b, self.ar, self.r)
        for channel in self.channels:
            channel.log.setLevel("ERROR")
        self._reads: deque[Burst] = deque()
        self._writes: deque[Burst] = deque()

    def hinder(self, on: bool) -> None:
        """Give and take in random clocks, or in all."""
        for channel in self.channels:
            channel.set_pause_generator(_pauses() if on else None)
            channel.pause = False

    def read(self, address: int, words: int, number: int = 0) -> Burst:
        """Begin a read."""
        burst = Burst(address, words, number)
        self._reads.append(burst)
        ar = self.ar._transaction_obj()
        ar.arid, ar.araddr, ar.arlen, ar.arsize, ar.arburst = number, address, words - 1, 3, 1
        self.ar.send_nowait(ar)
        return burst

    def write(self, address: int, data: bytes, strobes: list[int] | None = None,
              number: int = 0) -> Burst:  # fmt: skip
        """Begin a write."""
        words = len(data) // 8
        burst = Burst(address, words, number, data, strobes or [0xFF] * words)
        self._writes.append(burst)
        aw = self.aw._transaction_obj()
        aw.awid, aw.awaddr, aw.awlen, aw.awsize, aw.awburst = number, address, words - 1, 3, 1
        self.aw.send_nowait(aw)
        for at, strobe in enumerate(burst.strobes):
            w = self.w._transaction_obj()
            w.wdata = int.from_bytes(data[8 * at : 8 * at + 8], "little")
            w.wstrb, w.wlast = strobe, int(at == words - 1)
            self.w.send_nowait(w)
        return burst

    def idle(self) -> bool:
        """Take what has come; return whether nothing is under way."""
        while not self.r.empty():
            r = self.r.recv_nowait()
            burst = self._reads[0]
            assert int(r.rid) == burst.number
            burst.data += int(r.rdata).to_bytes(8, "little")
            burst.resp.append(int(r.rresp))
            last = len(burst.resp) == burst.words
            assert int(r.rlast) == last
            if last:
                self._reads.popleft().done.set()
        while not self.b.empty():
            b = self.b.recv_nowait()
            burst = self._writes.popleft()
            assert int(b.bid) == burst.number
            burst.resp.append(int(b.bresp))
            burst.done.set()
        return not self._reads and not self._writes


def _pauses() -> Iterator[bool]:
    while True:
        for wait in (True, False):
            yield from [wait] * random.randint(1, 4)
