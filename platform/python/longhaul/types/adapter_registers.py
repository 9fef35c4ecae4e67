# SPDX-License-Identifier: Apache-2.0
"""The registers of a type of adapter, as the simulator's model declares them; of plug-ins too."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.types import described

WORD = 2**32


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Field(_Strict):
    """Bits of a register; without `modelled` the model does nothing with them."""

    name: str
    lsb: int
    width: int
    meaning: str
    modelled: bool

    @property
    def bits(self) -> str:
        """Return the bits as data sheets write them: "31:16", or "3" for one."""
        last = self.lsb + self.width - 1
        return f"{last}:{self.lsb}" if self.width > 1 else str(self.lsb)


class Register(_Strict):
    """A register of 32 bits; `offset` is in bytes from the beginning of its BAR.

    `access` is RW, RO, WO, RC (clears on read) or "action": a write does something and is not
    stored. `reset` is stored by a reset: state of the adapter that a read adds is not in it.
    `writable` are the bits whose write can mean something. No fields: one number.
    """

    name: str
    offset: int
    access: str
    reset: int
    writable: int
    fields: tuple[Field, ...]

    def numbers(self, value: int) -> dict[str, int]:
        """Return the number in each field of a value, by the field's name in the order of bits."""
        fields = sorted(self.fields, key=lambda each: each.lsb)
        return {each.name: value >> each.lsb & (1 << each.width) - 1 for each in fields}

    def alike(self, other: Register) -> bool:
        """Tell whether it is another one of a group: it differs in nothing but its offset."""
        return self.model_copy(update={"offset": other.offset}) == other


class MemoryBar(_Strict):
    """A memory BAR by the number of its base address register, 0 to 5."""

    index: int
    bytes: int
    wide: bool


class Registers(_Strict):
    """The registers of an adapter by offset; `bytes` is the size of their BAR.

    Revision, class code, subsystem ids and BARs are those of its configuration space.
    """

    name: str
    title: str
    bytes: int
    revision: int
    class_code: int
    subsystem_vendor: int
    subsystem: int
    bars: tuple[MemoryBar, ...]
    registers: tuple[Register, ...]

    def parse(self, text: str) -> tuple[Register, int]:
        """Read "REGISTER=VALUE", the register by name or offset; UsageError says what is wrong."""
        name, equals, digits = text.partition("=")
        try:
            value = int(digits, 0)
        except ValueError:
            value = -1
        if not equals or not 0 <= value < WORD:
            raise UsageError(f"{text!r}: wants REGISTER=VALUE, 32 bits, such as 0x100=0x4028002")
        for each in self.registers:
            if name in (each.name, f"{each.offset:#x}", f"0x{each.offset:04x}"):
                return each, value
        hint = did_you_mean(name, {each.name for each in self.registers})
        raise UsageError(f"{self.name} has no register {name!r}{hint}")


def of(adapter: str, plugins: Iterable[Path] = ()) -> Registers:
    """Return the registers of a type of adapter; a UsageError names the nearest type."""
    return described.ask(["--registers", adapter], Registers, plugins)
