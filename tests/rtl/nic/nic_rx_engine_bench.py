# SPDX-License-Identifier: Apache-2.0
"""The NIC's receive engine: frames cut by buffer, descriptors filled, room given back."""

from __future__ import annotations

import random
import struct
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, Timer
from nic_line import words_of

AHEAD = 4  # spans under way
DD, EOP = 1, 2
INPUTS = ("enable_i", "bsize_i", "rdmts_i", "entries_i", "info_valid_i", "info_i", "info_words_i",
          "word_valid_i", "word_i", "desc_valid_i", "desc_i", "available_i", "req_ready_i",
          "out_ready_i", "done_i", "rst_ni")  # fmt: skip


@dataclass
class Frame:
    """A frame of the packet buffer."""

    data: bytes
    special: int
    errors: int
    status: int
    checksum: int
    words: int
    sent: int = 0  # bytes for which there is a span

    @property
    def info(self) -> int:
        """The same as rx_info_t."""
        return (len(self.data) << 48 | self.special << 32 | self.errors << 24 | self.status << 16
                | self.checksum)  # fmt: skip


@dataclass
class Span:
    """A span that the engine should ask for, and its descriptor as it should come back."""

    address: int
    data: bytes
    done: bytes
    release: int | None  # words, with a frame's last span
    due: int = 0  # when it is handed over


def some_frame(length: int) -> Frame:
    """Return a frame of the buffer with everything at random."""
    return Frame(random.randbytes(length), random.getrandbits(16), random.getrandbits(8),
                 random.getrandbits(8) & ~EOP | DD, random.getrandbits(16),
                 (length + random.choice((0, 4, 8)) + 7) // 8)  # fmt: skip


class Engine:
    """The engine, and Python's packet buffer, ring and writer around it."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.likely = dict.fromkeys(("info", "word", "desc", "req", "out", "done"), 1.0)
        self.enable = True
        self.clocks = 0
        self.frames: deque[Frame] = deque()  # that wait in the buffer
        self.words: deque[int] = deque()  # of frames whose info was taken
        self.descriptors: deque[int] = deque()  # given by the host
        self.open: Frame | None = None
        self.asked: deque[Span] = deque()  # descriptor taken, request to come
        self.spans: deque[Span] = deque()  # requested, words to come
        self.handed: deque[Span] = deque()  # all words came
        self.shown = {"info": False, "word": False, "desc": False}
        self.data = bytearray()
        self.done: Span | None = None  # handed over a clock ago
        self.low = False
        self.released = 0
        self.lows = 0
        self.under_way = 0
        self.filler = random.getrandbits(64)

    async def start(self, bsize: int = 0, rdmts: int = 0, entries: int = 256) -> None:
        """Leave reset, switched on."""
        dut = self.dut
        for name in INPUTS:
            getattr(dut, name).value = 0
        for _ in range(6):
            await FallingEdge(dut.clk)
        dut.rst_ni.value = 1
        self.set(bsize, rdmts, entries)

    def set(self, bsize: int, rdmts: int, entries: int) -> None:
        """Set the buffers' size and where few descriptors are left."""
        self.buffer, self.threshold = 2048 << bsize, entries >> min(rdmts + 1, 3)
        self.dut.bsize_i.value, self.dut.rdmts_i.value = bsize, rdmts
        self.dut.entries_i.value = entries

    def give(self, count: int) -> None:
        """Give descriptors."""
        self.descriptors.extend(random.getrandbits(64) for _ in range(count))

    def _show(self, name: str, there: bool) -> bool:
        """Tell whether something is offered: once it is, it stays until it is taken."""
        self.shown[name] = there and (self.shown[name] or random.random() < self.likely[name])
        return self.shown[name]

    async def clock(self, count: int = 1) -> None:
        """Let clocks pass."""
        for _ in range(count):
            await FallingEdge(self.dut.clk)
            self.clocks += 1
            self._drive()
            await Timer(1, "ns")  # what follows inputs in the same clock
            self._look()

    def _drive(self) -> None:
        dut = self.dut
        dut.enable_i.value = int(self.enable)
        dut.info_valid_i.value = int(self._show("info", bool(self.frames)))
        if self.frames:
            dut.info_i.value, dut.info_words_i.value = self.frames[0].info, self.frames[0].words
        dut.word_valid_i.value = int(self._show("word", bool(self.words)))
        if self.words:
            dut.word_i.value = self.words[0]
        dut.desc_valid_i.value = int(self._show("desc", bool(self.descriptors)))
        if self.descriptors:
            dut.desc_i.value = self.filler << 64 | self.descriptors[0]
        dut.available_i.value = len(self.descriptors)
        self.req_ready = random.random() < self.likely["req"]
        self.out_ready = random.random() < self.likely["out"]
        dut.req_ready_i.value, dut.out_ready_i.value = int(self.req_ready), int(self.out_ready)
        self.handing = bool(self.handed) and self.handed[0].due <= self.clocks and (
            random.random() < self.likely["done"])  # fmt: skip
        dut.done_i.value = int(self.handing)

    def _look(self) -> None:
        dut = self.dut
        self._registered()
        if self.shown["word"] and int(dut.word_ready_o.value):
            self.words.popleft()
            self.shown["word"] = False
            assert int(dut.out_valid_o.value) and self.out_ready
        if int(dut.out_valid_o.value) and self.out_ready:
            self._word(int(dut.out_o.value))
        if int(dut.req_valid_o.value) and self.req_ready:
            span, asked = self.asked.popleft(), int(dut.req_o.value)
            assert (asked >> 15, asked & 0x7FFF) == (span.address, len(span.data))
            self.spans.append(span)
        if int(dut.desc_take_o.value):
            assert self.shown["desc"]
            self._take()
        if self.shown["info"] and int(dut.info_ready_o.value):
            assert self.open is None, "a frame is begun before the one ahead is cut"
            self.open = self.frames.popleft()
            self.shown["info"] = False
            self.words.extend(words_of(self.open.data))
        self.done = None
        if self.handing:
            self.done = self.handed.popleft()

    def _registered(self) -> None:
        """Hold to the model what follows the clock before."""
        dut = self.dut
        assert bool(int(dut.low_o.value)) == self.low
        self.lows += self.low
        self.low = False
        given = self.done
        assert bool(int(dut.done_valid_o.value)) == (given is not None)
        ends = given is not None and given.release is not None
        assert bool(int(dut.release_o.value)) == bool(int(dut.written_o.value)) == ends
        if given is not None:
            assert int(dut.done_o.value) == int.from_bytes(given.done, "little")
            assert int(dut.done_report_o.value)
            self.under_way -= 1
        if given is not None and given.release is not None:
            assert int(dut.release_words_o.value) == given.release
            self.released += 1
        resting = self.open is None and self.under_way == 0 and given is None
        assert bool(int(dut.rest_o.value)) == resting
        waits = self.shown["info"] and self.enable
        assert bool(int(dut.busy_o.value)) == (not resting or waits)

    def _take(self) -> None:
        """A descriptor was taken: cut the open frame as the engine should."""
        frame = self.open
        assert frame is not None
        address = self.descriptors.popleft()
        self.shown["desc"] = False
        part = frame.data[frame.sent : frame.sent + self.buffer]
        frame.sent += len(part)
        ends = frame.sent == len(frame.data)
        done = struct.pack("<QHHBBH", address, len(part), frame.checksum, frame.status | EOP,
                           frame.errors, frame.special) if ends else (
            struct.pack("<QHHBBH", address, len(part), 0, DD, 0, 0))  # fmt: skip
        self.asked.append(Span(address, part, done, frame.words if ends else None))
        self.low = len(self.descriptors) == self.threshold
        self.under_way += 1
        assert self.under_way <= AHEAD
        if ends:
            self.open = None

    def _word(self, word: int) -> None:
        """A word goes to the writer."""
        assert self.spans, "a word ahead of its request"
        lanes = (word >> 64 & 7) + 1
        self.data += (word & (1 << 64) - 1).to_bytes(8, "little")[:lanes]
        span = self.spans[0]
        assert bool(word >> 67 & 1) == (len(self.data) >= len(span.data))
        if word >> 67 & 1:
            assert bytes(self.data) == span.data
            self.data.clear()
            span.due = self.clocks + random.choice((1, 1, 5, 20))
            self.handed.append(self.spans.popleft())

    async def finish(self, frames: int) -> None:
        """Let all frames be written: so many by then."""
        for _ in range(30_000):
            if self.released == frames:
                break
            await self.clock()
        assert self.released == frames, f"{self.released} of {frames} frames were written"
        await self.clock(4)
        assert not (self.asked or self.spans or self.handed or self.words or self.data)
        assert int(self.dut.rest_o.value) and not int(self.dut.busy_o.value)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def frames_are_cut_by_the_size_of_a_buffer(dut: Any) -> None:
    """Each BSIZE; as long as one, two and more buffers, a byte less, a byte more."""
    engine = Engine(dut)
    await engine.start()
    frames = 0
    for bsize in range(4):
        engine.set(bsize, 0, 256)
        size = 2048 << bsize
        lengths = [n * size + more for n in (0, 1, 2) for more in (-9, -8, -1, 0, 1, 7, 8, 9)]
        lengths = [length for length in lengths if 0 < length <= 16383]
        for length in [*lengths[:12], *([16383] if bsize in (0, 3) else [])]:
            engine.frames.append(some_frame(length))
            frames += 1
        engine.give(60)
        await engine.finish(frames)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def everything_may_stall_at_random(dut: Any) -> None:
    """The buffer, the ring, the writer's requests, words and answers, one and all."""
    engine = Engine(dut)
    await engine.start()
    names = list(engine.likely)
    frames = 0
    for slow in [*([name] for name in names), names, []]:
        engine.likely = {name: 0.2 if name in slow else 0.9 for name in names}
        if not slow:
            engine.likely = dict.fromkeys(names, 1.0)
        for _ in range(14):
            engine.frames.append(some_frame(random.choice((1, 8, 60, 60, 61, 100, 2049, 2100))))
            frames += 1
        engine.give(30)
        await engine.finish(frames)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def no_more_spans_are_under_way_than_that(dut: Any) -> None:
    """A writer that takes all and answers nothing: four spans, then it waits."""
    engine = Engine(dut)
    await engine.start()
    engine.likely["done"] = 0
    engine.frames.extend(some_frame(60) for _ in range(8))
    engine.give(8)
    await engine.clock(100)
    assert engine.under_way == AHEAD and len(engine.handed) == AHEAD
    engine.likely["done"] = 1
    await engine.finish(8)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def few_descriptors_are_told_once_at_the_threshold(dut: Any) -> None:
    """Half, a quarter and an eighth of the ring, by RDMTS; 3 is as 2."""
    engine = Engine(dut)
    await engine.start()
    frames = 0
    for rdmts in range(4):
        for entries in (8, 64, 256):
            engine.set(0, rdmts, entries)
            engine.descriptors.clear()
            await engine.clock()
            lows = engine.lows
            threshold = entries >> min(rdmts + 1, 3)
            engine.give(threshold + 3)
            for _ in range(5 if threshold > 1 else 3):
                engine.frames.append(some_frame(1))
                frames += 1
            await engine.finish(frames)
            assert engine.lows == lows + 1, (rdmts, entries)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_frame_waits_for_descriptors(dut: Any) -> None:
    """It takes those that come, one by one."""
    engine = Engine(dut)
    await engine.start()
    engine.frames.append(some_frame(5000))
    for count in range(3):
        await engine.clock(800)
        assert len(engine.asked) == 0 and engine.released == 0
        assert (engine.open is not None and engine.open.sent) == min(2048 * count, 5000)
        engine.give(1)
    await engine.finish(1)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def switched_off_it_ends_the_frame_that_it_began(dut: Any) -> None:
    """And begins no other until it is on again."""
    engine = Engine(dut)
    await engine.start()
    engine.frames.extend((some_frame(5000), some_frame(60)))
    engine.give(1)
    await engine.clock(20)
    engine.enable = False
    engine.give(9)
    await engine.clock(1000)
    assert engine.released == 1 and len(engine.frames) == 1
    engine.enable = True
    await engine.finish(2)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def the_shortest_frames_are_written_faster_than_the_line_has_them(dut: Any) -> None:
    """60 bytes each: no more than ten clocks a frame, where the line takes 84 bytes."""
    engine = Engine(dut)
    await engine.start()
    engine.frames.extend(some_frame(60) for _ in range(60))
    engine.give(60)
    for _ in range(600):
        if not engine.frames:
            break
        await engine.clock()
    assert not engine.frames and engine.clocks <= 60 * 9
    await engine.finish(60)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_reset_forgets_what_was_under_way(dut: Any) -> None:
    """In a frame's words, with spans that were not handed over and a request that waits."""
    for clocks in (3, 5, 12, 300):
        engine = Engine(dut)
        await engine.start()
        engine.likely["done"] = 0
        engine.frames.extend((some_frame(60), some_frame(5000)))
        engine.give(4)
        await engine.clock(clocks)
        engine = Engine(dut)
        await engine.start()
        engine.frames.extend((some_frame(60), some_frame(3000)))
        engine.give(3)
        await engine.finish(2)
