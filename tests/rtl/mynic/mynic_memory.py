# SPDX-License-Identifier: Apache-2.0
"""Host memory of the NIC's bench: cocotbext-axi's AxiRam with latency, disorder and errors.

The host sees a write once the bus has answered it, and not before: a descriptor that overtakes its
frame's bytes shows the bytes that were there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import cocotb
from cocotb.queue import Queue
from cocotb.triggers import Event, Timer
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiBus, AxiRamRead, AxiRamWrite
from cocotbext.axi.sparse_memory import SparseMemory

BURSTS = 256  # that wait in here, at most
BYTES = 2**48


def now_ns() -> int:
    """Return the simulated time."""
    return int(get_sim_time("ns"))


class Late:
    """Things that come out `latency` ns after they came in; those of an ID in order, no others."""

    def __init__(self, latency: Callable[[], int]) -> None:
        self._latency = latency
        self._held: list[tuple[int, int, Any]] = []
        self._came = Event()

    def put(self, number: int, thing: Any) -> None:
        """Keep a thing of an ID."""
        due = now_ns() + self._latency()
        before = [at for at, other, _ in self._held if other == number]
        self._held.append((max([due, *before]), number, thing))
        self._came.set()

    async def get(self) -> Any:
        """Return the thing that is due first."""
        while True:
            if not self._held:
                self._came.clear()
                await self._came.wait()
            first = min(self._held, key=lambda each: each[0])
            if first[0] <= now_ns():
                self._held.remove(first)
                return first[2]
            await Timer(min(first[0] - now_ns(), 8), "ns")


class Memory:
    """Both sides of the NIC's memory."""

    def __init__(self, dut: Any) -> None:
        self.latency_ns = 0
        self.spread_ns = 0
        self.fail_read: Callable[[int], bool] = lambda address: False
        self.fail_write: Callable[[int], bool] = lambda address: False
        self.writes: list[tuple[int, int]] = []  # time in ns, ID: as they were answered
        bus = AxiBus.from_prefix(dut, "m_axi")
        args = (dut.clk, dut.rst_n)
        cells = SparseMemory(BYTES)
        self.reads = _Read(self, bus.read, *args, mem=cells)
        self.write_side = _Write(self, bus.write, *args, mem=cells)
        for side in (self.reads, self.write_side):
            side.log.setLevel("WARNING")

    def latency(self) -> int:
        """Return the latency of one burst, in ns."""
        return self.latency_ns + random.randint(0, self.spread_ns)

    def get(self, address: int, count: int) -> bytes:
        """Return bytes as the host sees them."""
        return bytes(self.reads.read(address, count))

    def put(self, address: int, data: bytes) -> None:
        """Set bytes."""
        self.reads.write(address, data)

    def hinder(self, on: bool) -> None:
        """Take and give address, data and answer in random clocks, or in all."""
        reads, writes = self.reads, self.write_side
        for channel in (reads.ar_channel, reads.r_channel, writes.aw_channel, writes.w_channel,
                        writes.b_channel):  # fmt: skip
            if on:
                channel.set_pause_generator(_pauses())
            else:
                channel.clear_pause_generator()
                channel.pause = False


def _pauses() -> Iterator[bool]:
    while True:
        for wait in (True, False):
            yield from [wait] * random.randint(1, 4)


class _Read(AxiRamRead):
    def __init__(self, owner: Memory, bus: Any, clock: Any, reset: Any, mem: Any) -> None:
        super().__init__(bus, clock, reset, reset_active_level=False, mem=mem)
        self._owner = owner
        self.ar_channel.queue_occupancy_limit = BURSTS
        self.asked = 0  # most bursts that waited at once
        self._recv = self.ar_channel.recv
        self._late = Late(owner.latency)
        self._count = 0
        self.ar_channel.recv = self._late_recv
        cocotb.start_soon(self._keep())

    async def _keep(self) -> None:
        while True:
            ar = await self._recv()
            self._count += 1
            self.asked = max(self.asked, self._count)
            self._late.put(int(ar.arid), ar)

    async def _late_recv(self) -> Any:
        ar = await self._late.get()
        self._count -= 1
        return ar

    async def _read(self, address: int, length: int) -> bytes:
        if self._owner.fail_read(address):
            raise OSError
        return self.read(address, length)


class _Write(AxiRamWrite):
    def __init__(self, owner: Memory, bus: Any, clock: Any, reset: Any, mem: Any) -> None:
        super().__init__(bus, clock, reset, reset_active_level=False, mem=mem)
        self._owner = owner
        self._parts: list[tuple[int, bytes]] = []
        self._answer = self.b_channel.send
        self._late = Late(owner.latency)
        self._room: Queue[None] = Queue(BURSTS)
        self.b_channel.send = self._late_send
        cocotb.start_soon(self._deliver())

    async def _write(self, address: int, data: bytes) -> None:
        if self._owner.fail_write(address):
            raise OSError
        self._parts.append((address, data))

    async def _late_send(self, b: Any) -> None:
        await self._room.put(None)
        self._late.put(int(b.bid), (b, self._parts))
        self._parts = []

    async def _deliver(self) -> None:
        while True:
            b, parts = await self._late.get()
            self._room.get_nowait()
            for address, data in parts:
                self.write(address, data)
            await self._answer(b)
            self._owner.writes.append((now_ns(), int(b.bid)))
