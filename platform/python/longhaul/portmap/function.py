# SPDX-License-Identifier: Apache-2.0
"""The keys of a port map that only a PCI function has: its BARs and its interrupts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from longhaul.errors import UsageError
from longhaul.portmap.problems import Problem
from longhaul.portmap.schema import Bar, Pci, PortMap

LEAST_BAR, LARGEST_BAR = 16, 256 << 20
LARGEST_NARROW_BAR = 128 << 20
MSIX_BAR_BYTES = 4096
REGISTERS = 6
INTERRUPT_KINDS = ("interrupt", "interrupt-vector")
PIN_KIND = "pcix"


def bars(pci: Pci) -> dict[int, Bar]:
    """Return the memory BARs with registers behind them, by number; [pci] itself may name one."""
    if pci.registers or (pci.bus and not pci.bars):
        return {0: Bar.model_validate({"registers": pci.registers, "size": pci.bar})}
    return {int(number): bar for number, bar in sorted(pci.bars.items())}


def problems(map_: PortMap) -> Iterator[Problem]:
    """Yield what is wrong with the BARs and interrupts of a map, the first thing first."""
    pci = map_.pci
    assert pci is not None
    if pci.bars and pci.registers:
        yield ("pci", "registers"), "stands in [pci.bars.NUMBER], as there are such tables"
    if pci.bus:
        yield from _pin_problems(pci)
    elif not (pci.bars or pci.registers):
        yield ("pci",), "wants registers, or a table [pci.bars.NUMBER] for each memory BAR"
    if not pci.bus:
        for number, bar in sorted(pci.bars.items()):
            if not bar.registers:
                yield ("pci", "bars", number), "wants registers: the interface behind it"
    yield from _bar_problems(pci)
    yield from _interrupt_problems(map_, pci)


def _pin_problems(pci: Pci) -> Iterator[Problem]:
    """Yield what a function must not name that has the bus's pins itself."""
    for key in ("registers", "memory", "interrupts"):
        if getattr(pci, key):
            yield ("pci", key), f"is behind the pins of {pci.bus}; leave it out"
    for number, bar in sorted(pci.bars.items()):
        if bar.registers:
            where = ("pci", "bars", number, "registers")
            yield where, f"is behind the pins of {pci.bus}; leave it out"
    for key in ("vectors", "msix_vectors"):
        if getattr(pci, key) != Pci.model_fields[key].default:
            yield ("pci", key), f"is what the device behind {pci.bus} tells; leave it out"
    if not pci.slot.startswith("pcix"):
        yield ("pci", "slot"), f"{pci.slot}: the pins of {pci.bus} are for PCI-X: wants pcix-133"


def _bar_problems(pci: Pci) -> Iterator[Problem]:
    taken: dict[int, str] = {}
    for number, bar in bars(pci).items():
        where = ("pci", "bars", str(number)) if pci.bars else ("pci",)
        yield from _size_problems(where, "size" if pci.bars else "bar", bar)
        if bar.space == "io":
            yield (
                (*where, "space"),
                "an I/O BAR of a block is not modelled; give its registers a memory BAR",
            )
        last = number + (bar.width == 64)
        if last >= REGISTERS:
            yield where, f"a BAR of 64 bits takes two registers; the last one begins at {last - 2}"
        for register in range(number, last + 1):
            if register in taken:
                yield where, f"BAR register {register} is the upper half of {taken[register]}"
            taken[register] = ".".join(where)
    if not pci.msix_vectors:
        return
    if pci.msix_bar in taken:
        yield (
            ("pci", "msix_bar"),
            f"BAR {pci.msix_bar} is that of {taken[pci.msix_bar]}; MSI-X's table wants its own",
        )


def _size_problems(where: tuple[str, ...], key: str, bar: Bar) -> Iterator[Problem]:
    try:
        size = bar.bytes()
    except UsageError as error:
        yield where, str(error)
        return
    if not LEAST_BAR <= size <= LARGEST_BAR or size & (size - 1):
        yield (*where, key), f"{bar.size}: wants a power of two from 16B to 256MiB"
    elif size > LARGEST_NARROW_BAR and bar.width == 32:
        yield (
            (*where, key),
            f"{bar.size}: the hosts have no room for it below 4 GiB; above 128MiB wants width = 64",
        )
    if bar.offset < 0 or bar.offset % 8:
        yield (*where, "offset"), f"{bar.offset:#x}: wants a multiple of 8"


def _interrupt_problems(map_: PortMap, pci: Pci) -> Iterator[Problem]:
    if pci.vectors & (pci.vectors - 1):
        yield ("pci", "vectors"), f"{pci.vectors}: MSI has 1, 2, 4, 8, 16 or 32 vectors"
    if pci.vectors > 1 and not pci.msi:
        yield ("pci", "vectors"), "are those of MSI, which msi = false takes away"
    if (pci.vectors > 1 or pci.msix_vectors) and not pci.interrupts:
        key = "vectors" if pci.vectors > 1 else "msix_vectors"
        yield ("pci", key), "wants interrupts: the interface that asks for them"
    interface = map_.interfaces.get(pci.interrupts)
    if interface is None:
        return
    if not interrupt_pin(map_) and not (pci.msi or pci.msix_vectors):
        yield (
            ("pci", "interrupts"),
            f"{pci.interrupts} has pulses, which INTx cannot carry: wants MSI or MSI-X",
        )


def interrupt_pin(map_: PortMap) -> bool:
    """Return whether the function has INTA#: pulses would be lost on it."""
    assert map_.pci is not None
    interface = map_.interfaces.get(map_.pci.interrupts)
    if interface is None:
        return True
    return interface.kind == "interrupt" and interface.trigger == "level"


def document(map_: PortMap) -> dict[str, Any]:
    """Return [pci] as the simulator reads it."""
    pci = map_.pci
    assert pci is not None
    return pci.model_dump(exclude={"bar", "registers", "twin"}) | {
        "bars": [
            {
                "index": number,
                "bytes": bar.bytes(),
                "wide": bar.width == 64,
                "prefetchable": bar.prefetchable,
                "registers": bar.registers,
                "offset": bar.offset,
            }
            for number, bar in bars(pci).items()
        ],
        "intx": interrupt_pin(map_),
        "max_read": pci.max_read_bytes(),
    }
