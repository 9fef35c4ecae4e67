# SPDX-License-Identifier: Apache-2.0
"""A box's registers: names, addresses, fields, and words as values with units.

A name is "TIME" for a register of the whole box, "p2.DELAY" for a register of block p2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.units import Time, ps

WORD = 2**32
AccessRule = Literal["RW", "RO", "WO", "RC"]  # RC: a write of any value clears
_NANOSECONDS = re.compile(r"(\d+) ns")


@dataclass(frozen=True)
class Field:
    """Bits of a register. `access` is "rw", "r" or "w"; `values` are names of what it can hold."""

    name: str
    lsb: int
    width: int
    access: str
    description: str = ""
    unit: str = ""
    values: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def mask(self) -> int:
        """Return the field's bits within the register."""
        return ((1 << self.width) - 1) << self.lsb

    @property
    def step_ps(self) -> int | None:
        """Return the time that one count stands for, if the field counts whole nanoseconds."""
        found = _NANOSECONDS.fullmatch(self.unit)
        return int(found[1]) * 1000 if found else None

    def of(self, word: int) -> int:
        """Return the field's value in a word of its register."""
        return (word & self.mask) >> self.lsb


@dataclass(frozen=True)
class Register:
    """A register of 32 bits; `address` is in bytes. `reset` is None where no reset sets it."""

    name: str
    address: int
    access: AccessRule
    description: str
    fields: tuple[Field, ...]
    reset: int | None = None
    least: int = 0
    most_given: int | None = None
    reset_text: str = ""
    counter: bool = False
    since_read: bool = False
    """One number, which each read clears."""

    @property
    def kind(self) -> str:
        """Return the name without the block."""
        return self.name.rpartition(".")[2]

    @cached_property
    def _times(self) -> list[tuple[Field, int]]:
        """Return the fields that together are a time, and what they count; the coarsest first."""
        times = [(each, each.step_ps) for each in self.fields]
        found = [(each, step) for each, step in times if step is not None]
        return sorted(found, key=lambda pair: -pair[1]) if len(found) == len(times) else []

    @property
    def unit(self) -> str:
        """Return what the register counts in: "number" or "time" where it is no single unit."""
        first, *more = self.fields
        if more:
            return "time" if self._times else "number"
        return first.unit or "number"

    @property
    def written(self) -> int:
        """Return the bits that a write can mean something to."""
        return self._bits("w")

    @property
    def kept(self) -> int:
        """Return the bits that hold what was written."""
        return 0 if self.access == "RC" else self._bits("rw")

    @property
    def shown(self) -> int:
        """Return the bits that can be read as other than zero."""
        return self._bits("r")

    def _bits(self, access: str) -> int:
        bits = 0
        for each in self.fields:
            bits |= each.mask if access in each.access else 0
        return bits

    @property
    def most(self) -> int:
        """Return the largest word that may be written."""
        if self.access == "RC" or not self.written:
            return WORD - 1
        return self.written if self.most_given is None else self.most_given

    @property
    def range(self) -> Time:
        """Return the time after which a register that counts time starts again."""
        coarsest, step = self._times[0]
        return ps(step << coarsest.width)

    def field(self, name: str) -> Field:
        """Return the field of that name."""
        return next(each for each in self.fields if each.name == name)

    def decode(self, word: int) -> Time | int:
        """Return a word as the time it stands for, or as it is."""
        if not self._times:
            return word
        return ps(sum(each.of(word) * step for each, step in self._times))

    def encode(self, time: Time) -> int:
        """Return a time as the register counts it; UsageError for none or not so finely."""
        if not self._times:
            raise UsageError(f"{self.name}={time}: is no time; wants a number")
        finest = self._times[-1][1]
        if time.ps % finest:
            raise UsageError(f"{self.name}={time}: counts in steps of {finest // 1000} ns")
        return self.word(time)

    def word(self, time: Time) -> int:
        """Return a time in the register's format, less what is finer; the register counts time."""
        word, rest = 0, time.ps
        for each, step in self._times:
            count, rest = divmod(rest, step)
            word |= count << each.lsb
        return word

    def text(self, word: int) -> str:
        """Return a word as people read it."""
        value = self.decode(word)
        return str(value) if isinstance(value, Time) or value < 10 else f"{value} ({value:#x})"


@dataclass(frozen=True)
class Access:
    """A write of `value`, or a read where there is none."""

    register: Register
    value: int | None = None

    def pair(self) -> list[int]:
        """Return [address] or [address, value], as the simulator takes it."""
        return [self.register.address] + ([] if self.value is None else [self.value])


@dataclass(frozen=True)
class Block:
    """Registers that lie together: a port's, a channel's. The box's own have no name.

    `resets` has the reset values that are this block's alone.
    """

    name: str
    kind: str
    address: int
    resets: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True)
class RegisterMap:
    """All registers of a type of box. `kinds` has the registers of a block, as offsets within it.

    `title` is the box's name for people, `size` the bytes that its bus addresses.
    """

    name: str
    title: str
    size: int
    blocks: tuple[Block, ...]
    kinds: Mapping[str, tuple[Register, ...]]

    @cached_property
    def registers(self) -> dict[str, Register]:
        """Return all registers by name."""
        return {
            each.name: each
            for block in self.blocks
            for each in (_placed(block, register) for register in self.kinds[block.kind])
        }

    def find(self, name: str) -> Register:
        """Return the register of that name; a UsageError names the nearest one."""
        if name not in self.registers:
            raise UsageError(f"no register {name!r}{did_you_mean(name, self.registers)}")
        return self.registers[name]

    def read(self, name: str) -> Access:
        """Return the access that reads a register."""
        return Access(self.find(name))

    def write(self, name: str, value: int | Time) -> Access:
        """Return the access that writes a register; a Time goes to registers that count time.

        Raises UsageError for what the register cannot hold, and if it cannot be written.
        """
        register = self.find(name)
        if register.access == "RO":
            raise UsageError(f"{name} can only be read")
        word = register.encode(value) if isinstance(value, Time) else value
        if not register.least <= word <= register.most:
            least, most = (register.text(bound) for bound in (register.least, register.most))
            raise UsageError(f"{name}={value}: wants {least} to {most}")
        return Access(register, word)

    def parse(self, text: str) -> Access:
        """Read "NAME=VALUE"; a value is a number (also 0x...) or a time with its unit."""
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"{text!r}: wants REGISTER=VALUE, such as p0.DELAY=4ms")
        try:
            return self.write(name, int(value, 0))
        except ValueError:
            return self.write(name, Time.parse(value, where=name))


def _placed(block: Block, register: Register) -> Register:
    """Return a block's register with its full name, address and reset value."""
    name = f"{block.name}.{register.name}" if block.name else register.name
    reset = block.resets.get(register.name, register.reset)
    return replace(register, name=name, address=block.address + register.address, reset=reset)
