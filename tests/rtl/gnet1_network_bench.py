# SPDX-License-Identifier: Apache-2.0
"""Rate limit, router queue, cells and switch: each against the arithmetic that it stands for."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from box import Box, Sent, random_frame, sealed, stamp
from cocotb.triggers import Timer

TICK_NS = 32


def spacing_ns(times_fs: list[int]) -> list[float]:
    """Return the distances of successive frames."""
    return [(b - a) / 1e6 for a, b in zip(times_fs, times_fs[1:], strict=False)]


@cocotb.test()
async def rate_limit_spaces_frames_by_their_words(dut: Any) -> None:
    """100 Mb/s: a frame follows the one before by 320 ns a word and 1600 ns of overhead."""
    box = Box(dut)
    await box.start()
    await box.write("DELAY", stamp(2_016), 0)  # all frames wait: none is late for its stamp
    await box.write("WORD_COST", stamp(320), 0)
    await box.write("FRAME_COST", stamp(1600), 0)
    await box.write("PORT_CTRL", 0b0001_0001, 0)
    sent = [random_frame(4 * random.randrange(16, 60)) for _ in range(30)]
    box.play(0, [Sent(frame) for frame in sent])
    await box.settle(quiet_us=60)
    got = box.seen(1)
    assert [frame.data for frame in got] == sent
    apart = spacing_ns([frame.time_fs for frame in got])
    for frame, distance in zip(sent, apart, strict=False):
        assert abs(distance - (len(frame) // 4 * 320 + 1600)) <= TICK_NS
    total = sum(len(frame) // 4 * 320 + 1600 for frame in sent[:-1])
    assert abs((got[-1].time_fs - got[0].time_fs) / 1e6 - total) <= TICK_NS


@cocotb.test()
async def fractions_of_4_ns_add_up(dut: Any) -> None:
    """A word cost of 41.25 ns (775.8 Mb/s) holds over a hundred frames to a clock."""
    box = Box(dut)
    await box.start()
    await box.write("DELAY", stamp(2_016), 0)
    await box.write("WORD_COST", stamp(40), 0)
    await box.write("COST_FRACTION", 80, 0)  # 80/256 of 4 ns
    await box.write("PORT_CTRL", 0b0001_0001, 0)
    sent = [random_frame(512) for _ in range(100)]
    box.play(0, [Sent(frame) for frame in sent])
    await box.settle(quiet_us=20)
    got = box.seen(1)
    span = (got[-1].time_fs - got[0].time_fs) / 1e6
    assert abs(span - 99 * 128 * 41.25) <= TICK_NS


@cocotb.test()
async def burst_passes_unshaped_after_idle(dut: Any) -> None:
    """A bucket of five frames' time: five frames leave as they came, the others at the rate."""
    box = Box(dut)
    await box.start()
    await box.write("WORD_COST", stamp(320), 0)
    await box.write("BURST", stamp(5 * 16 * 320), 0)
    await box.write("PORT_CTRL", 0b0001_0001, 0)
    await Timer(60, "us")
    box.play(0, [Sent(random_frame(64)) for _ in range(12)])
    await box.settle(quiet_us=20)
    apart = spacing_ns([frame.time_fs for frame in box.seen(1)])
    assert all(abs(distance - 672) <= TICK_NS for distance in apart[:5])
    assert all(abs(distance - 5120) <= TICK_NS for distance in apart[6:])


@cocotb.test()
async def delay_comes_after_the_queue(dut: Any) -> None:
    """Behind a bottleneck a frame's time is queue plus delay, not the larger of the two."""
    box = Box(dut)
    await box.start()
    await box.write("WORD_COST", stamp(320), 0)
    await box.write("DELAY", stamp(64_000), 0)
    await box.write("PORT_CTRL", 0b0001_0001, 0)
    box.play(0, [Sent(random_frame(64)) for _ in range(10)])
    await box.settle(quiet_us=80)
    for index, (went, got) in enumerate(zip(box.sent_fs(0), box.seen(1), strict=True)):
        waited = (got.time_fs - went) / 1e6 - 64_000
        assert abs(waited - 380 - index * (5120 - 672)) <= 64


@cocotb.test()
async def tail_drop_bounds_the_queue(dut: Any) -> None:
    """A queue of 20 us at 100 Mb/s: no frame waits longer, what does not fit is counted."""
    box = Box(dut)
    await box.start()
    await box.write("WORD_COST", stamp(320), 0)
    await box.write("QUEUE_LIMIT", 200, 0)
    await box.write("PORT_CTRL", 0b0001_0001, 0)
    sent = [random_frame(64) for _ in range(200)]
    box.play(0, [Sent(frame) for frame in sent])
    await Timer(100, "us")
    assert 130 < await box.read("BACKLOG", 0) <= 252
    await box.settle(quiet_us=30)
    got = [frame.data for frame in box.seen(1)]
    left = iter(sent)
    assert all(frame in left for frame in got)
    counters = await box.counters(0)
    assert counters["TAIL_DROP"] == 200 - len(got) and counters["RED_DROP"] == 0
    # 134 us of arrivals at one frame in 5.12 us, and the queue that was filled meanwhile.
    assert abs(len(got) - (200 * 672 + 20_000) / 5120) <= 2
    assert await box.read("BACKLOG", 0) == 0


@cocotb.test()
async def longest_queue_is_bounded_without_a_limit(dut: Any) -> None:
    """At the highest cost and no limit set, the queue stops at 3.36 s: times stay comparable."""
    box = Box(dut)
    await box.start()
    await box.write("WORD_COST", 0xFFFF_FFFF, 0)
    await box.write("PORT_CTRL", 0b0001_0001, 0)
    box.play(0, [Sent(random_frame(9000)) for _ in range(5)])
    await Timer(380, "us")
    # A frame of 2250 words costs 1.84 s: two fit under 3.36 s, two more do not.
    assert (await box.counters(0))["TAIL_DROP"] == 3
    assert 36_000_000 < await box.read("BACKLOG", 0) < 37_000_000
    got = box.seen(1)
    assert len(got) == 1, "the others wait for their seconds"


@cocotb.test()
async def red_drops_with_its_probability(dut: Any) -> None:
    """A queue that stands at 12.8 ms: none under the minimum, a quarter, all over the maximum."""
    box = Box(dut)
    await box.start()
    await box.write("PORT_CTRL", 0b0101_0001, 0)
    await box.write("RED_MAX", (1 << 27) - 1, 0)
    await box.write("RED_MIN", (1 << 27) - 1, 0)
    await box.write("SEED_HIGH", random.getrandbits(32), 0)

    async def drops(count: int) -> int:
        before = (await box.counters(0))["RED_DROP"]
        box.play(0, [Sent(random_frame(64)) for _ in range(count)])
        await Timer(count * 672 + 3000, "ns")
        return (await box.counters(0))["RED_DROP"] - before

    await box.write("WORD_COST", stamp(800_000), 0)
    assert await drops(1) == 0
    await box.write("WORD_COST", stamp(0), 0)
    backlog = await box.read("BACKLOG", 0)
    assert 127_900 < backlog < 128_000
    assert await drops(50) == 0, "below the minimum"
    await box.write("RED_MIN", 0, 0)
    await box.write("RED_SLOPE", round(2**32 * 0.25 / backlog), 0)
    quarter = await drops(400)
    assert abs(quarter - 100) < 30, quarter
    assert abs(await box.read("RED_AVERAGE", 0) - backlog) < 5000
    await box.write("RED_MAX", 1000, 0)
    assert await drops(40) == 40, "over the maximum"
    assert (await box.counters(0))["TAIL_DROP"] == 0


@cocotb.test()
async def red_averages_over_its_weight(dut: Any) -> None:
    """The average moves 1/2^w of the way a frame; an idle queue lets it decay."""
    box = Box(dut)
    await box.start()
    await box.write("PORT_CTRL", 0b0101_0001, 0)
    await box.write("RED_MIN", (1 << 27) - 1, 0)
    await box.write("RED_MAX", (1 << 27) - 1, 0)
    await box.write("RED_WEIGHT", 2, 0)
    await box.write("WORD_COST", stamp(20_000), 0)
    box.play(0, [Sent(random_frame(64))])
    await Timer(3, "us")
    await box.write("WORD_COST", 0, 0)
    expected, backlog = 0.0, 0
    for _ in range(6):
        backlog = await box.read("BACKLOG", 0)
        box.play(0, [Sent(random_frame(64))])
        await Timer(3, "us")
        expected += (backlog - expected) / 4
        assert abs(await box.read("RED_AVERAGE", 0) - expected) < 30
    await Timer(500, "us")
    assert await box.read("RED_AVERAGE", 0) < expected / 20
    await box.settle()


@cocotb.test()
async def cells_cost_what_atm_makes_them_cost(dut: Any) -> None:
    """A cell for each 48 bytes begun, trailer included; exact fits need no cell more."""
    box = Box(dut)
    await box.start()
    cell_ns = 2816
    await box.write("DELAY", stamp(2_016), 0)
    await box.write("WORD_COST", stamp(cell_ns), 0)
    await box.write("ATM_OVERHEAD", 8, 0)
    await box.write("PORT_CTRL", 0b0011_0001, 0)
    lengths = [64, 88, 89, 136, 137, 135, 64, 40, 41, 300, 1518, 87, 79, 80, 127, 64]
    box.play(0, [Sent(random_frame(length)) for length in lengths])
    await box.settle(quiet_us=120)
    got = box.seen(1)
    assert [len(frame.data) for frame in got] == lengths
    for length, distance in zip(lengths, spacing_ns([f.time_fs for f in got]), strict=False):
        assert abs(distance - -(-(length + 8) // 48) * cell_ns) <= TICK_NS, length
    await box.write(
        "ATM_OVERHEAD", 18, 0
    )  # LLC and SNAP of a bridged frame: cells end inside of words
    box.play(0, [Sent(random_frame(length)) for length in lengths])
    await box.settle(quiet_us=120)
    got = box.seen(1)[len(lengths) :]
    for length, distance in zip(lengths, spacing_ns([f.time_fs for f in got]), strict=False):
        assert abs(distance - -(-(length + 18) // 48) * cell_ns) <= TICK_NS, length


def ether(destination: int, source: int, length: int = 80) -> bytes:
    """Return a frame between two addresses."""
    head = destination.to_bytes(6, "big") + source.to_bytes(6, "big") + b"\x08\x00"
    return sealed(head + random.randbytes(length - 18))


HOSTS = tuple(0x02_00_00_00_00_10 + port for port in range(4))


async def outputs(box: Box, port: int, *frames: bytes) -> list[list[bytes]]:
    """Send frames into a port; return what came out of each."""
    before = [len(box.seen(out)) for out in range(4)]
    box.play(port, [Sent(frame) for frame in frames])
    await box.settle()
    return [[frame.data for frame in box.seen(out)[before[out] :]] for out in range(4)]


@cocotb.test()
async def switch_floods_then_learns(dut: Any) -> None:
    """Unknown and group addresses go everywhere else; good frames teach, bad ones do not."""
    box = Box(dut)
    await box.start()
    await box.write("CTRL", 0b110)
    first = ether(HOSTS[2], HOSTS[0])
    assert await outputs(box, 0, first) == [[], [first], [first], [first]]
    answer = ether(HOSTS[0], HOSTS[2])
    assert await outputs(box, 2, answer) == [[answer], [], [], []]
    assert await outputs(box, 0, first) == [[], [], [first], []]
    broadcast = ether(0xFFFF_FFFF_FFFF, HOSTS[1])
    assert await outputs(box, 1, broadcast) == [[broadcast], [], [broadcast], [broadcast]]
    own = ether(HOSTS[0], 0x02_00_00_00_00_99)
    assert await outputs(box, 0, own) == [[], [], [], []], "it lives where it came from"
    assert (await box.counters(0))["NO_ROUTE"] == 1
    bad = ether(0xFFFF_FFFF_FFFF, HOSTS[3])
    await outputs(box, 3, bad[:-1] + bytes([bad[-1] ^ 1]))
    to_3 = ether(HOSTS[3], HOSTS[1])
    assert await outputs(box, 1, to_3) == [[to_3], [], [to_3], [to_3]]
    assert await outputs(box, 1, b"\x02\x03\x04\x05", b"\x02\x03\x04\x05\x06") == [[]] * 4
    await box.write("MAC_FLUSH", 0)
    assert await box.read("MAC_VALID") == 0
    assert await outputs(box, 0, first) == [[], [first], [first], [first]]


@cocotb.test()
async def switch_table_ages_replaces_and_keeps_static_entries(dut: Any) -> None:
    """Sixteen places: a static entry stays, learned ones take turns and leave after two periods."""
    box = Box(dut)
    await box.start()
    await box.write("CTRL", 0b110)
    await box.write("MAC_LOW", HOSTS[3] & 0xFFFF_FFFF)
    await box.write("MAC_HIGH", HOSTS[3] >> 32)
    await box.write("MAC_ENTRY", 1 << 16 | 3 << 8 | 5)
    assert await box.read("MAC_VALID") == 1 << 5
    frame = ether(HOSTS[3], HOSTS[1])
    assert await outputs(box, 1, frame) == [[], [], [], [frame]]
    many = [ether(HOSTS[3], 0x02_00_00_00_01_00 + index) for index in range(20)]
    assert (await outputs(box, 2, *many))[3] == many
    assert await box.read("MAC_VALID") == 0xFFFF
    assert await outputs(box, 1, frame) == [[], [], [], [frame]]
    await box.write("MAC_AGE", 31_250 // 10)  # 0.1 ms
    await Timer(250, "us")
    assert await box.read("MAC_VALID") == 1 << 5
    await box.write("MAC_ENTRY", 5)
    assert await box.read("MAC_VALID") == 0
    await box.write("MAC_HIGH", 0x0100)
    await box.write("MAC_LOW", 0x5E00_0001)
    await box.write("MAC_ENTRY", 1 << 16 | 3 << 8)
    group = ether(0x0100_5E00_0001, HOSTS[1])
    assert await outputs(box, 1, group) == [[group], [], [group], [group]]


@cocotb.test()
async def switch_shares_a_port_without_loss(dut: Any) -> None:
    """Three ports at wire rate into one: it is used fully, each source's frames stay in order."""
    box = Box(dut)
    await box.start((100, -100, 50, 0))
    await box.write("CTRL", 0b110)
    await outputs(box, 3, ether(0xFFFF_FFFF_FFFF, HOSTS[3]))
    start = len(box.seen(3))
    sent = [[ether(HOSTS[3], HOSTS[port], random.randrange(64, 300)) for _ in range(60)]
            for port in range(3)]  # fmt: skip
    broadcasts = [ether(0xFFFF_FFFF_FFFF, HOSTS[0], 90) for _ in range(3)]
    sent[0][30:30] = broadcasts
    for port in range(3):
        box.play(port, [Sent(frame) for frame in sent[port]])
    await box.settle()
    got = box.seen(3)[start:]
    for port in range(3):
        mine = [frame.data for frame in got if frame.data[6:12] == HOSTS[port].to_bytes(6, "big")]
        assert mine == sent[port]
    assert len(got) == 183
    assert {frame.gap for frame in got[1:-1] if frame.data not in broadcasts} == {12}
    # A frame for several ports waits until they have sent what they had, then comes the way here.
    assert all(frame.gap <= 28 for frame in got[1:-1])
    for out in (1, 2):
        assert [frame.data for frame in box.seen(out)][-3:] == broadcasts


@cocotb.test()
async def routes_are_free(dut: Any) -> None:
    """Any map of inputs to outputs by register: a loop back, a copy to two ports, nowhere."""
    box = Box(dut)
    await box.start()
    await box.write("ROUTE", 0b0001, 0)
    frame = random_frame(100)
    assert await outputs(box, 0, frame) == [[frame], [], [], []]
    await box.write("ROUTE", 0b1010, 0)
    assert await outputs(box, 0, frame) == [[], [frame], [], [frame]]
    await box.write("ROUTE", 0, 0)
    assert await outputs(box, 0, frame) == [[], [], [], []]
    assert (await box.counters(0))["NO_ROUTE"] == 1


@cocotb.test()
async def frames_for_several_ports_stay_whole_beside_a_busy_one(dut: Any) -> None:
    """Port 3 is behind with frames of its own when frames for ports 1, 2 and 3 arrive."""
    box = Box(dut)
    await box.start()
    await box.write("ROUTE", 0b1110, 0)
    await box.write("ROUTE", 0b1000, 3)
    await box.write("IFG", 60, 3)
    several = [random_frame(random.randrange(64, 600)) for _ in range(20)]
    own = [random_frame(random.randrange(64, 600)) for _ in range(40)]
    box.play(3, [Sent(frame) for frame in own])
    box.play(0, [Sent(frame, 300) for frame in several])
    await box.settle()
    for port in (1, 2):
        assert [frame.data for frame in box.seen(port)] == several
        assert (await box.counters(port))["TX_UNDERRUN"] == 0
    mixed = [frame.data for frame in box.seen(3)]
    assert [frame for frame in mixed if frame in several] == several
    assert [frame for frame in mixed if frame in own] == own


@cocotb.test()
async def a_frame_behind_a_dropped_one_pays_its_cost(dut: Any) -> None:
    """Tail drop lets every other frame in; each of those takes FRAME_COST at the bottleneck."""
    box = Box(dut)
    await box.start()
    await box.write("DELAY", stamp(20_000), 0)
    await box.write("FRAME_COST", stamp(10_000), 0)
    await box.write("QUEUE_LIMIT", 50, 0)  # 5 us
    await box.write("PORT_CTRL", 0b0001_0001, 0)
    sent = [random_frame(600) for _ in range(20)]  # 4960 ns apart
    box.play(0, [Sent(frame) for frame in sent])
    await box.settle(quiet_us=50)
    dropped = (await box.counters(0))["TAIL_DROP"]
    assert dropped == len(sent) - len(box.seen(1)) > 5
    gaps = spacing_ns([frame.time_fs for frame in box.seen(1)])
    assert all(gap >= 10_000 - TICK_NS for gap in gaps), gaps


@cocotb.test()
async def runts_in_a_torrent_are_lost_at_the_door_only(dut: Any) -> None:
    """Frames of one byte, a clock apart, are more than a word a 32 ns clock: some find no room."""
    box = Box(dut)
    await box.start()
    runts = [Sent(bytes([index & 255]), 1, b"\xd5") for index in range(300)]
    after = random_frame(500)
    box.play(0, [*runts, Sent(after, 2000)])
    await box.settle()
    got = [frame.data for frame in box.seen(1)]
    assert 50 < len(got) < 300 and got[-1] == after
    left = iter([runt.data for runt in runts] + [after])
    assert all(frame in left for frame in got)
    counters = await box.counters(0)
    assert counters["RX_LOST"] > 0 and counters["TX_UNDERRUN"] == 0
    await box.write("PORT_CTRL", 0, 0)
    await Timer(1, "us")
    assert await outputs(box, 0, after) == [[], [], [], []], "a port that is off"
    assert (await box.counters(0))["RX_LOST"] == counters["RX_LOST"] + 1


@cocotb.test()
async def errored_frames_of_every_fill_pass(dut: Any) -> None:
    """RX_ER in frames of 60 to 63 bytes and at discard, memory wrap and a full transmit FIFO."""
    box = Box(dut)
    await box.start()
    sent = [Sent(random_frame(60 + index % 4), 12, error_at=index % 50) for index in range(16)]
    sent += [Sent(random_frame(1518)) for _ in range(24)]
    box.play(0, sent)
    await box.write("DISCARD_CTRL", 0, 0)
    await box.settle()
    got = box.seen(1)
    assert [frame.data for frame in got] == [frame.data for frame in sent]
    assert [frame.errors for frame in got] == [1] * 16 + [0] * 24
