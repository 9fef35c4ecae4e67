# SPDX-License-Identifier: Apache-2.0
"""A register and its fields as the cells of tables in documents."""

from __future__ import annotations

from longhaul.registers.description import Field, Register

REGISTER_HEADS = ("register", "offset", "reset", "access", "counts in", "meaning")
FIELD_HEADS = ("field", "bits", "access", "meaning")
_RULES = {"rw": "RW", "r": "RO", "w": "WO"}


def register_cells(register: Register) -> tuple[str, ...]:
    """Return the cells of a register under REGISTER_HEADS."""
    reset = "-" if register.reset is None else f"0x{register.reset:08X}"
    return (
        register.name,
        f"0x{register.address:02X}",
        register.reset_text or reset,
        register.access,
        register.unit,
        register.description,
    )


def field_cells(register: Register, field: Field) -> tuple[str, ...]:
    """Return the cells of a field under FIELD_HEADS."""
    bits = str(field.lsb)
    if field.width > 1:
        bits = f"{field.lsb + field.width - 1}:{field.lsb}"
    meaning = field.description
    if field.values:
        meaning += " " + ", ".join(f"{value}: {name}" for name, value in field.values.items()) + "."
    if field.unit:
        meaning += f" Counts {field.unit}."
    return f"{register.name}.{field.name}", bits, _RULES[field.access], meaning
