# SPDX-License-Identifier: Apache-2.0
"""A host on the PCI-X bus: memory that splits, delays and reorders; accesses of registers."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pcix_pins as pins
from cocotb.triggers import Event
from cocotbext.axi import AxiLiteBus, AxiLiteRam
from pcix_bus import Bus
from pcix_dma import Dma
from pcix_initiator import Request, attributes_of
from pcix_pins import COMPLETION, READ_BLOCK, READ_DWORD, READS, WRITE, WRITE_BLOCK, Pins
from pcix_target import Answer, Taken

HOST_ID = 0x0000
CORE_BUS, CORE_DEVICE = 3, 5
CORE_ID = CORE_BUS << 8 | CORE_DEVICE << 3
BAR0, BAR1 = 0x12_0000_0000 | 0xF00_1000, 0x4000_0100
BAR0_BYTES, BAR1_BYTES = 1 << 12, 1 << 8
PCIX, MSI = 0x40, 0x50
PAGE = 4096


class Memory:
    """Bytes at 64-bit addresses; those that nobody wrote are zero."""

    def __init__(self) -> None:
        self._pages: defaultdict[int, bytearray] = defaultdict(lambda: bytearray(PAGE))

    def byte(self, address: int) -> int:
        """Return a byte."""
        return self._pages[address // PAGE][address % PAGE]

    def set(self, address: int, value: int) -> None:
        """Set a byte."""
        self._pages[address // PAGE][address % PAGE] = value

    def get(self, address: int, count: int) -> bytes:
        """Return bytes."""
        return bytes(self.byte(address + at) for at in range(count))

    def put(self, address: int, data: bytes) -> None:
        """Set bytes."""
        for at, value in enumerate(data):
            self.set(address + at, value)


@dataclass
class Split:
    """A read of the core that got a Split Response, with the rest that is left."""

    tag: int
    address: int
    count: int
    clocks: int  # until its next part
    message: int | None = None  # a Split Completion Message with this class and index ends it
    running: bool = False


@dataclass
class Reply:
    """Data of Split Completions for a read of the host."""

    count: int
    lower: int
    data: bytes = b""
    message: int | None = None
    done: Event = field(default_factory=Event)


class Host:
    """Policies are functions that test benches replace; by default all is simple and in order."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.memory = Memory()
        self.answer: Callable[[Taken], Answer] = self.simple
        self.answer_completion: Callable[[Taken], Answer] = lambda taken: Answer()
        self.delay: Callable[[], int] = lambda: 8
        self.parts: Callable[[], str] = lambda: "whole"  # cut, modified
        self.fails: Callable[[Taken], int | None] = lambda taken: None  # message of a split read
        self.in_order = True
        self.splits: list[Split] = []
        self.most_splits = 0
        self.reordered = 0
        self.wide = True
        self.bus = Bus(dut, self._choose, self.memory.byte, self._take)
        self.bus.each_clock.append(self._complete)
        self._replies: dict[int, Reply] = {}
        self._tag = 0

    async def start(self, mode: str = "133", wide: bool = True, ready: bool = True) -> None:
        """Reset the core; give it its numbers, its BARs and the right to master the bus."""
        self.wide = wide
        clock, reset = self.dut.clk, self.dut.rst_ni
        self.registers = AxiLiteRam(AxiLiteBus.from_prefix(self.dut, "m_axil"), clock, reset,
                                    reset_active_level=False, size=2 * BAR0_BYTES)  # fmt: skip
        self.dma = Dma(self.dut)
        for side in (self.registers.write_if, self.registers.read_if):
            side.log.setLevel("ERROR")
        await self.bus.start(mode, wide)
        if ready:
            await self.config_write(0x10, BAR0 & 0xFFFF_FFFF)
            await self.config_write(0x14, BAR0 >> 32)
            await self.config_write(0x18, BAR1)
            await self.config_write(0x04, 0x0146)

    def simple(self, taken: Taken) -> Answer:
        """Split reads; take writes at once."""
        return Answer("split" if taken.command in READS else "data")

    # ---- The core's transactions ----

    def _choose(self, taken: Taken) -> Answer | None:
        if taken.command == COMPLETION:
            known = taken.address >> 8 & 0xFFFF == HOST_ID
            return self.answer_completion(taken) if known else None
        return self.answer(taken)

    def _take(self, taken: Taken) -> None:
        for address, value in taken.data.items() if taken.command != COMPLETION else ():
            self.memory.set(address, value)
        if taken.kind == "split":
            self.splits.append(Split(taken.tag, taken.address, taken.count, self.delay(),
                                     self.fails(taken)))  # fmt: skip
            self.most_splits = max(self.most_splits, len(self.splits))
            assert taken.attributes >> 8 & 0xFFFF == CORE_ID
        if taken.command == COMPLETION and taken.kind in ("data", "single"):
            self._reply(taken)

    def _reply(self, taken: Taken) -> None:
        reply = self._replies[taken.tag]
        assert taken.attributes >> 8 & 0xFFFF == CORE_ID
        data = bytes(taken.data[taken.lower + at] for at in range(taken.moved))
        if taken.attributes >> 29 & 1:
            assert taken.attributes >> 30 & 1, "messages of reads are errors"
            reply.message = int.from_bytes(data, "little")
            reply.done.set()
            return
        assert taken.lower == (reply.lower + len(reply.data)) % 128
        left = reply.count - len(reply.data)
        whole = taken.attributes >> 31 == 0
        assert taken.count == left if whole else taken.count < left
        reply.data += data
        if len(reply.data) == reply.count:
            reply.done.set()

    # ---- Split Completions for the core ----

    def _complete(self, now: Pins) -> None:
        idle = [split for split in self.splits if not split.running]
        for split in idle:
            split.clocks -= 1
        ready = [split for split in idle if split.clocks <= 0]
        if not ready or len(self.bus.initiator.queue) > 2:
            return
        split = ready[0] if self.in_order else random.choice(ready)
        if split is not self.splits[0]:
            self.reordered += 1
        split.running = True
        request = self.completion(split)
        self.bus.initiator.queue.append(request)
        request.done = _Done(lambda: self._completed(split, request))

    def completion(self, split: Split) -> Request:
        """Return the Split Completion of the rest of a split read, or of a part of it."""
        lower, count, cut = split.address & 0x7F, split.count, 0
        if split.message is not None:
            data = split.message << 20 | lower << 12 | count & 0xFFF
            return self.part(split.tag, 0, 4, data.to_bytes(4, "little"), flags=0b011)
        kind, modified = self.parts(), 0
        if kind != "whole" and lower + count > 128:
            room = 128 * random.randint(1, (lower + count - 1) // 128) - lower
            cut = pins.phases_of(lower, room, self.wide)
            if kind == "modified" or cut < 4:  # a target would see its end too late
                count, modified, cut = room, 1, 0
        data = self.memory.get(split.address, count)
        request = self.part(split.tag, lower, count, data, flags=modified << 2)
        request.cut = cut
        return request

    def part(self, tag: int, lower: int, count: int, data: bytes, flags: int = 0,
             requester: int = CORE_ID) -> Request:  # fmt: skip
        """Return a Split Completion; `flags` are BCM, SCE, SCM."""
        return Request(COMPLETION, tag << 24 | requester << 8 | lower,
                       flags << 29 | HOST_ID << 8 | count & 0xFF, upper=count >> 8 & 0xF,
                       count=count, data=data, wide=self.wide)  # fmt: skip

    def _completed(self, split: Split, request: Request) -> None:
        assert request.ending == "moved", request
        assert request.was_wide == (self.wide and request.wide)
        moved = 4096 if split.message is not None else request.bytes_moved
        split.address += moved
        split.count -= moved
        split.clocks, split.running = self.delay(), False
        if split.count <= 0:
            self.splits.remove(split)

    # ---- The host's accesses ----

    async def config_read(self, register: int, device: int = CORE_DEVICE) -> int:
        """Return a DWORD of configuration space."""
        request = Request(pins.CONFIG_READ, device << 11 | register,
                          HOST_ID << 8 | CORE_BUS, upper=0)  # fmt: skip
        await self.bus.run(request)
        assert request.ending == "moved", request.ending
        return request.read[0] & 0xFFFF_FFFF

    async def config_write(self, register: int, value: int, lanes: int = 0xF,
                           device: int = CORE_DEVICE, bus: int = CORE_BUS) -> None:  # fmt: skip
        """Write a DWORD of configuration space."""
        request = Request(pins.CONFIG_WRITE, device << 11 | register, HOST_ID << 8 | bus,
                          upper=lanes ^ 0xF, data=value.to_bytes(4, "little"))  # fmt: skip
        await self.bus.run(request)
        assert request.ending == "moved", request.ending

    async def write(self, address: int, data: bytes, enables: list[bool] | None = None) -> int:
        """Write bytes; return how many transactions it took."""
        count = 0
        while data:
            command = WRITE_BLOCK if enables is None else WRITE
            request = Request(command, address, **attributes_of(HOST_ID, 0, len(data)), data=data,
                              enables=enables or [])  # fmt: skip
            request.wide = self.wide and len(data) > 4 and random.random() < 0.5
            await self.bus.run(request)
            assert request.ending in ("single", "moved"), request.ending
            moved = request.bytes_moved
            address, data = address + moved, data[moved:]
            enables = enables[moved:] if enables is not None else None
            count += 1
        return count

    async def read(self, address: int, count: int, dword: bool = False) -> Reply:
        """Read bytes by a Split Transaction."""
        self._tag = (self._tag + 1) % 32
        command = READ_DWORD if dword else READ_BLOCK
        both = attributes_of(HOST_ID, self._tag, count, relaxed=random.random() < 0.5)
        if dword:
            both |= {"attributes": self._tag << 24 | HOST_ID << 8, "upper": 0, "count": 4}
        request = Request(command, address, **both, wide=self.wide and not dword)
        reply = self._replies[self._tag] = Reply(count, 0 if dword else address & 0x7F)
        await self.bus.run(request)
        assert request.ending == "split", request.ending
        assert request.read == []
        await reply.done.wait()
        return reply


class _Done:
    """Stands for an event: calls a function when it is set."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call

    def set(self) -> None:
        """The transaction has ended."""
        self._call()
