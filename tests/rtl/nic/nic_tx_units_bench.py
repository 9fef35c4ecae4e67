# SPDX-License-Identifier: Apache-2.0
"""nic_pack and a small nic_tx_buffer by themselves, their outputs stalled at random."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge
from nic_tx_host import frame_of, reset

WORDS, FRAMES = 32, 4


@cocotb.test()
async def pack_puts_bytes_of_any_lanes_into_whole_words(dut: Any) -> None:
    """Streams of random inputs from random lanes; ends without bytes; a stalled output."""
    await reset(dut)
    for pace_in, pace_out in ((1.0, 1.0), (0.6, 0.5), (1.0, 0.3), (0.3, 1.0)):
        inputs: deque[tuple[int, ...]] = deque()
        expected: list[bytes] = []
        for _ in range(120):
            start, count = random.randrange(8), random.choice((1, 1, 2, 5, 12))
            stream = bytes(start)
            for index in range(count):
                last = int(index == count - 1)
                none = int(last and random.random() < 0.3)
                first = random.randrange(8)
                lanes = random.randrange(first, 8)
                value = random.getrandbits(64)
                inputs.append((none, last, start if index == 0 else random.randrange(8), first,
                               lanes, value))  # fmt: skip
                if not none:
                    stream += value.to_bytes(8, "little")[first : lanes + 1]
            expected.append(stream)
        offered, words, ended = False, [], 0
        for _ in range(40_000):
            if not offered and inputs and random.random() < pace_in:
                offered = True
                none, last, start, first, lanes, value = inputs[0]
                dut.pack_none_i.value, dut.pack_last_i.value = none, last
                dut.pack_start_i.value, dut.pack_first_i.value = start, first
                dut.pack_lanes_i.value, dut.pack_data_i.value = lanes, value
            dut.pack_valid_i.value = int(offered)
            dut.pack_out_ready_i.value = int(random.random() < pace_out)
            await FallingEdge(dut.clk)
            moved = int(dut.pack_moved_o.value)
            if moved & 1:
                inputs.popleft()
                offered = False
            if moved & 2:
                none, last = moved >> 3 & 1, moved >> 2 & 1
                if not none:
                    words.append(int(dut.pack_data_o.value).to_bytes(8, "little"))
                assert not none or last
                if last:
                    right = expected[ended]
                    assert b"".join(words) == right + bytes(-len(right) % 8), ended
                    words, ended = [], ended + 1
                    if ended == len(expected):
                        break
        assert ended == len(expected) and not inputs
        dut.pack_valid_i.value = 0


class Small:
    """The small buffer: what is in it, and what has to come out."""

    def __init__(self, dut: Any) -> None:
        """Empty."""
        self.dut = dut
        self.expected: deque[bytes] = deque()
        self.infos: deque[int] = deque()
        self.words: list[int] = []
        self.sent = 0
        self.pace = 0.5
        self.state = 6

    async def clock(self, **inputs: int) -> None:
        """One clock with these inputs (`small_NAME_i`), others low."""
        for name in ("take", "take_frame", "item", "ready"):
            getattr(self.dut, f"small_{name}_i").value = inputs.pop(name, 0)
        for name, value in inputs.items():
            getattr(self.dut, f"small_{name}_i").value = value
        self.dut.small_out_ready_i.value = int(random.random() < self.pace)
        await FallingEdge(self.dut.clk)
        self.state = int(self.dut.small_moved_o.value)
        if self.state & 1:
            self.words.append(int(self.dut.small_word_o.value))
            if self.words[-1] >> 67:
                assert frame_of(self.words) == self.expected.popleft(), self.sent
                self.words = []
                self.sent += 1

    def room(self) -> int:
        """Words that are free."""
        return int(self.dut.small_room_o.value)

    def fits(self, words: int) -> bool:
        """Whether a frame finds room."""
        return bool(self.state & 2) and self.room() >= words


def words_of(size: int) -> int:
    """Return the words that bytes take."""
    return (size + 7) // 8


def random_frame(size: int) -> tuple[bytes, int, bytes]:
    """Return a frame's words as they go in, what is known of it, and what comes out."""
    frame = bytearray(random.randbytes(size))
    right = bytearray(frame)
    fields = []
    for _ in range(2):
        at, value = random.randrange(min(size - 1, 256)), random.getrandbits(16)
        insert = random.randrange(2)
        fields.append(insert << 24 | at << 16 | value)
        if insert:
            right[at : at + 2] = value.to_bytes(2, "big")
    tagged, tag = random.randrange(2), random.getrandbits(16)
    if tagged:
        right[12:12] = b"\x81\x00" + tag.to_bytes(2, "big")
    info = size << 67 | tagged << 66 | tag << 50 | fields[0] << 25 | fields[1]
    return bytes(frame), info, bytes(right)


@cocotb.test()
async def a_buffer_sends_whole_frames_in_order_and_forgets_dropped_ones(dut: Any) -> None:
    """Words in any order, fields and tags set, room taken and given back, until all wraps."""
    await reset(dut)
    small = Small(dut)
    held = dropped = 0
    taken = False
    content, info, right = random_frame(20)
    for index in range(400):
        if index % 20 == 0:
            small.pace = random.choice((0.0, 0.2, 0.8, 1.0))
        size = len(content)
        count = words_of(size)
        waits = 0
        while not taken:
            await small.clock()
            if small.fits(count):
                await small.clock(take=1, take_words=count, take_frame=1)
                break
            waits += 1
            held += waits == 1
            if waits > 60:
                small.pace = 0.9
        sizes = (14, 15, 16, 17, random.randrange(18, 80), random.randrange(14, 250))
        following = random_frame(random.choice(sizes))
        drop = int(random.random() < 0.3)
        order = list(range(count))
        if random.random() < 0.5:
            random.shuffle(order)
        alone = random.random() < 0.3
        for place, word in enumerate(order):
            value = int.from_bytes(content[8 * word : 8 * word + 8], "little")
            close = int(place == count - 1 and not alone)
            # The next frame's room is perhaps taken in the clock in which this one ends.
            count_next = words_of(len(following[0]))
            taken = bool(close) and index < 399 and small.fits(count_next)
            await small.clock(item=1, word=1, index=word, data=value, close=close, drop=drop,
                              bytes=size, take=int(taken), take_words=count_next,
                              take_frame=int(taken))  # fmt: skip
        if alone:
            await small.clock(item=1, word=0, close=1, drop=drop, bytes=size)
        dropped += drop
        if not drop:
            small.expected.append(right)
            for _ in range(random.randrange(4)):
                await small.clock()
            await small.clock(ready=1, info=info)
        content, info, right = following
    small.pace = 1.0
    for _ in range(200):
        await small.clock()
    assert not small.expected and not small.words and small.room() == WORDS and small.state & 4
    assert held > 20 and dropped > 50 and small.sent == 400 - dropped
