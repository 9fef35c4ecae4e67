# SPDX-License-Identifier: Apache-2.0
"""Figures of each file from merged points: lines, branches, toggles and covers, hit and in all.

Lines, branches and toggles count by their place in the source: reached in one instance is reached.
A cover counts by instance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from longhaul.coverage.merge import Merged
from longhaul.coverage.points import BLOCK, TOGGLE, USER, Point

KINDS = ("lines", "branches", "toggles", "covers")


@dataclass(frozen=True)
class Tally:
    """How many of how many were hit."""

    hit: int = 0
    total: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Return both together."""
        return Tally(self.hit + other.hit, self.total + other.total)

    @property
    def percent(self) -> float | None:
        """Return the share; None of nothing."""
        return 100 * self.hit / self.total if self.total else None

    @classmethod
    def of(cls, counts: Iterable[int]) -> Tally:
        """Return the tally of counts."""
        listed = list(counts)
        return cls(sum(count > 0 for count in listed), len(listed))


def ranges(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and the last of each run of numbers without a gap."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


@dataclass(frozen=True)
class Branch:
    """A way of an if or a case."""

    line: int
    column: int
    way: str
    count: int


@dataclass(frozen=True)
class Signal:
    """A signal with the changes of its bits; one of a single bit has the bit None."""

    name: str
    line: int
    bits: dict[int | None, int]

    def never(self) -> str:
        """Return the bits that never changed as the source has them, `[7:4], [1]`; empty: none."""
        still = ranges(bit for bit, count in self.bits.items() if not count and bit is not None)
        return ", ".join(
            f"[{low}]" if low == high else f"[{high}:{low}]" for low, high in still[::-1]
        )

    @property
    def tally(self) -> Tally:
        """Return how many of its bits changed."""
        return Tally.of(self.bits.values())


@dataclass(frozen=True)
class Cover:
    """A cover of the design, in one instance."""

    name: str
    file: str
    line: int
    instance: str
    count: int
    first: str


@dataclass
class File:
    """A file of RTL: counts by line, and the rest in the order of the source."""

    name: str
    text: str
    lines: dict[int, int] = field(default_factory=dict[int, int])
    branches: list[Branch] = field(default_factory=list[Branch])
    signals: list[Signal] = field(default_factory=list[Signal])
    covers: list[Cover] = field(default_factory=list[Cover])

    def tally(self, kind: str) -> Tally:
        """Return the tally of one of KINDS."""
        match kind:
            case "lines":
                return Tally.of(self.lines.values())
            case "branches":
                return Tally.of(branch.count for branch in self.branches)
            case "toggles":
                return sum((signal.tally for signal in self.signals), Tally())
            case _:
                return Tally.of(cover.count for cover in self.covers)


def files(merged: Merged) -> list[File]:
    """Return all files that have a point, by name."""
    by_file: dict[str, list[Point]] = {}
    for point in merged.counts:
        if point.file in merged.design.sources:
            by_file.setdefault(point.file, []).append(point)
    return [_file(name, by_file[name], merged) for name in sorted(by_file)]


def totals(all_files: Iterable[File]) -> dict[str, Tally]:
    """Return the tally of each of KINDS over files."""
    listed = list(all_files)
    return {kind: sum((file.tally(kind) for file in listed), Tally()) for kind in KINDS}


def _file(name: str, found: list[Point], merged: Merged) -> File:
    file = File(name, merged.design.sources[name].text)
    lines: dict[tuple[int, str], int] = {}
    branches: dict[tuple[int, int, str], int] = {}
    signals: dict[tuple[int, int, str], dict[int | None, int]] = {}
    for point in found:
        count = merged.counts[point]
        if point.kind == TOGGLE:
            signal, bit = point.signal()
            bits = signals.setdefault((point.line, point.column, signal), {})
            bits[bit] = bits.get(bit, 0) + count
        elif point.kind == USER:
            file.covers.append(_cover(point, count, merged))
        else:
            # A line with several points was executed as often as the one that was most often. An
            # `if` is executed also where none of its statements is.
            for number in {point.line, *point.numbers()}:
                here = (number, point.instance)
                lines[here] = max(lines.get(here, 0), count)
            if point.name != BLOCK:
                way = (point.line, point.column, point.name)
                branches[way] = branches.get(way, 0) + count
    for (number, _), count in sorted(lines.items()):
        file.lines[number] = file.lines.get(number, 0) + count
    file.branches = [Branch(*way, count) for way, count in sorted(branches.items())]
    file.signals = [
        Signal(signal, line, bits) for (line, _, signal), bits in sorted(signals.items())
    ]
    file.covers.sort(key=lambda cover: (cover.line, cover.instance))
    return file


def _cover(point: Point, count: int, merged: Merged) -> Cover:
    """The instance has the block's name ahead, and behind it that of a cover that has one."""
    _, _, instance = point.instance.partition(".")
    instance = instance.removesuffix(f".{point.name}")
    return Cover(point.name, point.file, point.line, instance, count, merged.first.get(point, ""))
