# SPDX-License-Identifier: Apache-2.0
"""The box against gnet1.rdl: every bit of every register, and every address without one.

The description is read by the compiler of SystemRDL alone. Nothing here shares code with what
makes the constants that the box is built from.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cocotb
from box import Box
from systemrdl.compiler import RDLCompiler
from systemrdl.node import FieldNode, RegNode
from systemrdl.rdltypes import OnWriteType

RTL = Path(__file__).resolve().parents[2] / "rtl"
DEPTH_LOG2 = 6  # of the sampler of gnet1_tb
ONES = 0xFFFF_FFFF
ARM, CANCEL = 1, 2  # of DISCARD_CTRL
ENABLE = 1  # of SAMPLE_CTRL


@dataclass(frozen=True)
class Described:
    """A register: what of it can be read, what holds a write, and its value after reset."""

    name: str
    address: int
    fields: int
    shown: int
    kept: int
    reset: int | None
    most: int

    @property
    def kind(self) -> str:
        """Return the name without the port."""
        return self.name.rpartition(".")[2]

    def after(self, word: int, before: int) -> int:
        """Return what is read once `word` has been written."""
        kept = min(word & self.kept, self.most)
        if self.kind == "DISCARD_CTRL" and word & (ARM | CANCEL):
            return kept | bool(word & ARM)
        return kept | before & self.shown & ~self.kept


def _bits(fields: list[FieldNode]) -> int:
    return sum({((1 << each.width) - 1) << each.low for each in fields})


def _reset(fields: list[FieldNode]) -> int | None:
    values = [(each.get_property("reset"), each.low) for each in fields if each.is_sw_readable]
    if any(value is None for value, _ in values):
        return None
    return sum(value << low for value, low in values)


def described() -> dict[int, Described]:
    """Return all registers by address."""
    compiler = RDLCompiler()
    compiler.compile_file(str(RTL / "common" / "properties.rdl"))
    compiler.compile_file(str(RTL / "gnet1" / "gnet1.rdl"))
    top = compiler.elaborate(parameters={"SAMPLE_DEPTH_LOG2": DEPTH_LOG2}).top
    found: dict[int, Described] = {}
    for node in top.descendants(unroll=True):
        if not isinstance(node, RegNode):
            continue
        fields = list(node.fields())
        held = [
            each
            for each in fields
            if each.is_sw_readable
            and each.is_sw_writable
            and each.get_property("onwrite") is not OnWriteType.wclr
        ]
        found[node.absolute_address] = Described(
            name=node.get_rel_path(top),
            address=node.absolute_address,
            fields=len(fields),
            shown=_bits([each for each in fields if each.is_sw_readable]),
            kept=_bits(held),
            reset=_reset(fields),
            most=node.get_property("most", default=ONES),
        )
    return found


SIZE = 0x1000  # of the bus, which has 12 bits of address


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
    """The one read that changes a register: SAMPLE_INDEX counts on, and begins anew at its end."""
    box = Box(dut)
    await box.start()
    last = (1 << DEPTH_LOG2) - 1
    await box.write("SAMPLE_INDEX", last - 1)
    for index in (last, 0, 1):
        await box.read("SAMPLE_WORDS")
        await box.read("SAMPLE_FRAMES")
        assert await box.read("SAMPLE_INDEX") == index
