# SPDX-License-Identifier: Apache-2.0
"""Types of boxes that describe themselves: each module of this folder has one, as `BOX`.

Whoever needs a box's registers or commands finds them here by the type's name, which is that of
the configuration.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

import typer

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.registers import Register, RegisterMap


@dataclass(frozen=True)
class BoxType:
    """What a type of box has that others may use.

    `commands` makes its group of the command line, `examples` has one for each command.
    """

    registers: RegisterMap
    commands: Callable[[], typer.Typer]
    examples: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """Return the type's name in a configuration."""
        return self.registers.name

    @property
    def title(self) -> str:
        """Return the type's name for people."""
        return self.registers.title


@cache
def types() -> dict[str, BoxType]:
    """Return all types by name."""
    modules = (importlib.import_module(each.name) for each in
               pkgutil.iter_modules(__path__, f"{__name__}."))  # fmt: skip
    found: list[BoxType] = [module.BOX for module in modules]
    return {each.name: each for each in sorted(found, key=lambda each: each.name)}


def titles() -> str:
    """Return the names of all types for a message."""
    return " or ".join(each.title for each in types().values())


def registers_called(name: str, box_type: str | None = None) -> list[Register]:
    """Return what the type's register of that name is, or what it is in each type that has it.

    A UsageError names the nearest register.
    """
    maps = [each.registers for each in types().values() if box_type in (None, each.name)]
    found = [each.registers[name] for each in maps if name in each.registers]
    if not found:
        known = [known for each in maps for known in each.registers]
        raise UsageError(f"no register {name!r}{did_you_mean(name, known)}")
    return found
