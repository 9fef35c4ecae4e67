# SPDX-License-Identifier: Apache-2.0
"""How the bits of a netlist depend on each other within a clock: loops, longest path."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from longhaul.synthesis.links import WIRES, Link, links, through_state
from longhaul.synthesis.netlist import Bit, Cell, Netlist

Edge = tuple[int, int, Cell]
"""The bit behind, the cells that the way there counts, and the cell."""


@dataclass(frozen=True)
class Path:
    """A longest path: its bits from start to end, and the cell ahead of each but the first."""

    bits: tuple[int, ...]
    cells: tuple[Cell, ...]

    @property
    def length(self) -> int:
        """Return the number of cells in it; wires do not count."""
        return len(self.cells)


class Graph:
    """The dependencies of bits.

    Where each of several bits depends on all of others, a node that is no bit lies between them. A
    wide cell then has as many edges as pins.
    """

    def __init__(self, netlist: Netlist, *, state: bool = False) -> None:
        """Read a netlist; with `state` its edges lead through flip-flops and memories, too."""
        self._edges: dict[int, list[Edge]] = defaultdict(list)
        self._next = 1 + max(_numbers(netlist), default=0)
        self.first_inner = self._next
        for cell in netlist.cells:
            for way in (links, through_state) if state else (links,):
                below: int | None = None
                for link in way(cell):
                    below = self._add(cell, link, below)

    def _add(self, cell: Cell, link: Link, below: int | None) -> int | None:
        cost = 0 if cell.kind in WIRES else 1
        before = [bit for bit in link.before if isinstance(bit, int)]
        after = [bit for bit in link.after if isinstance(bit, int)]
        if link.place is not None or len(before) > 1 and len(after) > 1:
            inner = self._next
            self._next += 1
            if link.place and below is not None:
                self._edges[below].append((inner, 0, cell))
            for bit in before:
                self._edges[bit].append((inner, 0, cell))
            for bit in after:
                self._edges[inner].append((bit, cost, cell))
            return inner
        for bit in before:
            self._edges[bit] += [(each, cost, cell) for each in after]
        return None

    def reached(self, starts: Iterable[int]) -> set[int]:
        """Return the bits that depend on some bits, these included."""
        found = set(starts)
        todo = list(found)
        while todo:
            for bit, _, _ in self._edges.get(todo.pop(), ()):
                if bit not in found:
                    found.add(bit)
                    todo.append(bit)
        return found

    def longest(self) -> tuple[Path, set[int]]:
        """Return the longest path, and the nodes that are in loops or behind one."""
        waiting: dict[int, int] = defaultdict(int)
        for edges in self._edges.values():
            for bit, _, _ in edges:
                waiting[bit] += 1
        depth: dict[int, int] = {}
        ahead: dict[int, tuple[int, Cell]] = {}
        ready = [bit for bit in self._edges if bit not in waiting]
        while ready:
            here = ready.pop()
            own = depth.get(here, 0)
            for bit, cost, cell in self._edges.get(here, ()):
                if own + cost > depth.get(bit, -1):
                    depth[bit] = own + cost
                    ahead[bit] = (here, cell)
                waiting[bit] -= 1
                if not waiting[bit]:
                    ready.append(bit)
        left = {bit for bit, count in waiting.items() if count}
        whole = [bit for bit in depth if bit < self.first_inner and bit not in left]
        if not whole:
            return Path((), ()), left
        return self._path(min(whole, key=lambda bit: (-depth[bit], bit)), ahead), left

    def _path(self, end: int, ahead: dict[int, tuple[int, Cell]]) -> Path:
        bits, cells = [end], list[Cell]()
        here = end
        while here in ahead:
            here, cell = ahead[here]
            if here < self.first_inner:
                bits.append(here)
                if cell.kind not in WIRES:
                    cells.append(cell)
        return Path(tuple(reversed(bits)), tuple(reversed(cells)))

    def loops(self, left: set[int]) -> Iterator[list[tuple[int, int, Cell]]]:
        """Yield the edges of each loop among nodes: from, to, cell (Tarjan's algorithm)."""
        for component in self._components(left):
            inside = set(component)
            edges = [
                (here, bit, cell)
                for here in component
                for bit, _, cell in self._edges.get(here, ())
                if bit in inside
            ]
            if edges:
                yield edges

    def _components(self, nodes: set[int]) -> Iterator[list[int]]:
        """Yield the strongly connected components, without recursion."""
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        stack: list[int] = []
        on_stack: set[int] = set()
        for root in sorted(nodes):
            if root in index:
                continue
            work = [(root, self._among(root, nodes))]
            index[root] = low[root] = len(index)
            stack.append(root)
            on_stack.add(root)
            while work:
                here, rest = work[-1]
                for bit in rest:
                    if bit not in index:
                        index[bit] = low[bit] = len(index)
                        stack.append(bit)
                        on_stack.add(bit)
                        work.append((bit, self._among(bit, nodes)))
                        break
                    if bit in on_stack:
                        low[here] = min(low[here], index[bit])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[here])
                    if low[here] == index[here]:
                        component: list[int] = []
                        while True:
                            member = stack.pop()
                            on_stack.discard(member)
                            component.append(member)
                            if member == here:
                                break
                        yield component

    def _among(self, here: int, nodes: set[int]) -> Iterator[int]:
        return (bit for bit, _, _ in self._edges.get(here, ()) if bit in nodes)


def _numbers(netlist: Netlist) -> Iterator[int]:
    bits: Iterator[Bit] = (bit for net in netlist.nets for bit in net.bits)
    pins: Iterator[Bit] = (bit for c in netlist.cells for each in c.pins.values() for bit in each)
    for source in (bits, pins):
        yield from (bit for bit in source if isinstance(bit, int))
