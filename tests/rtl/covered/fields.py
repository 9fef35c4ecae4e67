# SPDX-License-Identifier: Apache-2.0
"""Which fields of a block's registers its test benches have written, with both values, and read.

The registers are those of `rtl/BLOCK/BLOCK.rdl`. Entries of a table, and registers of several
ports, count together. A field counts as written when each of its bits was written as 0 and as 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from longhaul.coverage.figures import Tally
from longhaul.coverage.merge import Bin, Bus
from systemrdl.compiler import RDLCompiler
from systemrdl.node import FieldNode, RegNode


@dataclass
class Field:
    """A field of a register; `written` and `seen` have the claims by bit and value."""

    name: str
    low: int
    width: int
    writable: bool
    readable: bool
    reads: Bin = field(default_factory=Bin)
    written: dict[tuple[int, int], Bin] = field(default_factory=dict[tuple[int, int], Bin])
    seen: dict[tuple[int, int], Bin] = field(default_factory=dict[tuple[int, int], Bin])

    def __post_init__(self) -> None:
        """Begin with nothing written and nothing read."""
        for bit in range(self.width):
            for value in (0, 1):
                self.written[bit, value], self.seen[bit, value] = Bin(), Bin()

    def add(self, access: Access, claim: str) -> None:
        """Count an access of the register."""
        into = self.seen if access.strobes is None else self.written
        if access.strobes is None:
            self.reads.add(1, claim)
        for bit in range(self.width):
            place = self.low + bit
            if access.strobes is None or access.strobes >> place // 8 & 1:
                into[bit, access.word >> place & 1].add(1, claim)

    def missed(self) -> list[str]:
        """Return what no claim has done with it."""
        found = [
            f"written with {value}"
            for value in (0, 1)
            if self.writable and not self._least(self.written, value).count
        ]
        return [*found, *(["read"] if self.readable and not self.reads.count else [])]

    def bins(self) -> Iterator[tuple[str, Bin]]:
        """Yield what may be done with it, and how often it was: of its bits the least."""
        if self.writable:
            for value in (0, 1):
                yield f"{self.name} written with {value}", self._least(self.written, value)
        if self.readable:
            yield f"{self.name} read", self.reads
            for value in (0, 1):
                yield f"{self.name} read as {value}", self._least(self.seen, value)

    def is_seen(self, value: int) -> bool:
        """Tell whether each of its bits was read with a value."""
        return self._least(self.seen, value).count > 0

    def _least(self, bins: Mapping[tuple[int, int], Bin], value: int) -> Bin:
        return min((bins[bit, value] for bit in range(self.width)), key=lambda each: each.count)


@dataclass(frozen=True)
class Access:
    """A register was written, or read where there are no strobes."""

    address: int
    word: int
    strobes: int | None

    @classmethod
    def of(cls, line: str) -> Access:
        """Return the access of a line of accesses.py."""
        address, kind, word, *strobes = line.split()
        return cls(int(address, 0), int(word, 0), int(strobes[0]) if kind == "w" else None)


class Fields:
    """The fields of a block, by the addresses of their registers."""

    def __init__(self, rtl: Path, block: str) -> None:
        compiler = RDLCompiler()
        compiler.compile_file(str(rtl / "common" / "properties.rdl"))
        compiler.compile_file(str(rtl / block / f"{block}.rdl"))
        top = compiler.elaborate().top
        self._by_name: dict[str, Field] = {}
        self._at: dict[int, list[Field]] = {}
        for node in top.descendants(unroll=True):
            if isinstance(node, RegNode):
                self._at[node.absolute_address] = [self._field(each) for each in node.fields()]

    def _field(self, node: FieldNode) -> Field:
        name = node.get_path(array_suffix="", empty_array_suffix="").partition(".")[2]
        made = Field(name, node.low, node.width, node.is_sw_writable, node.is_sw_readable)
        return self._by_name.setdefault(name, made)

    def add(self, accesses: Iterable[str], claim: str) -> None:
        """Count the accesses of a claim; an address without a register does not count."""
        for line in accesses:
            access = Access.of(line)
            for each in self._at.get(access.address, ()):
                each.add(access, claim)

    @property
    def all(self) -> list[Field]:
        """Return all fields in the order of the description."""
        return list(self._by_name.values())

    def tallies(self) -> dict[str, Tally]:
        """Return how many fields were written with both values, and read; and read as both."""
        writable = [each for each in self.all if each.writable]
        readable = [each for each in self.all if each.readable]
        return {
            "written with both values": Tally(
                sum(not any("written" in what for what in each.missed()) for each in writable),
                len(writable),
            ),
            "read": Tally.of(each.reads.count for each in readable),
            "read with both values": Tally(
                sum(each.is_seen(0) and each.is_seen(1) for each in readable), len(readable)
            ),
        }

    def bus(self) -> Bus:
        """Return what was done as bins of the page."""
        return Bus(dict(pair for each in self.all for pair in each.bins()))
