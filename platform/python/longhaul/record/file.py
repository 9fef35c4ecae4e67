# SPDX-License-Identifier: Apache-2.0
"""record.bin as the simulator writes it (platform/observe/README.md has the format)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longhaul.errors import UsageError

NAME = "record.bin"
HOW = "longhaul run NAME --record makes one"
CHECKPOINT_ITEMS = 64
FRAME_TCP = 0x40  # of a frame's code

_MAGIC = b"LHRECOR1"
_HEADER = struct.Struct("<8sIIIIIIQQ16x")
_LINE = np.dtype(
    [
        ("time_ps", "<u8"),
        ("stream", "<u2"),
        ("kind", "u1"),
        ("code", "u1"),
        ("size", "<u4"),
        ("value", "<u8", (6,)),
    ]
)
Lines = NDArray[Any]


class Kind(IntEnum):
    """The kind of a line."""

    CHECKPOINT = 0
    EXCHANGE = 1
    WORK = 2
    FRAME = 3
    EVENT = 4


@dataclass(frozen=True)
class Stream:
    """Items that come one after another at one place."""

    number: int
    kind: str  # exchanges, frames, drops or events
    name: str
    description: str


@dataclass(frozen=True)
class Window:
    """A named range of a machine's physical addresses."""

    name: str
    begin: int
    size: int


@dataclass(frozen=True)
class Checkpoint:
    """How far a stream was after so many items, and the digest of them all."""

    time_ps: int
    items: int
    digest: int


class Record:
    """A whole record.bin; its lines are read from the file as they are looked at."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as stream:
            head = stream.read(_HEADER.size)
            if len(head) < _HEADER.size or head[:8] != _MAGIC:
                raise UsageError(f"{path}: no record of a run; {HOW}")
            _, begin, line, streams, labels, windows, every, count, tables = _HEADER.unpack(head)
            whole = begin + count * line == tables <= path.stat().st_size
            if not whole or line != _LINE.itemsize or every != CHECKPOINT_ITEMS:
                raise UsageError(f"{path}: the record is cut short or of another version")
            stream.seek(tables)
            rest = _Tables(stream.read(), path)
        self.streams = [Stream(i, rest.text(), rest.text(), rest.text()) for i in range(streams)]
        self.labels = [rest.text() for _ in range(labels)]
        self.windows = [Window(rest.text(), rest.number(), rest.number()) for _ in range(windows)]
        self._lines: Lines = (
            np.memmap(path, _LINE, "r", begin, (count,)) if count else np.empty(0, _LINE)
        )

    @cached_property
    def _by_stream(self) -> list[NDArray[np.intp]]:
        """The places of each stream's lines in the file."""
        self._check_lines()
        numbers: NDArray[np.uint16] = np.ascontiguousarray(self._lines["stream"])
        order = np.argsort(numbers, kind="stable")
        ends = np.searchsorted(numbers[order], np.arange(1, len(self.streams)))
        return list(np.split(order, ends))

    def _check_lines(self) -> None:
        """Refuse lines of streams, kinds or labels that are not there."""
        kinds, values = self._lines["kind"], self._lines["value"]
        frames = kinds == Kind.FRAME
        labelled = frames | (kinds == Kind.EVENT)
        texts = frames & (self._lines["code"] & FRAME_TCP == 0)  # of frames that are no TCP
        limits = (
            (self._lines["stream"], len(self.streams)),
            (kinds, len(Kind)),
            (values[labelled, 1], len(self.labels)),
            (values[texts, 2], len(self.labels)),
        )
        if any(numbers.size and int(numbers.max()) >= most for numbers, most in limits):
            raise UsageError(f"{self.path}: the record is damaged")

    def stream(self, name: str) -> Stream | None:
        """Return the stream of a name."""
        return next((stream for stream in self.streams if stream.name == name), None)

    def lines(self, stream: Stream | None) -> Lines:
        """Return a stream's lines without its checkpoints, in their order."""
        if stream is None:
            return np.empty(0, _LINE)
        found = self._lines[self._by_stream[stream.number]]
        return found[found["kind"] != Kind.CHECKPOINT]

    def checkpoints(self, stream: Stream) -> list[Checkpoint]:
        """Return a stream's checkpoints, the last at its end."""
        found = self._lines[self._by_stream[stream.number]]
        marks = found[found["kind"] == Kind.CHECKPOINT]
        return [
            Checkpoint(int(mark["time_ps"]), int(mark["value"][0]), int(mark["value"][1]))
            for mark in marks
        ]

    def place(self, machine: str, address: int) -> str:
        """Return where a machine's address is: MACHINE.DEVICE+OFFSET, or the address itself."""
        for window in self.windows:
            if window.name.startswith(f"{machine}."):
                offset = address - window.begin
                if 0 <= offset < window.size:
                    return f"{window.name}+{offset:#x}"
        return f"{address:#x}"


class _Tables:
    """Texts and numbers that follow each other."""

    def __init__(self, data: bytes, path: Path) -> None:
        self._data, self._at, self._path = data, 0, path

    def _take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        if len(taken) < size:
            raise UsageError(f"{self._path}: the record is cut short")
        self._at += size
        return taken

    def text(self) -> str:
        return self._take(int.from_bytes(self._take(2), "little")).decode(errors="replace")

    def number(self) -> int:
        return int.from_bytes(self._take(8), "little")
