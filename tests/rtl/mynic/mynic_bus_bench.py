# SPDX-License-Identifier: Apache-2.0
"""The NIC at its buses: registers, interrupts, reset, errors, wire rate."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge, First, RisingEdge, Timer
from longhaul.registers import rdl
from mynic_bench import sends
from mynic_host import (
    CLOCK_PS,
    FAULT,
    MAP,
    PROMISCUOUS,
    RESET,
    RX,
    RX_ON,
    RX_RING,
    TX,
    TX_DATA,
    TX_ON,
    Nic,
    frame,
)
from mynic_memory import now_ns

ONES = 0xFFFF_FFFF
WIRE_OVERHEAD = 8 + 4 + 12  # preamble, FCS, gap: byte times of a frame beside its bytes
TX_BACK, RX_BACK = 1, 0  # IDs of write-backs


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def registers_are_as_described(dut: Any) -> None:
    """Reset values; each bit alone and all others leave what mynic.rdl says; no other address."""
    nic = Nic(dut)
    await nic.power_up()
    registers = MAP.kinds[rdl.BOX]
    addresses = {each.address for each in registers}
    for each in registers:
        assert await nic.axil.read_dword(each.address) == each.reset, each.name
    for address in [*(set(range(0, 256, 4)) - addresses), 0x100, 0x108, 0x1010, 0x8008]:
        await nic.axil.write_dword(address, ONES & ~RESET)
        assert await nic.axil.read_dword(address) == 0, hex(address)
    for each in registers:
        kept = sum(field.mask for field in each.fields if field.access == "rw")
        if each.name == "CTRL":
            kept &= ~RESET
        if each.name == "CAUSE":
            kept = 0
        before = each.reset or 0
        for bit in range(32):
            for word in (1 << bit, ONES & ~(1 << bit)):
                if each.name == "CTRL":
                    word &= ~RESET
                await nic.axil.write_dword(each.address, word)
                value = await nic.axil.read_dword(each.address)
                assert value == (word & kept | before & ~kept), (each.name, hex(word))
        await nic.axil.write_dword(each.address, before)
    await nic.axil.write(0x29, b"\x12")
    assert await nic.read("HASH_LOW") == 0x1200


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def an_interrupt_follows_the_answer_to_the_write_back(dut: Any) -> None:
    """Whatever the latency; when irq rises, the descriptor and the bytes are in memory."""
    nic = Nic(dut)
    nic.memory.spread_ns = 3000
    await nic.start()
    await nic.write("MASK", RX)
    for _ in range(20):
        data = frame(random.randint(60, 1514))
        nic.play(data)
        await First(RisingEdge(dut.irq), Timer(50, "us"))
        assert int(dut.irq.value)
        assert nic.memory.writes[-1][1] == RX_BACK and nic.taken() == data
        await nic.write("CAUSE", RX)
        await ClockCycles(dut.clk, 3)
        assert not int(dut.irq.value)
    await nic.write("MASK", TX)
    for _ in range(5):
        await nic.send(frame(100))
        await First(RisingEdge(dut.irq), Timer(50, "us"))
        assert nic.memory.writes[-1][1] == TX_BACK
        nic.reap()
        assert nic.tx_done == nic.tx_next
        await nic.write("CAUSE", TX)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def cause_and_mask_are_apart(dut: Any) -> None:
    """A masked cause stays; a write clears the ones it has, and no others."""
    nic = Nic(dut)
    await nic.start()
    nic.play(frame(100))
    await nic.send(frame(100))
    await nic.receive(1)
    await nic.sent(1)
    await Timer(1, "us")
    assert await nic.read("CAUSE") == RX | TX and not int(dut.irq.value)
    await nic.write("MASK", TX)
    await ClockCycles(dut.clk, 3)
    assert int(dut.irq.value)
    await nic.write("CAUSE", TX)
    assert await nic.read("CAUSE") == RX and not int(dut.irq.value)
    await nic.write("MASK", RX | TX)
    await ClockCycles(dut.clk, 3)
    assert int(dut.irq.value)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def moderation_keeps_rises_apart(dut: Any) -> None:
    """Under a stream of short frames irq rises every 20 us, with the NIC's tick of 1 us."""
    nic = Nic(dut)
    await nic.start()
    await nic.write("MODERATION", 20)
    await nic.write("MASK", RX)
    for _ in range(200):
        nic.play(frame(60))
    received = cocotb.start_soon(nic.receive(200))
    rises: list[int] = []
    while len(rises) < 6:
        await RisingEdge(dut.irq)
        rises.append(now_ns())
        await nic.write("CAUSE", RX)
    gaps = [b - a for a, b in zip(rises, rises[1:], strict=False)]
    assert all(20_000 <= gap < 21_000 for gap in gaps), gaps
    assert len(await received) == 200


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def line_rate_both_ways_with_a_slow_memory(dut: Any) -> None:
    """Frames of each size back to back both ways; every read takes 1 us, none is lost."""
    nic = Nic(dut)
    nic.memory.latency_ns = 1000
    await nic.start(log2=8, size=9024)
    for size, count in ((1514, 24), (60, 100), (9014, 3)):
        frames = [frame(size) for _ in range(count)]
        out = [frame(size) for _ in range(count)]
        for each in out:
            await nic.send(each, cuts=1, ring=False)
        for each in frames:
            nic.play(each)
        received = cocotb.start_soon(nic.receive(count))
        await nic.ring()
        got = await nic.sent(count)
        assert [each.get_payload() for each in got] == out
        assert await received == frames
        begins = [each.sim_time_start for each in got]
        gaps = {b - a for a, b in zip(begins, begins[1:], strict=False)}
        assert gaps == {(size + WIRE_OVERHEAD) * CLOCK_PS}, (size, gaps)
        await Timer(5, "us")
        nic.reap()
        rest = (nic.rx_next - nic.rx_given + nic.count) & 0xFFFF
        await nic.give(rest)
    assert nic.memory.reads.asked >= 2
    assert await nic.read("RX_OVERRUN") == await nic.read("RX_NO_DESC") == 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_reset_under_traffic_cuts_no_burst_and_no_frame(dut: Any) -> None:
    """At twelve moments; the bus has no burst left, frames are whole, and all works again."""
    nic = Nic(dut)
    nic.memory.hinder(True)
    nic.memory.spread_ns = 600
    await nic.power_up()
    for round_ in range(12):
        await nic.setup()
        for _ in range(10):
            nic.play(frame(random.randint(60, 600)))
            await nic.send(frame(random.randint(60, 600)), cuts=2, ring=False)
        await nic.ring()
        await Timer(random.randint(0, 12_000), "ns")
        await nic.write("CTRL", RESET)
        await nic.settled()
        writes = len(nic.memory.writes)
        await nic.source.wait()
        await Timer(3, "us")
        assert len(nic.memory.writes) == writes, round_
        assert await nic.read("RX_GOOD") == 0 and await nic.read("CTRL") == 0
        while not nic.sink.empty():
            assert nic.sink.recv_nowait().check_fcs(), round_
    await nic.setup()
    data = frame(700)
    nic.play(data)
    await sends(nic, [frame(500)], cuts=3)
    assert await nic.receive(1) == [data]


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_bus_that_answers_with_errors_stops_the_nic(dut: Any) -> None:
    """Of a descriptor's read, of data's read, of data's write; no descriptor says done then."""
    nic = Nic(dut)
    await nic.power_up()
    for kind in ("ring", "read", "write"):
        await nic.setup()
        await nic.write("MASK", FAULT)
        if kind == "ring":
            nic.memory.fail_read = lambda address: address >= RX_RING
            await nic.give(0)
        elif kind == "read":
            nic.memory.fail_read = lambda address: TX_DATA <= address < RX_RING
            await nic.send(frame(300))
        else:
            await Timer(2, "us")
            nic.memory.fail_write = lambda address: True
            nic.play(frame(300))
        if kind == "ring":
            await nic.write("CTRL", RESET)
            await nic.settled()
            await nic.setup()
            await nic.write("MASK", FAULT)
        await Timer(10, "us")
        assert int(dut.irq.value) and await nic.read("STATUS") & 2, kind
        assert nic.taken() is None
        if kind == "read":
            (spoiled,) = await nic.sent(1)
            assert spoiled.error is not None and not spoiled.check_fcs()
            assert await nic.read("TX_BAD") == 1
        nic.memory.fail_read = nic.memory.fail_write = lambda address: False
        await nic.write("CTRL", RESET)
        await nic.settled()
        await FallingEdge(dut.clk)
        assert not int(dut.irq.value)
    await nic.setup(ctrl=RX_ON | TX_ON | PROMISCUOUS)
    nic.play(frame(200))
    await sends(nic, [frame(500)], cuts=3)
    assert len(await nic.receive(1)) == 1
