# SPDX-License-Identifier: Apache-2.0
"""The NIC's receive path: what becomes of each frame, the packet buffer."""

from __future__ import annotations

import random
import struct
import zlib
from typing import Any

import cocotb
from nic_line import with_fcs
from nic_rx import BROADCAST, CAPACITY, LONGEST, OURS, Receive, damaged, frame_to, started
from nic_rx_model import BAM, CFF, CFI, CFIEN, MPE, MULTI, PAUSE_GROUP, SBP, SECRC, UPE, VFE, VLAN


@cocotb.test(timeout_time=6, timeout_unit="ms")
async def lengths_are_judged_in_the_order_of_the_twin(dut: Any) -> None:
    """Every length about each limit, whole and damaged, with and without a tag."""
    receive = await started(dut, rctl=SECRC | SBP)
    lengths = [*range(1, 20), 31, 32, *range(59, 70)]
    for limit, about in ((1518, 1518), (64, 64), (1000, 1000), (2500, 2500), (100, 700)):
        await receive.set(limit=limit)
        for octets in [*(lengths if limit == 1518 else []), *range(about - 2, about + 8)]:
            for tag in (None, 0x123):
                if octets < 24:
                    await receive.frame(random.randbytes(octets), gap=1)
                    continue
                if octets < 64:
                    body = random.randbytes(octets - 4)
                    short = body + zlib.crc32(body).to_bytes(4, "little")
                    await receive.frame(short, gap=1)
                    await receive.frame(damaged(short), gap=0)
                    continue
                await receive.frame(frame_to(OURS, octets, tag=tag), gap=1)
                await receive.frame(damaged(frame_to(OURS, octets, tag=tag)), gap=1)
                await receive.frame(frame_to(OURS, octets, tag=tag), error=True, gap=1)
    await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_length_field_that_says_more_than_came_is_counted(dut: Any) -> None:
    """About the bytes that came and about 1500; the frame is kept all the same."""
    receive = await started(dut, limit=2000)
    for octets in (64, 65, 300, 1518, 1519, 1530):
        for tag in (None, 7):
            came = octets - 18 - (4 if tag is not None else 0)
            for kind in {0, 1, came - 1, came, came + 1, 1499, 1500, 1501, 1502}:
                frame = frame_to(OURS, octets, tag=tag, kind=kind)
                await receive.frame(frame, gap=random.randrange(3))
                if kind == came + 1:
                    await receive.frame(frame_to(bytes(6), octets, tag=tag, kind=kind))
    await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def damaged_frames_are_kept_with_sbp_as_they_came(dut: Any) -> None:
    """Their tag and their FCS stay, the VLAN filter does not see them, their sums are not told."""
    receive = await started(dut)
    kept = 0
    for rctl in (0, SBP, SBP | SECRC, SBP | VFE):
        for descriptors in (False, True):
            await receive.set(rctl=rctl, vme=True, descriptors=descriptors)
            for to in (OURS, bytes(6), PAUSE_GROUP):
                for tag in (None, 0x5123):
                    for kind in (0x0800, 0x8808, 5, 1000):
                        bad = damaged(frame_to(to, random.randint(64, 80), tag=tag, kind=kind))
                        await receive.frame(bad, gap=random.randrange(3))
                        whole = frame_to(to, random.randint(64, 80), tag=tag)
                        await receive.frame(whole, error=True, gap=random.randrange(3))
                        kept += 2 * bool(rctl & SBP and to == OURS)
    await receive.finish()
    assert receive.got == kept > 0


def control(to: bytes, opcode: int, quanta: int, octets: int = 64) -> bytes:
    """Return a MAC control frame."""
    body = struct.pack("!HHH", 0x8808, opcode, quanta)
    return with_fcs(to + random.randbytes(6) + body + bytes(octets - 22))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def control_frames_are_acted_on_counted_and_filtered(dut: Any) -> None:
    """PAUSE to the group and to the station is never stored; others are, without CFF."""
    receive = await started(dut, rctl=SECRC | SBP | MPE)
    for rctl in (MPE | SBP, MPE | SBP | CFF, CFF, 0):
        await receive.set(rctl=rctl)
        for to in (PAUSE_GROUP, OURS, bytes(6), b"\x01" + bytes(5)):
            for opcode in (1, 2, 0x101, 0):
                for quanta in (0, 1, 0x100):
                    for octets in (64, 65, 1518, 1519, 1522, 1523):
                        if octets > 65 and random.random() < 0.7:
                            continue
                        frame = control(to, opcode, quanta, octets)
                        if random.random() < 0.1:
                            frame = damaged(frame)
                        # The next frame's first words come before the verdict on this one.
                        await receive.frame(frame, gap=random.randrange(3))
                        await receive.frame(frame_to(OURS, 64), gap=0)
    await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def good_pause_frames_alone_hold_the_transmitter(dut: Any) -> None:
    """Not a damaged one, not a runt, not one over the limit, not with the receiver off."""
    receive = await started(dut)
    pause = control(PAUSE_GROUP, 1, 2)
    for frame, held in ((pause, True), (damaged(pause), False), (pause[:60], False),
                        (control(PAUSE_GROUP, 1, 2, 1522), True),
                        (control(PAUSE_GROUP, 1, 2, 1523), False)):  # fmt: skip
        await receive.frame(frame, gap=1)
        assert bool(int(dut.paused_o.value)) == held
        await receive.clock(40)
        assert not int(dut.paused_o.value)
    await receive.frame(pause, error=True, gap=4)
    assert not int(dut.paused_o.value)
    await receive.set(enable=False)
    await receive.frame(pause, gap=4)
    await receive.frame(frame_to(OURS), gap=0)
    assert not int(dut.paused_o.value)
    await receive.finish()
    assert receive.got == 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def tags_and_fcs_are_taken_out_where_that_is_set(dut: Any) -> None:
    """Every length from 64 to 100 bytes by each setting; the engine stalls at random."""
    receive = await started(dut)
    for rctl in (0, SECRC):
        for vme in (False, True):
            await receive.set(rctl=rctl, vme=vme)
            receive.drain = 0.6
            for octets in range(64, 101):
                tag = random.getrandbits(16) if random.random() < 0.7 else None
                await receive.frame(frame_to(OURS, octets, tag=tag), gap=random.randrange(3))
            await receive.finish()
            receive.drain = 1.0
    assert receive.got == 4 * 37


async def fill(receive: Receive, sizes: list[int]) -> None:
    """Send frames that nobody takes, and tell the model which of them find room."""
    receive.drain = 0.0
    await receive.clock(2)
    assert not receive.back
    for octets in sizes:
        room = receive.kept_words + (octets + 7) // 8 <= CAPACITY
        await receive.frame(frame_to(OURS, octets), gap=random.randrange(2), room=room)
    await receive.clock(6)
    assert int(receive.dut.fill_o.value) == receive.kept_words * 8
    receive.drain = 1.0
    await receive.finish()


@cocotb.test(timeout_time=6, timeout_unit="ms")
async def a_frame_for_which_there_is_no_room_is_missed_whole(dut: Any) -> None:
    """To the last word and one beyond; shorter frames behind it still fit; the memory wraps."""
    receive = await started(dut, limit=LONGEST, rctl=0)
    half = CAPACITY * 8 // 2 - 8
    await fill(receive, [half, half, 64, 64])
    assert receive.missed == 2
    await fill(receive, [half - 56, half, 73, 72, 64, 64])
    assert receive.missed == 5
    for _ in range(4):
        sizes = [random.choice((64, 65, 71, 72, 1518, 9018, 5000)) for _ in range(12)]
        await fill(receive, sizes)
    await fill(receive, [LONGEST, LONGEST, 64, 64])
    assert receive.missed >= 6
    missed = receive.missed
    # Frames that are not wanted, or damaged, are not missed.
    receive.drain = 0.0
    for _ in range(2):
        await receive.frame(frame_to(OURS, LONGEST))
    for _ in range(3):
        await receive.frame(frame_to(bytes(6), 1000), room=False)
        await receive.frame(damaged(frame_to(OURS, 1000)), room=False)
    await receive.clock(8)
    assert receive.missed == missed
    # One that is missed is not counted as without a descriptor, too.
    await receive.set(rctl=SBP, descriptors=False)
    await receive.frame(damaged(frame_to(OURS, 1000)), room=False)
    assert receive.missed == missed + 1
    receive.drain = 1.0
    await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_frame_that_found_no_room_is_missed_though_room_comes_before_its_end(dut: Any) -> None:
    """149 words are free; 200 more come while a frame of 300 is on its way in."""
    receive = await started(dut, limit=LONGEST, rctl=0)
    receive.drain = 0.0
    for words in (200, 2047, 1700):
        await receive.frame(frame_to(OURS, 8 * words))
    await receive.clock(4)
    receive.drain = 1.0
    await receive.frame(frame_to(OURS, 8 * 300), room=False, gap=6)
    assert int(dut.fill_o.value) == 8 * (2047 + 1700), "the first frame left meanwhile"
    await receive.frame(frame_to(OURS, 8 * 300))
    await receive.finish()
    assert receive.missed == 1 and receive.got == 4


@cocotb.test(timeout_time=6, timeout_unit="ms")
async def the_buffer_holds_as_many_of_the_shortest_frames_as_fit(dut: Any) -> None:
    """Back to back with the least gap, until it is full; then all of them come out."""
    receive = await started(dut)
    for _ in range(2):
        await fill(receive, [64] * (CAPACITY // 8 + 2))
    assert receive.missed == 4
    assert receive.got == CAPACITY // 8 * 2


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def the_shortest_frames_at_line_rate_are_judged_and_read_as_they_come(dut: Any) -> None:
    """64 bytes, with a word for preamble and gap, and none: each is taken by the next one's end."""
    receive = await started(dut)
    for gap in (1, 0):
        for _ in range(100):
            await receive.frame(frame_to(random.choice((OURS, OURS, bytes(6)))), gap=gap)
            if gap:
                assert len(receive.wanted) + len(receive.coming) <= 3
        await receive.finish()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_reset_in_mid_frame_forgets_all_that_came(dut: Any) -> None:
    """With frames in the buffer, one on its way out and one on its way in."""
    for words in (1, 2, 3, 9):
        receive = await started(dut, vme=True)
        receive.drain = 0.3
        for _ in range(4):
            await receive.frame(frame_to(OURS, 200, tag=5))
        dut.line_valid_i.value = 1
        for _ in range(words):
            dut.line_i.value = random.getrandbits(64)
            await receive.clock()
        dut.rst_ni.value = 0
        receive = await started(dut)
        assert int(dut.fill_o.value) == 0
        for octets in (64, 65, 300):
            await receive.frame(frame_to(OURS, octets))
        await receive.finish()
        assert receive.got == 3


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def random_frames_by_random_settings_become_what_the_model_says(dut: Any) -> None:
    """All settings at once; bubbles in frames, frames without a gap, an engine that stalls."""
    receive = await started(dut)
    for place in range(128):
        await receive.write(VLAN, place, random.getrandbits(32))
        await receive.write(MULTI, place, random.getrandbits(32) & random.getrandbits(32))
    bits = (SBP, UPE, MPE, BAM, VFE, CFIEN, CFI, CFF, SECRC)
    for _ in range(24):
        receive.drain = 1.0
        await receive.finish()
        await receive.set(
            rctl=sum(bit for bit in bits if random.random() < 0.5) | random.randrange(4) << 12,
            vme=random.random() < 0.5, ipofl=random.random() < 0.5, tuofl=random.random() < 0.5,
            limit=random.choice((1518, 300, 9018)), enable=random.random() < 0.95,
            descriptors=random.random() < 0.7,
        )  # fmt: skip
        receive.drain = random.choice((0.9, 1.0))
        for _ in range(20):
            to = random.choice((OURS, OURS, BROADCAST, PAUSE_GROUP, random.randbytes(6)))
            octets = random.choice((64, 64, 65, 80, 200, 301, 305))
            kind = random.choice((0x800, 0x800, 0x8808, 40, 300))
            tag = random.getrandbits(16) if random.random() < 0.4 else None
            frame = frame_to(to, octets, tag=tag, kind=kind)
            if random.random() < 0.1:
                frame = damaged(frame)
            await receive.frame(
                frame[: random.randint(1, 63)] if random.random() < 0.1 else frame,
                error=random.random() < 0.05, gap=random.choice((0, 0, 1, 2)),
                bubbles=random.choice((0, 0, 0.2)),
            )  # fmt: skip
    receive.drain = 1.0
    await receive.finish()
