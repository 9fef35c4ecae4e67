# SPDX-License-Identifier: Apache-2.0
"""A page for each box with registers, from the map that its SystemRDL was made into."""

from __future__ import annotations

from longhaul import boxes
from longhaul.docs.tables import table
from longhaul.registers import names
from longhaul.registers.cells import FIELD_HEADS, REGISTER_HEADS, field_cells, register_cells
from longhaul.registers.description import Register, RegisterMap


def pages() -> dict[str, str]:
    """Return the pages by their place in the site."""
    maps = boxes.register_maps()
    return {f"reference/registers/{name}.md": _page(each) for name, each in maps.items()}


def _page(described: RegisterMap) -> str:
    text = (
        f"# Registers of {described.title}\n\n"
        "Words of 32 bits. Access: RW, RO (read only), WO (write only, reads 0), RC (a write of\n"
        f"any value clears). `longhaul {described.name} registers` prints them.\n\n## Blocks\n\n"
    )
    rows = [(f"`{each.name or 'the box'}`", each.kind, f"0x{each.address:03X}")
            for each in described.blocks]  # fmt: skip
    text += table(("block", "kind", "at"), rows)
    for kind, registers in described.kinds.items():
        text += f"## Kind {kind}\n\n" + table(REGISTER_HEADS, map(register_cells, registers))
        if fields := [cells for each in registers for cells in _fields(each)]:
            text += f"### Fields of {kind}\n\n" + table(FIELD_HEADS, fields)
    return text


def _fields(register: Register) -> list[tuple[str, ...]]:
    if not names.has_named_fields(register):
        return []
    return [field_cells(register, each) for each in register.fields]
