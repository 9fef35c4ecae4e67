# SPDX-License-Identifier: Apache-2.0
"""The transmit engine at its limits: what is dropped, room, stops, and clocks."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import cocotb
from nic_tx_host import ASKED, BUSY, EMPTY, FAILED, IN_PACKET, WHOLE, WORD, Host, started
from nic_tx_model import EOP, IXSM, MAX_FRAME, TSE, TXSM, VLE, Context, data

SEGMENTS = Context(header=54, mss=100, payload=250)  # IPv4 and TCP


@cocotb.test()
async def frames_too_short_or_too_long_are_dropped_and_no_others(dut: Any) -> None:
    """13 B and 14 B, 16128 B and more, in one descriptor and in several, ends without bytes."""
    host = await started(dut)
    for size in (1, 8, 13, 14, 15):
        host.packet(random.randbytes(size), 0, VLE)
        host.packet(random.randbytes(size), [size], 0)
    await host.settle()
    assert [len(frame) for frame in host.frames] == [18, 14, 19, 15] and host.model.dropped == 6
    for size in (MAX_FRAME - 1, MAX_FRAME, MAX_FRAME + 1, MAX_FRAME + 8, MAX_FRAME + 300):
        for cuts in ([], [MAX_FRAME - 3, 2], [200, MAX_FRAME - 200]):
            host.packet(random.randbytes(size), cuts if sum(cuts) <= size else [9], VLE, 0, 0xF00D)
            host.packet(random.randbytes(64))
        await host.settle()
    kept = [len(frame) for frame in host.frames[4:]]
    assert [size for size in kept if size != 64] == [MAX_FRAME + 3] * 3 + [MAX_FRAME + 4] * 3


@cocotb.test()
async def what_a_frame_too_long_adds_is_not_even_read(dut: Any) -> None:
    """A descriptor of 1 MB less 1 B; more descriptors behind it, the last one empty."""
    host = await started(dut)
    address = host.put(b"")
    for size, command in ((0xFFFFF, 0), (5000, 0), (0, EOP)):
        host.give(data(address, size, command))
    host.packet(random.randbytes(64))
    await host.settle()
    assert sum(size for _, size in host.spans) == MAX_FRAME + 64
    assert host.model.dropped == 1 and len(host.frames) == 1


@cocotb.test()
async def packets_without_a_byte_give_nothing(dut: Any) -> None:
    """One or several empty descriptors, cut or not; they are given back, and count as nothing."""
    host = await started(dut)
    for command in (0, TSE):
        for empty in (1, 3):
            host.set_context(SEGMENTS)
            for index in range(empty):
                end = EOP if index == empty - 1 else 0
                host.give(data(host.put(b""), 0, command | end))
            host.packet(random.randbytes(60))
    await host.settle()
    assert len(host.frames) == 4 and host.counts[WHOLE] == host.counts[FAILED] == 0


@cocotb.test()
async def super_frames_of_a_bad_context_are_discarded_unread(dut: Any) -> None:
    """Each rule of a context, one byte to either side of its limit, for all protocols."""
    host = await started(dut)
    for ipv4, tcp in ((True, True), (True, False), (False, True), (False, False)):
        up, size = 14 + (20 if ipv4 else 40), 20 if tcp else 8
        good = Context((14, up, up - 1), (up, up + 6, 0), up + size, 60, 90, ipv4, tcp)
        header = good.header
        tries = [
            (good, True),
            (replace(good, mss=0), False),
            (replace(good, header=header - 1), False),
            (replace(good, l4=(up - 1, up + 6, 0)), False),
            (replace(good, ip=(15, up, 0)), False),
            (replace(good, ip=(14, header - 2, 0)), True),
            (replace(good, ip=(14, header - 1, 0)), False),
            (replace(good, l4=(up, header - 2, 0)), True),
            (replace(good, l4=(up, header - 1, 0)), False),
            (replace(good, ip=(14, 254, 0)), False),
            (replace(good, mss=MAX_FRAME - header), True),
            (replace(good, mss=MAX_FRAME - header + 1), False),
            (replace(good, mss=0xFFFF), False),
        ]
        for context, valid in tries:
            asked, failed = host.counts[ASKED], host.counts[FAILED]
            host.set_context(context)
            host.packet(random.randbytes(header + 90), random.randrange(3), TSE, TXSM)
            await host.settle()
            assert (host.counts[ASKED] > asked) == valid, context
            assert host.counts[FAILED] - failed == (not valid), context
    assert host.counts[WHOLE] == 16


@cocotb.test()
async def super_frames_with_too_few_or_too_many_data(dut: Any) -> None:
    """Short in a segment, on its boundary, in the header; more than promised is not sent."""
    host = await started(dut)
    header = SEGMENTS.header
    for extra in (0, 1, 10, 99, 100, 101, 150, 199, 200, 249, 250, 251, 400):
        for payload in (250, 200, 0):
            host.set_context(replace(SEGMENTS, payload=payload))
            content = bytearray(random.randbytes(header + extra))
            content[47] |= 0x89  # CWR, PSH and FIN
            for cuts in ([], [header + extra], [header - 1, 1], [3] * min(8, header // 3)):
                host.packet(bytes(content), cuts, TSE, IXSM | TXSM)
    for size in (1, 20, header - 1):
        for cuts in ([], [size], [size // 2, 0]):
            host.set_context(SEGMENTS)
            host.packet(random.randbytes(size), cuts, TSE, IXSM | TXSM)
            host.packet(random.randbytes(header + 250), [30], TSE, IXSM | TXSM)
    await host.settle()
    # A super-frame of no payload is whole, and no frame.
    assert host.counts[WHOLE] > 13 * 4 and host.counts[FAILED] > 70


@cocotb.test()
async def what_cannot_be_read_is_lost_and_nothing_else(dut: Any) -> None:
    """A word of a packet, first to last; of a header, then all segments; of one segment."""
    host = await started(dut)
    size = 88
    lost = 0
    for at in (*range(0, size, 7), size - 1):
        for align, cuts in ((0, []), (random.randrange(8), [40])):
            content = random.randbytes(size)
            address = host.put(content, align)
            host.bad.add(address + at & ~7)
            host.give(data(address, size, EOP))
            host.packet(content, cuts)
            lost += 1
    await host.settle()
    assert len(host.frames) == lost and host.model.dropped == lost
    host.set_context(SEGMENTS)
    for at, segments in ((0, 0), (53, 0), (64, 2), (160, 2), (303, 2)):
        content = random.randbytes(SEGMENTS.header + 250)
        address = host.put(content, 0)
        host.bad.add(address + at & ~7)
        before = len(host.frames)
        host.give(data(address, len(content), TSE | EOP))
        host.packet(content, 1, TSE)
        await host.settle()
        assert len(host.frames) - before == segments + 3, at
    assert host.counts[FAILED] == 0  # what the bus does is no fault of the context


@cocotb.test()
async def a_stopped_engine_ends_the_packet_in_hand(dut: Any) -> None:
    """TXEN goes in the middle of a packet; the next one waits for it to come back."""
    host = await started(dut)
    content = random.randbytes(300)
    cut = data(host.put(content[:100]), 100), data(host.put(content[100:]), 200, EOP)
    host.give(cut[0])
    await host.clocks(60)
    assert host.state & IN_PACKET and not host.frames and len(host.done) == 1
    host.enabled = False
    host.give(cut[1])
    host.set_context(SEGMENTS)
    host.packet(random.randbytes(60))
    await host.clocks(120)
    assert host.frames == [content] and len(host.done) == 2
    assert not host.state & (BUSY | IN_PACKET) and host.state & EMPTY
    host.enabled = True
    await host.settle()
    assert len(host.frames) == 2


@cocotb.test()
async def tags_are_inserted_only_where_they_may_be(dut: Any) -> None:
    """VLE without VME; the tag of a packet's first descriptor counts, at every length."""
    host = await started(dut, vlan=False)
    host.packet(random.randbytes(60), 0, VLE, 0, 0x1234)
    await host.settle()
    assert len(host.frames[0]) == 60
    host.model.vlan = True
    for size in range(14, 42):
        host.packet(random.randbytes(size), random.randrange(2), VLE, TXSM, size << 8 | 0xA5)
        host.word = random.choice((0.4, 1.0))
    await host.settle()
    assert all(frame[12:14] == b"\x81\x00" for frame in host.frames[1:])


@cocotb.test()
async def a_full_buffer_holds_the_engine_and_loses_nothing(dut: Any) -> None:
    """The MAC takes nothing: long frames, short ones, segments; then it takes all."""
    host = await started(dut)
    host.word = 0
    for _ in range(30):
        host.packet(random.randbytes(random.randrange(2000, 3000)), random.randrange(4))
    await host.clocks(6000)
    assert int(dut.room_o.value) < 3000 // 8 and 10 < len(host.done) < len(host.given)
    host.word = 0.9
    await host.settle()

    host.word = 0  # of frames that wait there is a largest number, too
    before = len(host.done)
    for _ in range(530):
        host.packet(random.randbytes(14))
    await host.clocks(5000)
    assert int(dut.room_o.value) == 4096 - 512 * 2
    assert len(host.done) - before == 512
    host.word = 1.0
    await host.settle()
    # Two frames of the largest size fit; the third waits for one of them to leave.
    host.word = 0
    for _ in range(3):
        host.packet(random.randbytes(MAX_FRAME))
    await host.clocks(5000)
    assert len(host.done) == len(host.given) - 1 and int(dut.room_o.value) == 64
    host.word = 1.0
    await host.settle()


@cocotb.test()
async def a_segment_waits_for_its_room_and_the_padding(dut: Any) -> None:
    """TSPBP bytes stay free behind a segment; more than the buffer has never stops an empty one."""
    context = replace(SEGMENTS, mss=4000, payload=24_000)
    for padding, held in ((0, 8), (16_546, 4), (16_547, 3), (0xFFFF, 1)):
        host = await started(dut)
        host.padding = padding
        host.word = 0
        for _ in range(2):
            host.set_context(context)
            host.packet(random.randbytes(24_054), 0, TSE)
        await host.clocks(7000)
        assert int(dut.room_o.value) == 4096 - held * 507, (padding, int(dut.room_o.value))
        host.word = 1.0
        await host.settle()
        assert host.counts[WHOLE] == 2


async def words_clocks(host: Host) -> int:
    """Run to the end; return clocks from the first word that leaves to the last."""
    host.first_word = 0
    before = host.counts[WORD]
    await host.settle()
    assert host.counts[WORD] > before
    return host.last_word - host.first_word + 1


@cocotb.test()
async def frames_fragments_and_headers_cost_few_clocks(dut: Any) -> None:
    """The figures of the README, with a memory that answers at once and a MAC that always takes.

    The buffer's two clocks between frames are less than preamble, FCS and gap on the wire: a wire
    needs 3 words more a frame than the frame has.
    """
    host = await started(dut)

    async def cost(count: int, spent: int, words: int) -> None:
        """`count` frames that follow the first one's cost `spent` clocks each beside words."""
        clocks = await words_clocks(host)
        bound = count * (words + spent)
        assert clocks <= bound + 4, (clocks, bound)

    # One fragment, aligned and not: the output's two clocks a frame decide.
    for align in (0, 3, 7):
        for _ in range(20):
            host.packet(random.randbytes(1514), 0, 0, TXSM, 0, align)
        await cost(20, 2, 190)
    # Fragments: a clock for each word of host memory that they touch, no more.
    for _ in range(20):
        host.packet(random.randbytes(1500), [100] * 14, 0, 0, 0, 5)
    await cost(20, 0, 15 * 14)
    # Minimum frames: a clock a word and two a frame.
    for _ in range(60):
        host.packet(random.randbytes(60), 0, 0, 0, 0, 0)
    await cost(60, 2, 8)
    # Segments: payload of 1448 in 181 or 182 words, the header's 9 words, a clock for a rest.
    context = Context(header=66, mss=1448, payload=1448 * 20)
    for align in (0, 1, 6):
        host.set_context(context)
        host.packet(random.randbytes(66 + 1448 * 20), [66], TSE, IXSM | TXSM, 0, align)
        clocks = await words_clocks(host)
        assert clocks <= 20 * (182 + 9 + 1) + 8, clocks
        assert clocks < 20 * (1514 + 24) / 8  # the wire's own time
