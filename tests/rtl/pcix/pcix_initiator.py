# SPDX-License-Identifier: Apache-2.0
"""The host bridge as initiator of PCI-X: one transaction after the other, clock by clock.

A generator drives the clock after the next one to what it has last seen, as registered inputs and
outputs do.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cocotb.triggers import Event
from pcix_pins import (
    AD32,
    COMPLETION,
    CONFIG_READ,
    CONFIG_WRITE,
    DUAL,
    READS,
    WRITE,
    Pins,
    phases_of,
)


class Drive(NamedTuple):
    """The initiator's share of the bus in a clock."""

    frame: bool = False
    irdy: bool = False
    req64: bool = False
    ad: int | None = None
    cbe: int | None = None
    idsel: bool = False
    bad: int = 0  # 1: PAR is wrong, 2: PAR64 is


NOTHING = Drive()


@dataclass
class Request:
    """A transaction, and how it ended."""

    command: int
    address: int  # of a Split Completion: AD of its address phase
    attributes: int  # AD of the attribute phase
    upper: int = 0  # C/BE[3:0]# of it
    count: int = 4
    data: bytes = b""  # from `address` on
    enables: list[bool] = field(default_factory=list)  # of each byte of a Memory Write
    wide: bool = False
    cut: int = 0  # data phases after which the initiator ends; 0: all
    bad: dict[int, int] = field(default_factory=dict)  # data phase: which parity is wrong
    bad_phase: str = ""  # address, high, attributes: PAR is wrong there
    ending: str = ""
    moved: int = 0  # data phases
    read: list[int] = field(default_factory=list)  # AD of each of them
    was_wide: bool = False
    decode: int = 0  # clocks from the last address phase to DEVSEL#
    done: Event = field(default_factory=Event)

    @property
    def lower(self) -> int:
        """The address of the data."""
        return self.address & 0x7F if self.command == COMPLETION else self.address

    @property
    def bytes_moved(self) -> int:
        """How many of the bytes have moved."""
        size = 8 if self.was_wide else 4
        return min(self.count, self.moved * size - self.lower % size)

    def word(self, at: int, size: int) -> tuple[int, int]:
        """Return data and C/BE# of a data phase of `size` bytes, counted from the first."""
        start = (self.lower // size + at) * size - self.lower
        data, levels = 0, 0
        for lane in range(size):
            offset = start + lane
            inside = 0 <= offset < len(self.data)
            data |= (self.data[offset] if inside else random.getrandbits(8)) << 8 * lane
            on = self.command == WRITE and inside and (not self.enables or self.enables[offset])
            levels |= (not on) << lane
        return data, levels


class Initiator:
    """Runs requests in the order of its queue, as the arbiter lets it."""

    def __init__(self, granted: Callable[[], bool]) -> None:
        self.queue: deque[Request] = deque()
        self.active = False  # the transaction on the bus is its own
        self.wants = False
        self._granted = granted
        self._run = self._requests()
        next(self._run)

    def step(self, seen: Pins) -> Drive:
        """Return what to drive in the next clock, by the clock before this one."""
        return self._run.send(seen)

    def _requests(self) -> Generator[Drive, Pins, None]:
        seen = yield NOTHING
        last = seen
        while True:
            self.wants = bool(self.queue)
            free = not seen.frame and (not seen.irdy or not last.frame)
            if self.queue and free and self._granted():
                yield from self._one(self.queue.popleft())
                self.active = False
                seen = yield NOTHING
                last = seen
            last, seen = seen, (yield NOTHING)

    def _one(self, r: Request) -> Generator[Drive, Pins, None]:
        self.active = True
        self.wants = bool(self.queue)
        reads = r.command in READS
        idsel = r.command in (CONFIG_READ, CONFIG_WRITE)
        dual = r.command != COMPLETION and r.address >> 32
        low = DUAL if dual else r.command
        both = dict(frame=True, req64=r.wide, idsel=idsel)
        bad = r.bad_phase == "address"
        yield Drive(ad=r.address, cbe=r.command << 4 | low, bad=bad, **both)
        if dual:
            bad = r.bad_phase == "high"
            high = r.address >> 32
            yield Drive(ad=high << 32 | high, cbe=r.command << 4 | r.command, bad=bad, **both)
        bad = r.bad_phase == "attributes"
        yield Drive(ad=r.attributes, cbe=0xF0 | r.upper, bad=bad, frame=True, req64=r.wide)
        seen = yield self._data(r, 0, False, reads)._replace(frame=True, req64=r.wide)
        yield from self._data_phases(r, reads, seen)
        r.done.set()

    def _data(self, r: Request, at: int, known: bool, reads: bool) -> Drive:
        """Return a data phase; before DEVSEL# was seen the upper DWORD goes on both halves."""
        if reads:
            return Drive(cbe=0xFF)
        if r.was_wide or not known:
            ad, cbe = r.word(at, 8)
            if not known and r.lower & 4:
                ad, cbe = ad & ~AD32 | ad >> 32, cbe & 0xF0 | cbe >> 4
        else:
            ad, cbe = r.word(at, 4)
            ad, cbe = ad << 32 | ad, cbe << 4 | cbe
        return Drive(ad=ad, cbe=cbe, bad=r.bad.get(at, 0))

    def _data_phases(self, r: Request, reads: bool, seen: Pins) -> Generator[Drive, Pins, None]:
        claim = first = last = -1
        clock = 3  # that is driven, from the last address phase on; `seen` is two before
        while True:
            at = clock - 2
            if claim < 0:
                if seen.devsel:
                    claim, r.was_wide, r.decode = at, r.wide and seen.ack64, at
                elif at == 6:
                    r.ending = "master-abort"
                    yield NOTHING
                    return
            elif first < 0:
                if seen.trdy or seen.stop or not seen.devsel:
                    first = at
                    r.ending, phases = self._answer(r, seen)
                    last = first + max(phases, 1) - 1
                    r.moved = phases
            elif at <= last:
                assert seen.devsel and seen.trdy and not seen.stop, "the core ends a burst"
            if first >= 0 and reads and first <= at < first + r.moved:
                r.read.append(seen.ad)
            if first >= 0 and at >= max(last, first + 1):
                return
            frame = first < 0 or clock <= max(last - 2, first + 1)
            irdy = first < 0 or clock <= max(last, first + 1)
            index = 0
            if claim >= 0 and clock > claim + 1:
                index = (clock - claim - 1) & 1 if first < 0 else clock - first
            drive = self._data(r, index, claim >= 0, reads) if irdy else NOTHING
            seen = yield drive._replace(frame=frame, irdy=irdy, req64=frame and r.wide)
            clock += 1

    def _answer(self, r: Request, seen: Pins) -> tuple[str, int]:
        total = phases_of(r.lower, r.count, r.was_wide)
        if r.cut:
            total = min(total, r.cut)
        answers: dict[tuple[bool, bool, bool], tuple[str, int]] = {
            (True, False, True): ("moved", total),
            (False, True, True): ("single", 1),
            (False, False, True): ("split", 0),
            (True, True, False): ("retry", 0),
            (False, True, False): ("target-abort", 0),
        }
        return answers[seen.devsel, seen.stop, seen.trdy]


def attributes_of(requester: int, tag: int, count: int, relaxed: bool = False) -> dict[str, Any]:
    """Return both parts of a request's attribute phase, and its count."""
    return {"attributes": relaxed << 29 | tag << 24 | requester << 8 | count & 0xFF,
            "upper": count >> 8 & 0xF, "count": count}  # fmt: skip
