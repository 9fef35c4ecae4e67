# SPDX-License-Identifier: Apache-2.0
"""Where two records part: item by item, or against the checkpoints that a golden run keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longhaul.record.file import CHECKPOINT_ITEMS, Kind, Lines, Record, Stream
from longhaul.record.text import Item, item

_LABEL, _SUMMARY = 3, 4  # columns of a line as eight words: value[1], value[2]


@dataclass(frozen=True)
class Parting:
    """The first item of a stream in which two runs differ; a side whose stream is over has none."""

    stream: str
    number: int
    time_ps: int  # of the earlier of the two
    before: tuple[Item, ...]  # the last items that are the same
    first: Item | None
    second: Item | None


def partings(first: Record, second: Record, context: int = 3) -> list[Parting]:
    """Return where each stream parts, the earliest first; none when all are the same."""
    names = dict.fromkeys(stream.name for record in (first, second) for stream in record.streams)
    numbers: dict[str, int] = {}
    for label in (*first.labels, *second.labels):
        numbers.setdefault(label, len(numbers))
    found = (_parting(first, second, name, numbers, context) for name in names)
    return sorted((one for one in found if one), key=lambda one: one.time_ps)


def _parting(
    first: Record, second: Record, name: str, numbers: Mapping[str, int], context: int
) -> Parting | None:
    sides = [_Side.of(record, name) for record in (first, second)]
    rows = [side.comparable(numbers) for side in sides]
    common = min(len(each) for each in rows)
    differs = (rows[0][:common] != rows[1][:common]).any(axis=1)
    row = int(differs.argmax()) if differs.any() else common
    if row == len(rows[0]) == len(rows[1]):
        return None
    number = int(np.count_nonzero(sides[0].lines["kind"][:row] != Kind.WORK))
    shown = [side.items(range(number, number + 1)) for side in sides]
    here = [items[0] if items else None for items in shown]
    return Parting(
        name,
        number,
        min(one.time_ps for one in here if one),
        tuple(sides[0].items(range(max(0, number - context), number))),
        here[0],
        here[1],
    )


@dataclass(frozen=True)
class _Side:
    """One record's stream of a name; without lines where the record has none."""

    record: Record
    stream: Stream | None
    lines: Lines

    @classmethod
    def of(cls, record: Record, name: str) -> _Side:
        stream = record.stream(name)
        return cls(record, stream, record.lines(stream))

    def comparable(self, numbers: Mapping[str, int]) -> NDArray[np.uint64]:
        """Return the lines as words, without what depends on other streams."""
        words: NDArray[np.uint64] = np.array(self.lines).view("<u8").reshape(-1, 8)
        words[:, 1] &= ~np.uint64(0xFFFF)  # the stream's number
        kinds = self.lines["kind"]
        labelled = (kinds == Kind.FRAME) | (kinds == Kind.EVENT)
        if labelled.any():
            ours = np.array([numbers[label] for label in self.record.labels], np.uint64)
            words[labelled, _LABEL] = ours[words[labelled, _LABEL].astype(np.intp)]
        words[kinds == Kind.FRAME, _SUMMARY:] = 0  # the digest is of all the frame's bytes
        return words

    def items(self, wanted: range) -> list[Item]:
        """Return those of the wanted items that there are."""
        if self.stream is None:
            return []
        ends = np.flatnonzero(self.lines["kind"] != Kind.WORK) + 1
        begins = np.concatenate(([0], ends[:-1])) if len(ends) else ends
        return [
            item(self.record, self.stream, self.lines[begins[n] : ends[n]], n)
            for n in wanted
            if n < len(ends)
        ]


@dataclass(frozen=True)
class Marks:
    """A stream's digests in a golden run: every so many items, and of all of them."""

    items: int
    every: int
    digests: tuple[str, ...]  # the low 32 bits in hexadecimal
    digest: str  # of all items

    @classmethod
    def of(cls, record: Record, stream: Stream, most: int) -> Marks | None:
        """Thin a stream's checkpoints to at most so many; None for a stream without items."""
        marks = record.checkpoints(stream)
        if not marks:
            return None
        step = 1
        while len(marks) // step > most:
            step *= 2
        kept = [mark for mark in marks if mark.items % (CHECKPOINT_ITEMS * step) == 0]
        return cls(
            marks[-1].items,
            CHECKPOINT_ITEMS * step,
            tuple(_short(mark.digest) for mark in kept),
            f"{marks[-1].digest:016x}",
        )


def _short(digest: int) -> str:
    return f"{digest & 0xFFFFFFFF:08x}"


@dataclass(frozen=True)
class Interval:
    """Items [begin, end) of a stream, among which the first is that differs from a golden run's."""

    stream: str
    begin: int
    end: int
    from_ps: int
    until_ps: int
    ours: int  # items that each side's stream has in all
    golden: int


def intervals(record: Record, marks: Mapping[str, Marks]) -> list[Interval]:
    """Return where streams part from a golden run's, the earliest first."""
    names = dict.fromkeys([*(stream.name for stream in record.streams), *marks])
    found = (_interval(record, name, marks.get(name)) for name in names)
    return sorted((one for one in found if one), key=lambda one: (one.from_ps, one.until_ps))


def _interval(record: Record, name: str, golden: Marks | None) -> Interval | None:
    stream = record.stream(name)
    ours = record.checkpoints(stream) if stream else []
    digests = {mark.items: mark.digest for mark in ours}
    times = {mark.items: mark.time_ps for mark in ours}
    length = ours[-1].items if ours else 0
    if golden is None:
        return Interval(name, 0, length, 0, times[length], length, 0) if length else None
    same = 0
    for i, digest in enumerate(golden.digests, 1):
        at = i * golden.every
        if at not in digests or _short(digests[at]) != digest:
            break
        same = at
    else:
        if length == golden.items and f"{digests[length]:016x}" == golden.digest:
            return None
    end = min(same + golden.every, length)
    return Interval(
        name, same, end, times.get(same, 0), times.get(end, times.get(length, 0)), length,
        golden.items,
    )  # fmt: skip


def shown(record: Record, name: str, wanted: range) -> list[Item]:
    """Return those of a stream's items that there are."""
    return _Side.of(record, name).items(wanted)
