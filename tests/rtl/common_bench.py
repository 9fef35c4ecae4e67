# SPDX-License-Identifier: Apache-2.0
"""The blocks of rtl/common against Python's own arithmetic."""

from __future__ import annotations

import random
import zlib
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge, Timer
from corners import Coverage

MASK64 = (1 << 64) - 1


async def start(dut: Any, wr_ps: int = 8000, rd_ps: int = 32000) -> None:
    """Set both clocks and leave reset with every input low."""
    dut.wr_period_ps_i.value = wr_ps
    dut.rd_period_ps_i.value = rd_ps
    dut.arst_ni.value = 0
    for name in ("wr_valid_i", "rd_ready_i", "wr_data_i", "word_i", "pulse_i", "crc_clear_i",
                 "crc_valid_i", "crc_init_i", "crc_data_i", "crc64_state_i", "crc64_lanes_i",
                 "crc64_data_i", "one_in_valid_i", "one_in_data_i", "one_out_ready_i",
                 "lfsr_seed_valid_i", "lfsr_next_i",
                 "lfsr_seed_i"):  # fmt: skip
        getattr(dut, name).value = 0
    await Timer(10 * max(wr_ps, rd_ps), "ps")
    dut.arst_ni.value = 1
    await Timer(10 * max(wr_ps, rd_ps) + 999, "ps")  # not on an edge


async def fifo_traffic(dut: Any, seen: Coverage, words: int, push: float, pull: float) -> None:
    """Push random words with one probability, pull them with another; compare in order.

    Both sides look and drive at the falling edge, half a clock before the edge that takes.
    """
    sent: deque[int] = deque()

    async def writer() -> None:
        done, word = 0, random.getrandbits(36)
        while done < words:
            await FallingEdge(dut.wr_clk)
            level = int(dut.wr_level_o.value)
            offer = random.random() < push
            dut.wr_valid_i.value, dut.wr_data_i.value = int(offer), word
            seen.hit("full", level == 16)
            seen.hit("write while full is refused", level == 16 and offer)
            seen.hit("one place free", level == 15)
            if offer and dut.wr_ready_o.value == 1:  # taken at the edge to come
                sent.append(word)
                word = random.getrandbits(36)
                done += 1
        await FallingEdge(dut.wr_clk)
        dut.wr_valid_i.value = 0

    writing = cocotb.start_soon(writer())
    idle = count = 0
    while count < words:
        await FallingEdge(dut.rd_clk)
        level = int(dut.rd_level_o.value)
        pull_now = random.random() < pull
        dut.rd_ready_i.value = int(pull_now)
        seen.hit("empty", level == 0)
        seen.hit("read while empty gives nothing", level == 0 and pull_now)
        seen.hit("one word left", level == 1)
        idle = idle + 1 if level == 0 else 0
        assert idle < 10000, f"{count} of {words} words came out"
        if pull_now and dut.rd_valid_o.value == 1:
            assert sent, "a word came out before it was written"
            assert int(dut.rd_data_o.value) == sent.popleft()
            count += 1
            seen.hit("pointers wrapped", count > 32)
    await writing
    await Timer(200, "ns")
    assert dut.rd_valid_o.value == 0 and not sent


@cocotb.test()
async def fifo_keeps_every_word_in_order_between_any_two_clocks(dut: Any) -> None:
    """All pairs of the box's clocks, +-100 ppm apart and far apart, slow and fast sides."""
    seen = Coverage("asynchronous FIFO", [
        "full", "write while full is refused", "one place free", "empty",
        "read while empty gives nothing", "one word left", "pointers wrapped"])  # fmt: skip
    for wr_ps, rd_ps in ((8000, 32000), (32000, 8000), (16000, 32000), (32002, 31998), (7998, 8002),
                         (10006, 8002)):  # fmt: skip
        for push, pull in ((1.0, 1.0), (0.5, 0.9), (0.9, 0.3)):
            await start(dut, wr_ps, rd_ps)
            await fifo_traffic(dut, seen, 80, push, pull)
    seen.close()


@cocotb.test()
async def fifo_shows_a_word_within_four_read_clocks(dut: Any) -> None:
    """Latency of one word: two flip-flops of the synchronizer and the edges to meet them."""
    await start(dut, 8000, 32000)
    for word in range(40):
        await RisingEdge(dut.wr_clk)
        dut.wr_valid_i.value, dut.wr_data_i.value = 1, word
        await RisingEdge(dut.wr_clk)
        dut.wr_valid_i.value = 0
        clocks = 0
        while dut.rd_valid_o.value == 0:
            await RisingEdge(dut.rd_clk)
            clocks += 1
            await ReadOnly()
        assert 2 <= clocks <= 4
        await RisingEdge(dut.wr_clk)
        dut.rd_ready_i.value = 1
        await RisingEdge(dut.rd_clk)
        await RisingEdge(dut.wr_clk)
        dut.rd_ready_i.value = 0
        await Timer(random.randrange(200_000), "ps")


@cocotb.test()
async def word_copies_are_never_torn(dut: Any) -> None:
    """The source moves every clock; what arrives is always a value that was there whole."""
    await start(dut, 7998, 32002)
    last, moves = 0, 0
    for step in range(1, 3000):
        await RisingEdge(dut.wr_clk)
        dut.word_i.value = (step << 16) | (~step & 0xFFFF)
        got = int(dut.word_o.value)
        assert got == 0 or (got >> 16) == (~got & 0xFFFF), f"{got:08x}"
        assert got >= last
        moves += got != last
        last = got
    assert moves > 100
    dut.word_i.value = 0xCAFE_F00D
    await Timer(600, "ns")
    assert int(dut.word_o.value) == 0xCAFE_F00D


@cocotb.test()
async def pulses_arrive_once_each(dut: Any) -> None:
    """Events two destination clocks apart, either side faster."""
    for wr_ps, rd_ps in ((8000, 32002), (32002, 8000)):
        await start(dut, wr_ps, rd_ps)
        for _ in range(100):
            await RisingEdge(dut.wr_clk)
            dut.pulse_i.value = 1
            await RisingEdge(dut.wr_clk)
            dut.pulse_i.value = 0
            await Timer(2 * max(wr_ps, rd_ps) + random.randrange(40_000), "ps")
        await Timer(500, "ns")
        assert int(dut.pulses_seen_o.value) == 100


@cocotb.test()
async def crc_is_zlibs_crc32(dut: Any) -> None:
    """Random lengths, the FCS appended, and a flipped bit."""
    await start(dut)

    async def feed(data: bytes, init: int) -> tuple[int, bool]:
        dut.crc_clear_i.value, dut.crc_init_i.value = 1, init
        await FallingEdge(dut.wr_clk)
        dut.crc_clear_i.value, dut.crc_valid_i.value = 0, 1
        for byte in data:
            dut.crc_data_i.value = byte
            await FallingEdge(dut.wr_clk)
        dut.crc_valid_i.value = 0
        await FallingEdge(dut.wr_clk)
        return int(dut.crc_o.value), dut.crc_good_o.value == 1

    for _ in range(20):
        data = random.randbytes(random.randrange(1, 200))
        fcs = zlib.crc32(data)
        state, good = await feed(data, 0xFFFF_FFFF)
        assert state ^ 0xFFFF_FFFF == fcs and not good
        sealed = bytearray(data + fcs.to_bytes(4, "little"))
        assert (await feed(bytes(sealed), 0xFFFF_FFFF))[1]
        sealed[random.randrange(len(sealed))] ^= 1 << random.randrange(8)
        assert not (await feed(bytes(sealed), 0xFFFF_FFFF))[1]
        other = random.randbytes(len(data))
        delta, _ = await feed(bytes(a ^ b for a, b in zip(data, other, strict=True)), 0)
        assert zlib.crc32(other) == fcs ^ delta


@cocotb.test()
async def lfsr_walks_its_polynomial_32_places_a_number(dut: Any) -> None:
    """Against a bit-serial register in Python; zero is refused as a seed; the numbers spread."""
    await start(dut)

    def leap(state: int) -> int:
        for _ in range(32):
            bit = (state >> 63 ^ state >> 62 ^ state >> 60 ^ state >> 59) & 1
            state = (state << 1 | bit) & MASK64
        return state

    for seed in (0, 1, random.getrandbits(64)):
        dut.lfsr_seed_i.value, dut.lfsr_seed_valid_i.value = seed, 1
        await FallingEdge(dut.wr_clk)
        dut.lfsr_seed_valid_i.value, dut.lfsr_next_i.value = 0, 1
        state, ones = seed or 1, 0
        for step in range(400):
            assert int(dut.lfsr_state_o.value) == state, step
            assert int(dut.lfsr_random_o.value) == state & 0xFFFF_FFFF
            ones += (state & 0xFFFF_FFFF).bit_count()
            state = leap(state)
            await FallingEdge(dut.wr_clk)
        dut.lfsr_next_i.value = 0
        if seed > 1:  # a sparse state needs some thousand numbers until it looks random
            assert abs(ones / (400 * 32) - 0.5) < 0.03


@cocotb.test()
async def crc_of_one_to_eight_bytes_is_zlibs(dut: Any) -> None:
    """From any state, as zlib goes on from it."""
    await start(dut)
    for _ in range(400):
        count, state = random.randint(1, 8), random.getrandbits(32)
        data = random.randbytes(count)
        dut.crc64_state_i.value, dut.crc64_lanes_i.value = state, count - 1
        dut.crc64_data_i.value = int.from_bytes(data, "little")
        await Timer(1, "ns")
        assert int(dut.crc64_o.value) == zlib.crc32(data, state ^ 0xFFFFFFFF) ^ 0xFFFFFFFF


@cocotb.test()
async def a_fifo_of_one_clock_keeps_every_word_in_order(dut: Any) -> None:
    """Its level and its readiness, full, empty and between, at a depth that is no power of two."""
    await start(dut)
    held: deque[int] = deque()
    for push, pull in ((0.9, 0.1), (0.1, 0.9), (0.5, 0.5), (1.0, 1.0)):
        for _ in range(300):
            await FallingEdge(dut.wr_clk)
            assert int(dut.one_level_o.value) == len(held)
            assert int(dut.one_in_ready_o.value) == (len(held) < 5)
            assert int(dut.one_out_valid_o.value) == bool(held)
            if held:
                assert int(dut.one_out_data_o.value) == held[0]
            word = random.getrandbits(16)
            put, get = random.random() < push, random.random() < pull
            dut.one_in_valid_i.value, dut.one_in_data_i.value = int(put), word
            dut.one_out_ready_i.value = int(get)
            room = len(held) < 5
            if get and held:
                held.popleft()
            if put and room:
                held.append(word)
