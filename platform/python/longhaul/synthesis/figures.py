# SPDX-License-Identifier: Apache-2.0
"""Figures of a synthesised netlist: cells by kind, flip-flops by clock, memories, longest path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from longhaul.synthesis.graph import Graph, Path
from longhaul.synthesis.links import (
    MEMORIES,
    MULTIPLEXERS,
    WIRES,
    is_flip_flop,
    is_latch,
)
from longhaul.synthesis.netlist import Cell, Netlist

_GROUPS = {
    "arithmetic": ("alu", "add", "sub", "neg", "mul", "div", "mod", "macc", "pow", "lcu", "fa"),
    "comparisons": ("eq", "ne", "lt", "le", "ge", "gt"),
    "shifters": ("shl", "shr", "sshl", "sshr", "shift"),
    "logic": ("and", "or", "xor", "xnor", "not", "nand", "nor", "andnot", "ornot", "reduce",
              "logic"),
}  # fmt: skip


def figures(netlist: Netlist) -> dict[str, Any]:
    """Return the figures of a netlist as JSON has them."""
    flops = [cell for cell in netlist.cells if is_flip_flop(cell.kind)]
    latches = [cell for cell in netlist.cells if is_latch(cell.kind)]
    memories = [memory(cell) for cell in netlist.cells if cell.kind in MEMORIES]
    path, left = Graph(netlist).longest()
    return {
        "cells": sum(
            cell.kind not in WIRES and cell.kind != "$scopeinfo" for cell in netlist.cells
        ),
        "flip_flops": _bits(flops),
        "clocks": clocks(netlist, flops),
        "latches": _bits(latches),
        "memories": sorted(memories, key=lambda each: str(each["name"])),
        "memory_bits": sum(each["bits"] for each in memories),
        "groups": groups(netlist),
        "kinds": dict(sorted(Counter(c.kind for c in netlist.cells).items())),
        "black_boxes": dict(
            sorted(Counter(cell.kind for cell in netlist.cells if cell.is_black_box).items())
        ),
        "files": files(netlist),
        "longest_path": _path(netlist, path),
        "bits_in_loops": len(left),
    }


def _bits(cells: Iterable[Cell]) -> int:
    return sum(len(cell.at("Q")) for cell in cells)


def clocks(netlist: Netlist, flops: Iterable[Cell]) -> dict[str, int]:
    """Return the flip-flops of each clock; that of a falling edge is called so."""
    found: Counter[str] = Counter()
    for cell in flops:
        pin = "CLK" if "CLK" in cell.pins else "C"
        (bit,) = cell.at(pin) or (0,)
        name = netlist.name(bit) if isinstance(bit, int) else bit
        name = name or "a net without a name"
        falls = cell.kind.startswith("$_") and "_N" in cell.kind[:9]
        if falls or not cell.kind.startswith("$_") and not cell.number("CLK_POLARITY"):
            name += ", falling"
        found[name] += len(cell.at("Q"))
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))


def memory(cell: Cell) -> dict[str, Any]:
    """Return the name, size and ports of a memory."""
    width, words = cell.number("WIDTH"), cell.number("SIZE")
    ports = cell.number("RD_PORTS")
    return {
        "name": str(cell.parameters.get("MEMID", cell.name)).lstrip("\\"),
        "place": str(cell.places[0]) if cell.places else "",
        "words": words,
        "width": width,
        "bits": words * width,
        "write_ports": cell.number("WR_PORTS"),
        "read_ports": ports,
        "read_ports_without_clock": sum(not cell.flag("RD_CLK_ENABLE", n) for n in range(ports)),
    }


def groups(netlist: Netlist) -> dict[str, int]:
    """Return how many cells of the combinational logic belong to each group of kinds."""
    found: Counter[str] = Counter()
    for cell in netlist.cells:
        if cell.kind in MEMORIES | WIRES or cell.is_black_box or cell.kind == "$scopeinfo":
            continue
        if not (is_flip_flop(cell.kind) or is_latch(cell.kind)):
            found[_group(cell.kind)] += 1
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))


def files(netlist: Netlist) -> dict[str, dict[str, int]]:
    """Return what comes from each source file; of a function it is the file of the function."""
    names = ("flip_flops", "logic_cells", "memory_bits")
    found: dict[str, dict[str, int]] = {}
    for cell in netlist.cells:
        place = cell.places[0].path if cell.places else netlist.place.path
        here = found.setdefault(place, dict.fromkeys(names, 0))
        if is_flip_flop(cell.kind) or is_latch(cell.kind):
            here["flip_flops"] += len(cell.at("Q"))
        elif cell.kind in MEMORIES:
            here["memory_bits"] += memory(cell)["bits"]
        elif cell.kind not in WIRES and not cell.is_black_box and cell.kind != "$scopeinfo":
            here["logic_cells"] += 1
    return {path: each for path, each in sorted(found.items()) if any(each.values())}


def _group(kind: str) -> str:
    if kind in MULTIPLEXERS:
        return "multiplexers"
    word = kind.strip("$_").lower().removesuffix("x" if kind == "$shiftx" else "")
    word = word.split("_")[0]
    return next((name for name, words in _GROUPS.items() if word in words), "others")


def _path(netlist: Netlist, path: Path) -> dict[str, Any]:
    """Return the longest path: its cells, its ends, and the lines that it goes through."""
    if not path.bits:
        return {"cells": 0, "from": None, "to": None, "through": []}
    lines = [str(cell.places[0]) for cell in path.cells if cell.places]
    return {
        "cells": path.length,
        "from": _start(netlist, path.bits[0]),
        "to": _end(netlist, path.bits[-1]),
        "through": list(dict.fromkeys(lines)),
    }


def _start(netlist: Netlist, bit: int) -> dict[str, str]:
    place = netlist.place_of(bit)
    for cell, _ in netlist.drivers.get(bit, ()):
        if cell.kind in MEMORIES:
            return {"name": memory(cell)["name"], "kind": "memory", "place": str(place)}
    kind = "flip-flop" if bit in netlist.drivers else "input"
    return {"name": netlist.name(bit) or "a net without a name", "kind": kind, "place": str(place)}


def _end(netlist: Netlist, bit: int) -> dict[str, str]:
    """Tell where a path ends: at a flip-flop, an output, a memory or a black box."""
    for name, bits in netlist.outputs.items():
        if bit in bits:
            return {"name": name, "kind": "output", "place": str(netlist.place_of(bit))}
    for cell in netlist.cells:
        for pin, bits in cell.pins.items():
            if pin in cell.outputs or bit not in bits:
                continue
            place = str(cell.places[0]) if cell.places else str(netlist.place_of(bit))
            if cell.kind in MEMORIES:
                return {"name": memory(cell)["name"], "kind": "memory", "place": place}
            if is_flip_flop(cell.kind) or is_latch(cell.kind):
                index = list(bits).index(bit) if pin == "D" else 0
                state = cell.at("Q")[index]
                name = netlist.name(state) if isinstance(state, int) else ""
                return {"name": name or cell.name, "kind": f"flip-flop, {pin}", "place": place}
            if cell.is_black_box:
                return {"name": cell.name, "kind": cell.kind, "place": place}
    place = str(netlist.place_of(bit))
    return {"name": netlist.name(bit) or "a net without a name", "kind": "net", "place": place}
