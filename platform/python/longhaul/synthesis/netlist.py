# SPDX-License-Identifier: Apache-2.0
"""A netlist as Yosys writes it to JSON: cells, nets, ports, and their lines in the RTL."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

Bit = int | str
"""A bit of a net by its number, or a constant: 0, 1, x, z."""

_PLACE = re.compile(r"^(.*?):(\d+)")


@dataclass(frozen=True, order=True)
class Place:
    """A line of the RTL; the path is from the design's folder on. Line 0: unknown."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True)
class Cell:
    """A cell: its kind, parameters, and the bits at its pins."""

    name: str
    kind: str
    parameters: Mapping[str, Any]
    places: tuple[Place, ...]
    pins: Mapping[str, Sequence[Bit]]
    outputs: frozenset[str]
    inouts: frozenset[str]

    def number(self, parameter: str) -> int:
        """Return a parameter as a number; 0 if it has none."""
        value = self.parameters.get(parameter, 0)
        if isinstance(value, int):
            return value
        digits = str(value)
        return int(digits, 2) if digits and set(digits) <= {"0", "1"} else 0

    def flag(self, parameter: str, index: int) -> bool:
        """Return a bit of a parameter that has one for each port of a memory."""
        return bool(self.number(parameter) >> index & 1)

    def at(self, pin: str) -> Sequence[Bit]:
        """Return the bits at a pin; none if the cell has no such pin."""
        return self.pins.get(pin, ())

    @property
    def is_black_box(self) -> bool:
        """Whether the RTL has no contents for it; Yosys' own kinds begin with a dollar sign."""
        return not self.kind.startswith("$")


@dataclass(frozen=True)
class Net:
    """A name of a net, with its bits and the line of its declaration."""

    name: str
    bits: Sequence[Bit]
    is_hidden: bool
    place: Place | None


@dataclass
class Netlist:
    """One flat module."""

    top: str
    place: Place
    cells: list[Cell]
    nets: list[Net]
    inputs: dict[str, Sequence[Bit]] = field(default_factory=dict[str, Sequence[Bit]])
    outputs: dict[str, Sequence[Bit]] = field(default_factory=dict[str, Sequence[Bit]])
    inouts: dict[str, Sequence[Bit]] = field(default_factory=dict[str, Sequence[Bit]])

    @cached_property
    def _names(self) -> dict[int, tuple[Net, int]]:
        """The best name of each bit: one of the RTL, and of those the shortest."""
        best: dict[int, tuple[Net, int]] = {}
        order = sorted(self.nets, key=lambda net: (net.is_hidden, len(net.name), net.name))
        for net in order:
            for index, bit in enumerate(net.bits):
                if isinstance(bit, int):
                    best.setdefault(bit, (net, index))
        return best

    @cached_property
    def drivers(self) -> dict[int, list[tuple[Cell, str]]]:
        """The cells and pins that drive each bit."""
        found: dict[int, list[tuple[Cell, str]]] = defaultdict(list)
        for cell in self.cells:
            for pin in cell.outputs:
                for bit in cell.at(pin):
                    if isinstance(bit, int):
                        found[bit].append((cell, pin))
        return dict(found)

    def net(self, bit: int) -> Net | None:
        """Return the net of a bit that has a name in the RTL."""
        found = self._names.get(bit)
        return found[0] if found and not found[0].is_hidden else None

    def name(self, bit: int) -> str:
        """Return the name of a bit in the RTL; empty if it has none."""
        found = self._names.get(bit)
        if found is None or found[0].is_hidden:
            return ""
        net, index = found
        return f"{net.name}[{index}]" if len(net.bits) > 1 else net.name

    def place_of(self, bit: int) -> Place:
        """Return the line of what drives a bit, else of its declaration, else of the top module."""
        for cell, _ in self.drivers.get(bit, ()):
            if cell.places:
                return cell.places[0]
        net = self.net(bit)
        return net.place if net and net.place else self.place


def load(text: Mapping[str, Any], top: str) -> Netlist:
    """Read the module that is the top of a design."""
    modules: Mapping[str, Any] = text["modules"]
    name = top if top in modules else _top(modules)
    module = modules[name]
    places = _places(module.get("attributes", {}))
    found = Netlist(
        name,
        places[0] if places else Place(name, 0),
        list(_cells(module.get("cells", {}))),
        list(_nets(module.get("netnames", {}))),
    )
    sides = {"input": found.inputs, "output": found.outputs, "inout": found.inouts}
    for port, each in module.get("ports", {}).items():
        sides[each["direction"]][port] = each["bits"]
    return found


def _top(modules: Mapping[str, Any]) -> str:
    own = [n for n, each in modules.items() if each.get("attributes", {}).get("top")]
    return own[0] if own else next(iter(modules))


def _places(attributes: Mapping[str, Any]) -> tuple[Place, ...]:
    """Return the lines of an attribute `src`, without those twice that are there twice."""
    found: dict[Place, None] = {}
    for part in str(attributes.get("src", "")).split("|"):
        match = _PLACE.match(part)
        if match:
            found[Place(match[1], int(match[2]))] = None
    return tuple(found)


def _cells(cells: Mapping[str, Any]) -> Iterator[Cell]:
    for name, each in cells.items():
        sides: Mapping[str, str] = each.get("port_directions", {})
        attributes = each.get("attributes", {})
        yield Cell(
            name,
            each["type"],
            each.get("parameters", {}),
            _places(attributes),
            each.get("connections", {}),
            frozenset(_of(sides, "output")),
            frozenset(_of(sides, "inout")),
        )


def _of(sides: Mapping[str, str], wanted: str) -> Iterable[str]:
    return (pin for pin, side in sides.items() if side == wanted)


def _nets(names: Mapping[str, Any]) -> Iterator[Net]:
    for name, each in names.items():
        places = _places(each.get("attributes", {}))
        yield Net(name, each["bits"], bool(each.get("hide_name")), places[0] if places else None)
