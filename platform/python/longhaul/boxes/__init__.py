# SPDX-License-Identifier: Apache-2.0
"""Types of boxes that describe themselves: each module of this folder has one, as `BOX`.

A box's class, registers and commands are found here by the type's name, as the configuration
has it. A type without a module here is a `Box` with its name as `type`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import typer

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.parts.box import Box
from longhaul.registers import Register, RegisterMap


@dataclass(frozen=True)
class BoxType:
    """The public parts of a type of box; `part` is its class in topologies.

    A type that is reached while a run goes on has `registers`, `commands`, its group of the
    command line, and `examples`, one for each command.
    """

    part: type[Box]
    registers: RegisterMap | None = None
    commands: typer.Typer | None = None
    examples: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """Return the type's name in a configuration."""
        return self.part.type


@cache
def types() -> dict[str, BoxType]:
    """Return all types by name."""
    modules = (importlib.import_module(each.name) for each in
               pkgutil.iter_modules(__path__, f"{__name__}."))  # fmt: skip
    found: list[BoxType] = [module.BOX for module in modules]
    return {each.name: each for each in sorted(found, key=lambda each: each.name)}


def classes() -> dict[str, type[Box]]:
    """Return the class of each type by the class's own name."""
    return {each.part.__name__: each.part for each in types().values()}


def register_maps() -> dict[str, RegisterMap]:
    """Return the registers of each type that has some, by the type's name."""
    return {name: each.registers for name, each in types().items() if each.registers}


def titles() -> str:
    """Return the names of all types with registers for a message."""
    return " or ".join(each.title for each in register_maps().values())


def registers_called(name: str, box_type: str | None = None) -> list[Register]:
    """Return what the type's register of that name is, or what it is in each type that has it.

    A UsageError names the nearest register.
    """
    maps = [each for of, each in register_maps().items() if box_type in (None, of)]
    found = [each.registers[name] for each in maps if name in each.registers]
    if not found:
        known = [known for each in maps for known in each.registers]
        raise UsageError(f"no register {name!r}{did_you_mean(name, known)}")
    return found
