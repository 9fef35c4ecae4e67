# SPDX-License-Identifier: Apache-2.0
"""Errors, discards, counters, samples, GPS: each stage against Python's own account."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from box import TICK_FS, Box, Sent, is_good, random_frame, sealed, stamp
from cocotb.triggers import FallingEdge, Timer
from cocotb.utils import get_sim_time

MASK64 = (1 << 64) - 1


class Lfsr:
    """The generator, one bit at a time."""

    def __init__(self, seed: int) -> None:
        """Begin at a seed."""
        self.state = seed or 1

    def next(self) -> tuple[int, int]:
        """Return the number that is up and the place that a flip would take, and move on."""
        now = self.state & 0xFFFF_FFFF, self.state >> 32 & 31
        for _ in range(32):
            top = self.state
            bit = (top >> 63 ^ top >> 62 ^ top >> 60 ^ top >> 59) & 1
            self.state = (top << 1 | bit) & MASK64
        return now


def damaged(frame: bytes, lfsr: Lfsr, threshold: int) -> tuple[bytes, int]:
    """Return the frame as the error stage should leave it, and the bits flipped."""
    out, flips = bytearray(frame), 0
    for start in range(0, len(frame), 4):
        number, place = lfsr.next()
        byte = start + 3 - place // 8
        if number < threshold and byte < len(frame):
            out[byte] ^= 1 << place % 8
            flips += 1
    return bytes(out), flips


def ticks(time: int) -> int:
    """Return the 32 ns clocks of a time of the box."""
    return ((time >> 5) * 100 + (time & 31) * 4) // 32


@cocotb.test()
async def bit_errors_are_those_of_the_lfsr(dut: Any) -> None:
    """Seeded: each flipped bit is where the model has it, and every damaged frame has a bad FCS."""
    box = Box(dut)
    await box.start()
    seed = random.getrandbits(64)
    for threshold in (0, 1 << 24, 1 << 29, 0xFFFF_FFFF):
        await box.write("ERROR_THRESHOLD", threshold, 0)
        await box.write("SEED_LOW", seed & 0xFFFF_FFFF, 0)
        await box.write("SEED_HIGH", seed >> 32, 0)
        before, start = (await box.counters(0))["FLIPS"], len(box.seen(1))
        sent = [random_frame(random.randrange(60, 300)) for _ in range(40)]
        box.play(0, [Sent(frame) for frame in sent])
        await box.settle()
        lfsr, flips = Lfsr(seed), 0
        for frame, got in zip(sent, box.seen(1)[start:], strict=True):
            expected, count = damaged(frame, lfsr, threshold)
            assert got.data == expected
            assert is_good(got.data) == (count == 0)
            flips += count
        assert (await box.counters(0))["FLIPS"] - before == flips
        assert bool(flips) == bool(threshold)
    assert (await box.counters(0))["RX_FCS_BAD"] == 0


@cocotb.test()
async def fresh_fcs_hides_the_damage(dut: Any) -> None:
    """With a new FCS at the transmitter a flipped bit reaches the receiver's TCP, not its MAC."""
    box = Box(dut)
    await box.start()
    await box.write("PORT_CTRL", 0b11, 1)
    await box.write("ERROR_THRESHOLD", 1 << 28, 0)
    sent = [random_frame(length) for length in range(60, 100)]
    box.play(0, [Sent(frame) for frame in sent])
    await box.settle()
    got = [frame.data for frame in box.seen(1)]
    assert len(got) == len(sent) and all(map(is_good, got))
    assert any(a[:-4] != b[:-4] for a, b in zip(sent, got, strict=True))


@cocotb.test()
async def errors_and_discards_cost_64_ns_and_no_bandwidth(dut: Any) -> None:
    """Two registers of 32 ns between the memory and the delay, at full wire rate.

    The pins show each frame's stamp and when it passes a point: over all arrival phases the times
    behind the stamp lie two clocks apart before and after the stages.
    """
    box = Box(dut)
    await box.start()
    zero = round(get_sim_time("fs")) // TICK_FS
    zero -= ticks(await box.read("TIME"))
    behind: dict[int, set[int]] = {1: set(), 2: set()}
    for point, clocks in behind.items():
        await box.write("OBS_SELECT", point << 4)
        box.play(0, [Sent(random_frame(64 + index % 4), 12 + index % 5) for index in range(80)])
        for _ in range(80):
            while True:
                await FallingEdge(dut.clk_31m25)
                if dut.obs_trigger_o.value == 1:
                    break
            passed = round(get_sim_time("fs")) // TICK_FS
            clocks.add(passed - zero - ticks(int(dut.obs_data_o.value) & 0xFFFF_FFFF))
        await box.settle()
    assert {clock + 2 for clock in behind[1]} == behind[2]
    assert len(box.seen(1)) == 160 and {frame.gap for frame in box.seen(1)[1:80]} <= set(
        range(12, 21)
    )


@cocotb.test()
async def stamps_are_of_arrival_however_long_the_fifo_is(dut: Any) -> None:
    """Frames behind a torrent of runts wait in the receive FIFO; their stamps do not show it."""
    box = Box(dut)
    await box.start((100, 0, 0, 0))
    await box.write("OBS_SELECT", 0)
    zero = round(get_sim_time("fs")) / 1e6
    time = await box.read("TIME")
    zero -= (time >> 5) * 100 + (time & 31) * 4
    frames: list[Sent] = []
    for _ in range(12):
        frames.append(Sent(random_frame(64), random.randrange(400, 500)))
        runts = [Sent(b"\x01", 1, b"\xd5") for _ in range(16)]
        frames += [Sent(b"\x01", 400, b"\xd5"), *runts, Sent(random_frame(64), 1)]
    stamps: list[float] = []
    box.play(0, frames)
    while len(stamps) < len(frames):
        await FallingEdge(dut.clk_31m25)
        if dut.obs_trigger_o.value == 1:
            value = int(dut.obs_data_o.value) & 0xFFFF_FFFF
            stamps.append(zero + (value >> 5) * 100 + (value & 31) * 4)
    await box.settle()
    behind = [
        stamped - (went / 1e6 + 8 * (len(frame.preamble) - 1))
        for frame, stamped, went in zip(frames, stamps, box.sent_fs(0), strict=True)
    ]
    assert (await box.counters(0))["RX_LOST"] == 0
    assert max(behind) - min(behind) <= 32.5, (min(behind), max(behind))


@cocotb.test()
async def discard_takes_the_next_frame_only(dut: Any) -> None:
    """Armed by register: the first to arrive goes, whole; with several in flight at wire rate."""
    box = Box(dut)
    await box.start()
    sent = [random_frame(200) for _ in range(30)]
    box.play(0, [Sent(frame) for frame in sent])
    await Timer(10, "us")
    assert await box.read("DISCARD_CTRL", 0) == 0
    await box.write("DISCARD_CTRL", 1, 0)
    await box.settle()
    got = [frame.data for frame in box.seen(1)]
    left = iter(sent)
    assert len(got) == 29 and all(frame in left for frame in got)
    counters = await box.counters(0)
    assert counters["DISCARDS"] == 1 and counters["FRAMES"] == 30
    assert await box.read("DISCARD_CTRL", 0) == 0


@cocotb.test()
async def discard_takes_the_nth_frame(dut: Any) -> None:
    """The frame after n others; cancelled, none."""
    box = Box(dut)
    await box.start()
    for skip in (0, 1, 7):
        start = len(box.seen(1))
        await box.write("DISCARD_ARG", skip, 0)
        await box.write("DISCARD_CTRL", 0b0101, 0)
        assert await box.read("DISCARD_CTRL", 0) == 0b0101
        sent = [random_frame(100) for _ in range(10)]
        box.play(0, [Sent(frame) for frame in sent])
        await box.settle()
        assert [frame.data for frame in box.seen(1)[start:]] == sent[:skip] + sent[skip + 1 :]
    await box.write("DISCARD_CTRL", 0b0101, 0)
    await box.write("DISCARD_CTRL", 0b0110, 0)
    box.play(0, [Sent(random_frame(100)) for _ in range(10)])
    await box.settle()
    assert (await box.counters(0))["DISCARDS"] == 3


@cocotb.test()
async def discard_takes_the_first_frame_at_a_time(dut: Any) -> None:
    """Armed for a time 30 us ahead: all before pass, the first after goes, with its stamp shown."""
    box = Box(dut)
    await box.start()
    now = await box.read("TIME")
    when = stamp(((now >> 5) * 100 + (now & 31) * 4 + 30_000) // 4 * 4)
    await box.write("DISCARD_ARG", when, 0)
    await box.write("DISCARD_CTRL", 0b1001, 0)
    sent = [random_frame(100) for _ in range(60)]
    box.play(0, [Sent(frame, 100) for frame in sent])
    await box.settle()
    got = [frame.data for frame in box.seen(1)]
    lost = next(index for index, frame in enumerate(sent) if frame not in got)
    assert got == sent[:lost] + sent[lost + 1 :] and 10 < lost < 40
    taken = await box.read("DISCARD_STAMP", 0)
    # The stage sees the frame some 0.4 us after its stamp.
    assert 0 <= (when - taken) >> 5 <= 10 or 0 <= (taken - when) >> 5 <= 20


@cocotb.test()
async def samples_are_the_counters_at_a_fixed_period(dut: Any) -> None:
    """Every 5 us: the samples add up to what was sent; the memory stops when full."""
    box = Box(dut)
    await box.start()
    await box.write("SAMPLE_PERIOD", 156)
    await box.write("SAMPLE_CTRL", 1)
    sent = [random_frame(1518) for _ in range(10)]
    box.play(0, [Sent(frame) for frame in sent])
    await box.settle()
    await Timer(300, "us")
    assert await box.read("SAMPLE_TOTAL") == 64, "the memory of the bench"
    await box.write("SAMPLE_INDEX", 0)
    samples = []
    for _ in range(64):
        words = await box.read("SAMPLE_WORDS")
        samples.append((words, await box.read("SAMPLE_FRAMES")))
    assert samples[0] == (0, 0) or samples[0][0] < 160
    assert samples[-1] == (10 * 380, 10)
    steps = [b[0] - a[0] for a, b in zip(samples, samples[1:], strict=False)]
    # At wire rate 156 clocks carry 156 words less preamble and gap.
    assert max(steps) <= 156 and sum(step > 140 for step in steps) > 20
    await box.write("SAMPLE_CTRL", 0)
    await box.write("SAMPLE_CTRL", 3)
    await Timer(400, "us")
    assert await box.read("SAMPLE_TOTAL") > 64, "circular goes on"


@cocotb.test()
async def latched_counters_belong_together(dut: Any) -> None:
    """Words, bytes and frames of equal frames keep their ratio at any time of latching."""
    box = Box(dut)
    await box.start()
    box.play(2, [Sent(random_frame(64)) for _ in range(120)])
    for _ in range(10):
        await Timer(random.randrange(1000, 7000), "ns")
        counters = await box.counters(2)
        assert counters["BYTES"] == 4 * counters["WORDS"]
        assert counters["FRAMES"] == counters["WORDS"] // 16
        assert counters["RX_FRAMES"] - counters["TX_FRAMES"] <= 120
    await box.settle()
    assert (await box.counters(2))["FRAMES"] == 120
    assert (await box.counters(3))["TX_FRAMES"] == 120


async def pulse_per_second(dut: Any, box: Box, second: int) -> int:
    """Give one GPS pulse that begins a second; return its time in fs."""
    await box.write("GPS_SECONDS", second)
    dut.gps_pps_i.value = 1
    at = round(get_sim_time("fs"))
    await Timer(1, "us")
    dut.gps_pps_i.value = 0
    return at


@cocotb.test()
async def gps_time_follows_the_pulses(dut: Any) -> None:
    """Seconds are set or counted, 100 ns begin again at each pulse, whose period is measured."""
    box = Box(dut)
    await box.start()
    await pulse_per_second(dut, box, 1_000_000)
    await Timer(49, "us")
    assert await box.read("GPS_SECONDS") == 1_000_000
    tenths = await box.read("GPS_TENTHS")
    assert 498 <= tenths <= 505
    await Timer(150 - 50, "us")
    dut.gps_pps_i.value = 1
    await Timer(1, "us")
    assert await box.read("GPS_SECONDS") == 1_000_001
    assert await box.read("GPS_TENTHS") < 30
    assert abs(await box.read("PPS_TICKS") - 150_300 / 32) < 20


@cocotb.test()
async def one_way_latency_is_measured_across_two_boxes(dut: Any) -> None:
    """Port 1 stamps probes; what it sent is played into port 2 later, which reads the stamps.

    Frames without the magic number keep every bit; a probe with a bad FCS keeps a bad one.
    """
    box = Box(dut)
    await box.start()
    offset = 42
    for port in (1, 2):
        await box.write("STAMP_OFFSET", offset, port)
    await box.write("PORT_CTRL", 0b0101, 1)
    await box.write("PORT_CTRL", 0b1001, 2)
    await pulse_per_second(dut, box, 77)
    magic = b"GNT1"

    def probe(length: int) -> bytes:
        body = bytearray(random.randbytes(length - 4))
        body[offset : offset + 12] = magic + bytes(8)
        return sealed(bytes(body))

    probes = [probe(length) for length in (64, 65, 66, 67, 90, 400)]
    others = [random_frame(80) for _ in range(4)]
    bad = probe(100)
    bad = bad[:-1] + bytes([bad[-1] ^ 0x80])
    box.play(0, [Sent(frame) for frame in (*probes, *others, bad)])
    await box.settle()
    out = box.seen(1)
    assert [frame.data for frame in out[6:10]] == others
    for frame, sent in zip(out[:6], probes, strict=True):
        assert is_good(frame.data)
        assert frame.data[: offset + 4] == sent[: offset + 4]
        assert frame.data[offset + 12 : -4] == sent[offset + 12 : -4]
        assert int.from_bytes(frame.data[offset + 4 : offset + 8], "big") == 77
    assert out[10].data[offset + 4 : offset + 12] != bytes(8) and not is_good(out[10].data)
    tenths = [int.from_bytes(frame.data[offset + 8 : offset + 12], "big") for frame in out[:6]]
    for (a, b), (x, y) in zip(zip(tenths, tenths[1:], strict=False),
                              zip(out, out[1:6], strict=False), strict=True):  # fmt: skip
        assert abs((b - a) * 100 - (y.time_fs - x.time_fs) / 1e6) <= 150
    await Timer(30, "us")
    first = len(box.sent_fs(2))
    box.play(2, [Sent(frame.data) for frame in out])
    await box.settle()
    assert await box.read("ONEWAY_COUNT", 2) == 6
    arrived = box.sent_fs(2)[first : first + 6]
    expected = [(b - a.time_fs) / 1e8 for a, b in zip(out[:6], arrived, strict=True)]
    # Stamped at release, read after the receive FIFO: within a microsecond of the wire's own.
    assert abs(await box.read("ONEWAY_LAST", 2) - expected[-1]) < 10
    least, most = await box.read("ONEWAY_MIN", 2), await box.read("ONEWAY_MAX", 2)
    assert abs(least - min(expected)) < 10 and abs(most - max(expected)) < 10
    assert 6 * least <= await box.read("ONEWAY_SUM_LOW", 2) <= 6 * most
    await box.write("ONEWAY_COUNT", 0, 2)
    assert await box.read("ONEWAY_COUNT", 2) == 0
