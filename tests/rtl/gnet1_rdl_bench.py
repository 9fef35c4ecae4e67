# SPDX-License-Identifier: Apache-2.0
"""The box against gnet1.rdl: every bit of every register, and every address without one.

A register that only hardware sets and that rests at zero looks as if it were not there: those are
gnet1_regs_bench.py's.
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from box import Box
from described import CANCEL, DEPTH_LOG2, ONES, SIZE, described

ENABLE = 1  # of SAMPLE_CTRL


@cocotb.test()
async def every_address_reads_its_reset_value(dut: Any) -> None:
    """What no register has reads zero; a register without a reset value shows its fields only."""
    box = Box(dut)
    await box.start()
    registers = described()
    for address in range(0, SIZE, 4):
        value, register = await box.access(address), registers.get(address)
        if register is None:
            assert value == 0, hex(address)
        elif register.reset is None:
            assert value & ~register.shown == 0, register
        else:
            assert value == register.reset, register
    fields = sum(each.fields for each in registers.values())
    dut._log.info(f"{len(registers)} registers, {fields} fields, {SIZE // 4} addresses")


@cocotb.test()
async def every_bit_is_written_and_read_as_described(dut: Any) -> None:
    """Each bit alone, and all bits but that one, leave what the fields hold and no more."""
    box = Box(dut)
    await box.start()
    bits = 0
    for address, register in described().items():
        before = await box.access(address)
        for bit in range(32):
            for word in (1 << bit, ONES & ~(1 << bit)):
                await box.access(address, word)
                value = await box.access(address)
                if register.reset is None:
                    assert value & ~register.shown == 0, register
                else:
                    assert value == register.after(word, before), (register, hex(word))
                    before = value
            bits += 1
        if register.kept:
            await box.access(address, CANCEL if register.kind == "DISCARD_CTRL" else 0)
    dut._log.info(f"{bits} bits")


@cocotb.test()
async def no_register_lies_in_the_place_of_another(dut: Any) -> None:
    """All hold their own words at once; writes to what holds none, or is not there, change none."""
    box = Box(dut)
    await box.start()
    registers = described()
    held: dict[int, int] = {}
    for address, register in registers.items():
        if register.kept:
            word = random.getrandbits(32) & register.kept
            if register.kind == "SAMPLE_CTRL":
                word &= ~ENABLE
            await box.access(address, word)
            held[address] = min(word, register.most)
    for address in range(0, SIZE, 4):
        if address not in held:
            await box.access(address, ONES)
    for address, word in held.items():
        assert await box.access(address) == word, registers[address]
    for address in set(range(0, SIZE, 4)) - set(registers):
        assert await box.access(address) == 0, hex(address)


@cocotb.test()
async def reading_the_frames_of_a_sample_moves_on(dut: Any) -> None:
    """The one read that changes a register: SAMPLE_INDEX counts on, and begins again at its end."""
    box = Box(dut)
    await box.start()
    last = (1 << DEPTH_LOG2) - 1
    await box.write("SAMPLE_INDEX", last - 1)
    for index in (last, 0, 1):
        await box.read("SAMPLE_WORDS")
        await box.read("SAMPLE_FRAMES")
        assert await box.read("SAMPLE_INDEX") == index
