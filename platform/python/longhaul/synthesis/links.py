# SPDX-License-Identifier: Apache-2.0
"""Which output bits of a cell depend on which of its input bits, without a clock edge between.

Yosys' `check` looks at the same dependencies when it searches loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from longhaul.synthesis.netlist import Bit, Cell

WIRES = frozenset(("$buf", "$pos", "$connect"))
"""Cells that stand for a wire: they are in no path's count."""
MULTIPLEXERS = frozenset(("$mux", "$pmux", "$bmux", "$demux", "$bwmux", "$_MUX_", "$_NMUX_"))
MEMORIES = frozenset(("$mem", "$mem_v2"))
_BITWISE = frozenset(
    ("$and", "$or", "$xor", "$xnor", "$not", "$bwmux", "$fa", "$tribuf", *MULTIPLEXERS, *WIRES)
)
_FROM_BELOW = frozenset(("$add", "$sub", "$neg", "$mul", "$alu", "$lcu"))
"""A bit of the result depends on the operands' bits up to its own."""
_WITHOUT_OUTPUT = frozenset(("$assert", "$assume", "$cover", "$live", "$fair", "$check", "$print"))
_SELECTS = frozenset(("S", "EN"))
_RESULTS = ("Y", "X", "CO")


@dataclass(frozen=True)
class Link:
    """All of `after` depend on all of `before`.

    With a `place` it is a bit of a sum: `after` depends on the links of all lower places, too.
    """

    before: Sequence[Bit]
    after: Sequence[Bit]
    place: int | None = None


def is_flip_flop(kind: str) -> bool:
    """Tell whether a kind of cell keeps its state from clock edge to clock edge."""
    if kind.startswith("$_"):
        return "DFF" in kind or kind.startswith("$_FF")
    return kind.endswith("$ff") or kind.lstrip("$").startswith(("dff", "adff", "sdff", "aldff"))


def is_latch(kind: str) -> bool:
    """Tell whether a kind of cell is a latch."""
    return kind.startswith(("$dlatch", "$adlatch", "$_DLATCH", "$sr", "$_SR_"))


def is_state(cell: Cell) -> bool:
    """Tell whether a path ends at a cell; memories are looked at port by port."""
    return is_flip_flop(cell.kind) or is_latch(cell.kind) or cell.is_black_box


def links(cell: Cell) -> Iterator[Link]:
    """Yield how a cell's outputs depend on its inputs within a clock."""
    if is_state(cell) or cell.kind in _WITHOUT_OUTPUT:
        return
    if cell.kind in MEMORIES:
        yield from _read_ports(cell)
    elif cell.kind == "$memrd_v2":
        if not cell.number("CLK_ENABLE"):
            yield Link([*cell.at("ADDR"), *cell.at("EN")], cell.at("DATA"))
    elif cell.kind in _BITWISE:
        yield from _bitwise(cell)
    elif cell.kind in _FROM_BELOW:
        yield from _from_below(cell)
    else:
        yield whole(cell)


def whole(cell: Cell) -> Link:
    """Return the link from all inputs to all outputs, as for state that is looked through."""
    before = [bit for pin in _inputs(cell) for bit in cell.at(pin)]
    return Link(before, [bit for pin in sorted(cell.outputs) for bit in cell.at(pin)])


def through_state(cell: Cell) -> Iterator[Link]:
    """Yield links that lead through flip-flops, latches and memories, over any number of clocks."""
    if is_flip_flop(cell.kind) or is_latch(cell.kind):
        data = cell.at("D")
        for index, bit in enumerate(cell.at("Q")):
            yield Link([data[index]] if index < len(data) else [], [bit])
        controls = [bit for pin in _inputs(cell) if pin != "D" for bit in cell.at(pin)]
        yield Link(controls, cell.at("Q"))
    elif cell.kind in MEMORIES:
        yield whole(cell)


def _inputs(cell: Cell) -> list[str]:
    return sorted(set(cell.pins) - cell.outputs - cell.inouts)


def _read_ports(cell: Cell) -> Iterator[Link]:
    """Yield the read ports of a memory that have no clock."""
    address, width = cell.number("ABITS"), cell.number("WIDTH")
    for port in range(cell.number("RD_PORTS")):
        if not cell.flag("RD_CLK_ENABLE", port):
            here = cell.at("RD_ADDR")[port * address : (port + 1) * address]
            enable = cell.at("RD_EN")[port : port + 1]
            data = cell.at("RD_DATA")[port * width : (port + 1) * width]
            yield Link([*here, *enable], data)


def _bitwise(cell: Cell) -> Iterator[Link]:
    """Yield a link for each bit of the results, and one from the selection to all of them."""
    selects = _SELECTS if cell.kind != "$bwmux" else frozenset[str]()
    data = [pin for pin in _inputs(cell) if pin not in selects]
    results = [cell.at(pin) for pin in _RESULTS if pin in cell.outputs]
    if cell.kind == "$demux":
        width = len(cell.at("A"))
        groups = [(index, list(cell.at("Y")[index::width])) for index in range(width)]
    else:
        width = max(map(len, results), default=0)
        groups = [(i, [y[i] for y in results if i < len(y)]) for i in range(width)]
    for index, after in groups:
        yield Link([bit for pin in data for bit in _operand(cell, pin, index, width)], after)
    chosen = [bit for pin in selects for bit in cell.at(pin)]
    if chosen:
        yield Link(chosen, [bit for _, after in groups for bit in after])


def _operand(cell: Cell, pin: str, index: int, width: int) -> Iterable[Bit]:
    """Return the bits of an operand that a bit of the result depends on."""
    bits = cell.at(pin)
    if cell.kind in ("$pmux", "$bmux"):
        return bits[index::width]
    if index < len(bits):
        return (bits[index],)
    return (bits[-1],) if bits and cell.number(f"{pin}_SIGNED") else ()


def _from_below(cell: Cell) -> Iterator[Link]:
    """Yield a link for each bit, which carries all that is below it."""
    results = [cell.at(pin) for pin in _RESULTS if pin in cell.outputs]
    width = max(map(len, results), default=0)
    for index in range(width):
        before: list[Bit] = []
        for pin in _inputs(cell):
            if len(cell.at(pin)) == 1 and pin in ("CI", "BI"):
                before += cell.at(pin) if index == 0 else ()
            else:
                before += _operand(cell, pin, index, width)
        after = [y[index] for y in results if index < len(y)]
        yield Link(before, after, index)
