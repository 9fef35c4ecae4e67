# SPDX-License-Identifier: Apache-2.0
"""Quantities with their units, held as exact integers; a bare number is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from longhaul.errors import UsageError

_NUMBER = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+)\s*(\S*)\s*")

_EASY_DIGITS = 4


class UnitError(UsageError):
    """A text that is not a quantity of the wanted kind; the message names the cure."""


@dataclass(frozen=True, order=True)
class Quantity:
    """A non-negative whole number of base units; subclasses name the unit and its multiples."""

    count: int

    KIND: ClassVar[str] = "a quantity"
    BASE: ClassVar[str] = ""
    SUFFIXES: ClassVar[dict[str, int]] = {}
    ALIASES: ClassVar[dict[str, str]] = {}
    USUAL: ClassVar[str] = ""  # the unit proposed where nothing else is said
    READ_ONLY: ClassVar[frozenset[str]] = frozenset()  # suffixes understood but never written

    def __post_init__(self) -> None:
        if self.count < 0:
            raise UnitError(f"{self.KIND} cannot be negative ({self.count} {self.BASE})")

    @classmethod
    def parse(cls, text: str, *, where: str = "", hint: str = "") -> Self:
        """Read text such as "10ms"; `where` starts the message, `hint` is the unit it proposes."""
        what = f"{where}={text}" if where else repr(text)
        units = ", ".join(cls.SUFFIXES)
        match = _NUMBER.fullmatch(text)
        if match is None and _NUMBER.fullmatch(text.strip().removeprefix("-")):
            raise UnitError(f"{what}: {cls.KIND} cannot be negative")
        if match is None:
            raise UnitError(f"{what}: not {cls.KIND}; write a number and one of {units}")
        number, suffix = match[1], cls.ALIASES.get(match[2], match[2])
        if not suffix:
            cure = f"{where}={number}" if where else number
            unit = hint or cls.USUAL or cls.BASE
            raise UnitError(f"{what}: {cls.KIND} needs its unit; did you mean {cure}{unit}?")
        if suffix not in cls.SUFFIXES:
            raise UnitError(f"{what}: {suffix!r} is no unit of {cls.KIND}; there are {units}")
        exact = Fraction(number) * cls.SUFFIXES[suffix]
        if exact.denominator != 1:
            raise UnitError(f"{what}: finer than 1 {cls.BASE}, the smallest step")
        return cls(int(exact))

    def __str__(self) -> str:
        fitting = [
            s
            for s, factor in self.SUFFIXES.items()
            if self.count % factor == 0 and s not in self.READ_ONLY
        ]
        if self.count == 0 or not fitting:
            return f"{self.count}{self.BASE}"
        best = max(fitting, key=lambda s: self.SUFFIXES[s])
        return f"{self.count // self.SUFFIXES[best]}{best}"

    def short(self) -> str:
        """Return an exact text that is easy to read: "58.9824us" rather than "58982400ps"."""
        plain = str(self)
        if len(plain.rstrip("".join(self.SUFFIXES))) <= _EASY_DIGITS:
            return plain
        powers = {
            factor: suffix
            for suffix, factor in self.SUFFIXES.items()
            if factor <= self.count and factor == 10 ** (len(str(factor)) - 1)
        }
        factor = max(powers)
        whole, rest = divmod(self.count, factor)
        places = len(str(factor)) - 1
        point = f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".") + powers[factor]
        return min(plain, point, key=lambda text: len(text.replace(".", "")))

    def __add__(self, other: Self) -> Self:
        return type(self)(self.count + other.count)

    def __mul__(self, factor: int) -> Self:
        return type(self)(self.count * factor)

    def __truediv__(self, divisor: int) -> Self:
        whole, rest = divmod(self.count, divisor)
        if rest:
            raise UnitError(f"{self} does not divide by {divisor} in whole {self.BASE}")
        return type(self)(whole)


class Time(Quantity):
    """Simulated time in whole picoseconds."""

    KIND = "a time"
    BASE = "ps"
    SUFFIXES = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12, "min": 60 * 10**12}
    ALIASES = {"µs": "us", "μs": "us"}
    USUAL = "ms"
    READ_ONLY = frozenset({"min"})

    def __str__(self) -> str:
        return super().__str__() if self.count else "0s"

    @property
    def ps(self) -> int:
        """The time in picoseconds."""
        return self.count

    @property
    def seconds(self) -> float:
        """The time in seconds, for display and rates only."""
        return self.count / 1e12


class Size(Quantity):
    """A number of bytes."""

    KIND = "a size"
    BASE = "B"
    SUFFIXES = {
        "B": 1,
        "kB": 10**3,
        "MB": 10**6,
        "GB": 10**9,
        "KiB": 2**10,
        "MiB": 2**20,
        "GiB": 2**30,
    }
    ALIASES = {"KB": "kB"}

    @property
    def bytes(self) -> int:
        """The size in bytes."""
        return self.count


class Rate(Quantity):
    """A number of bits per second."""

    KIND = "a rate"
    BASE = "b/s"
    SUFFIXES = {"b/s": 1, "kb/s": 10**3, "Mb/s": 10**6, "Gb/s": 10**9}


class Frequency(Quantity):
    """A number of cycles per second."""

    KIND = "a frequency"
    BASE = "Hz"
    SUFFIXES = {"Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9}


def parse_share(text: str, *, where: str = "") -> float:
    """Read a share from 0 to 1: "0.1%", "1e-6" or "0.25"."""
    what = f"{where}={text}" if where else repr(text)
    match = _NUMBER.fullmatch(text)
    if match is None or match[2] not in ("", "%"):
        raise UnitError(f"{what}: not a share; write 0.1% or 1e-3")
    share = float(match[1]) / (100 if match[2] else 1)
    if share > 1:
        percent = float(match[1]) <= 100 and not match[2]
        cure = f"; did you mean {match[1]}%?" if percent else ""
        raise UnitError(f"{what}: a share is at most 1 (100%){cure}")
    return share


def ps(count: int) -> Time:
    """Return `count` picoseconds."""
    return Time(count)


def us(count: int) -> Time:
    """Return `count` microseconds."""
    return Time(count * 10**6)


def ms(count: int) -> Time:
    """Return `count` milliseconds."""
    return Time(count * 10**9)


def s(count: int) -> Time:
    """Return `count` seconds."""
    return Time(count * 10**12)


def mb(count: int) -> Size:
    """Return `count` megabytes (10^6 bytes)."""
    return Size(count * 10**6)


def mib(count: int) -> Size:
    """Return `count` mebibytes (2^20 bytes)."""
    return Size(count * 2**20)


def gib(count: int) -> Size:
    """Return `count` gibibytes (2^30 bytes)."""
    return Size(count * 2**30)


def ghz(number: float) -> Frequency:
    """Return `number` gigahertz, to the nearest hertz."""
    return Frequency(round(number * 10**9))


def mhz(count: int) -> Frequency:
    """Return `count` megahertz."""
    return Frequency(count * 10**6)
