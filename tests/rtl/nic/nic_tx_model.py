# SPDX-License-Identifier: Apache-2.0
"""What frames descriptors give: packets cut with slices, sums by scapy, nothing of the RTL's ways.

Beside the frames it counts super-frames that were cut whole and that were not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from scapy.utils import checksum

MAX_FRAME, MIN_FRAME = 0x3F00, 14
TCP, IPV4, TSE, RS, VLE, IDE, EOP = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 6, 1 << 7, 1 << 0
IXSM, TXSM, DD = 1, 2, 1 << 96


@dataclass(frozen=True)
class Context:
    """A context descriptor; spans are (start, field, last), last 0 for the frame's end."""

    ip: tuple[int, int, int] = (14, 24, 33)
    l4: tuple[int, int, int] = (34, 50, 0)
    header: int = 54
    mss: int = 0
    payload: int = 0
    ipv4: bool = True
    tcp: bool = True
    rs: bool = False

    def descriptor(self) -> int:
        """Return its 16 bytes as a number."""
        low = b"".join(
            bytes([start, put]) + last.to_bytes(2, "little")
            for start, put, last in (self.ip, self.l4)
        )
        command = TCP * self.tcp | IPV4 * self.ipv4 | TSE | RS * self.rs
        word = self.payload | command << 24
        high = word.to_bytes(4, "little") + bytes([0, self.header]) + self.mss.to_bytes(2, "little")
        return int.from_bytes(low + high, "little")

    def valid(self) -> bool:
        """Whether super-frames can be cut by it."""
        l4_room = self.header - self.l4[0] - (20 if self.tcp else 8)
        ip_room = self.l4[0] - self.ip[0] - (20 if self.ipv4 else 40)
        fields = max(self.ip[1], self.l4[1]) + 2 <= self.header
        sizes = 0 < self.mss <= MAX_FRAME - self.header
        return fields and sizes and l4_room >= 0 and ip_room >= 0


def data(address: int, size: int, command: int = 0, options: int = 0, tag: int = 0,
         kind: int = 1) -> int:  # fmt: skip
    """Return a data descriptor as a number."""
    word = size | kind << 20 | command << 24
    return address | word << 64 | options << 104 | tag << 112


def with_sum(frame: bytes, span: tuple[int, int, int], udp: bool, length: int = 0) -> bytes:
    """Return a frame with a sum in it, or as it is if span or field lie outside."""
    start, put, last = span
    stop = last + 1 if last else len(frame)
    if stop > len(frame) or start >= stop or put + 2 > len(frame):
        return frame
    summed = frame[start:stop]
    value = checksum(summed + bytes(len(summed) % 2) + length.to_bytes(2, "big"))
    if udp and value == 0:
        value = 0xFFFF
    return frame[:put] + value.to_bytes(2, "big") + frame[put + 2 :]


def number(frame: bytearray, at: int, size: int, add: int = 0, to: int | None = None) -> None:
    """Add to a number of the wire, or set it."""
    old = int.from_bytes(frame[at : at + size], "big") if to is None else to
    frame[at : at + size] = (old + add & (1 << 8 * size) - 1).to_bytes(size, "big")


@dataclass
class Model:
    """Takes descriptors one by one."""

    read: Callable[[int, int], tuple[bytes, bool]]  # address, size: bytes, whether all are good
    vlan: bool = True
    frames: list[bytes] = field(default_factory=list)
    whole: int = 0
    failed: int = 0
    dropped: int = 0
    context: Context = field(default_factory=lambda: Context((0, 0, 0), (0, 0, 0), 0, 0, 0))
    packet: list[int] = field(default_factory=list)

    def take(self, descriptor: int, context: Context | None = None) -> None:
        """One descriptor; `context` is what it says if it sets one."""
        if context is not None and not self.packet:
            self.context = context
            return
        self.packet.append(descriptor)
        if descriptor >> 88 & EOP:
            self.finish()
            self.packet = []

    def keep(self, frame: bytes, good: bool, first: int) -> None:
        """Put a frame on the wire if it is good, with a tag if there is one."""
        if not good or not MIN_FRAME <= len(frame) <= MAX_FRAME:
            self.dropped += 1
            return
        if first >> 88 & VLE and self.vlan:
            tag = b"\x81\x00" + (first >> 112 & 0xFFFF).to_bytes(2, "big")
            frame = frame[:12] + tag + frame[12:]
        self.frames.append(frame)

    def finish(self) -> None:
        """Make frames of the packet's bytes."""
        first = self.packet[0]
        parts = [(each & (1 << 64) - 1, each >> 64 & 0xFFFFF) for each in self.packet]
        ip, l4 = bool(first >> 104 & IXSM), bool(first >> 104 & TXSM)
        size = sum(part for _, part in parts)
        if not first >> 88 & TSE:
            if size:
                self.plain(parts, size, ip, l4)
        elif not self.context.valid():
            self.failed += 1
        elif size:
            self.cut(parts, ip, l4)

    def gather(self, parts: list[tuple[int, int]], start: int, stop: int) -> tuple[bytes, bool]:
        """Return bytes of the packet, and whether all of them could be read."""
        got, good, at = b"", True, 0
        for address, size in parts:
            begin, end = max(start - at, 0), min(stop - at, size)
            at += size
            if begin < end:
                more, fine = self.read(address + begin, end - begin)
                got, good = got + more, good and fine
        return got, good

    def plain(self, parts: list[tuple[int, int]], size: int, ip: bool, l4: bool) -> None:
        """One frame."""
        if size > MAX_FRAME:
            self.dropped += 1
            return
        frame, good = self.gather(parts, 0, size)
        if ip:
            frame = with_sum(frame, self.context.ip, False)
        if l4:
            udp = self.context.l4[1] == self.context.l4[0] + 6
            frame = with_sum(frame, self.context.l4, udp)
        self.keep(frame, good, self.packet[0])

    def cut(self, parts: list[tuple[int, int]], ip: bool, l4: bool) -> None:
        """Segments of a super-frame."""
        context = self.context
        header, header_good = self.gather(parts, 0, context.header)
        came = max(sum(part for _, part in parts) - context.header, 0)
        came = min(came, context.payload)
        if came == context.payload:
            self.whole += 1
        else:
            self.failed += 1
        for index, offset in enumerate(range(0, came, context.mss)):
            size = min(context.mss, came - offset)
            promised = min(context.mss, context.payload - offset)
            last = size < promised or offset + size == context.payload
            begin = context.header + offset
            payload, good = self.gather(parts, begin, begin + size)
            frame = self.segment(header, payload, index, offset, last, ip, l4)
            self.keep(frame, good and header_good, self.packet[0])

    def segment(self, header: bytes, payload: bytes, index: int, offset: int, last: bool,
                ip: bool, l4: bool) -> bytes:  # fmt: skip
        """Return one segment."""
        context = self.context
        frame = bytearray(header + payload)
        at, up = context.ip[0], context.l4[0]
        if context.ipv4:
            number(frame, at + 2, 2, to=len(frame) - at)
            number(frame, at + 4, 2, add=index)
            if ip:
                frame = bytearray(with_sum(bytes(frame), context.ip, False))
        else:
            number(frame, at + 4, 2, to=len(frame) - at - 40)
        if context.tcp:
            number(frame, up + 4, 4, add=offset)
            if not last:
                frame[up + 13] &= 0xF6
        else:
            number(frame, up + 4, 2, to=len(frame) - up)
        if l4:
            return with_sum(bytes(frame), context.l4, not context.tcp, len(frame) - up)
        return bytes(frame)
