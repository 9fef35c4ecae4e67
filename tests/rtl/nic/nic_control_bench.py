# SPDX-License-Identifier: Apache-2.0
"""The NIC's pins of EEPROM and MDIO, its interrupt causes and its timers."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from nic_eeprom import Eeprom, words_of

INPUTS = ("start_i", "clause22_i", "op_i", "port_i", "device_i", "data_i", "mdio_i", "load_i",
          "sk_i", "cs_i", "di_i", "eeprom_do_i", "event_i", "set_i", "take_i", "enable_i",
          "disable_i", "rdtr_i", "high_thrs_i", "delay_i", "poll_i", "gate_i", "adaptive_i",
          "written_i", "available_i", "flush_i", "tidv_i", "report_later_i",
          "timer_restart_i", "timer_start_i", "timer_cancel_i", "timer_delay_i")  # fmt: skip
ADDRESS, WRITE, READ, READ_INCREMENT = range(4)
UNIT = 128  # clocks of a delay


async def start(dut: Any) -> None:
    """Leave reset with every input low."""
    for name in INPUTS:
        getattr(dut, name).value = 0
    dut.rst_ni.value = 0
    await clocks(dut, 4)
    dut.rst_ni.value = 1
    await clocks(dut, 2)


async def clocks(dut: Any, count: int) -> None:
    """Wait for so many falling edges."""
    for _ in range(count):
        await FallingEdge(dut.clk)


async def pulse(dut: Any, **values: int) -> None:
    """Set inputs for one clock."""
    for name, value in values.items():
        getattr(dut, name).value = value
    await FallingEdge(dut.clk)
    for name in values:
        getattr(dut, name).value = 0


async def management_frame(dut: Any, answer: int) -> tuple[str, int]:
    """Take a frame from the wire, as the optics do; return its bits and MDC's clocks.

    Where the NIC lets go of MDIO there is a z; the optics answer from the second one on.
    """
    bits: list[str] = []
    clocks_high = 0
    while len(bits) < 64:
        await RisingEdge(dut.mdc_o)
        await FallingEdge(dut.clk)
        bits.append(str(int(dut.mdio_o.value)) if int(dut.mdio_oe_o.value) else "z")
        while int(dut.mdc_o.value):
            clocks_high += 1
            await FallingEdge(dut.clk)
        if not int(dut.mdio_oe_o.value) and len(bits) < 64:
            dut.mdio_i.value = 0 if len(bits) < 48 else answer >> (63 - len(bits)) & 1
    return "".join(bits), clocks_high


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def management_frames_are_those_of_clauses_22_and_45(dut: Any) -> None:
    """Bits, who drives them, MDC of 2.44 MHz, the result when it is done."""
    await start(dut)
    kept = 0
    for clause22, op, code in (
        (1, READ, "10"),
        (1, WRITE, "01"),
        (0, ADDRESS, "00"),
        (0, WRITE, "01"),
        (0, READ, "11"),
        (0, READ_INCREMENT, "10"),
    ):
        port, device, data, answer = (random.getrandbits(n) for n in (5, 5, 16, 16))
        wire = cocotb.start_soon(management_frame(dut, answer))
        await pulse(dut, start_i=1, clause22_i=clause22, op_i=op, port_i=port, device_i=device,
                    data_i=data)  # fmt: skip
        taken = 1
        while int(dut.mdio_busy_o.value):
            if taken == 100:
                await pulse(dut, start_i=1, op_i=WRITE, data_i=~data & 0xFFFF)  # is ignored
            else:
                await FallingEdge(dut.clk)
            taken += 1
            assert int(dut.read_data_o.value) == kept or not int(dut.mdio_busy_o.value)
        assert taken == 64 * 64 + 1
        bits, high = await wire
        head = "1" * 32 + f"0{clause22}" + code + f"{port:05b}{device:05b}"
        reads = op in (READ, READ_INCREMENT)
        assert bits == head + ("z" * 18 if reads else f"10{data:016b}")
        assert high == 64 * 32
        kept = answer if reads else kept
        assert int(dut.read_data_o.value) == kept
    await clocks(dut, 100)
    assert not int(dut.mdc_o.value) and not int(dut.mdio_oe_o.value)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def the_nic_reads_its_address_and_leaves_the_pins_to_software_else(dut: Any) -> None:
    """Words 0 to 2, low byte first; begun again by a second load."""
    await start(dut)
    address = bytes.fromhex("0007e9123456")
    words = words_of(address)
    eeprom = Eeprom(dut, [*words, *(random.getrandbits(16) for _ in range(61))])

    async def loaded() -> int:
        count = 0
        while not int(dut.address_valid_o.value):
            assert int(dut.load_busy_o.value) == 1
            count += 1
            await FallingEdge(dut.clk)
        assert int(dut.address_o.value) == int.from_bytes(address, "little")
        await FallingEdge(dut.clk)
        assert not int(dut.address_valid_o.value) and not int(dut.load_busy_o.value)
        return count

    await pulse(dut, load_i=1)
    assert await loaded() == 59 * 256
    await pulse(dut, load_i=1)
    await clocks(dut, 5000)
    await pulse(dut, load_i=1)
    dut.cs_i.value = 1  # of no effect meanwhile
    assert await loaded() == 59 * 256
    assert eeprom.commands == [0b110_000000] * 3
    # Software reads word 9 by itself, as Intel's driver does: its CS was never low.
    got = 0
    for bit in f"{0b110_001001:09b}" + "0" * 16:
        for clock in (0, 1):
            dut.cs_i.value, dut.sk_i.value, dut.di_i.value = 1, clock, int(bit)
            await clocks(dut, 4)
        got = got << 1 | int(dut.do_o.value)
    assert got & 0xFFFF == eeprom.words[9]


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def causes_are_latched_masked_and_taken_without_a_loss(dut: Any) -> None:
    """Against a model in Python, with events in the clocks of reads and of mask writes."""
    await start(dut)
    causes = mask = 0

    def bits(chance: float) -> int:
        return random.getrandbits(16) & random.getrandbits(16) if random.random() < chance else 0

    for _ in range(3000):
        event, set_, enable, disable = bits(0.2), bits(0.1), bits(0.1), bits(0.1)
        take = int(random.random() < 0.1)
        assert int(dut.causes_o.value) == causes and int(dut.mask_o.value) == mask
        assert int(dut.request_o.value) == bool(causes & mask)
        await pulse(dut, event_i=event, set_i=set_, enable_i=enable, disable_i=disable,
                    take_i=take)  # fmt: skip
        causes = (0 if take else causes) | event | set_
        mask = (mask | enable) & ~disable
    dut.rst_ni.value = 0
    await clocks(dut, 2)
    assert not int(dut.causes_o.value) and not int(dut.mask_o.value)
    assert not int(dut.request_o.value)


async def until(dut: Any, name: str, most: int) -> int:
    """Return after how many clocks an output rises, or `most` if it does not."""
    for count in range(most):
        if int(getattr(dut, name).value):
            return count
        await FallingEdge(dut.clk)
    return most


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def a_timer_fires_once_after_its_delay(dut: Any) -> None:
    """To the clock; a restart moves it, a start does not; zero fires in the next clock."""
    await start(dut)
    for delay in (1, 2, 7):
        await pulse(dut, timer_restart_i=1, timer_delay_i=delay)
        assert await until(dut, "timer_fired_o", 9999) == delay * UNIT - 1
        await clocks(dut, 1)
        assert not int(dut.timer_fired_o.value) and not int(dut.timer_busy_o.value)
    await pulse(dut, timer_start_i=1, timer_delay_i=0)
    assert int(dut.timer_fired_o.value)
    await pulse(dut, timer_restart_i=1, timer_delay_i=3)
    await clocks(dut, 100)
    await pulse(dut, timer_start_i=1, timer_delay_i=1)
    assert await until(dut, "timer_fired_o", 9999) == 3 * UNIT - 1 - 101
    await clocks(dut, 1)
    await pulse(dut, timer_start_i=1, timer_delay_i=3)
    await clocks(dut, 100)
    await pulse(dut, timer_restart_i=1, timer_delay_i=3)
    assert await until(dut, "timer_fired_o", 9999) == 3 * UNIT - 1
    await clocks(dut, 1)
    await pulse(dut, timer_restart_i=1, timer_delay_i=1)
    await pulse(dut, timer_cancel_i=1, timer_restart_i=1, timer_delay_i=1)
    assert await until(dut, "timer_fired_o", 500) == 500


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def frames_that_are_written_interrupt_by_rdtr_and_raidc(dut: Any) -> None:
    """Each frame moves the delay; few descriptors bound it; FPDB ends it at once."""
    await start(dut)

    async def after(frames: int, most: int = 9999) -> int:
        for _ in range(frames):
            await pulse(dut, written_i=1)
            await clocks(dut, 50)
        return await until(dut, "rx_expired_o", most) + 50

    dut.rdtr_i.value, dut.available_i.value = 2, 500
    assert await after(1) == 2 * UNIT - 1
    await clocks(dut, 1)
    assert await after(8) == 2 * UNIT - 1
    await clocks(dut, 1)
    # RAIDC: its delay, while there are descriptors.
    dut.adaptive_i.value, dut.delay_i.value, dut.poll_i.value = 1, 3, 5
    dut.high_thrs_i.value = 4
    dut.available_i.value = 33
    assert await after(1) == 3 * UNIT - 1
    await clocks(dut, 1)
    # 32 left: the poll's time counts from the first frame, the delay's from the last.
    dut.available_i.value = 32
    assert await after(8) + 7 * 51 == 5 * UNIT - 1
    assert await until(dut, "timers_busy_o", 2) == 0
    await clocks(dut, 1)
    assert await until(dut, "rx_expired_o", 999) + 7 * 51 + 51 != 0
    await clocks(dut, 3 * UNIT)
    assert not int(dut.timers_busy_o.value)
    # With the gate the poll alone interrupts.
    dut.gate_i.value = 1
    assert await after(1) == 5 * UNIT - 1
    await clocks(dut, 1)
    assert not int(dut.timers_busy_o.value)
    dut.gate_i.value = dut.adaptive_i.value = 0
    dut.flush_i.value = 1
    assert await until(dut, "rx_expired_o", 5) <= 1
    dut.flush_i.value = 0
    await clocks(dut, 1)
    assert await until(dut, "rx_expired_o", 999) == 999


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def descriptors_with_ide_flush_by_tidv(dut: Any) -> None:
    """The last one moves the delay; TIDV of zero delays nothing."""
    await start(dut)
    dut.tidv_i.value = 0
    dut.report_later_i.value = 1
    assert await until(dut, "tx_expired_o", 5) <= 1
    dut.report_later_i.value = 0
    await clocks(dut, 1)
    dut.tidv_i.value = 2
    for reports in (1, 3):
        for _ in range(reports):
            await clocks(dut, 50)
            await pulse(dut, report_later_i=1)
        assert await until(dut, "tx_expired_o", 999) == 2 * UNIT - 1
        await clocks(dut, 1)
    assert await until(dut, "tx_expired_o", 999) == 999
