# SPDX-License-Identifier: Apache-2.0
"""PAUSE both ways, faults of the link, a receive buffer that is full."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, Timer
from cocotb.utils import get_sim_time
from nic_counters import Block
from nic_line import GROUP, pause_frame, with_fcs
from nic_top_driver import Driver, Setup
from nic_top_host import ADDRESS, QUANTUM_NS, Nic, word_of

HIGH, LOW = 16384, 8192  # bytes that wait
SIZE = 1400
REMOTE_FAULT = 0x0200_009C_0200_009C


def pause(quanta: int, to: bytes = GROUP) -> bytes:
    """Return a PAUSE frame with its FCS."""
    return with_fcs(pause_frame(quanta, to))


def one_of(count: int) -> Iterator[bool]:
    """Pause but for one clock of so many."""
    while True:
        yield from [True] * (count - 1) + [False]


async def opened(dut: Any, **setup: Any) -> Driver:
    """Power up a NIC with PAUSE both ways, and open it."""
    nic = Nic(dut)
    await nic.start()
    driver = Driver(nic, Setup(ctrl0=word_of("CTRL0", RPE=1, TPE=1), **setup))
    await driver.open()
    await nic.write("PAP", TXPC=40)
    await nic.write("FCRTL", LOW, XONE=1)
    await nic.write("FCRTH", HIGH)
    return driver


async def come(driver: Driver, count: int, obeys: bool) -> None:
    """Send frames one after the other. A far end that obeys waits as long as the NIC asks for."""
    nic = driver.nic
    for number in range(count):
        while obeys and nic.pauses:
            at, quanta = nic.pauses[-1]
            if at + quanta * QUANTUM_NS <= get_sim_time("ns"):
                break
            await Timer(100, "ns")
        nic.come(with_fcs(ADDRESS + random.randbytes(SIZE - number)))
        if not obeys and number % 2:
            continue
        await nic.source.wait()
    await nic.source.wait()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_far_end_that_obeys_loses_nothing(dut: Any) -> None:
    """Host memory takes an eighth of the bus: XOFF, XOFF again, XON."""
    driver = await opened(dut)
    nic = driver.nic
    nic.memory.write_side.w_channel.set_pause_generator(one_of(8))
    await come(driver, 45, obeys=True)
    await driver.finished()
    kinds = [quanta for _, quanta in nic.pauses]
    assert kinds.count(40) > kinds.count(0) > 1 and kinds[-1] == 0, kinds
    again = [b[0] - a[0] for a, b in zip(nic.pauses, nic.pauses[1:], strict=False) if b[1] and a[1]]
    assert all(abs(each - 40 * QUANTUM_NS / 2) < 80 for each in again), again
    await driver.stop()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def frames_that_find_the_buffer_full_count_and_nothing_else_is_lost(dut: Any) -> None:
    """A far end that does not obey; RXO is a cause, MPC the number."""
    driver = await opened(dut)
    nic = driver.nic
    nic.memory.write_side.w_channel.set_pause_generator(one_of(8))
    driver.lossy = True
    await come(driver, 60, obeys=False)
    before = -1
    while before != driver.received:
        before = driver.received
        await Timer(25, "us")
    missed = driver.missed + len(nic.kept)
    assert 5 < missed < 50 and missed + driver.received == 60
    assert any(causes & word_of("ICR", RXO=1) for causes in driver.causes)
    assert await nic.read("MPC") == missed
    assert await nic.read("GPRCL") == driver.received and await nic.read("TPRL") == 60
    assert len(nic.pauses) > 2
    nic.kept.clear()
    for address in nic.counters.names:
        await nic.read_at(address)
    nic.counters = Block(32)
    nic.memory.write_side.w_channel.set_pause_generator(None)
    nic.memory.write_side.w_channel.pause = False
    driver.lossy = False
    await come(driver, 5, obeys=True)
    await driver.finished()
    await driver.stop()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_pause_that_comes_holds_frames_of_data(dut: Any) -> None:
    """For its quanta; XON ends it; a PAUSE frame of the NIC's own goes out meanwhile."""
    driver = await opened(dut)
    nic = driver.nic
    for quanta, ended, to in ((100, False, GROUP), (60, False, ADDRESS), (5000, True, GROUP)):
        nic.starts.clear()
        for _ in range(40):
            await driver.packet(random.randbytes(SIZE), bell=False)
        await driver.ring()
        while len(nic.wire) < len(driver.sent) - 30:
            await Timer(100, "ns")
        nic.come(pause(quanta, to))
        await nic.source.wait()
        held = get_sim_time("ns")
        await Timer(1500, "ns")
        assert await nic.field("STATUS", "TXOFF")
        ends = held + quanta * QUANTUM_NS
        if ended:
            await Timer(10, "us")
            nic.memory.write_side.w_channel.pause = True
            for _ in range(16):
                nic.come(with_fcs(ADDRESS + random.randbytes(SIZE)))
            await nic.source.wait()
            await Timer(1, "us")
            assert nic.pauses and nic.pauses[-1][1] == 40, "XOFF is not held"
            nic.memory.write_side.w_channel.pause = False
            nic.come(pause(0))
            await nic.source.wait()
            ends = get_sim_time("ns")
        await driver.finished()
        begins = [at for at in nic.starts if at > held + 300]
        gap = min(begins) - ends
        assert -150 < gap < 200, f"data go on {gap} ns after the pause"
        assert len(begins) > 20 and not await nic.field("STATUS", "TXOFF")
    await driver.stop()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_local_fault_takes_the_link_down_until_it_ends(dut: Any) -> None:
    """LSC and LFC; remote fault is sent; a frame on the wire is whole, others wait."""
    driver = await opened(dut)
    nic = driver.nic
    lsc = word_of("ICR", LSC=1)
    for _ in range(3):
        for _ in range(12):
            await driver.packet(random.randbytes(random.randint(60, SIZE)))
        await Timer(random.randint(100, 4000), "ns")
        driver.causes.clear()
        await FallingEdge(dut.rx_clk)
        dut.fault_i.value = 1
        await Timer(3, "us")
        assert int(dut.txd_o.value) == REMOTE_FAULT and int(dut.txc_o.value) == 0x11
        left = len(driver.sent) - len(nic.wire)
        assert not await nic.field("STATUS", "LU") and await nic.field("STATUS", "RLF")
        assert sum(bool(causes & lsc) for causes in driver.causes) == 1
        assert len(driver.sent) - len(nic.wire) == left > 0, "frames left while the link was down"
        await FallingEdge(dut.rx_clk)
        dut.fault_i.value = 0
        await driver.finished()
        assert await nic.field("STATUS", "LU")
        assert sum(bool(causes & lsc) for causes in driver.causes) == 2
        nic.come(with_fcs(ADDRESS + random.randbytes(SIZE)))
        await driver.finished()
    await driver.stop(LFC=3)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def after_a_fault_the_far_end_is_told_again_to_stop(dut: Any) -> None:
    """The sender of PAUSE frames forgets what it said when the link goes down."""
    driver = await opened(dut)
    nic = driver.nic
    await nic.write("PAP", TXPC=4000)
    nic.memory.write_side.w_channel.pause = True
    for _ in range(16):
        nic.come(with_fcs(ADDRESS + random.randbytes(SIZE)))
    await nic.source.wait()
    await Timer(1, "us")
    assert [quanta for _, quanta in nic.pauses] == [4000]
    for fault in (1, 0):
        await FallingEdge(dut.rx_clk)
        dut.fault_i.value = fault
        await Timer(3, "us")
    assert [quanta for _, quanta in nic.pauses] == [4000, 4000]
    nic.memory.write_side.w_channel.pause = False
    await driver.finished()
    await Timer(1, "us")
    assert nic.pauses[-1][1] == 0
    await driver.stop(LFC=1)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def frames_without_a_descriptor_wait_and_count(dut: Any) -> None:
    """In RNBC; they come when software gives descriptors."""
    driver = await opened(dut, rx_entries=8)
    nic = driver.nic
    driver.hold = True
    await come(driver, 7, obeys=True)
    await driver.finished()
    nic.model.settings.descriptors = False
    await come(driver, 3, obeys=True)
    await Timer(3, "us")
    assert len(nic.kept) == 3
    await driver.refill()
    await driver.finished()
    nic.model.settings.descriptors = True
    driver.hold = False
    await driver.refill()
    await come(driver, 9, obeys=True)
    await driver.finished()
    await driver.stop()
