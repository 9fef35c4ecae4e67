# SPDX-License-Identifier: Apache-2.0
"""The NIC's MAC against cocotbext-eth: every length, gaps, faults, PAUSE, pace."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb.utils import get_sim_steps
from cocotbext.eth import XgmiiFrame
from nic_line import (
    BROADCAST,
    CLOCK,
    IDLE,
    MULTICAST,
    STATION,
    UNICAST,
    Line,
    sent,
    some_frame,
    with_fcs,
)

LENGTHS = [14, 15, 59, *range(60, 77), 127, 128, 1514, 1515, 1516, 1517, 1518, 1519, 9014]
START, TERMINATE, ERROR, SEQUENCE = 0xFB, 0xFD, 0xFE, 0x9C
LONGEST = 16383


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def frames_of_every_length_leave_whole_with_preamble_padding_and_fcs(dut: Any) -> None:
    """Alone, at random distances, in either half of a word."""
    line = Line(dut)
    await line.start()
    for length in [1, 2, 13, *LENGTHS]:
        frame = some_frame(length) if length > 13 else random.randbytes(length)
        await line.send(frame)
        await line.clocks(random.randint(0, 9))
        assert (await sent(line))[0] == with_fcs(frame)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def frames_follow_each_other_with_twelve_bytes_between_in_the_mean(dut: Any) -> None:
    """The deficit idle count: each gap 9 to 15, never more than 3 bytes ahead, the mean 12."""
    line = Line(dut)
    await line.start()
    lengths = [random.choice(LENGTHS[2:-1]) for _ in range(150)]
    frames = [some_frame(length) for length in lengths]

    async def feed() -> None:
        for frame in frames:
            await line.send(frame)

    cocotb.start_soon(feed())
    starts: list[int] = []
    ends: list[int] = []
    for frame in frames:
        got, seen = await sent(line)
        assert got == with_fcs(frame)
        # Times of the Start and of the Terminate, each in its own lane.
        starts.append(seen.sim_time_start)
        ends.append(seen.sim_time_end)
    gaps = [(begin - end) * 8 // CLOCK for end, begin in zip(ends, starts[1:], strict=False)]
    assert set(gaps) <= set(range(9, 16)), sorted(set(gaps))
    ahead = 0
    for gap in gaps:
        ahead += 12 - gap
        assert 0 <= ahead <= 3, gaps
    assert len({(begin * 8 // CLOCK) % 8 for begin in starts}) == 2, "both halves"


def steps_of(frame: bytes, gbps: float) -> float:
    """Return how long a frame, its preamble and its gap take at a rate."""
    return (max(len(frame) + 4, 64) + 20) * 8 / gbps * get_sim_steps(1, "ns")


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def the_pace_sets_the_distance_of_frames_to_a_part_in_ten_thousand(dut: Any) -> None:
    """Each pace of PAP; the WAN PHY's is 9.294196363 Gb/s; others do not count."""
    line = Line(dut)
    await line.start()
    for pace, gbps in [*((n, n) for n in range(1, 10)), (15, 9.294196363), (12, 10)]:
        dut.pace_i.value = pace
        frames = [some_frame(random.choice((60, 61, 512, 1514))) for _ in range(24)]

        async def feed(frames: list[bytes] = frames) -> None:
            for frame in frames:
                await line.send(frame)

        cocotb.start_soon(feed())
        starts = [(await sent(line))[1].sim_time_start for _ in frames]
        wanted = sum(steps_of(frame, gbps) for frame in frames[:-1])
        assert abs(starts[-1] - starts[0] - wanted) < CLOCK * 1.5, (pace, gbps)
        if gbps < 10:
            for (one, two), frame in zip(pairwise(starts), frames, strict=False):
                least = steps_of(frame, gbps)
                assert two - one > least - 1.5 * CLOCK
        await line.clocks(round(steps_of(frames[-1], gbps) / CLOCK) + 4)
        assert not int(dut.tx_busy_o.value)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def each_frame_that_leaves_is_told_with_its_kind(dut: Any) -> None:
    """Octets on the wire, destination, tag, padding; over 1518 bytes, 1522 with a tag, is jumbo."""
    line = Line(dut)
    await line.start()
    wanted: list[dict[str, int]] = []
    for length in (14, 59, 60, 1514, 1515, 1518, 1519):
        for to, sort in ((b"\xff" * 6, BROADCAST), (b"\x03" + b"\0" * 5, MULTICAST),
                         (b"\x02" + b"\xff" * 5, UNICAST)):  # fmt: skip
            for tag in (b"\x81\0", b"\x08\0"):
                await line.send(to + STATION + tag + bytes(length - 14))
                vlan = tag == b"\x81\0"
                wanted.append({
                    "octets": max(length + 4, 64), "sort": sort, "vlan": int(vlan),
                    "jumbo": int(length + 4 > 1518 + 4 * vlan), "padded": int(length < 60),
                    "xon": 0, "xoff": 0,
                })  # fmt: skip
    await line.clocks(20)
    assert line.events == wanted


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def frames_of_every_length_come_in_from_either_lane(dut: Any) -> None:
    """Back to back and apart, with the far end's own deficit idle count; their FCS judged."""
    line = Line(dut)
    await line.start()
    frames: list[tuple[bytes, bool]] = []
    for length in [*range(1, 30), *LENGTHS, *LENGTHS[::-1]]:
        data = with_fcs(some_frame(length)) if length > 59 else random.randbytes(length)
        bad = length < 60 or random.random() < 0.2
        if length > 59 and bad:
            at = random.randrange(len(data))
            data = data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
        frames.append((data, bad))
        line.source.force_offset_start = random.random() < 0.3
        await line.source.send(XgmiiFrame.from_raw_payload(data))
        if random.random() < 0.2:
            await line.clocks(random.randint(0, 40))
    for (data, bad), got in zip(frames, await line.came(len(frames)), strict=True):
        assert got.data == data and not got.error
        assert got.fcs_bad == bad
    await line.clocks(4)
    assert not int(dut.rx_busy_o.value)


async def column_pairs(dut: Any, lanes: bytes, control: list[int]) -> None:
    """Drive bytes on XGMII, eight a clock, and idle behind them."""
    await FallingEdge(dut.clk)
    for at in range(0, len(lanes), 8):
        dut.rxd_i.value = int.from_bytes(lanes[at : at + 8], "little")
        dut.rxc_i.value = sum(bit << lane for lane, bit in enumerate(control[at : at + 8]))
        await FallingEdge(dut.clk)
    dut.rxd_i.value, dut.rxc_i.value = IDLE


def on_wire(body: bytes, start: int = 0, marks: dict[int, int] | None = None,
            end: int | None = TERMINATE, sfd: int = 0xD5) -> tuple[bytes, list[int]]:  # fmt: skip
    """Return lanes and control bits of a frame; `marks` puts control characters into its body."""
    lanes = bytearray(b"\x07" * start) + bytes([START]) + b"\x55" * 6 + bytes([sfd])
    control = [1] * start + [1] + [0] * 7
    for at, byte in enumerate(body):
        lanes.append((marks or {}).get(at, byte))
        control.append(int(at in (marks or {})))
    if end is not None:
        lanes.append(end)
        control.append(1)
    missing = -len(lanes) % 8
    return bytes(lanes + b"\x07" * missing), control + [1] * missing


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_frame_with_an_error_or_without_an_end_is_marked(dut: Any) -> None:
    """An error character in any lane; an idle, a sequence or another start in the middle."""
    line = Line(dut)
    await line.start(far_end=False)
    for start in (0, 4):
        for at in range(60, 77):
            body = with_fcs(some_frame(80))
            await column_pairs(dut, *on_wire(body, start, {at: ERROR}))
            (got,) = await line.came(1)
            assert got.error and got.data == body[:at] + b"\xfe" + body[at + 1 :]
            for character in (0x07, SEQUENCE, 0x06):
                await column_pairs(dut, *on_wire(body[:at], start, end=character))
                (got,) = await line.came(1)
                assert got.error and got.data == body[:at]
            await column_pairs(dut, *on_wire(body[:at], start))
            (got,) = await line.came(1)
            assert not got.error and got.fcs_bad and got.data == body[:at]


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_start_in_a_frame_ends_it_and_begins_the_next(dut: Any) -> None:
    """The broken frame is marked, the new one is whole."""
    line = Line(dut)
    await line.start(far_end=False)
    for first, broken in ((0, 64), (0, 68), (4, 64), (4, 68)):
        cut = some_frame(broken)
        body = with_fcs(some_frame(77))
        lanes, control = on_wire(cut, first, end=None)
        kept = first + 8 + broken
        more_lanes, more_control = on_wire(body)
        await column_pairs(dut, lanes[:kept] + more_lanes + b"\x07" * 4,
                           control[:kept] + more_control + [1] * 4)  # fmt: skip
        one, two = await line.came(2)
        assert one.error and one.data == cut
        assert not two.error and not two.fcs_bad and two.data == body


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def without_its_delimiter_there_is_no_frame(dut: Any) -> None:
    """Nor with nothing behind it."""
    line = Line(dut)
    await line.start(far_end=False)
    for start in (0, 4):
        await column_pairs(dut, *on_wire(with_fcs(some_frame(60)), start, sfd=0x55))
        await column_pairs(dut, *on_wire(b"", start))
        await line.clocks(10)
        assert line.received == []
        body = with_fcs(some_frame(60))
        await column_pairs(dut, *on_wire(body, start))
        assert [got.data for got in await line.came(1)] == [body]


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_frame_that_is_too_long_is_cut_and_marked(dut: Any) -> None:
    """The longest is whole; one byte more is an error, and the frame behind it is well."""
    line = Line(dut)
    await line.start()
    lengths = (LONGEST, LONGEST + 1, LONGEST + 20, 64)
    frames = [with_fcs(some_frame(length - 4)) for length in lengths]
    for frame in frames:
        await line.source.send(XgmiiFrame.from_raw_payload(frame))
    for frame, got in zip(frames, await line.came(len(frames)), strict=True):
        assert got.data == frame[:LONGEST]
        assert got.error == (len(frame) > LONGEST)


def fault_column(kind: int) -> int:
    """Return a column's message: 1 local, 2 remote fault."""
    return kind << 24 | SEQUENCE


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def four_messages_within_128_columns_are_a_fault(dut: Any) -> None:
    """Three are none; 127 columns between are near enough, 128 are too far; 128 without end it."""
    line = Line(dut)
    await line.start(far_end=False)

    async def columns(messages: list[int | None]) -> None:
        for at in range(0, len(messages), 2):
            pair = messages[at : at + 2]
            data = [0x07070707 if kind is None else fault_column(kind) for kind in pair]
            dut.rxd_i.value = data[0] | data[1] << 32
            dut.rxc_i.value = sum((0xF if kind is None else 1) << 4 * i
                                  for i, kind in enumerate(pair))  # fmt: skip
            await FallingEdge(dut.clk)

    def faults() -> tuple[int, int]:
        return int(dut.local_fault_o.value), int(dut.remote_fault_o.value)

    none: list[int | None] = [None]
    for kind, wanted in ((1, (1, 0)), (2, (0, 1))):
        await columns([kind, kind, kind, *none * 201])
        assert faults() == (0, 0)
        far = [kind, *none * 128]
        await columns([*far * 4, *none * 2])
        assert faults() == (0, 0), "too far apart"
        near = [kind, *none * 127]
        await columns([*near * 3, kind, None])
        assert faults() == wanted
        await columns([3 - kind, 3 - kind, 3 - kind, None])
        assert faults() == wanted, "three of the other kind"
        await columns([3 - kind, None])
        assert faults() == wanted[::-1]
        await columns(none * 126)
        assert faults() == wanted[::-1]
        await columns(none * 2)
        assert faults() == (0, 0)
        assert not int(dut.fault_busy_o.value)
        await columns([4, 4, 4, 4, 0, 0, 0, 0, *none * 2])
        assert faults() == (0, 0), "other messages"
        for data, control in ((kind << 24 | 1 << 8 | SEQUENCE, 1), (fault_column(kind), 3)):
            dut.rxd_i.value, dut.rxc_i.value = data << 32 | data, control << 4 | control
            await line.clocks(4)
            dut.rxd_i.value, dut.rxc_i.value = IDLE
            await line.clocks(2)
            assert faults() == (0, 0), "columns that are no message"
            await columns(none * 130)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def while_nothing_is_received_the_far_end_is_told(dut: Any) -> None:
    """Remote fault in every column, no frame; a frame that had begun goes out whole."""
    line = Line(dut)
    await line.start()
    frame, held = some_frame(600), some_frame(60)
    sending = cocotb.start_soon(line.send(frame))
    await line.clocks(10)
    dut.local_fault_i.value = 1
    await sending
    cocotb.start_soon(line.send(held))
    await line.clocks(20)
    assert (await sent(line))[0] == with_fcs(frame)
    for _ in range(20):
        await FallingEdge(dut.clk)
        assert int(dut.txd_o.value) == fault_column(2) << 32 | fault_column(2)
        assert int(dut.txc_o.value) == 0x11
    dut.local_fault_i.value = 0
    assert (await sent(line))[0] == with_fcs(held)
    dut.enable_i.value = 0
    waiting = cocotb.start_soon(line.send(held))
    await line.clocks(30)
    assert line.sink.empty() and int(dut.txd_o.value) == IDLE[0]
    dut.enable_i.value = 1
    await waiting
    assert (await sent(line))[0] == with_fcs(held)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def an_idle_mac_changes_nothing(dut: Any) -> None:
    """No output and no activity flag moves while nothing comes and nothing is to be sent."""
    line = Line(dut)
    await line.start()
    await line.send(some_frame(64))
    await sent(line)
    await line.clocks(20)
    for _ in range(50):
        await FallingEdge(dut.clk)
        await ReadOnly()
        assert (int(dut.txd_o.value), int(dut.txc_o.value)) == IDLE
        for name in ("tx_busy_o", "pause_busy_o", "rx_busy_o", "fault_busy_o", "word_valid_o"):
            assert not int(getattr(dut, name).value), name
