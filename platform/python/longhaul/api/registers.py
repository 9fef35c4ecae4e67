# SPDX-License-Identifier: Apache-2.0
"""Registers of boxes and adapters of an open simulation."""

from __future__ import annotations

from collections.abc import Sequence

from longhaul import boxes
from longhaul.api import native
from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.registers import Access, RegisterMap
from longhaul.units import Time

WORD = 2**32


class BoxRegisters:
    """A box's registers by name, as its own bus sees them; `longhaul BOX registers` lists them.

    The twin answers within the instant. The RTL takes some of its clocks, which pass in the
    simulation. Every access is a line of the run's control.csv.
    """

    def __init__(
        self, session: native.Session, box: str, registers: RegisterMap | None = None
    ) -> None:
        """Without `registers` the box is called as its type is."""
        self._session, self._box = session, box
        self._registers = registers or boxes.register_maps()[box]

    def perform(self, accesses: Sequence[Access]) -> list[Time | int]:
        """Make accesses one after another; return what was there.

        A type of box may have lists of them for what it does, such as a package of its name.
        """
        pairs = [(access.register.address, access.value) for access in accesses]
        with native.errors():
            words = self._session.access_box(self._box, pairs)
        found: list[Time | int] = []
        for access, word in zip(accesses, words, strict=True):
            if word is None:
                raise UsageError(f"{self._box} has no register {access.register.name}")
            found.append(access.register.decode(word))
        return found

    def read(self, name: str) -> Time | int:
        """Return a register; a count of time is a Time."""
        return self.perform([self._registers.read(name)])[0]

    def write(self, name: str, value: int | Time) -> None:
        """Write a register; it takes effect some clocks of the box later."""
        self.perform([self._registers.write(name, value)])


class AdapterRegisters:
    """An adapter's registers behind BAR 0, by name or by offset.

    They are accessed beside the bus: no simulated time passes and no clock of PCI-X is used. The
    effect on the adapter is that of any access: a read of a cause register clears it, a write of a
    tail starts DMA. `peek` changes nothing.
    """

    def __init__(self, session: native.Session, adapter: str) -> None:
        self._session, self._adapter = session, adapter
        with native.errors():
            self._offsets = dict(session.registers(adapter))

    def names(self) -> dict[str, int]:
        """Return the offsets of all registers by name."""
        return dict(self._offsets)

    def read(self, register: str | int) -> int:
        """Return a register as the driver would read it, with what that does."""
        return self._session.read_register(self._adapter, self._offset(register), False)

    def peek(self, register: str | int) -> int:
        """Return the word that a register keeps.

        One whose value the adapter works out when it is read (a ring's head) keeps an older one.
        """
        return self._session.read_register(self._adapter, self._offset(register), True)

    def write(self, register: str | int, value: int) -> None:
        """Write a register as the driver would."""
        if not 0 <= value < WORD:
            raise UsageError(f"{self._adapter} {register}={value}: wants a number of 32 bits")
        self._session.write_register(self._adapter, self._offset(register), value)

    def _offset(self, register: str | int) -> int:
        if isinstance(register, str):
            if register not in self._offsets:
                hint = did_you_mean(register, self._offsets)
                raise UsageError(f"{self._adapter} has no register {register!r}{hint}")
            return self._offsets[register]
        if register not in self._offsets.values():
            raise UsageError(f"{self._adapter} has no register at {register:#x}")
        return register
