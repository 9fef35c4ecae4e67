# SPDX-License-Identifier: Apache-2.0
"""The host bridge as target of PCI-X: answers as it is told, clock by clock."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import NamedTuple

from pcix_pins import COMPLETION, DUAL, READS, WRITE, Pins, boundary_of, phases_of


class Show(NamedTuple):
    """The target's share of the bus in a clock."""

    active: bool = False
    devsel: bool = False
    trdy: bool = False
    stop: bool = False
    ack64: bool = False
    ad: int | None = None
    bad: int = 0


NOTHING = Show()
DECODES = (2, 3, 4, 6)  # clocks from the last address phase: A, B, C, subtractive


@dataclass
class Answer:
    """How to answer: data, single, split, retry, abort, none."""

    kind: str = "data"
    decode: int = 2
    waits: int = 0  # even for writes
    stop_at: int | None = None  # data phase from which on STOP# asks for the next boundary
    abort_at: int | None = None  # data phase at which it ends in Target-Abort
    bad: dict[int, int] = field(default_factory=dict)  # data phase of a read: PAR, PAR64 wrong
    perr_at: int | None = None  # data phase of a write that PERR# complains about


@dataclass
class Taken:
    """A transaction of the core, and how it was answered."""

    command: int
    address: int
    dual: bool
    attributes: int = 0
    upper: int = 0
    wide: bool = False
    kind: str = ""
    data: dict[int, int] = field(default_factory=dict)  # bytes by their addresses
    moved: int = 0  # bytes
    clock: int = 0

    @property
    def count(self) -> int:
        """The byte count of the attribute phase."""
        return (self.upper << 8 | self.attributes & 0xFF) or 4096

    @property
    def tag(self) -> int:
        """Its tag; of a Split Completion, that of its address."""
        return (self.address if self.command == COMPLETION else self.attributes) >> 24 & 31

    @property
    def lower(self) -> int:
        """The address of the data."""
        return self.address & 0x7F if self.command == COMPLETION else self.address


class Target:
    """Claims what `choose` gives an answer for, and hands each transaction to `take`."""

    def __init__(
        self,
        own: Callable[[], bool],
        choose: Callable[[Taken], Answer | None],
        read: Callable[[int], int],
        take: Callable[[Taken], None],
    ) -> None:
        self.wide = True
        self.complains: list[int] = []  # clocks from now to PERR#
        self._own, self._choose, self._read, self._take = own, choose, read, take
        self._run = self._transactions()
        next(self._run)

    def step(self, seen: Pins) -> Show:
        """Return what to drive in the next clock, by the clock before this one."""
        return self._run.send(seen)

    def _transactions(self) -> Generator[Show, Pins, None]:
        seen = yield NOTHING
        while True:
            if seen.frame:
                if self._own():
                    log = [seen]
                else:
                    log = yield from self._one(seen)
                while log[-1].frame or log[-1].irdy:
                    yield from self._show(log, NOTHING)
            seen = yield NOTHING

    def _show(self, log: list[Pins], show: Show) -> Generator[Show, Pins, None]:
        log.append((yield show))

    def _one(self, seen: Pins) -> Generator[Show, Pins, list[Pins]]:
        taken = Taken(seen.cbe & 0xF, seen.ad & 0xFFFF_FFFF, seen.cbe & 0xF == DUAL)
        asks_wide = seen.req64
        if taken.dual:
            seen = yield NOTHING
            taken.command = seen.cbe & 0xF
            taken.address |= (seen.ad & 0xFFFF_FFFF) << 32
        log = [seen]  # by clocks from the last address phase; log[c - 2] is there as c is driven
        answer = self._choose(taken)
        if answer is None or answer.kind == "none":
            yield from self._show(log, NOTHING)
            taken.attributes, taken.upper = log[1].ad & 0xFFFF_FFFF, log[1].cbe & 0xF
            taken.kind = "none"
            self._take(taken)
            return log
        taken.wide = asks_wide and self.wide
        show = Show(True, True, ack64=taken.wide)
        while len(log) < answer.decode - 1:
            yield from self._show(log, NOTHING)
        for _ in range(1 + answer.waits):
            yield from self._show(log, show)
        first = answer.decode + 1 + answer.waits
        taken.attributes, taken.upper = log[1].ad & 0xFFFF_FFFF, log[1].cbe & 0xF
        last = yield from self._data_phases(log, taken, answer, show, first)
        while len(log) <= last:
            yield from self._show(log, NOTHING)
        self._collect(log, taken, first, last)
        taken.kind = answer.kind
        self._take(taken)
        return log

    def _data_phases(
        self, log: list[Pins], taken: Taken, answer: Answer, show: Show, first: int
    ) -> Generator[Show, Pins, int]:
        """Drive them; return the clock of the last one, before the first if none has moved."""
        reads = taken.command in READS
        ones = (1 << 64) - 1
        if answer.kind != "data":
            devsel, trdy, stop = {"single": (False, True, True), "split": (False, True, False),
                                  "retry": (True, False, True),
                                  "abort": (False, False, True)}[answer.kind]  # fmt: skip
            ad = (self._word(taken, 0) if answer.kind == "single" else ones) if reads else None
            bad = answer.bad.get(0, 0)
            yield from self._show(log, Show(True, devsel, trdy, stop, taken.wide, ad, bad))
            return first if answer.kind == "single" else first - 1
        total = phases_of(taken.lower, taken.count, taken.wide)
        if answer.stop_at is not None:
            boundary = boundary_of(taken.lower, taken.wide)
            step = 16 if taken.wide else 32
            while answer.stop_at and boundary < answer.stop_at + 4:
                boundary += step
            total = min(total, boundary)
        at = 0
        while at < total:
            clock = first + at
            if clock - 2 >= first and not log[clock - 2].frame:
                break
            if at == answer.abort_at:
                yield from self._show(log, Show(True, False, False, True))
                break
            stop = answer.stop_at is not None and at >= answer.stop_at
            ad = self._word(taken, at) if reads else None
            yield from self._show(log, show._replace(
                trdy=True, stop=stop, ad=ad, bad=answer.bad.get(at, 0)))  # fmt: skip
            if at == answer.perr_at:
                self.complains.append(3)
            at += 1
        return first + at - 1

    def _word(self, taken: Taken, at: int) -> int:
        size = 8 if taken.wide else 4
        base = (taken.lower // size + at) * size
        return sum(self._read(base + lane) << 8 * lane for lane in range(size))

    def _collect(self, log: list[Pins], taken: Taken, first: int, last: int) -> None:
        size = 8 if taken.wide else 4
        end = taken.lower + taken.count
        base = taken.lower - taken.lower % size
        taken.moved = max(0, min(end, base + (last - first + 1) * size) - taken.lower)
        if taken.command in READS:
            return
        for clock in range(first, last + 1):
            for lane in range(size):
                at = base + (clock - first) * size + lane
                on = taken.command != WRITE or not log[clock].cbe >> lane & 1
                if taken.lower <= at < end and on:
                    taken.data[at] = log[clock].ad >> 8 * lane & 0xFF
