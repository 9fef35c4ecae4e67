# SPDX-License-Identifier: Apache-2.0
"""A driver of the NIC: rings in host memory, doorbells, and nothing but interrupts to go by."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import Event, RisingEdge
from cocotb.utils import get_sim_time
from nic_rx_model import BAM, DD, EOP, SECRC, UPE, Settings
from nic_top_host import ADDRESS, Nic, word_of
from nic_tx_model import DD as TX_DD
from nic_tx_model import EOP as TX_EOP
from nic_tx_model import RS, Context, data

TX_RING, RX_RING = 0x12_3456_7810, 0x7_FFFF_FF30  # a ring begins at any multiple of 16
TX_DATA, RX_DATA = 0x7F_0000_0000, 0x1F_FFF0_0000
PITCH = 0x5000  # from a descriptor's data to the next one's
MARGIN = 80
LONGEST = 16114  # bytes of a frame, its FCS not counted: an MTU of 16100
FILLER = b"\xa5"


@dataclass
class Setup:
    """Values of registers, and the rings' lengths."""

    tx_entries: int = 64
    rx_entries: int = 64
    bsize: int = 0
    limit: int = LONGEST + 4
    rctl: int = UPE | BAM | SECRC
    ctrl0: int = 0  # beside JFE
    rxdctl: int = 0
    txdctl: int = 0
    rdtr: int = 0
    tidv: int = 0
    aligned: int = 0  # buffers begin at multiples of it


class Driver:
    """The driver from one reset to the next. It checks each descriptor and frame as it takes it."""

    def __init__(self, nic: Nic, setup: Setup | None = None) -> None:
        self.nic, self.setup = nic, setup or Setup()
        self.sent: list[bytes] = []  # frames of data that are to be on the wire
        self.packets: deque[list[tuple[int, int]]] = deque()  # index, descriptor: not yet back
        self.causes: list[int] = []  # that each interrupt had
        self.received = 0
        self.came_at = 0.0  # ns, at which software saw the last frame that came
        self.timely = False  # nothing else is under way: an interrupt has all in memory
        self.lossy = False  # frames that came may be missing; their lengths tell which
        self.missed = 0
        self.hold = False  # descriptors that were used stay with software
        self.progress = Event()
        self._tail = self._used = self._next = self._posted = self._at = 0
        self._addresses: list[int] = [0] * self.setup.rx_entries
        self._task: Any = None

    # ---- Begin and end ----

    async def open(self, causes: int = 0xFFFF) -> None:
        """Write all registers, as ixgb does, when the link is up.

        The receive ring gets all that it holds.
        """
        nic, setup = self.nic, self.setup
        nic.progress = self.progress
        vme = bool(setup.ctrl0 & word_of("CTRL0", VME=1))
        nic.model.settings = Settings(setup.rctl, vme, limit=setup.limit)
        await nic.until("STATUS", "LU", 1)
        assert not await nic.read("ICR") & ~word_of("ICR", LSC=1)
        for name, word in (("RAL", int.from_bytes(ADDRESS[:4], "little")),
                           ("RAH", 1 << 31 | int.from_bytes(ADDRESS[4:], "little"))):  # fmt: skip
            await nic.write(name, word)
            nic.model.tables.exact[name == "RAH"] = word
        await nic.write("CTRL0", setup.ctrl0, JFE=1)
        await nic.write("MFS", MFS=setup.limit)
        await nic.write("RXCSUM", IPOFL=1, TUOFL=1)
        for letter, ring, entries in (("R", RX_RING, setup.rx_entries),
                                      ("T", TX_RING, setup.tx_entries)):  # fmt: skip
            await nic.write(f"{letter}DBAL", ring & 0xFFFF_FFFF)
            await nic.write(f"{letter}DBAH", ring >> 32)
            await nic.write(f"{letter}DLEN", 16 * entries)
            await nic.write(f"{letter}DH", 0)
            await nic.write(f"{letter}DT", 0)
            nic.memory.put(ring, bytes(16 * entries))
        await nic.write("RXDCTL", setup.rxdctl)
        await nic.write("TXDCTL", setup.txdctl)
        await nic.write("RDTR", setup.rdtr)
        await nic.write("TIDV", setup.tidv)
        await nic.write("IMS", causes)
        self._task = cocotb.start_soon(self._serve())
        await nic.write("RCTL", setup.rctl, EN=1, BSIZE=setup.bsize)
        await nic.write("TCTL", EN=1)
        await self.refill()

    def close(self) -> None:
        """Leave the NIC alone."""
        self._task.kill()

    async def stop(self, **counted: int) -> None:
        """Turn both units off, at rest. All counters are what came and was sent, and `counted`."""
        await self.nic.write("RCTL", 0)
        await self.nic.write("TCTL", 0)
        self.close()
        self.nic.wire.clear()
        self.nic.starts.clear()
        await self.nic.check_counters(**counted)

    async def finished(self) -> None:
        """Wait until all was sent and received; check frames, their order and both heads."""
        nic = self.nic
        while self.packets or nic.kept or len(nic.wire) < len(self.sent):
            self.progress.clear()
            await self.progress.wait()
        self.check_wire()
        assert len(nic.wire) == len(self.sent)
        for letter, at in (("T", self._tail), ("R", self._next)):
            assert await nic.read(f"{letter}DH") == at, letter

    def check_wire(self) -> None:
        """Check that the frames on the wire are the first of those that were sent, in order."""
        for index, frame in enumerate(self.nic.wire):
            right = self.sent[index]
            assert frame == right, f"frame {index}: {len(frame)} B, expected {len(right)}"

    async def _serve(self) -> None:
        dut = self.nic.dut
        while True:
            if not int(dut.irq_o.value):
                await RisingEdge(dut.irq_o)
            if self.timely:
                assert self._some(), "an interrupt came ahead of its descriptor"
            self.causes.append(await self.nic.read("ICR"))
            assert self.causes[-1], "an interrupt without a cause"
            assert self.lossy or not self.causes[-1] & word_of("ICR", RXO=1), "nothing was lost"
            self._sent_back()
            await self._came()
            self.progress.set()

    def _some(self) -> bool:
        """Tell whether a descriptor is back."""
        back = self.packets and self._read(TX_RING, self.packets[0][-1][0]) & TX_DD
        return bool(back) or bool(self._read(RX_RING, self._next) >> 96 & DD)

    def _read(self, ring: int, index: int) -> int:
        return int.from_bytes(self.nic.memory.get(ring + 16 * index, 16), "little")

    # ---- Transmit ----

    async def packet(self, content: bytes, cuts: list[int] | int = 0, command: int = 0,
                     options: int = 0, tag: int = 0, context: Context | None = None,
                     frames: list[bytes] | None = None, bell: bool = True) -> None:  # fmt: skip
        """Send a packet in pieces of the sizes given, or in 1 + `cuts` random ones.

        `frames` are on the wire for it, without padding; if there are none, the packet is.
        """
        if isinstance(cuts, int):
            places = sorted(random.randint(0, len(content)) for _ in range(cuts))
        else:
            places = [sum(cuts[: index + 1]) for index in range(len(cuts))]
        spans = list(zip([0, *places], [*places, len(content)], strict=True))
        needed = len(spans) + (context is not None)
        while self._used + needed > self.setup.tx_entries - 1:
            self.progress.clear()
            await self.ring()
            await self.progress.wait()
        group: list[tuple[int, int]] = []
        if context is not None:
            group.append(self._put(context.descriptor()))
        for place, (begin, end) in enumerate(spans):
            address = TX_DATA + PITCH * self._tail + self._offset()
            self.nic.memory.put(address, content[begin:end])
            last = place == len(spans) - 1
            report = RS if last or (random.random() < 0.3 and not self.timely) else 0
            group.append(self._put(data(address, end - begin, command | report | TX_EOP * last,
                                        options, tag)))  # fmt: skip
        self.packets.append(group)
        for frame in frames if frames is not None else [content]:
            self.sent.append(frame.ljust(60, b"\0"))
            self.nic.counters.add("PLT64C", int(len(frame) < 60))
        if bell:
            await self.ring()

    async def ring(self, but: int = 0) -> None:
        """Write the tail; so many descriptors stay with software."""
        await self.nic.write("TDT", (self._tail - but) % self.setup.tx_entries)

    def _offset(self) -> int:
        step = self.setup.aligned
        return MARGIN + (-MARGIN % step if step else random.randrange(72))

    def _put(self, descriptor: int) -> tuple[int, int]:
        index = self._tail
        self.nic.memory.put(TX_RING + 16 * index, descriptor.to_bytes(16, "little"))
        self._tail = (index + 1) % self.setup.tx_entries
        self._used += 1
        return index, descriptor

    def _sent_back(self) -> None:
        """Take packets back whose last descriptor is; all their descriptors are as they should."""
        while self.packets and self._read(TX_RING, self.packets[0][-1][0]) & TX_DD:
            for index, descriptor in self.packets.popleft():
                right = descriptor | (TX_DD if descriptor >> 88 & RS else 0)
                got = self._read(TX_RING, index)
                assert got == right, f"descriptor {index}: {got:#x}, expected {right:#x}"
                self._used -= 1

    # ---- Receive ----

    async def refill(self) -> None:
        """Give the NIC all descriptors but one."""
        entries, size = self.setup.rx_entries, 2048 << self.setup.bsize
        while (self._posted + 1) % entries != self._next:
            index = self._posted
            self._addresses[index] = address = RX_DATA + PITCH * index + self._offset()
            self.nic.memory.put(address - 16, FILLER * (size + 32))
            self.nic.memory.put(RX_RING + 16 * index, address.to_bytes(16, "little"))
            self._posted = (index + 1) % entries
        await self.nic.write("RDT", self._posted)

    async def _came(self) -> None:
        """Take frames that are in memory; descriptors, data and what is around them are right."""
        kept, size, some = self.nic.kept, 2048 << self.setup.bsize, False
        while (got := self._read(RX_RING, self._next)) >> 96 & DD:
            while self.lossy and kept and len(kept[0].data) != got >> 64 & 0xFFFF:
                kept.popleft()
                self.missed += 1
            assert kept, f"a frame that did not come: {got:#x}"
            frame, begin, address = kept[0], self._at, self._addresses[self._next]
            part = frame.data[begin : begin + size]
            ends = begin + len(part) == len(frame.data)
            right = address | len(part) << 64 | DD << 96
            if ends:
                right |= (frame.status | EOP) << 96 | frame.errors << 104 | frame.special << 112
            assert got == right, f"descriptor {self._next}: {got:#x}, expected {right:#x}"
            around = FILLER * 16
            data_there = self.nic.memory.get(address - 16, len(part) + 32)
            assert data_there == around + part + around, f"data of descriptor {self._next}"
            self._next = (self._next + 1) % self.setup.rx_entries
            self._at, some = (0 if ends else begin + len(part)), True
            if ends:
                kept.popleft()
                self.received += 1
                self.came_at = get_sim_time("ns")
        if some and not self.hold:
            await self.refill()
