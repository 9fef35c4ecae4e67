# SPDX-License-Identifier: Apache-2.0
"""Received frames as an adapter wrote them to memory, each with its descriptor."""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from longhaul.validation.twins.recorded import Frame, Kind, Seen

_SMALL = 32  # bytes: a descriptor's write is no longer
_BOUNDARY = 64  # bursts are cut at such addresses
_PAGE = 12  # bits
_AHEAD = 256  # pieces after a frame among which its own is looked for
_SHOWN = 24  # bytes


@dataclass
class _Piece:
    """Bytes that were written one behind the other."""

    time_ps: int
    address: int
    data: bytearray
    end_ps: int
    frame: Frame | None = None


@dataclass(frozen=True)
class Written:
    """A frame in memory: the bytes before and behind it in its piece, and its descriptor."""

    frame: Frame
    time_ps: int
    lies_at: int  # modulo 8
    before: bytes
    behind: bytes
    descriptor: bytes | None

    def form(self) -> tuple[object, ...]:
        """Return what is compared."""
        return self.lies_at, self.before, self.behind, self.descriptor

    def alone(self) -> Written:
        """Return it without its descriptor."""
        return dataclasses.replace(self, descriptor=None)

    def text(self) -> str:
        """Return it in words."""
        words = [f"at +{self.lies_at}"]
        if self.before:
            words.append(f"{len(self.before)} bytes before it ({_hex(self.before)})")
        if self.behind:
            words.append(f"{len(self.behind)} bytes behind it ({_hex(self.behind)})")
        if self.descriptor is not None:
            words.append(f"descriptor {_hex(self.descriptor)}")
        return ", ".join(words)


def _hex(data: bytes) -> str:
    return data[:_SHOWN].hex(" ", 4) + (" ..." if len(data) > _SHOWN else "")


@dataclass(frozen=True)
class Memory:
    """All that was written of received frames; `why` says why descriptors are missing."""

    written: tuple[Written, ...]
    why: str = ""


def written(seen: Seen) -> Memory:
    """Find each received frame in what the adapter wrote, and the descriptor that belongs to it.

    Descriptors are small writes into the pages of the receive ring: those in which a small write
    most often follows a frame. They belong to the frames in their order, if there are as many.
    """
    pieces = _pieces(seen)
    found = _frames_in(pieces, [each for each in seen.frames if not each.sent])
    small = [each for each in pieces if each.frame is None and len(each.data) <= _SMALL]
    pages = _ring_pages(found, small)
    ring = [each for each in small if each.address >> _PAGE in pages]
    why = ""
    pairs = zip(found, ring, strict=False)
    if len(ring) != len(found) or any(own.end_ps > given.time_ps for own, given in pairs):
        why = f"{len(found)} frames and {len(ring)} writes of descriptors: no descriptor compared"
    return Memory(
        tuple(
            _written(piece, None if why else bytes(ring[number].data))
            for number, piece in enumerate(found)
        ),
        why,
    )


def _written(piece: _Piece, descriptor: bytes | None) -> Written:
    frame = piece.frame
    assert frame is not None
    begin = piece.data.find(frame.body)
    end = begin + len(frame.body)
    behind = bytes(piece.data[end:])
    fcs = frame.data[-4:]
    if behind.startswith(fcs):
        behind = b"FCS" + behind[len(fcs) :]
    lies_at = (piece.address + begin) % 8
    return Written(frame, piece.time_ps, lies_at, bytes(piece.data[:begin]), behind, descriptor)


def _pieces(seen: Seen) -> list[_Piece]:
    pieces: list[_Piece] = []
    open_at: dict[int, _Piece] = {}
    for each in seen.accesses:
        if each.kind is not Kind.MEMORY_WRITE:
            continue
        before = open_at.pop(each.address, None)
        if before and each.address % _BOUNDARY == 0 and len(before.data) > _SMALL:
            before.data += each.data
            before.end_ps = each.time_ps
        else:
            before = _Piece(each.time_ps, each.address, bytearray(each.data), each.time_ps)
            pieces.append(before)
        open_at[each.address + len(each.data)] = before
    return pieces


def _frames_in(pieces: Sequence[_Piece], received: Sequence[Frame]) -> list[_Piece]:
    """Mark the pieces that hold a received frame, and return them in their order."""
    times = [each.time_ps for each in pieces]
    for frame in received:
        first = bisect_left(times, frame.time_ps)
        for piece in pieces[first : first + _AHEAD]:
            if piece.frame is None and len(piece.data) >= len(frame.body):
                if frame.body in piece.data:
                    piece.frame = frame
                    break
    return [each for each in pieces if each.frame]


def _ring_pages(found: Sequence[_Piece], small: Sequence[_Piece]) -> set[int]:
    times = [each.time_ps for each in small]
    votes: Counter[int] = Counter()
    for piece in found:
        at = bisect_left(times, piece.end_ps)
        if at < len(small):
            votes[small[at].address >> _PAGE] += 1
    if not votes:
        return set()
    most = votes.most_common(1)[0][1]
    return {page for page, count in votes.items() if count * 4 >= most}
