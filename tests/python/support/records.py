# SPDX-License-Identifier: Apache-2.0
"""Makes record.bin as the simulator does; its digests chain by SHA-256, which no reader knows."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass, field
from pathlib import Path

CHECKPOINT, EXCHANGE, WORK, FRAME, EVENT = range(5)
SYNC, READ, WRITE = 2, 5, 6

Values = tuple[int, ...]


def line(time_ps: int, stream: int, kind: int, code: int, size: int, values: Values) -> bytes:
    padded = (*values, 0, 0, 0, 0, 0, 0)[:6]
    return struct.pack("<QHBBI6Q", time_ps, stream, kind, code, size, *padded)


def text(value: str) -> bytes:
    return struct.pack("<H", len(value)) + value.encode()


@dataclass
class Maker:
    """A record in the making."""

    streams: list[tuple[str, str, str]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    windows: list[tuple[str, int, int]] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)
    digests: dict[int, bytes] = field(default_factory=dict)
    times: dict[int, int] = field(default_factory=dict)

    def stream(self, kind: str, name: str) -> int:
        self.streams.append((kind, name, f"what {name} tells"))
        return len(self.streams) - 1

    def label(self, name: str) -> int:
        if name not in self.labels:
            self.labels.append(name)
        return self.labels.index(name)

    def exchange(
        self, stream: int, time_ps: int, code: int = SYNC, size: int = 0,
        values: Values = (), work: dict[int, int] | None = None,
    ) -> None:  # fmt: skip
        ahead = b""
        if work:
            pairs = tuple(units | place << 56 for place, units in work.items())
            ahead = line(time_ps, stream, WORK, 0, len(pairs), pairs)
        self._put(stream, time_ps, ahead, line(time_ps, stream, EXCHANGE, code, size, values))

    def frame(
        self, stream: int, time_ps: int, octets: int, digest: int, *, fate: int = 0, why: str = ""
    ) -> None:
        values = (digest, self.label(why), self.label("ARP"))
        self._put(stream, time_ps, b"", line(time_ps, stream, FRAME, fate, octets, values))

    def tcp(self, stream: int, time_ps: int, sequence: int) -> None:
        ports = 40000 | 5001 << 16 | (0x18 | 501 << 16) << 32
        ends = 0x0A0A0001 | 0x0A0A0002 << 32
        values = (sequence, self.label(""), ends, ports, sequence | 7 << 32, 1000)
        self._put(stream, time_ps, b"", line(time_ps, stream, FRAME, 0x40, 1058, values))

    def event(self, stream: int, time_ps: int, what: str, arg0: int = 0, arg1: int = 0) -> None:
        values = (time_ps + 1, self.label(what), arg0, arg1)
        self._put(stream, time_ps, b"", line(time_ps, stream, EVENT, 0, 0, values))

    def _put(self, stream: int, time_ps: int, ahead: bytes, own: bytes) -> None:
        self.lines += [ahead[i : i + 64] for i in range(0, len(ahead), 64)] + [own]
        before = self.digests.get(stream, b"")
        self.digests[stream] = hashlib.sha256(before + ahead + own).digest()
        self.times[stream] = time_ps
        self.counts[stream] = self.counts.get(stream, 0) + 1
        if self.counts[stream] % 64 == 0:
            self._checkpoint(stream)

    def _checkpoint(self, stream: int) -> None:
        digest = int.from_bytes(self.digests[stream][:8], "little")
        values = (self.counts[stream], digest)
        self.lines.append(line(self.times[stream], stream, CHECKPOINT, 0, 64, values))

    def write(self, path: Path) -> Path:
        for stream, count in self.counts.items():
            if count % 64:
                self._checkpoint(stream)
        body = b"".join(self.lines)
        head = struct.pack(
            "<8sIIIIIIQQ16x", b"LHRECOR1", 64, 64, len(self.streams), len(self.labels),
            len(self.windows), 64, len(self.lines), 64 + len(body),
        )  # fmt: skip
        tables = b"".join(text(part) for stream in self.streams for part in stream)
        tables += b"".join(text(label) for label in self.labels)
        for name, begin, size in self.windows:
            tables += text(name) + struct.pack("<QQ", begin, size)
        path.write_bytes(head + body + tables)
        return path


def guest_and_cable(exchanges: int = 200, frames: int = 100) -> Maker:
    """Return a record of a guest that writes a register each nanosecond, and of its cable."""
    maker = Maker(windows=[("sender.eth0", 0xF0000000, 0x1000)])
    guest = maker.stream("exchanges", "sender.guest")
    cable = maker.stream("frames", "cable.a_to_b")
    for i in range(exchanges):
        values = (0xF0000010, i, 1000 * i + 500)
        maker.exchange(guest, 1000 * i, WRITE, 4, values, {1: 100 + i})
        if i < frames:
            maker.frame(cable, 1000 * i + 100, 68, 7 * i)
    return maker
