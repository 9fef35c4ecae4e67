# SPDX-License-Identifier: Apache-2.0
"""A run's recording of an adapter: device.bin, and the frames on its cable."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path

from longhaul.errors import LonghaulError

DEVICE_FILE = "device.bin"
IO_BAR = 255
_MAGIC = b"LHDEVIC1"
_HEAD = struct.Struct("<QQBBxxI")
_INTERFACE, _FRAME = 1, 6  # blocks of pcapng
_NAME, _COMMENT = 2, 1  # their options
_FCS_BYTES = 4
_ADDRESS = slice(6, 12)  # of a frame: its sender


class Kind(IntEnum):
    """The kind of an access."""

    REGISTER_READ = 0
    REGISTER_WRITE = 1
    MEMORY_WRITE = 2
    MESSAGE = 3


@dataclass(frozen=True)
class Access:
    """One access on the bus; `address` is an offset in the BAR, or of memory."""

    time_ps: int
    kind: Kind
    bar: int
    address: int
    data: bytes

    @property
    def value(self) -> int:
        """Return the data as a number, the first byte the lowest."""
        return int.from_bytes(self.data, "little")


@dataclass(frozen=True)
class Frame:
    """A frame on the cable; `data` has its FCS. `number` is its place in the capture, from 1."""

    number: int
    time_ps: int
    sent: bool  # by the adapter
    data: bytes

    @property
    def body(self) -> bytes:
        """Return it without the FCS."""
        return self.data[:-_FCS_BYTES]


@dataclass(frozen=True)
class Seen:
    """A run's records of the adapter, each in its order."""

    accesses: tuple[Access, ...]
    frames: tuple[Frame, ...]

    @cached_property
    def address(self) -> bytes:
        """Return the adapter's Ethernet address: the sender of most frames; empty without one."""
        senders = Counter(each.data[_ADDRESS] for each in self.frames if each.sent)
        return senders.most_common(1)[0][0] if senders else b""

    def on_cable(self, until_ps: int) -> Mapping[bool, int]:
        """Return how many frames were sent (True) and received by then."""
        passed = Counter(each.sent for each in self.frames if each.time_ps <= until_ps)
        return {way: passed[way] for way in (True, False)}


def read(folder: Path, capture: str, port: str) -> Seen:
    """Read what a run left in its folder, of a cable's capture and a port such as own.eth0."""
    return Seen(
        tuple(accesses(folder / DEVICE_FILE)), tuple(frames(folder / capture, f"{port} to "))
    )


def accesses(path: Path) -> Iterator[Access]:
    """Yield the accesses of a device.bin; a LonghaulError says that it is none."""
    content = path.read_bytes()
    if content[: len(_MAGIC)] != _MAGIC:
        raise LonghaulError(f"{path}: no record of an adapter")
    at = len(_MAGIC)
    while at < len(content):
        time_ps, address, kind, bar, size = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        yield Access(time_ps, Kind(kind), bar, address, content[at : at + size])
        at += -(-size // 8) * 8


def frames(path: Path, outgoing: str) -> Iterator[Frame]:
    """Yield the frames of a capture that the simulation has neither damaged nor dropped.

    Those of the interface whose name begins with `outgoing` are the adapter's own.
    """
    content = path.read_bytes()
    at, number, is_own = 0, 0, list[bool]()
    while at < len(content):
        kind, length = struct.unpack_from("<II", content, at)
        block = content[at : at + length]
        if kind == _INTERFACE:
            name = next((text for code, text in _options(block, 16) if code == _NAME), b"")
            is_own.append(name.startswith(outgoing.encode()))
        elif kind == _FRAME:
            number += 1
            interface, high, low, size, _ = struct.unpack_from("<5I", block, 8)
            comments = [text for code, text in _options(block, 28 + -(-size // 4) * 4)
                        if code == _COMMENT]  # fmt: skip
            if not any(b"damaged" in each or b"dropped:" in each for each in comments):
                time_ps = (high << 32 | low) * 1000
                yield Frame(number, time_ps, is_own[interface], block[28 : 28 + size])
        at += length


def _options(block: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    while at + 8 <= len(block):  # the block ends with its length again
        code, size = struct.unpack_from("<HH", block, at)
        if code == 0:
            return
        yield code, block[at + 4 : at + 4 + size]
        at += 4 + -(-size // 4) * 4
