# SPDX-License-Identifier: Apache-2.0
"""packets.bin as the simulator writes it (platform/observe/README.md has the format)."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longhaul.errors import LonghaulError, UsageError
from longhaul.packets.names import HOW, NAME

_MAGIC = b"LHPACKT1"
_HEADER = struct.Struct("<8sIIQQQ24x")
_TEXT = 0xFF  # the kind of a record that has a piece of a packet's text
_TEXT_HEAD = 34  # bytes of a text before its kind; the rest is behind its count
_RECORD = np.dtype(
    [
        ("packet", "<u8"),
        ("start_ps", "<u8"),
        ("end_ps", "<u8"),
        ("address", "<u8"),
        ("bytes", "<u4"),
        ("fault_at", "<u4"),
        ("place", "<u2"),
        ("kind", "u1"),
        ("fault", "u1"),
        ("rest", "V20"),
    ]
)
Records = NDArray[Any]


class Stage(IntEnum):
    """The kind of a stretch of a packet's life."""

    DOORBELL = 0
    DESCRIPTOR_FETCH = 1
    DATA_READ = 2
    BUFFER = 3
    WIRE = 4
    DATA_WRITE = 5
    WRITE_BACK = 6
    INTERRUPT = 7
    LOST = 8

    @property
    def text(self) -> str:
        """The stage in words."""
        return "write-back" if self is Stage.WRITE_BACK else self.name.lower().replace("_", " ")


_FAULTS = (
    *("", "differs from byte {} on", "wrong IPv4 checksum", "wrong TCP or UDP checksum"),
    "wrong FCS",
)


@dataclass(frozen=True)
class Step:
    """One stage of one packet; times in picoseconds."""

    packet: int
    stage: Stage
    place: str
    start_ps: int
    end_ps: int
    address: int  # on the bus; 0 for others
    bytes: int
    fault: str  # empty: none


@dataclass(frozen=True)
class Packets:
    """All of a packets.bin."""

    records: Records
    places: list[str]
    adapters: dict[str, dict[str, int] | None]  # counts; None: its rings are not known
    left_out: int  # stages that the file has no room for
    left_out_from_ps: int

    @classmethod
    def read(cls, folder: Path) -> Packets:
        """Read a run's file. A UsageError says that it has none, a LonghaulError what is wrong."""
        path = folder / NAME
        if not folder.is_dir():
            raise UsageError(f"{folder}: there is no such folder")
        if not path.is_file():
            raise UsageError(f"{folder}: no {NAME}; {HOW}")
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(_HEADER.size)
            if len(head) < _HEADER.size or head[:8] != _MAGIC:
                raise LonghaulError(f"{path}: not a file of packets of version 1")
            _, header, record, count, tables_at, tables_bytes = _HEADER.unpack(head)
            whole = header == _HEADER.size and record == _RECORD.itemsize
            if not whole or header + count * record > tables_at or tables_at + tables_bytes > size:
                raise LonghaulError(f"{path}: the file of packets is cut short")
            stream.seek(tables_at)
            try:
                tables = json.loads(stream.read(tables_bytes))
                rest = (tables["adapters"], tables["left_out"], tables["left_out_from_ps"])
                places = list(map(str, tables["places"]))
            except (ValueError, KeyError, TypeError) as error:
                raise LonghaulError(f"{path}: its tables cannot be read ({error})") from None
        if count == 0:
            return cls(np.empty(0, _RECORD), places, *rest)
        records = np.memmap(path, _RECORD, "r", header, (count,))
        return cls(records, places, *rest)

    @cached_property
    def stages(self) -> Records:
        """The records of stages, by packet and start."""
        found = np.asarray(self.records[self.records["kind"] != _TEXT])
        if len(found) and (
            int(found["place"].max()) >= len(self.places) or int(found["kind"].max()) >= len(Stage)
        ):
            raise LonghaulError(f"{NAME}: a stage has a place or a kind that is not there")
        order = np.lexsort((found["kind"], found["end_ps"], found["start_ps"], found["packet"]))
        return found[order]

    @cached_property
    def texts(self) -> dict[int, str]:
        """Each packet in words."""
        pieces: dict[int, bytes] = {}
        for record in self.records[self.records["kind"] == _TEXT]:
            number = int(record["packet"])
            pieces[number] = pieces.get(number, b"") + _piece(record.tobytes())
        return {number: text.decode(errors="replace") for number, text in pieces.items()}

    def text(self, packet: int) -> str:
        """One packet in words; empty if the file does not say."""
        of_it = self.records["packet"] == packet
        found = self.records[of_it & (self.records["kind"] == _TEXT)]
        return b"".join(_piece(record.tobytes()) for record in found).decode(errors="replace")

    def steps(self, packet: int) -> list[Step]:
        """Return the stages of one packet, in their order."""
        first, last = np.searchsorted(self.stages["packet"], [packet, packet + 1])
        return [self.step(record) for record in self.stages[first:last]]

    def step(self, record: Any) -> Step:
        """Return a record of `stages` in words."""
        fault = int(record["fault"])
        words = _FAULTS[fault] if fault < len(_FAULTS) else f"fault {fault}"
        return Step(
            int(record["packet"]),
            Stage(int(record["kind"])),
            self.places[int(record["place"])],
            int(record["start_ps"]),
            int(record["end_ps"]),
            int(record["address"]),
            int(record["bytes"]),
            words.format(int(record["fault_at"])),
        )

    def faulty(self) -> list[int]:
        """Return the numbers of packets with a fault at any stage."""
        return np.unique(self.stages["packet"][self.stages["fault"] != 0]).tolist()


def _piece(record: bytes) -> bytes:
    count = record[8 + _TEXT_HEAD + 1]
    text = record[8 : 8 + _TEXT_HEAD] + record[8 + _TEXT_HEAD + 2 :]
    return text[:count]
