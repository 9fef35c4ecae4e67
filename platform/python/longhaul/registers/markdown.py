# SPDX-License-Identifier: Apache-2.0
"""A register map as the tables of a README, between lines that say so."""

from __future__ import annotations

import re

from longhaul.registers import names
from longhaul.registers.description import Field, Register
from longhaul.registers.rdl import Compiled

_RULES = {"rw": "RW", "r": "RO", "w": "WO"}
_HEAD = (
    "| register | offset | reset | access | counts in | meaning |\n| --- " + "| --- " * 5 + "|\n"
)
_FIELDS = "| field | bits | access | meaning |\n| --- | --- | --- | --- |\n"


def filled(readme: str, compiled: Compiled, source: str) -> str:
    """Return a README with its tables made anew: one for each kind of block, one of all fields.

    ValueError names a table that has no place in it.
    """
    kinds = compiled.described.kinds
    tables = {kind: _HEAD + "".join(map(_row, registers)) for kind, registers in kinds.items()} | {
        "fields": _FIELDS + "".join(_fields(each) for all in kinds.values() for each in all)
    }
    for name, table in tables.items():
        begin, end = f"<!-- {source}: {name} -->", f"<!-- end of {name} -->"
        place = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        if len(place.findall(readme)) != 1:
            raise ValueError(f"wants the lines {begin} and {end}, once")
        readme = place.sub(lambda _, made=f"{begin}\n{table}{end}": made, readme)
    return readme


def _row(register: Register) -> str:
    reset = "-" if register.reset is None else f"0x{register.reset:08X}"
    return (
        f"| {register.name} | 0x{register.address:02X} | {register.reset_text or reset} "
        f"| {register.access} | {register.unit} | {register.description} |\n"
    )


def _fields(register: Register) -> str:
    if not names.has_named_fields(register):
        return ""
    return "".join(_field(register, each) for each in register.fields)


def _field(register: Register, field: Field) -> str:
    bits = str(field.lsb)
    if field.width > 1:
        bits = f"{field.lsb + field.width - 1}:{field.lsb}"
    meaning = field.description
    if field.values:
        meaning += " " + ", ".join(f"{value}: {name}" for name, value in field.values.items()) + "."
    if field.unit:
        meaning += f" Counts {field.unit}."
    return f"| {register.name}.{field.name} | {bits} | {_RULES[field.access]} | {meaning} |\n"
