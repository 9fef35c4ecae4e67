# SPDX-License-Identifier: Apache-2.0
"""The NIC: frames of every size both ways, rings, and what is dropped."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import Timer
from mynic_host import (
    ALL_MULTICAST,
    CLOCK_PS,
    FAULT,
    LOOPBACK,
    MAC,
    OTHER,
    PROMISCUOUS,
    RX_DROP,
    RX_ON,
    TX_ON,
    Nic,
    frame,
)

SIZES = [1, 13, 14, 58, 59, *range(60, 84), 127, 128, 511, 1513, 1514, 1515, 4096, 9014]
SLOW_PS, FAST_PS = CLOCK_PS + 2, CLOCK_PS - 2  # 250 ppm


def padded(data: bytes) -> bytes:
    """Return a frame with a NIC's padding."""
    return data.ljust(60, b"\0")


async def sends(nic: Nic, frames: list[bytes], cuts: int) -> None:
    """Send frames in up to `cuts` + 1 fragments; each is whole on the line, in order."""

    async def feed() -> None:
        for each in frames:
            await nic.send(each, random.randint(0, cuts))

    cocotb.start_soon(feed())
    got = await nic.sent(len(frames))
    for each, there in zip(frames, got, strict=True):
        # The sink keeps the time of the first byte, and the others.
        assert there.get_preamble() == b"\x55" * 6 + b"\xd5"
        assert there.sim_time_sfd - there.sim_time_start == 8 * CLOCK_PS
        assert there.error is None and there.check_fcs()
        assert there.get_payload() == padded(each), (len(each), len(there.get_payload()))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def frames_of_all_sizes_are_sent(dut: Any) -> None:
    """Runts are padded; the write-back comes for each."""
    nic = Nic(dut)
    await nic.start(size=9024)
    await sends(nic, [frame(size) for size in SIZES], cuts=0)
    assert await nic.read("TX_GOOD") == len(SIZES) and await nic.read("TX_BAD") == 0
    await Timer(2, "us")
    nic.reap()
    assert nic.tx_done == nic.tx_next == await nic.read("TX_HEAD")


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def frames_of_all_sizes_are_received(dut: Any) -> None:
    """From 60 B without FCS to an MTU of 9000; only their bytes are written."""
    nic = Nic(dut, FAST_PS)
    await nic.start(size=9024)
    frames = [frame(size) for size in SIZES if size >= 60]
    for each in frames:
        nic.play(each)
    assert await nic.receive(len(frames)) == frames
    assert await nic.read("RX_GOOD") == len(frames)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def fragments_of_any_alignment_are_put_together(dut: Any) -> None:
    """Up to 18 of them, some of a byte; rings of 32 descriptors wrap."""
    nic = Nic(dut)
    await nic.start(log2=5)
    await sends(nic, [frame(random.randint(60, 1514)) for _ in range(60)], cuts=17)
    await sends(nic, [frame(random.randint(60, 90)) for _ in range(20)], cuts=30)
    assert nic.tx_next > 16 * 32 and await nic.read("TX_BAD") == 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_slow_and_disorderly_bus_loses_nothing(dut: Any) -> None:
    """Random pauses on all channels, latencies up to 2 us, answers of IDs in any order."""
    nic = Nic(dut, SLOW_PS)
    nic.memory.hinder(True)
    nic.memory.spread_ns = 2000
    await nic.start(log2=4)
    frames = [frame(random.randint(60, 1514)) for _ in range(30)]
    for each in frames:
        nic.play(each)
    received = cocotb.start_soon(nic.receive(len(frames)))
    await sends(nic, [frame(random.randint(1, 1514)) for _ in range(30)], cuts=4)
    assert await received == frames
    assert await nic.read("RX_OVERRUN") == await nic.read("RX_NO_DESC") == 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def what_is_broken_is_counted_and_dropped(dut: Any) -> None:
    """Wrong FCS, RX_ER, runts, frames that do not fit; good ones between them come."""
    nic = Nic(dut)
    await nic.start(size=1024)
    frames = [frame(random.randint(60, 1022)) for _ in range(12)]
    for index, each in enumerate(frames):
        kind = index % 4
        if kind == 0:
            nic.play(frame(random.randint(60, 1022)), fcs_bad=True)
        elif kind == 1:
            size = random.randint(60, 1022)
            nic.play(frame(size), error_at=random.randrange(size + 4))
        elif kind == 2:
            nic.play(frame((0, 59, random.randint(1, 58))[index // 4]))
        else:
            nic.play(frame((1023, 1514, 20000)[index // 4]))
        nic.play(each)
    assert await nic.receive(len(frames)) == frames
    for name in ("RX_FCS", "RX_ERROR", "RX_RUNT", "RX_LONG"):
        assert await nic.read(name) == 3, name


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def the_filter_takes_what_it_is_told(dut: Any) -> None:
    """Own address, broadcast, groups by hash, all groups, everything."""
    nic = Nic(dut)
    await nic.start()
    group, stranger = bytes.fromhex("01005e000001"), bytes.fromhex("333300000016")
    crc = 0xFFFF_FFFF
    for byte in group:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
    bit = crc & 63
    await nic.write("HASH_HIGH" if bit >= 32 else "HASH_LOW", 1 << bit % 32)
    dests = [MAC, b"\xff" * 6, group, stranger, OTHER]
    for ctrl, expected in ((0, 3), (ALL_MULTICAST, 4), (PROMISCUOUS, 5)):
        await nic.write("CTRL", RX_ON | TX_ON | ctrl)
        frames = [frame(100, dest) for dest in dests]
        for each in frames:
            nic.play(each)
        assert await nic.receive(expected, refill=False) == frames[:expected]
        await Timer(10, "us")
        assert nic.taken() is None
    assert await nic.read("RX_FILTERED") == 2 + 1 + 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def without_descriptors_frames_wait_and_then_are_lost(dut: Any) -> None:
    """32 KB wait in the NIC; the host hears of the loss; with descriptors all goes on."""
    nic = Nic(dut)
    await nic.start(filled=4)
    frames = [frame(1514) for _ in range(40)]
    for each in frames:
        nic.play(each)
    await nic.source.wait()
    lost = await nic.read("RX_NO_DESC")
    assert lost == len(frames) - 4 - 32768 // 1520 and await nic.read("RX_OVERRUN") == 0
    assert await nic.read("CAUSE") & RX_DROP
    await nic.give(40)
    kept = len(frames) - lost
    assert await nic.receive(kept, refill=False) == frames[:kept]
    nic.play(frames[-1])
    assert await nic.receive(1, refill=False) == frames[-1:]


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def of_short_frames_256_wait(dut: Any) -> None:
    """The list of frames is full before the 32 KB are; those that wait are whole."""
    nic = Nic(dut)
    await nic.start(log2=9, filled=0)
    frames = [frame(60) for _ in range(270)]
    for each in frames:
        nic.play(each)
    await nic.source.wait()
    assert await nic.read("RX_NO_DESC") == len(frames) - 256
    await nic.give(270)
    assert await nic.receive(256, refill=False) == frames[:256]
    await Timer(5, "us")
    assert nic.taken() is None and await nic.read("RX_GOOD") == 256


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def frames_longer_than_the_buffer_go_out_while_they_come(dut: Any) -> None:
    """Of 36 KB in four fragments; then a short one."""
    nic = Nic(dut)
    await nic.start()
    long = frame(36_000)
    await nic.send_parts([long[at : at + 9000] for at in range(0, 36_000, 9000)])
    await nic.send(frame(60))
    first, second = await nic.sent(2, patience_us=400)
    assert first.check_fcs() and first.get_payload() == long and second.check_fcs()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_long_frame_that_runs_dry_is_spoiled(dut: Any) -> None:
    """The memory falls asleep under it; the next frame is whole."""
    nic = Nic(dut)
    await nic.start()
    await nic.send_parts([frame(12_000) for _ in range(4)])
    while not int(dut.gmii_tx_en.value):
        await Timer(100, "ns")
    nic.memory.latency_ns = 400_000
    (spoiled,) = await nic.sent(1, patience_us=600)
    assert spoiled.error is not None and not spoiled.check_fcs()
    nic.memory.latency_ns = 0
    await Timer(500, "us")
    await sends(nic, [frame(200)], cuts=0)
    assert await nic.read("TX_BAD") == 1 and await nic.read("TX_GOOD") == 1


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def loopback_receives_what_is_sent_and_leaves_the_line_alone(dut: Any) -> None:
    """With a receive clock that is 250 ppm faster; what the line says is not heard."""
    nic = Nic(dut, FAST_PS)
    await nic.start(size=9024, ctrl=RX_ON | TX_ON | LOOPBACK)
    frames = [frame(size) for size in SIZES]
    nic.play(frame(100))

    async def feed() -> None:
        for each in frames:
            await nic.send(each, 2)

    cocotb.start_soon(feed())
    expected = [padded(each) for each in frames if len(each) >= len(MAC)]
    assert await nic.receive(len(expected)) == expected
    assert nic.sink.empty()
    assert await nic.read("RX_FILTERED") == len(frames) - len(expected)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_descriptor_without_a_byte_is_a_fault(dut: Any) -> None:
    """The NIC stops and says so; a reset mends it."""
    nic = Nic(dut)
    await nic.start()
    nic.memory.put(0x1_0000_1000, bytes(16))
    nic.tx_next = 1
    await nic.ring()
    await Timer(2, "us")
    assert await nic.read("CAUSE") == FAULT and await nic.read("STATUS") & 2
    await nic.write("CTRL", 1)
    await nic.settled()
    assert await nic.read("CAUSE") == 0 and not await nic.read("STATUS") & 2
    await nic.setup()
    await sends(nic, [frame(100)], cuts=1)
