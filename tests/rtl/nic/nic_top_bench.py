# SPDX-License-Identifier: Apache-2.0
"""The whole NIC: power-up, traffic in both directions, line rate, heads, clocks of any ratio."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge, Timer
from cocotb.utils import get_sim_time
from nic_described import BY_ADDRESS, BY_NAME
from nic_line import with_fcs
from nic_rx_model import BAM, MPE, SECRC, UPE
from nic_top_driver import LONGEST, Driver, Setup
from nic_top_host import ADDRESS, Nic, word_of
from nic_top_traffic import some_frame, traffic
from nic_tx_model import IDE

LINK_CLOCKS, EEPROM_CLOCKS, CLOCK_NS = 1563, 58 * 256, 6.4
EXACT_0 = BY_NAME["RAL"].address
BYTE_NS = 0.8
DELAY_NS = 819.2
LATER = 150  # the last frames, which have no gap more than they need


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def power_up_gives_reset_values_a_link_and_the_eeproms_address(dut: Any) -> None:
    """STATUS has the bus's mode; LSC comes once, when the lanes are aligned."""
    nic = Nic(dut)
    mode = random.getrandbits(5)
    await nic.start(mhz=133, bus_mode=mode)
    begin = get_sim_time("ns")
    assert not await nic.field("STATUS", "LU") and not int(dut.irq_o.value)
    await nic.write("IMS", LSC=1)
    while not int(dut.irq_o.value):
        assert await nic.field("STATUS", "LU") == 0
        await Timer(100, "ns")
    assert -300 < get_sim_time("ns") - begin - LINK_CLOCKS * CLOCK_NS < 500
    assert await nic.read("ICR") == word_of("ICR", LSC=1)
    status = await nic.read("STATUS")
    names = BY_NAME["STATUS"]
    assert status == word_of("STATUS", LU=1, REV_ID=2) | mode << 11, hex(status)
    assert names.bits("PCIX_SPEED", status) == mode >> 3
    assert await nic.read("XPCSS") == word_of("XPCSS", LANE_SYNC=15, ALIGN_STATUS=1)
    assert await nic.read("PCSS1") == word_of("PCSS1", RX_LINK_STATUS=1)
    await nic.write("IMC", LSC=1)
    for address, register in BY_ADDRESS.items():
        if address in (EXACT_0, EXACT_0 + 4):
            continue
        got = await nic.read_at(address)
        assert got & ~register.made == register.reset & ~register.made, (register.name, hex(got))
    while get_sim_time("ns") - begin < (EEPROM_CLOCKS + 40) * CLOCK_NS:
        await Timer(10, "us")
    assert await nic.read_at(EXACT_0) == int.from_bytes(ADDRESS[:4], "little")
    assert await nic.read_at(EXACT_0 + 4) == 1 << 31 | int.from_bytes(ADDRESS[4:], "little")
    assert nic.eeprom.commands == [0b110_000000]
    assert await nic.read("ICR") == 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def frames_of_any_size_go_both_ways_at_once(dut: Any) -> None:
    """Any alignment, several descriptors a frame, memory that is late, stalls, out of order."""
    nic = Nic(dut)
    await nic.start()
    for trial in range(4):
        driver = Driver(nic, Setup(
            bsize=(0, 1, 0, 3)[trial], tx_entries=(64, 16, 40, 128)[trial],
            rx_entries=(64, 24, 64, 16)[trial],
            rxdctl=(0, 0, word_of("RXDCTL", PTHRESH=8, HTHRESH=2, WTHRESH=1), 0)[trial],
            txdctl=(0, 0, word_of("TXDCTL", PTHRESH=8, HTHRESH=2), 0)[trial],
        ))  # fmt: skip
        if trial:
            nic.memory.disorder, nic.memory.late = True, (0, 20, 100, 300)[trial]
            nic.memory.hinder(trial == 2)
        await driver.open()
        await traffic(driver, 16, 16, spoil=0.2)
        await driver.stop()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def an_interrupt_comes_when_memory_has_the_descriptor(dut: Any) -> None:
    """One frame at a time, with answers of the memory that are late."""
    nic = Nic(dut)
    await nic.start(mhz=100)
    driver = Driver(nic, Setup(rxdctl=word_of("RXDCTL", WTHRESH=1)))
    await driver.open(word_of("IMS", TXDW=1, RXT0=1))
    nic.memory.late = 150
    driver.timely = True
    for trial in range(20):
        driver.causes.clear()
        if trial % 2:
            await driver.packet(some_frame(100), 2)
        else:
            nic.come(with_fcs(ADDRESS + random.randbytes(random.choice((100, 5000)))))
        await driver.finished()
        cause = {"TXDW": 1, "TXQE": 1} if trial % 2 else {"RXT0": 1}
        assert driver.causes == [word_of("ICR", **cause)], [hex(each) for each in driver.causes]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def frames_that_the_threshold_holds_back_come_with_the_timer(dut: Any) -> None:
    """RXDCTL.WTHRESH holds three descriptors back; RDTR, or RDT.FPDB, has them written.

    The interrupt comes when memory has all three, although memory is late.
    """
    nic = Nic(dut)
    await nic.start()
    delay = 10
    driver = Driver(nic, Setup(rxdctl=word_of("RXDCTL", WTHRESH=8), rdtr=delay))
    await driver.open(word_of("IMS", RXT0=1))
    nic.memory.late = 150
    await Timer(2, "us")  # descriptors are fetched
    for flush in (False, True):
        driver.timely = True
        for _ in range(3):
            nic.come(with_fcs(ADDRESS + random.randbytes(100)))
        await nic.source.wait()
        begin = get_sim_time("ns")
        await Timer(2, "us")
        assert len(nic.kept) == 3 and not driver.causes
        if flush:
            begin = get_sim_time("ns")
            await nic.write("RDT", await nic.read("RDT"), FPDB=1)
        await RisingEdge(dut.irq_o)
        took = get_sim_time("ns") - begin - (0 if flush else delay * DELAY_NS)
        assert 0 < took < 800, f"{took} ns too late"
        await Timer(300, "ns")  # the causes are read
        assert driver.causes and not nic.kept
        driver.timely = False  # RDTR goes on behind RDT.FPDB
        await Timer(9, "us")
        driver.causes.clear()
    await driver.finished()
    await driver.stop()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def packets_that_the_threshold_holds_back_come_with_tidv(dut: Any) -> None:
    """TXDCTL.WTHRESH holds three descriptors back; TIDV, counted from the last, writes them."""
    nic = Nic(dut)
    await nic.start()
    delay = 10
    driver = Driver(nic, Setup(txdctl=word_of("TXDCTL", WTHRESH=8), tidv=delay))
    await driver.open(word_of("IMS", TXDW=1))
    await Timer(2, "us")
    nic.memory.late = 150
    driver.timely = True
    for _ in range(2):
        driver.causes.clear()
        for _ in range(3):
            await Timer(1, "us")
            begin = get_sim_time("ns")
            await driver.packet(some_frame(100), command=IDE)
        await RisingEdge(dut.irq_o)
        took = get_sim_time("ns") - begin - delay * DELAY_NS
        assert 0 < took < 3000, f"{took} ns too late"
        await driver.finished()
        await Timer(2 * delay, "us")
        assert len(driver.causes) == 1, "one interrupt tells of all"
    await driver.stop()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_packet_with_ide_interrupts_after_tidv(dut: Any) -> None:
    """A packet without IDE interrupts as soon as its descriptor is back."""
    nic = Nic(dut)
    await nic.start()
    delay = 4
    driver = Driver(nic, Setup(tidv=delay))
    await driver.open(word_of("IMS", TXDW=1))
    await Timer(2, "us")  # receive descriptors are fetched
    for later in (True, False, True):
        begin = get_sim_time("ns")
        await driver.packet(some_frame(100), command=IDE * later)
        await RisingEdge(dut.irq_o)
        took = get_sim_time("ns") - begin - later * delay * DELAY_NS
        assert 0 < took < 700, f"{took} ns too late"
        await driver.finished()
    await driver.stop()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def no_frame_is_lost_at_line_rate(dut: Any) -> None:
    """The smallest frames and the longest, at the smallest gap, with memory that is prompt.

    The smallest frames have the line's rate in each direction alone. Both ways at once they need 12
    words that are written in the wire's 10.5 clocks: data, and two descriptors. Transmit is slower
    then, and receive gets behind.
    """
    nic = Nic(dut)
    await nic.start(mhz=200)
    smallest = 60
    for size, sending, coming, bsize in ((smallest, 400, 0, 0), (smallest, 0, 520, 0),
                                         (smallest, 520, 520, 0), (LONGEST, 8, 8, 3),
                                         ):  # fmt: skip
        driver = Driver(nic, Setup(
            tx_entries=1024, rx_entries=1024, bsize=bsize, aligned=8, rctl=UPE | MPE | BAM | SECRC,
            txdctl=word_of("TXDCTL", PTHRESH=32), rxdctl=word_of("RXDCTL", PTHRESH=64),
        ))  # fmt: skip
        await driver.open(word_of("IMS", TXDW=1, RXT0=1))
        for _ in range(sending):
            await driver.packet(some_frame(size), bell=False)
        for _ in range(coming):
            nic.come(with_fcs(some_frame(size)))
        await driver.ring()
        await nic.source.wait()
        last_came = get_sim_time("ns")
        await driver.finished()
        assert driver.received == coming
        frame_ns, both = (size + 24) * BYTE_NS, sending and coming and size == smallest
        if coming:
            late = driver.came_at - last_came
            dut._log.info("%d frames of %d B came; software saw the last one %.0f ns after its end",
                          coming, size, late)  # fmt: skip
            assert late < size * BYTE_NS + (6500 if both else 500), "frames are written when whole"
        if sending:
            slower = (nic.starts[-1] - nic.starts[0]) / ((sending - 1) * frame_ns) - 1
            dut._log.info("%d frames of %d B were sent, in %.2f %% more than the wire's time",
                          sending, size, 100 * slower)  # fmt: skip
            assert slower < (0.14 if both else 0.02 if size == smallest else 0.004)
        if sending and not coming:  # fetches of descriptors cost gaps until frames wait on chip
            later = nic.starts[-1] - nic.starts[-1 - LATER]
            assert later <= LATER * frame_ns + CLOCK_NS, "gaps go on"
        await driver.stop()
