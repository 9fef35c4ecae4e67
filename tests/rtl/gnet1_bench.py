# SPDX-License-Identifier: Apache-2.0
"""The whole box at its pins: wire rate, delay, damage, loss, and what the tags and FIFOs met."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from box import PREAMBLE, Box, Sent, random_frame, stamp
from cocotb.triggers import Timer

PAIR = (1, 0, 3, 2)
PPM = (100, -100, -100, 100)


async def wire_rate(dut: Any, lengths: list[int], ppm: tuple[int, ...] = PPM) -> None:
    """Send frames of these lengths on all ports at once, 12 bytes apart; all must come out."""
    box = Box(dut)
    await box.start(ppm)
    sent = [[random_frame(random.choice(lengths)) for _ in lengths] for _ in range(4)]
    if len(set(lengths)) > 1:
        sent = [random.sample([random_frame(length) for length in lengths], len(lengths))
                for _ in range(4)]  # fmt: skip
    for port in range(4):
        box.play(port, [Sent(frame) for frame in sent[port]])
    await box.settle()
    for port in range(4):
        got = box.seen(PAIR[port])
        assert [frame.data for frame in got] == sent[port], f"from port {port}"
        assert not any(frame.errors for frame in got)
        assert min(frame.gap for frame in got[1:]) == 12, "the gap is 12 bytes and used"
        # The box follows the sender to a 32 ns clock and a byte at either end. Of a sender that is
        # faster than its own 125 MHz it falls behind by the difference.
        span = got[-1].time_fs - got[0].time_fs
        offered = box.sent_fs(port)[-1] - box.sent_fs(port)[0]
        assert -48_000_000 <= span - offered <= 48_000_000 + offered * 1e-4
        counters = await box.counters(port)
        assert counters["RX_FRAMES"] == counters["FRAMES"] == counters["TX_FRAMES"] == len(lengths)
        assert counters["BYTES"] == sum(map(len, sent[port]))
        assert counters["WORDS"] == sum((len(frame) + 3) // 4 for frame in sent[port])
        for name in ("RX_FCS_BAD", "RX_ERROR", "RX_LOST", "RX_NO_SFD", "TAIL_DROP", "RED_DROP",
                     "SRAM_DROP", "FLIPS", "DISCARDS", "TX_UNDERRUN", "NO_ROUTE"):  # fmt: skip
            assert counters[name] == 0, name


@cocotb.test()
async def frames_of_64_bytes_pass_at_wire_rate(dut: Any) -> None:
    """1.488 M frames a second on each port, both ways, receive clocks 100 ppm off."""
    await wire_rate(dut, [64] * 400)


@cocotb.test()
async def frames_of_1526_bytes_pass_at_wire_rate(dut: Any) -> None:
    """The paper's largest frame: 1518 bytes behind a preamble of 8."""
    await wire_rate(dut, [1518] * 30)


@cocotb.test()
async def mixed_frames_pass_at_wire_rate(dut: Any) -> None:
    """Every length from 60 to 130, some large, jumbo too; every fill of the last word."""
    await wire_rate(dut, [*range(60, 130), 1518, 1517, 1516, 1515, 512, 9018])


@cocotb.test()
async def mixed_frames_pass_with_the_clocks_the_other_way(dut: Any) -> None:
    """The slow receive clocks are the fast ones now."""
    await wire_rate(dut, [*range(64, 100), 1518, 9018], (-100, 100, 100, -100))


@cocotb.test()
async def delay_is_what_was_set_to_one_clock(dut: Any) -> None:
    """Time through the box is the set delay and a constant, over delays and arrival phases.

    Delays are whole clocks of 32 ns; others round up to the next.
    """
    box = Box(dut)
    await box.start((0, 37, 0, 0))
    constants: dict[int, list[int]] = {}
    for delay_ns in (2_016, 2_048, 2_080, 4_992, 20_000, 100_000, 1_000_000):
        for port in (0, 1):
            await box.write("DELAY", stamp(delay_ns), port)
        before = [len(box.seen(1)), len(box.seen(0))]
        for port in (0, 1):
            box.play(port, [Sent(random_frame(random.randrange(64, 200)), random.randrange(12, 90))
                            for _ in range(30 if delay_ns < 100_000 else 8)])  # fmt: skip
        await box.settle(quiet_us=delay_ns / 1000 + 5)
        for port in (0, 1):
            out = box.seen(PAIR[port])[before[port] :]
            went = box.sent_fs(port)[-len(out) :]
            taken = [(b.time_fs - a) // 1000 - delay_ns * 1000
                     for a, b in zip(went, out, strict=True)]  # fmt: skip
            constants.setdefault(delay_ns, []).extend(taken)
    everything = [ps for values in constants.values() for ps in values]
    for delay_ns, values in constants.items():
        print(f"delay {delay_ns} ns: box adds {min(values) / 1000} to {max(values) / 1000} ns more")
    # All of it is the 32 ns clock that stamps; release, memory and FIFOs add nothing that varies.
    assert max(everything) - min(everything) <= 32_000
    assert max(everything) < 500_000


@cocotb.test()
async def round_trips_take_twice_the_delay_to_one_clock(dut: Any) -> None:
    """A host at port 1 that answers at once: there and back is twice the set delay and a constant.

    The sender's clock is 73 ppm off, so its frames meet every phase of the box's clock.
    """
    box = Box(dut)
    dut.loop_i.value = 1
    await box.start((73, 0, 0, 0))
    extra: list[int] = []
    for delay_ns in (1_024, 1_056, 10_016, 100_000, 400_000):
        before = len(box.seen(0))
        for port in (0, 1):
            await box.write("DELAY", stamp(delay_ns), port)
        sent = [random_frame(64 + index) for index in range(40)]
        box.play(0, [Sent(frame, random.randrange(12, 300)) for frame in sent])
        await box.settle(quiet_us=delay_ns / 1000 + 5)
        got = box.seen(0)[before:]
        assert [frame.data for frame in got] == sent
        took = [(b.time_fs - a) // 1000 for a, b in zip(box.sent_fs(0)[before:], got, strict=True)]
        extra += [ps - 2 * delay_ns * 1000 for ps in took]
        print(f"2 x {delay_ns} ns: {min(took) / 1000} to {max(took) / 1000} ns")
    assert max(extra) - min(extra) <= 32_000
    assert max(extra) < 1_000_000


@cocotb.test()
async def no_delay_costs_less_than_a_microsecond(dut: Any) -> None:
    """At delay 0 a frame leaves as soon as the pipeline lets it."""
    box = Box(dut)
    await box.start()
    box.play(0, [Sent(random_frame(300), 400) for _ in range(20)])
    await box.settle()
    times = [(b.time_fs - a) / 1e6 for a, b in zip(box.sent_fs(0), box.seen(1), strict=True)]
    print(f"through the box without delay: {min(times)} to {max(times)} ns")
    assert max(times) < 1000
    assert max(times) - min(times) <= 64


@cocotb.test()
async def odd_frames_keep_their_shape(dut: Any) -> None:
    """Runts, bad FCS, RX_ER, short and long preambles; carrier without a delimiter is no frame."""
    box = Box(dut)
    await box.start((100, 0, 0, 0))
    good = random_frame(80)
    bad = good[:-1] + bytes([good[-1] ^ 1])
    sent = [Sent(random_frame(random.randrange(5, 9)), 30) for _ in range(4)]
    sent += [Sent(random.randbytes(length), 30) for length in (1, 2, 3, 4)]
    sent += [Sent(bad), Sent(good, error_at=20), Sent(good, preamble=b"\xd5"),
             Sent(good, preamble=b"\x55" * 20 + b"\xd5"), Sent(good, gap=8)]  # fmt: skip
    box.play(0, [*sent, Sent(b"", preamble=b"\x55" * 9), Sent(b"", preamble=b"\xaa" * 4),
                 Sent(b"", preamble=PREAMBLE), Sent(good, gap=3)])  # fmt: skip
    await box.settle()
    got = box.seen(1)
    expected = [frame.data for frame in sent] + [good]
    assert [frame.data for frame in got] == expected
    assert [bool(frame.errors) for frame in got] == [item.error_at is not None for item in sent] + [
        False
    ]
    counters = await box.counters(0)
    assert counters["RX_FRAMES"] == len(expected)
    assert counters["RX_FCS_BAD"] == 5  # the four without room for an FCS, and the flipped bit
    assert counters["RX_ERROR"] == 1
    assert counters["RX_NO_SFD"] == 2


@cocotb.test()
async def oversized_frames_are_cut_and_marked(dut: Any) -> None:
    """The first 16000 bytes pass with TX_ER at the end, the next frame is whole."""
    box = Box(dut)
    await box.start()
    long, after = random.randbytes(17_000), random_frame(100)
    box.play(0, [Sent(long), Sent(after)])
    await box.settle()
    got = box.seen(1)
    assert [frame.data for frame in got] == [long[:16_000], after]
    assert [frame.errors for frame in got] == [1, 0]
    assert (await box.counters(0))["RX_ERROR"] == 1


@cocotb.test()
async def full_memory_drops_whole_frames_and_counts_them(dut: Any) -> None:
    """4096 words for frames that wait 0.9 ms: what does not fit goes whole, the rest is intact."""
    box = Box(dut)
    await box.start()
    await box.write("CAPACITY", 4096, 0)
    await box.write("DELAY", stamp(900_000), 0)
    sent = [random_frame(random.choice((64, 300, 1518))) for _ in range(40)]
    box.play(0, [Sent(frame) for frame in sent])
    await box.settle(quiet_us=1100)
    got = [frame.data for frame in box.seen(1)]
    dropped = (await box.counters(0))["SRAM_DROP"]
    assert 0 < dropped == len(sent) - len(got)
    left = iter(sent)
    assert all(frame in left for frame in got), "in order, whole, unchanged"
    level = await box.read("LEVEL_MAX", 0)
    assert 4096 - 384 < level <= 4096
    assert await box.read("LEVEL", 0) == 0
    # Afterwards nothing is lost.
    more = [random_frame(700) for _ in range(5)]
    box.play(0, [Sent(frame) for frame in more])
    await box.settle(quiet_us=1100)
    assert [frame.data for frame in box.seen(1)][-5:] == more
    assert (await box.counters(0))["SRAM_DROP"] == dropped


@cocotb.test()
async def memory_filled_to_the_last_word_refuses_the_next_frame(dut: Any) -> None:
    """Frames of two and three words top up the memories until one finds no place at all."""
    box = Box(dut)
    await box.start()
    sent: list[list[bytes]] = []
    for port in range(4):
        await box.write("CAPACITY", 4096, port)
        await box.write("DELAY", stamp(400_000), port)
        frames = [random_frame(64) for _ in range(240)]
        sent.append(frames + [random.randbytes(random.choice((1, 5))) for _ in range(60)])
        box.play(port, [Sent(frame) for frame in sent[-1]])
    await box.settle(quiet_us=450)
    full = 0
    for port in range(4):
        got = [frame.data for frame in box.seen(PAIR[port])]
        assert (await box.counters(port))["SRAM_DROP"] == 300 - len(got) > 0
        left = iter(sent[port])
        assert all(frame in left for frame in got)
        full += await box.read("LEVEL_MAX", port) == 4096
    assert full, "no memory was filled to the last word"


@cocotb.test()
async def reset_in_full_traffic_leaves_a_working_box(dut: Any) -> None:
    """Reset while frames are in every FIFO: afterwards all is as after power-on."""
    box = Box(dut)
    await box.start(PPM)
    await box.write("DELAY", stamp(10_016), 0)
    for port in range(4):
        box.play(port, [Sent(random_frame(200)) for _ in range(60)])
    await Timer(random.randrange(20_000, 60_000), "ns")
    dut.arst_ni.value = 0
    await Timer(300, "ns")
    dut.arst_ni.value = 1
    await box.settle()
    assert await box.read("DELAY", 0) == 0
    for port in range(4):
        assert await box.read("LEVEL", port) == 0
    before = [len(box.seen(port)) for port in range(4)]
    counted = [await box.counters(port) for port in range(4)]
    sent = [[random_frame(64 + index) for index in range(30)] for _ in range(4)]
    for port in range(4):
        box.play(port, [Sent(frame) for frame in sent[port]])
    await box.settle()
    for port in range(4):
        got = box.seen(PAIR[port])[before[PAIR[port]] :]
        assert [frame.data for frame in got] == sent[port]
        assert (await box.counters(port))["RX_FRAMES"] - counted[port]["RX_FRAMES"] == 30
        assert counted[port]["RX_FRAMES"] < 60 and counted[port]["TX_UNDERRUN"] == 0
