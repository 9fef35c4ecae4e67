# SPDX-License-Identifier: Apache-2.0
"""A register map as the tables of a README, between lines that say so."""

from __future__ import annotations

import re
from collections.abc import Iterable

from longhaul.registers import names
from longhaul.registers.cells import FIELD_HEADS, REGISTER_HEADS, field_cells, register_cells
from longhaul.registers.description import Register
from longhaul.registers.rdl import Compiled


def filled(readme: str, compiled: Compiled, source: str) -> str:
    """Return a README with its tables made again: one for each kind of block, one of all fields.

    ValueError names a table that has no place in it.
    """
    kinds = compiled.described.kinds
    tables = {kind: _registers(registers) for kind, registers in kinds.items()} | {
        "fields": _head(FIELD_HEADS)
        + "".join(_fields(each) for all in kinds.values() for each in all)
    }
    for name, table in tables.items():
        begin, end = f"<!-- {source}: {name} -->", f"<!-- end of {name} -->"
        place = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        if len(place.findall(readme)) != 1:
            raise ValueError(f"wants the lines {begin} and {end}, once")
        readme = place.sub(lambda _, made=f"{begin}\n{table}{end}": made, readme)
    return readme


def _head(heads: tuple[str, ...]) -> str:
    return _line(heads) + _line(["---"] * len(heads))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _registers(registers: Iterable[Register]) -> str:
    return _head(REGISTER_HEADS) + "".join(_line(register_cells(each)) for each in registers)


def _fields(register: Register) -> str:
    if not names.has_named_fields(register):
        return ""
    return "".join(_line(field_cells(register, each)) for each in register.fields)
