# SPDX-License-Identifier: Apache-2.0
"""Finds the mistakes in a netlist: drivers, undriven nets, latches and loops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from longhaul.synthesis.graph import Graph
from longhaul.synthesis.links import MULTIPLEXERS, WIRES, is_latch
from longhaul.synthesis.netlist import Cell, Netlist, Place

KINDS = ("latch", "combinational loop", "multiple drivers", "undriven")
MOST_NAMED = 6
"""Nets that a finding names; of a long loop the others are counted."""


@dataclass(frozen=True, order=True)
class Finding:
    """A mistake: its kind, the line of the RTL, and a sentence."""

    place: Place
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.kind}: {self.text}"


def find(netlist: Netlist, is_declared: Callable[[Place], bool]) -> list[Finding]:
    """Return the mistakes of a netlist as it was read, by their lines.

    `is_declared` tells whether the RTL declares the latch at a line by `always_latch`.
    """
    found = {
        *_drivers(netlist),
        *_undriven(netlist),
        *_latches(netlist, is_declared),
        *_loops(netlist),
    }
    return sorted(found)


def _drivers(netlist: Netlist) -> Iterator[Finding]:
    """Find nets that two cells drive, or a cell and an input of the design."""
    several: dict[str, list[int]] = defaultdict(list)
    inputs = {bit for bits in netlist.inputs.values() for bit in bits}
    for bit, drivers in netlist.drivers.items():
        if len(drivers) + (bit in inputs) > 1 and not all(_may_let_go(c) for c, _ in drivers):
            several[_base(netlist, bit)].append(bit)
    for name, bits in several.items():
        cells = [cell for cell, _ in netlist.drivers[bits[0]]]
        count = len(cells) + (bits[0] in inputs)
        places = sorted({place for cell in cells for place in cell.places[:1]})
        net = netlist.net(bits[0])
        here = net.place if net and net.place else (places or [netlist.place])[0]
        at = f", at {_row(map(str, places))}" if places and places != [here] else ""
        yield Finding(here, "multiple drivers", f"{name} has {count} drivers{at}")


def _may_let_go(cell: Cell) -> bool:
    """Tell whether a cell drives a tri-state net."""
    return cell.kind in ("$tribuf", "$_TBUF_")


def _undriven(netlist: Netlist) -> Iterator[Finding]:
    """Find nets that nothing drives, and that reach an output of the design or a black box."""
    driven = {bit for each in (netlist.inputs, netlist.inouts) for b in each.values() for bit in b}
    driven |= netlist.drivers.keys()
    driven |= {
        bit
        for cell in netlist.cells
        for pin in cell.inouts
        for bit in cell.at(pin)
    }  # fmt: skip
    used = {bit for cell in netlist.cells for pins in cell.pins.values() for bit in pins}
    used |= {bit for bits in netlist.outputs.values() for bit in bits}
    floating = {bit for bit in used if isinstance(bit, int) and bit not in driven}
    for cell in netlist.cells:
        if cell.kind in WIRES:  # the front end gives a net without a driver an x
            pairs = zip(cell.at("A"), cell.at("Y"), strict=False)
            floating |= {y for a, y in pairs if a == "x" and isinstance(y, int)}
    if not floating:
        return
    ends = {bit for bits in netlist.outputs.values() for bit in bits}
    ends |= {
        bit
        for cell in netlist.cells
        if cell.is_black_box
        for pin in cell.pins
        if pin not in cell.outputs
        for bit in cell.at(pin)
    }
    graph = Graph(netlist, state=True)
    groups: dict[str, list[int]] = defaultdict(list)
    for bit in sorted(floating):
        groups[_base(netlist, bit)].append(bit)
    for name, bits in groups.items():
        live = [bit for bit in bits if not ends.isdisjoint(graph.reached([bit]))]
        if live:
            net = netlist.net(live[0])
            here = net.place if net and net.place else netlist.place
            which = _row(netlist.name(bit) or "a net" for bit in live)
            whole = net is not None and len(live) == len(net.bits)
            yield Finding(here, "undriven", f"nothing drives {name if whole else which}")


def _latches(netlist: Netlist, is_declared: Callable[[Place], bool]) -> Iterator[Finding]:
    """Find latches that the RTL does not declare."""
    for cell in netlist.cells:
        here = cell.places[0] if cell.places else netlist.place
        if is_latch(cell.kind) and not is_declared(here):
            outputs = [bit for bit in cell.at("Q") if isinstance(bit, int)]
            names = _names(netlist, outputs) or ["a net"]
            yield Finding(here, "latch", _keeps(names))


def _keeps(names: Sequence[str]) -> str:
    return f"{_row(names)} keeps its value where no assignment is reached"


def _loops(netlist: Netlist) -> Iterator[Finding]:
    """Find combinational loops. One through the data of multiplexers alone is a latch."""
    graph = Graph(netlist)
    _, left = graph.longest()
    for edges in graph.loops(left) if left else ():
        bits = sorted({bit for edge in edges for bit in edge[:2] if bit < graph.first_inner})
        cells = {id(cell): cell for _, _, cell in edges}.values()
        names = _names(netlist, bits) or ["nets without names"]
        places = sorted({place for cell in cells for place in cell.places[:1]})
        here = places[0] if places else netlist.place
        holds = all(cell.kind in MULTIPLEXERS | WIRES for cell in cells)
        inner = any(bit >= graph.first_inner for edge in edges for bit in edge[:2])
        if holds and not inner and any(cell.kind in MULTIPLEXERS for cell in cells):
            yield Finding(here, "latch", _keeps(names))
        else:
            more = f", lines {_row(map(str, places))}" if len(places) > 1 else ""
            yield Finding(here, "combinational loop", f"through {_row(names)}{more}")


def _base(netlist: Netlist, bit: int) -> str:
    net = netlist.net(bit)
    return net.name if net else netlist.name(bit) or f"a net of {netlist.place_of(bit)}"


def _names(netlist: Netlist, bits: Iterable[int]) -> list[str]:
    """Return the names of the nets of some bits, each once."""
    nets = (netlist.net(bit) for bit in bits)
    return sorted({net.name for net in nets if net})


def _row(names: Iterable[str]) -> str:
    """Return a list of names; of a long one the others are counted."""
    told = list(names)
    more = f" and {len(told) - MOST_NAMED} more" if len(told) > MOST_NAMED else ""
    return ", ".join(told[:MOST_NAMED]) + more
