# SPDX-License-Identifier: Apache-2.0
"""Names of constants in generated C++ and SystemVerilog."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from longhaul.registers.description import Register

_SUFFIXES = ("_CTRL", "_SELECT")
COLUMNS = 100


def camel(name: str) -> str:
    """Return RX_ENABLE as RxEnable."""
    return "".join(word.capitalize() for word in name.split("_"))


def field_prefix(register: Register) -> str:
    """Return what the names of a register's fields begin with: PORT_CTRL's are Port..."""
    name = register.name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return camel(name)


def plain(fields: Sequence[str]) -> bool:
    """Tell whether a register with fields of these names is one number, which has no parts."""
    return list(fields) == ["VALUE"]


def has_named_fields(register: Register) -> bool:
    """Tell whether fields have constants: those of a time and of a plain number have none."""
    return not plain([each.name for each in register.fields]) and register.unit != "time"


def comment(text: str, sign: str, indent: str = "") -> list[str]:
    """Return a text as lines of comment."""
    lead = f"{indent}{sign} "
    return textwrap.wrap(text, COLUMNS, initial_indent=lead, subsequent_indent=lead)


class Declared:
    """Lines of a generated file; a name that is declared twice is refused."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names: set[str] = set()

    def add(self, name: str, line: str) -> None:
        """Add the line that declares a name."""
        if name in self._names:
            raise ValueError(f"two constants would be called {name}")
        self._names.add(name)
        self.lines.append(line)

    def has(self, name: str) -> bool:
        """Tell whether a name is declared."""
        return name in self._names
