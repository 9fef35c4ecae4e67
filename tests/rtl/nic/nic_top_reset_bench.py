# SPDX-License-Identifier: Apache-2.0
"""CTRL0.RST at any instant, under load."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge, Timer
from nic_described import BY_NAME
from nic_top_driver import LONGEST, Driver, Setup
from nic_top_host import Nic
from nic_top_traffic import feed, load, some_frame, traffic

# At any instant, with a frame on the wire, while writes halt, with frames that wait and a receiver
# that is off, with a packet that has no end.
WHEN = ("anytime", "in frame", "halts", "off", "in packet")
CORE_HALF_FS = 3_200_000
LAST_OF_TABLE = BY_NAME["VFTA"].address + 4 * 127


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_reset_ends_what_is_under_way_and_nothing_else(dut: Any) -> None:
    """The frame on the wire is whole, each burst ends, memory is left alone; then all works."""
    nic = Nic(dut)
    await nic.start()
    for trial in range(15):
        when = WHEN[trial % len(WHEN)]
        nic.memory.disorder, nic.memory.late = True, random.choice((0, 30, 200))
        nic.memory.hinder(when not in ("halts", "off") and random.random() < 0.3)
        driver = Driver(nic, Setup(bsize=random.randrange(4)))
        await driver.open()
        if when == "in packet":
            await traffic(driver, 5, 5, most=3000)
            await driver.packet(some_frame(3000), 2, bell=False)
            await driver.ring(but=1)
            await Timer(2, "us")
        else:
            await at_work(nic, driver, when)
        await reset(nic, driver, when == "halts")
        await forgotten(nic, driver)
    nic.memory.hinder(False)
    driver = Driver(nic)
    await driver.open()
    await traffic(driver, 10, 10)
    await driver.stop()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_reset_meets_each_clock_of_short_frames(dut: Any) -> None:
    """The smallest frames leave one after the other; the reset comes a clock later each time.

    The bus has the core's frequency, so a write of CTRL0 always takes as many clocks.
    """
    nic = Nic(dut)
    await nic.start()
    dut.bus_half_fs_i.value = CORE_HALF_FS
    for late in range(13):
        driver = Driver(nic)
        await driver.open()
        for _ in range(40):
            await driver.packet(some_frame(60), bell=False)
        await driver.ring()
        while len(nic.wire) < 4:
            await Timer(20, "ns")
        for within in (True, False):
            while nic.sends() == within:
                await FallingEdge(dut.core_clk)
        await ClockCycles(dut.core_clk, late + 1)
        await reset(nic, driver, halts=False)
        assert 4 <= len(nic.wire) < 25
        await forgotten(nic, driver)


async def at_work(nic: Nic, driver: Driver, when: str) -> None:
    """Have the NIC work for some time."""
    halts = when in ("halts", "off")
    jobs = [cocotb.start_soon(each(driver, 300, 600 if halts else LONGEST))
            for each in (load, feed)]  # fmt: skip
    await Timer(random.choice((random.randint(100, 3000), random.randint(3000, 30_000))), "ns")
    if halts:
        nic.memory.write_side.w_channel.pause = True
        await Timer(25, "us")
    while when == "in frame" and not nic.sends():
        await Timer(20, "ns")
    for job in jobs:
        job.kill()
    if when == "off":
        await nic.write("RCTL", 0)
        nic.memory.write_side.w_channel.pause = False
        await Timer(4, "us")


async def reset(nic: Nic, driver: Driver, halts: bool) -> None:
    """Reset the NIC; it says how long that lasts. While writes halt it does not end."""
    driver.close()
    await nic.write("CTRL0", RST=1)
    assert await nic.field("CTRL0", "RST"), "a reset lasts for a microsecond"
    if halts:
        await Timer(3, "us")
        assert await nic.field("CTRL0", "RST"), "a burst has not ended"
        nic.memory.write_side.w_channel.pause = False
    await nic.until("CTRL0", "RST", 0, 200)
    for word in (0x5A5A_A5A5, 0):
        await nic.write_at(LAST_OF_TABLE, word)
        assert await nic.read_at(LAST_OF_TABLE) == word, "the tables are ready"


async def forgotten(nic: Nic, driver: Driver) -> None:
    """Check that the NIC is quiet and has reset values; begin to count again."""
    memory = nic.memory
    bursts = len(memory.reads), len(memory.writes)
    beats = sum(beats for _, _, beats in memory.reads), sum(beats for _, beats in memory.writes)
    answered = memory.read_side.answered, memory.write_side.answers, memory.write_side.beats
    assert answered == (beats[0], bursts[1], beats[1]), "bursts that have begun end"
    writes = memory.write_side.stored
    nic.source.clear()
    await nic.source.wait()
    await Timer(1, "us")
    assert (len(memory.reads), len(memory.writes)) == bursts and memory.write_side.stored == writes
    assert not nic.sends()
    driver.check_wire()
    sent = len(nic.wire)
    for name in ("RCTL", "TCTL", "TDLEN", "RDLEN", "TDH", "RDH", "TDT", "RDT", "IMS", "ICR", "MFS"):
        right = BY_NAME[name].reset
        got = await nic.read(name) & ~BY_NAME["ICR"].fields["LSC"]
        assert got == right, (name, hex(got))
    assert len(nic.wire) == sent
    nic.forget()
