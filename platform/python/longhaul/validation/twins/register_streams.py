# SPDX-License-Identifier: Apache-2.0
"""Register accesses of two runs: exact until the adapter is in use, then by what reads returned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from longhaul.nearest import did_you_mean
from longhaul.validation.twins.difference import Difference, Side
from longhaul.validation.twins.recorded import IO_BAR, Access, Kind, Seen

_PAGE_BYTES = 4096
Place = tuple[int, int, int]
"""BAR, offset, bytes of an access."""


@dataclass(frozen=True)
class Registers:
    """Names of registers by offset in the first BAR, those not compared, offsets of counters.

    `since_read` are the offsets of counters that each read clears.
    """

    names: Mapping[int, str]
    ignored: frozenset[str] = frozenset()
    counters: frozenset[int] = frozenset()
    since_read: frozenset[int] = frozenset()

    def unknown(self) -> str:
        """Return what is wrong with the first ignored name that is no register; or nothing."""
        known = {*self.names.values()}
        for text in sorted(self.ignored):
            if text not in known and _offset(text) is None:
                near = did_you_mean(text, known)
                return f"twin_ignore: {text!r} is no register and no offset such as 0x1c{near}"
        return ""

    def is_compared(self, access: Access) -> bool:
        """Tell whether an access is to a register that counts."""
        if access.address in self._ignored_offsets:
            return False
        return self.names.get(access.address) not in self.ignored

    @cached_property
    def _ignored_offsets(self) -> frozenset[int | None]:
        return frozenset(map(_offset, self.ignored))

    def text(self, access: Access) -> str:
        """Return an access in words."""
        what = "reads" if access.kind is Kind.REGISTER_READ else "writes"
        bar = "" if access.bar == 0 else " of the I/O BAR" if access.bar == IO_BAR else (
            f" of memory BAR {access.bar}")  # fmt: skip
        name = self.names.get(access.address, "") if access.bar == 0 else ""
        of = f" ({name})" if name else ""
        return (
            f"{what} {access.address:#06x}{of}{bar}: {access.value:#0{2 + 2 * len(access.data)}x}"
        )


def _offset(text: str) -> int | None:
    try:
        return int(text, 16) if text.lower().startswith("0x") else None
    except ValueError:
        return None


def opening(seen: Seen, registers: Registers) -> list[Access]:
    """Return the accesses ahead of the adapter's first frame or first write to memory.

    Reads of one register that follow each other are a driver's wait: the last one stands for all.
    """
    first_sent = min((each.time_ps for each in seen.frames if each.sent), default=None)
    found: list[Access] = []
    for each in seen.accesses:
        if each.kind in (Kind.MEMORY_WRITE, Kind.MESSAGE):
            break
        if first_sent is not None and each.time_ps > first_sent:
            break
        found.append(each)
    found = list(_without_waits(found, registers))
    if found and found[-1].kind is Kind.REGISTER_READ:
        found.pop()  # a wait that may not be over
    return found


def _without_waits(accesses: Iterable[Access], registers: Registers) -> Iterator[Access]:
    """Yield the accesses that count; reads of one register that follow each other are the last."""
    before: Access | None = None
    for each in accesses:
        if not registers.is_compared(each):
            continue
        if before and not (before.kind is each.kind is Kind.REGISTER_READ and (
            _place(before) == _place(each)
        )):  # fmt: skip
            yield before
        before = each
    if before:
        yield before


def _place(access: Access) -> Place:
    return access.bar, access.address, len(access.data)


def openings(rtl: Seen, twin: Seen, registers: Registers) -> tuple[int, Difference | None]:
    """Compare both openings as far as the shorter one goes; return how many accesses are alike."""
    sides = [opening(each, registers) for each in (rtl, twin)]
    for number, (ours, theirs) in enumerate(zip(*sides, strict=False)):
        if not _alike(ours, theirs, rtl.address, twin.address):
            shown = [Side(each.time_ps, registers.text(each)) for each in (ours, theirs)]
            return number, Difference(f"access {number + 1}", shown[0], shown[1])
    return min(map(len, sides)), None


def _alike(ours: Access, theirs: Access, our_address: bytes, their_address: bytes) -> bool:
    if ours.kind is not theirs.kind or _place(ours) != _place(theirs):
        return False
    if ours.data == theirs.data:
        return True
    if ours.kind is Kind.REGISTER_READ:
        return False
    # The rest is the software's own choice: a place in memory, or a random Ethernet address.
    if _is_of(ours.data, our_address) and _is_of(theirs.data, their_address):
        return True
    values = (ours.value, theirs.value)
    return min(values) >= _PAGE_BYTES and values[0] % _PAGE_BYTES == values[1] % _PAGE_BYTES


def _is_of(data: bytes, address: bytes) -> bool:
    """Tell whether a value is four or two bytes of an Ethernet address."""
    plain = data.rstrip(b"\0") if len(data) > 2 else data
    return len(plain) >= 2 and plain in address


@dataclass(frozen=True)
class _Reads:
    """Values that one register's reads returned: all, and the last ones of a driver's waits."""

    seen: Seen
    all: tuple[Access, ...]
    settled: tuple[Access, ...]

    def ever(self) -> int:
        """Return the bits that any read had."""
        return _bits(self.all)

    def strange(self, other: _Reads) -> int:
        """Return the bits that were read here, and not only while waiting, and never there."""
        return _bits(self.settled) & ~other.ever()

    def last(self) -> Access:
        return self.settled[-1]

    def with_bits(self, bits: int) -> Access:
        """Return the first read that has one of them, or the last read."""
        return next((each for each in self.settled if each.value & bits), self.last())

    def grows(self) -> bool:
        values = [each.value for each in self.settled]
        return all(one <= two for one, two in zip(values, values[1:], strict=False))


def _bits(reads: Iterable[Access]) -> int:
    found = 0
    for each in reads:
        found |= each.value
    return found


def _reads(seen: Seen, registers: Registers) -> dict[Place, _Reads]:
    accesses = [each for each in seen.accesses if each.kind <= Kind.REGISTER_WRITE]
    every = _by_place(each for each in accesses if registers.is_compared(each))
    settled = _by_place(_without_waits(accesses, registers))
    return {
        place: _Reads(seen, tuple(reads), tuple(settled[place])) for place, reads in every.items()
    }


def _by_place(accesses: Iterable[Access]) -> dict[Place, list[Access]]:
    found: dict[Place, list[Access]] = {}
    for each in accesses:
        if each.kind is Kind.REGISTER_READ:
            found.setdefault(_place(each), []).append(each)
    return found


def values(rtl: Seen, twin: Seen, registers: Registers) -> tuple[int, Difference | None]:
    """Compare what reads returned, register by register; return how many registers are alike.

    A counter is alike if its last value is the same, or differs by no more than the frames that one
    run had more. Any other register is alike if the same bits were ever read as 1; or if it never
    falls and would be alike as a counter. Bits that come and go while a driver waits need not be
    seen by both. A counter that each read clears is not compared: its value depends on when the
    driver has read it before.
    """
    ours, theirs = _reads(rtl, registers), _reads(twin, registers)
    both = [place for place in ours if place in theirs and not _is_since_read(place, registers)]
    found = [each for place in both for each in _unlike(ours[place], theirs[place], registers)]
    first = min(found, key=lambda each: each.rtl.time_ps, default=None)
    return len(both) - len(found), first


def _is_since_read(place: Place, registers: Registers) -> bool:
    bar, offset, _ = place
    return bar == 0 and offset in registers.since_read


def _unlike(ours: _Reads, theirs: _Reads, registers: Registers) -> Iterator[Difference]:
    strange, missing = ours.strange(theirs), theirs.strange(ours)
    known = ours.last().bar == 0 and ours.last().address in registers.counters
    if not strange and not missing and not known:
        return
    counts = ours.grows() and theirs.grows()
    if known and not counts:
        return  # a reset came in between
    if counts and _explained(ours, theirs):
        return
    what = f"bits ever read as 1: {ours.ever():#x} and {theirs.ever():#x}"
    reads = ours.with_bits(strange), theirs.with_bits(missing)
    if counts:
        what, reads = "the last read of a counter", (ours.last(), theirs.last())
    sides = [Side(each.time_ps, registers.text(each)) for each in reads]
    yield Difference(what, sides[0], sides[1])


def _explained(ours: _Reads, theirs: _Reads) -> bool:
    """Tell whether frames that one run had more on the cable make the difference of a counter."""
    frames = [each.seen.on_cable(each.last().time_ps) for each in (ours, theirs)]
    more = ours.last().value - theirs.last().value
    return more == 0 or any(
        abs(more) <= abs(frames[0][way] - frames[1][way])
        and (more > 0) == (frames[0][way] > frames[1][way])
        for way in (True, False)
    )
