# SPDX-License-Identifier: Apache-2.0
"""Host, nic_read and MAC around the transmit engine: descriptors in, frames out, a clock at a time.

One loop looks and drives at the falling edge. What the stand-in of nic_read does is written here:
spans in order, any number under way, each after a latency; words with the lanes that count; errors
at addresses of a set. Other lanes hold the memory's bytes, as a bus would give them.
"""

from __future__ import annotations

import random
from collections import deque
from typing import Any

from cocotb.triggers import FallingEdge
from nic_tx_model import DD, EOP, RS, Context, Model, data

BASE = 0x7F_FFF0_0000
SIZE = 1 << 19
(TAKEN, DONE, ASKED, DATA, WORD, WHOLE, FAILED, EMPTY, BUSY, IN_PACKET, REPORT) = (
    1 << bit for bit in range(11)
)
INPUTS = (
    "enable_i vlan_i desc_valid_i desc_i req_ready_i data_valid_i data_i word_ready_i "
    "segment_padding_i pack_valid_i pack_none_i pack_last_i pack_out_ready_i pack_start_i "
    "pack_first_i pack_lanes_i pack_data_i small_take_i small_take_frame_i small_item_i "
    "small_close_i small_drop_i small_word_i small_ready_i small_vlan_i small_out_ready_i "
    "small_take_words_i small_index_i small_data_i small_bytes_i small_info_i"
).split()


async def reset(dut: Any) -> None:
    """All inputs low, some clocks of reset."""
    for name in INPUTS:
        getattr(dut, name).value = 0
    dut.rst_ni.value = 0
    for _ in range(4):
        await FallingEdge(dut.clk)
    dut.rst_ni.value = 1
    await FallingEdge(dut.clk)


def frame_of(words: list[int]) -> bytes:
    """Return the bytes of a frame; every word but the last is whole, what is beyond is zero."""
    got = b""
    for index, word in enumerate(words):
        last, lanes, value = word >> 67, word >> 64 & 7, word & (1 << 64) - 1
        assert last == (index == len(words) - 1) and (last or lanes == 7), hex(word)
        assert value >> 8 * (lanes + 1) == 0, hex(word)
        got += value.to_bytes(8, "little")[: lanes + 1]
    return got


class Host:
    """Everything around the engine."""

    def __init__(self, dut: Any, vlan: bool = True) -> None:
        """Memory of random bytes; nothing waits, nothing stalls."""
        self.dut = dut
        self.memory = bytearray(random.randbytes(SIZE))
        self.bad: set[int] = set()  # addresses of words that cannot be read
        self.free = 0
        self.model = Model(self.read, vlan)
        # Chances that a handshake is ready in a clock, and clocks until a span's data come.
        self.desc = self.req = self.data = self.word = 1.0
        self.latency = (0, 0)
        self.enabled = True
        self.padding = 0
        self.timely = False  # all data of all descriptors count, and no descriptor is done early
        self.bytes_here = self.bytes_done = 0
        self.given: list[int] = []
        self.waiting: deque[int] = deque()
        self.done: list[tuple[int, bool]] = []
        self.frames: list[bytes] = []
        self.words: list[int] = []
        self.frame_bytes = 0
        self.coming: deque[tuple[int, int]] = deque()  # clock, word
        self.offered = {"desc": False, "data": False}
        self.driven: dict[str, int] = {}
        self.clock = 0
        self.counts = dict.fromkeys((TAKEN, DONE, ASKED, DATA, WORD, WHOLE, FAILED), 0)
        self.spans: list[tuple[int, int]] = []
        self.state = 0
        self.first_word = self.last_word = 0

    # ---- Memory and descriptors ----

    def read(self, address: int, size: int) -> tuple[bytes, bool]:
        """Return bytes of memory, and whether all of them can be read."""
        words = range(address & ~7, address + size, 8)
        at = address - BASE
        return bytes(self.memory[at : at + size]), self.bad.isdisjoint(words)

    def put(self, content: bytes, align: int | None = None) -> int:
        """Put bytes somewhere; return their address."""
        at = self.free + 7 & ~7
        assert at + len(content) + 8 <= SIZE, "settle() gives the memory back"
        at += random.randrange(8) if align is None else align
        self.memory[at : at + len(content)] = content
        self.free = at + len(content)
        return BASE + at

    def give(self, descriptor: int, context: Context | None = None) -> None:
        """Hand a descriptor to the engine and to the model."""
        self.model.take(descriptor, context)
        self.given.append(descriptor)
        self.waiting.append(descriptor)

    def set_context(self, context: Context) -> None:
        """Hand over a context descriptor."""
        self.give(context.descriptor(), context)

    def packet(self, content: bytes, cuts: list[int] | int = 0, command: int = 0,
               options: int = 0, tag: int = 0, align: int | None = None,
               spoil: float = 0) -> None:  # fmt: skip
        """Hand over a packet: in pieces of the sizes given, or in 1 + `cuts` random ones.

        `spoil`: chance for each piece that a word of it cannot be read.
        """
        if isinstance(cuts, int):
            places = sorted(random.randint(0, len(content)) for _ in range(cuts))
        else:
            places = [sum(cuts[: index + 1]) for index in range(len(cuts))]
        begins, ends = [0, *places], [*places, len(content)]
        for index, (begin, end) in enumerate(zip(begins, ends, strict=True)):
            address = self.put(content[begin:end], align)
            if end > begin and random.random() < spoil:
                self.bad.add(address + random.randrange(end - begin) & ~7)
            last = EOP if index == len(places) else 0
            report = RS if random.random() < 0.5 else 0
            kind = 1 if index == 0 else random.choice((0, 1))  # within a packet it says nothing
            more = (command & ~RS) | report
            self.give(data(address, end - begin, more | last, options, tag, kind))

    # ---- The loop ----

    def drive(self, name: str, value: int) -> None:
        """Set an input, if it changes."""
        if self.driven.get(name) != value:
            self.driven[name] = value
            getattr(self.dut, name).value = value

    def look(self) -> None:
        """See what was handed over at the rising edge."""
        dut = self.dut
        moved = self.state = int(dut.moved_o.value)
        for bit in self.counts:
            if moved & bit:
                self.counts[bit] += 1
        if moved & TAKEN:
            self.waiting.popleft()
            self.offered["desc"] = False
        if moved & DATA:
            _, word = self.coming.popleft()
            self.offered["data"] = False
            self.bytes_here += (word >> 64 & 7) - (word >> 67 & 7) + 1
        if moved & ASKED:
            self.span(int(dut.req_o.value))
        if moved & DONE:
            self.done.append((int(dut.done_o.value), bool(moved & REPORT)))
            self.bytes_done += self.done[-1][0] >> 64 & 0xFFFFF
            assert not self.timely or self.bytes_here >= self.bytes_done, "done before its data"
        if moved & WORD:
            self.first_word = self.first_word or self.clock
            self.last_word = self.clock
            if not self.words:
                self.frame_bytes = int(dut.frame_bytes_o.value)
            self.words.append(int(dut.word_o.value))
            if self.words[-1] >> 67:
                self.frames.append(frame_of(self.words))
                assert len(self.frames[-1]) == self.frame_bytes, "the length that the MAC is told"
                self.words = []

    def span(self, asked: int) -> None:
        """A span was asked for: its words come after a latency, in order."""
        address, size = asked >> 15, asked & 0x7FFF
        assert BASE <= address and address + size <= BASE + SIZE and size, (hex(address), size)
        self.spans.append((address, size))
        due = self.clock + random.randint(*self.latency)
        end = address + size - 1
        for word in range(address & ~7, end + 1, 8):
            first, lanes = max(address - word, 0), min(end - word, 7)
            value = int.from_bytes(self.memory[word - BASE : word - BASE + 8], "little")
            flags = (end - word < 8) << 7 | (word in self.bad) << 6 | first << 3 | lanes
            self.coming.append((due, flags << 64 | value))

    def act(self) -> None:
        """Drive the inputs for the rising edge to come; what was offered stays until taken."""
        chance = random.random
        self.drive("enable_i", int(self.enabled))
        self.drive("vlan_i", int(self.model.vlan))
        self.drive("segment_padding_i", self.padding)
        if self.waiting and not self.offered["desc"] and chance() < self.desc:
            self.offered["desc"] = True
            self.drive("desc_i", self.waiting[0])
        self.drive("desc_valid_i", int(self.offered["desc"]))
        due = self.coming and self.coming[0][0] <= self.clock
        if due and not self.offered["data"] and chance() < self.data:
            self.offered["data"] = True
            self.drive("data_i", self.coming[0][1])
        self.drive("data_valid_i", int(self.offered["data"]))
        self.drive("req_ready_i", int(self.req == 1.0 or chance() < self.req))
        self.drive("word_ready_i", int(self.word == 1.0 or chance() < self.word))

    async def clocks(self, count: int) -> None:
        """Let so many clocks pass."""
        for _ in range(count):
            self.act()
            await FallingEdge(self.dut.clk)
            self.clock += 1
            self.look()

    async def settle(self, patience: int = 4000) -> None:
        """Run until every descriptor is back and nothing is under way; compare all with the model.

        `patience`: clocks in which nothing is handed over.
        """
        still = 0
        while True:
            before = dict(self.counts)
            await self.clocks(1)
            still = still + 1 if before == self.counts else 0
            at_rest = not self.state & BUSY and self.state & EMPTY
            if at_rest and len(self.done) == len(self.given) and still > 8:
                break
            assert still < patience, f"{len(self.done)} of {len(self.given)} descriptors are back"
        self.check()
        self.free = 0
        self.bad.clear()

    def check(self) -> None:
        """Frames, descriptors and counts are the model's."""
        expected = [
            (each | (DD if each >> 88 & RS else 0), bool(each >> 88 & RS)) for each in self.given
        ]
        assert self.done == expected, "descriptors came back changed, or out of order"
        for index, (got, right) in enumerate(zip(self.frames, self.model.frames, strict=False)):
            assert got == right, difference(index, got, right)
        assert len(self.frames) == len(self.model.frames) and not self.words
        assert self.counts[WHOLE] == self.model.whole, (self.counts[WHOLE], self.model.whole)
        assert self.counts[FAILED] == self.model.failed, (self.counts[FAILED], self.model.failed)
        assert not self.coming and int(self.dut.room_o.value) == 4096

    def hinder(self) -> None:
        """Everything stalls at random from now on."""
        self.desc, self.req, self.data, self.word = (
            random.choice((0.1, 0.5, 0.9, 1.0)) for _ in range(4)
        )
        self.latency = random.choice(((0, 0), (0, 20), (50, 150)))


def difference(index: int, got: bytes, right: bytes) -> str:
    """Say where two frames differ."""
    places = [at for at, (a, b) in enumerate(zip(got, right, strict=False)) if a != b]
    return (
        f"frame {index}: {len(got)} B, expected {len(right)}; bytes {places[:12]} differ:\n"
        f"{got[:160].hex()}\n{right[:160].hex()}"
    )


async def started(dut: Any, vlan: bool = True) -> Host:
    """Return a host around an engine that was reset."""
    await reset(dut)
    return Host(dut, vlan)
