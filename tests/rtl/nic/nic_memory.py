# SPDX-License-Identifier: Apache-2.0
"""Host memory of the NIC's benches: cocotbext-axi's AxiRam with disorder, late answers and errors.

Reads are answered in random order of their IDs, with the beats of several bursts interleaved.
Writes are in memory when they are answered, not before.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import cocotb
from cocotb.queue import Queue
from cocotb.triggers import ClockCycles, FallingEdge
from cocotbext.axi import AxiBus, AxiRamRead, AxiRamWrite, AxiResp
from cocotbext.axi.sparse_memory import SparseMemory

PINS = {"size": 3, "burst": 1, "lock": 0, "cache": 3, "prot": 2}
LATE_ANSWERS = 64  # that wait in here, at most


class Memory:
    """Both sides of the memory, and what the bus asked of it."""

    def __init__(self, dut: Any, clock: Any, burst_bytes: int) -> None:
        self.fail_read: Callable[[int], bool] = lambda address: False
        self.fail_write: Callable[[int], bool] = lambda address: False
        self.disorder = False  # reads answer in any order
        self.late = 0  # most clocks that a burst or an answer waits
        self.burst_bytes = burst_bytes
        self.reads: list[tuple[int, int, int]] = []  # ID, address, beats
        self.writes: list[tuple[int, int]] = []  # address, beats
        bus = AxiBus.from_prefix(dut, "m_axi")
        cells = SparseMemory(2**62)
        args = (clock, dut.rst_ni)
        self.clock = clock
        self.read_side = _Read(self, bus.read, *args, mem=cells)
        self.write_side = _Write(self, bus.write, *args, mem=cells)
        for side in (self.read_side, self.write_side):
            side.log.setLevel("ERROR")

    def get(self, address: int, count: int) -> bytes:
        """Return bytes as the host sees them."""
        return bytes(self.read_side.read(address, count))

    def put(self, address: int, data: bytes) -> None:
        """Set bytes."""
        self.read_side.write(address, data)

    def hinder(self, on: bool) -> None:
        """Take and give address, data and answers in random clocks, or in all."""
        reads, writes = self.read_side, self.write_side
        for channel in (reads.ar_channel, reads.r_channel, writes.aw_channel, writes.w_channel,
                        writes.b_channel):  # fmt: skip
            channel.set_pause_generator(_pauses() if on else None)
            channel.pause = False

    def check(self, channel: Any, prefix: str) -> None:
        """Look at an address: its pins, and whether the burst crosses what it must not."""
        for pin, wanted in PINS.items():
            assert int(getattr(channel, f"{prefix}{pin}")) == wanted, pin
        address = int(getattr(channel, f"{prefix}addr"))
        beats = int(getattr(channel, f"{prefix}len")) + 1
        assert address % 8 == 0
        first, last = address // self.burst_bytes, (address + 8 * beats - 1) // self.burst_bytes
        assert first == last, f"a burst of {beats} beats from {address:#x}"

    async def wait(self) -> None:
        """Let up to `late` clocks pass."""
        if self.late:
            await ClockCycles(self.clock, random.randint(1, self.late))


def _pauses() -> Iterator[bool]:
    while True:
        for wait in (True, False):
            yield from [wait] * random.randint(1, 4)


class _Read(AxiRamRead):
    def __init__(self, owner: Memory, *args: Any, mem: Any) -> None:
        self._owner = owner
        super().__init__(*args, reset_active_level=False, mem=mem)
        self.ar_channel.queue_occupancy_limit = 16
        self.most = 0  # bursts that waited at once
        self.answered = 0  # beats

    async def _process_read(self) -> None:
        owner = self._owner
        waiting: list[tuple[int, int, int, int]] = []  # ID, address, beats, beats answered
        while True:
            if not waiting:
                await owner.wait()
            while not waiting or not self.ar_channel.empty():
                ar = await self.ar_channel.recv()
                owner.check(ar, "ar")
                burst = (int(ar.arid), int(ar.araddr), int(ar.arlen) + 1)
                owner.reads.append(burst)
                waiting.append((*burst, 0))
            self.most = max(self.most, len(waiting))
            choice = random.randrange(len(waiting)) if owner.disorder else 0
            number, address, beats, done = waiting[choice]
            if any(other[0] == number for other in waiting[:choice]):
                continue  # an ID's bursts keep their order
            r = self.r_channel._transaction_obj()
            at = address + 8 * done
            bad = owner.fail_read(at)
            r.rid, r.rlast = number, int(done + 1 == beats)
            r.rresp = AxiResp.SLVERR if bad else AxiResp.OKAY
            r.rdata = int.from_bytes(self.read(at, 8), "little")
            if done + 1 == beats:
                waiting.pop(choice)
            else:
                waiting[choice] = (number, address, beats, done + 1)
            await self.r_channel.send(r)
            self.answered += 1


class _Write(AxiRamWrite):
    def __init__(self, owner: Memory, *args: Any, mem: Any) -> None:
        self._owner = owner
        self._parts: list[tuple[int, bytes]] = []
        super().__init__(*args, reset_active_level=False, mem=mem)
        self.aw_channel.queue_occupancy_limit = 16
        self.w_channel.queue_occupancy_limit = 16
        self._late: Queue[Any] = Queue(LATE_ANSWERS)
        self._recv, self._answer = self.aw_channel.recv, self.b_channel.send
        self.aw_channel.recv = self._checked_recv
        self.b_channel.send = self._late_send
        self._recv_word, self.w_channel.recv = self.w_channel.recv, self._counted_recv
        self.answers = self.beats = 0
        self.stored = 0  # bytes
        cocotb.start_soon(self._deliver())

    async def _checked_recv(self) -> Any:
        aw = await self._recv()
        self._owner.check(aw, "aw")
        assert int(aw.awid) == 0
        self._owner.writes.append((int(aw.awaddr), int(aw.awlen) + 1))
        return aw

    async def _counted_recv(self) -> Any:
        word = await self._recv_word()
        self.beats += 1
        return word

    async def _write(self, address: int, data: bytes) -> None:
        if self._owner.fail_write(address):
            raise OSError
        self._parts.append((address, data))

    async def _late_send(self, b: Any) -> None:
        await self._late.put((b, self._parts))
        self._parts = []

    async def _deliver(self) -> None:
        while True:
            b, parts = await self._late.get()
            await self._owner.wait()
            for address, data in parts:
                self.write(address, data)
                self.stored += len(data)
            self.answers += 1
            await self._answer(b)


async def falls(clock: Any, count: int) -> None:
    """Wait for so many falling edges."""
    for _ in range(count):
        await FallingEdge(clock)
