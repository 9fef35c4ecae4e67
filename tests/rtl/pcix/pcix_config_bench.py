# SPDX-License-Identifier: Apache-2.0
"""Configuration space, interrupts, parity, and the pattern at the end of the reset."""

from __future__ import annotations

import random
from typing import Any

import cocotb
import pcix_pins as pins
from cocotb.triggers import Timer
from pcix_dma import HIGH
from pcix_host import BAR0, CORE_ID, HOST_ID, MSI, PCIX, Host
from pcix_initiator import Request, attributes_of
from pcix_pins import WRITE, WRITE_BLOCK
from pcix_target import Answer

RESET = {0x00: 0x5678_1234, 0x04: 0x0430_0000, 0x08: 0x0200_009A, 0x0C: 0x0000_4000, 0x10: 0x4,
         0x2C: 0x8765_4321, 0x34: 0x40, 0x3C: 0x0100, 0x40: 0x0002_5007, 0x44: 0x0E43_FFF8,
         0x50: 0x0080_0005}  # fmt: skip
WRITABLE = {0x04: 0x0546, 0x0C: 0xFFFF, 0x10: 0xFFFF_F000, 0x14: 0xFFFF_FFFF, 0x18: 0xFFFF_FF00,
            0x3C: 0xFF, 0x40: 0x7F_0000, 0x50: 0x01_0000, 0x54: 0xFFFF_FFFC, 0x58: 0xFFFF_FFFF,
            0x5C: 0xFFFF}  # fmt: skip
STATUS = 0x04
PARITY, SERR, MASTER_PARITY = 1 << 31, 1 << 30, 1 << 24


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def each_bit_of_configuration_space_is_as_the_table_has_it(dut: Any) -> None:
    """Power-up values; bits that each lane of each register keeps; numbers that follow writes."""
    host = Host(dut)
    for wide in (True, False):
        await host.start(wide=wide, ready=False)
        for register in range(0, 256, 4):
            assert await host.config_read(register) == RESET.get(register, 0), hex(register)
        model = dict(RESET) | {0x44: 0x0E43_0000 | CORE_ID}
        for register in range(0, 256, 4):
            for lanes in random.sample(range(16), 4):
                value = random.getrandbits(32)
                mask = sum(0xFF << 8 * lane for lane in range(4) if lanes >> lane & 1)
                mask &= WRITABLE.get(register, 0)
                await host.config_write(register, value, lanes)
                model[register] = model.get(register, 0) & ~mask | value & mask
                assert await host.config_read(register) == model[register], hex(register)
        for register in range(0, 256, 4):
            assert await host.config_read(register) == model.get(register, 0), hex(register)
        await host.config_write(0x3C, 0, 0, device=21, bus=200)
        assert await host.config_read(0x44) == 0x0E43_0000 | 200 << 8 | 21 << 3
        await host.bus.stop()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def the_pattern_of_the_slot_decides_whether_the_core_answers(dut: Any) -> None:
    """PCI-X at each of its clocks; conventional PCI: the core is silent."""
    host = Host(dut)
    for mode in ("66", "100", "133", "pci"):
        await host.start(mode, ready=False)
        request = Request(pins.CONFIG_READ, 5 << 11, HOST_ID << 8 | 3)
        await host.bus.run(request)
        assert request.ending == ("master-abort" if mode == "pci" else "moved"), mode
        assert int(dut.ready_o.value) == (mode != "pci")
        await host.bus.stop()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_reset_lets_all_pins_go_at_once(dut: Any) -> None:
    """In the middle of a burst of the core, which is forgotten."""
    host = Host(dut)
    await host.start()
    host.dma.write(HIGH, random.randbytes(1024))
    await host.bus.until(lambda: host.bus.now.trdy)
    await host.bus.stop()
    dut.rst_ni.value = 0
    await Timer(1, "ns")
    assert int(dut.pins_o.value) >> 84 == 0
    await host.bus.wait(6)
    await host.start()
    assert await host.config_read(0x0C) == 0x4000
    await host.bus.wait(200)
    endings = host.bus.checker.endings
    assert not any(name.startswith("core") for name in endings), "work from before the reset"


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def an_interrupt_is_inta_or_a_message(dut: Any) -> None:
    """INTA# follows the level, and can be switched off; MSI is one write a rise, in order."""
    host = Host(dut)
    await host.start()

    async def level(value: int) -> bool:
        dut.irq_i.value = value
        await host.bus.wait(8)
        assert await host.config_read(STATUS) >> 19 & 1 == value
        return host.bus.now.inta

    assert not await level(0) and await level(1)
    await host.config_write(STATUS, 0x0546)
    assert not await level(1)
    await host.config_write(STATUS, 0x0146)
    assert await level(1)
    assert not await level(0)
    for address in (HIGH + 0x104, 0xFEE0_1000):
        await host.config_write(MSI + 4, address & 0xFFFF_FFFF)
        await host.config_write(MSI + 8, address >> 32)
        await host.config_write(MSI + 12, 0x1234_ABCD)
        await host.config_write(MSI, 1 << 16)
        before = len(host.bus.taken)
        answers = [Answer("retry"), Answer("none"), Answer(), Answer()]
        host.answer = lambda taken, answers=answers: answers.pop(0)
        for _ in range(3):
            assert not await level(1)
            await host.bus.wait(40)
            assert not await level(0)
        taken = host.bus.taken[before:]
        assert [t.kind for t in taken] == ["retry", "none", "data", "data"]
        for t in taken:
            assert (t.command, t.address, t.count) == (WRITE, address, 4)
            assert not t.wide and t.attributes >> 8 == CORE_ID
        assert host.memory.get(address, 4) == b"\xcd\xab\0\0"
        # Rises while it may not master the bus are one message, behind the write that waits.
        host.answer = host.simple
        await host.config_write(STATUS, 0x0142)
        before = len(host.bus.taken)
        host.dma.write(HIGH, random.randbytes(64))
        for _ in range(3):
            await level(1)
            await level(0)
        assert len(host.bus.taken) == before
        await host.config_write(STATUS, 0x0146)
        await host.bus.wait(100)
        assert [t.command for t in host.bus.taken[before:]] == [WRITE_BLOCK, WRITE]
        await host.config_write(MSI, 0)
    dut.irq_i.value = 1
    await host.bus.wait(10)
    before = len(host.bus.taken)
    await host.config_write(MSI, 1 << 16)
    await host.bus.wait(40)
    assert len(host.bus.taken) == before + 1


async def cleared(host: Host) -> int:
    """Return the status register, and clear it bit by bit."""
    status = await host.config_read(STATUS) & 0xF900_0000
    for bit in range(16, 32):
        if status >> bit & 1:
            await host.config_write(STATUS, 1 << bit, 0xC)
            status_left = await host.config_read(STATUS)
            assert not status_left >> bit & 1
    assert await host.config_read(STATUS) & 0xF900_0000 == 0
    return status


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def wrong_parity_of_an_access_is_told_and_has_no_effect(dut: Any) -> None:
    """Address: not claimed, SERR#. Attributes: Target-Abort. Data: PERR#, nothing is written."""
    host = Host(dut)
    await host.start()
    bus = host.bus
    host.registers.write(0, b"old.")
    for on in (0x0146, 0x0046, 0x0106):
        await host.config_write(STATUS, on)
        checks, tells = bool(on & 0x40), on == 0x0146
        for phase in ("address", "high", "attributes", ""):
            for command in (WRITE_BLOCK, pins.CONFIG_WRITE):
                if command == pins.CONFIG_WRITE and phase == "high":
                    continue
                serrs, perrs = bus.serrs, bus.perrs
                both = attributes_of(HOST_ID, 0, 4)
                address = BAR0
                if command == pins.CONFIG_WRITE:
                    both = {"attributes": HOST_ID << 8 | 3, "upper": 0, "count": 4}
                    address = 5 << 11 | 0x3C
                request = Request(command, address, **both, data=b"new.", bad_phase=phase,
                                  bad={} if phase else {0: 1})  # fmt: skip
                await bus.run(request)
                await bus.wait(8)
                wanted = "moved"
                if checks and phase:
                    wanted = "target-abort" if phase == "attributes" else "master-abort"
                assert request.ending == wanted, (on, phase)
                assert bus.serrs - serrs == (tells and bool(phase))
                assert bus.perrs - perrs == (checks and not phase)
                status = PARITY | (SERR if tells and phase else 0)
                if checks and phase == "attributes":
                    status |= 1 << 27
                assert await cleared(host) == status, (on, phase, command)
                if command == WRITE_BLOCK:
                    await host.read(BAR0 + 8, 4, dword=True)
                    assert host.registers.read(0, 4) == (b"old." if checks else b"new.")
                    host.registers.write(0, b"old.")
                else:
                    line = await host.config_read(0x3C) & 0xFF
                    assert line == (0 if checks else ord("n"))
                    await host.config_write(0x3C, 0)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def wrong_parity_of_dma_data_is_told(dut: Any) -> None:
    """Split Completions, reads that are answered at once, writes: PERR#, status, SERR#, SLVERR."""
    host = Host(dut)
    await host.start()
    bus = host.bus
    host.memory.put(HIGH, random.randbytes(4096))
    data = host.memory.get(HIGH, 256)
    for pcix, on in ((0x40 << 16, 0x0146), (0x41 << 16, 0x0146), (0x40 << 16, 0x0106)):
        checks = bool(on & 0x40)
        tells = checks and not pcix >> 16 & 1
        await host.config_write(PCIX, pcix)
        await host.config_write(STATUS, on)
        for phase in (0, 7, 31):
            for half in (1, 2):
                for kind in ("split", "data"):
                    serrs, perrs = bus.serrs, bus.perrs
                    answer = Answer(kind, bad={phase: half} if kind == "data" else {})
                    host.answer = lambda taken, answer=answer: answer
                    burst = host.dma.read(HIGH, 32)
                    if kind == "split":
                        await bus.until(lambda: bool(bus.initiator.queue))
                        bus.initiator.queue[0].bad = {phase: half}
                    await bus.until(host.dma.idle)
                    await bus.wait(8)
                    bad = [2 if at >= phase and checks else 0 for at in range(32)]
                    assert burst.resp == bad, (phase, half, kind)
                    assert burst.data[: 8 * phase] == data[: 8 * phase]
                    assert bus.perrs - perrs == checks
                    assert bus.serrs - serrs == tells
                    status = PARITY | (SERR if tells else 0) | (MASTER_PARITY if checks else 0)
                    assert await cleared(host) == status
        for phase in (0, 5, 15, None):
            serrs = bus.serrs
            host.answer = lambda taken, phase=phase: Answer(perr_at=phase)
            burst = host.dma.write(HIGH + 4096, random.randbytes(128))
            await bus.until(host.dma.idle)
            await bus.wait(8)
            complained = phase is not None
            assert burst.resp == [0]
            assert bus.serrs - serrs == (tells and complained)
            status = (SERR if tells else 0) | (MASTER_PARITY if checks else 0)
            assert await cleared(host) == (status if complained else 0)
