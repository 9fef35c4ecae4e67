# SPDX-License-Identifier: Apache-2.0
"""Kinds of values: how each is read, shown, and what it may be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.units import Quantity, parse_share


class Kind(ABC):
    """One kind of value; `parse` raises a UsageError that starts with `where=text`."""

    unit: str = ""

    @abstractmethod
    def parse(self, text: str, where: str) -> Any:
        """Read a value and check its range."""

    @abstractmethod
    def range_text(self) -> str:
        """Return the legal values in words."""

    def show(self, value: Any) -> str:
        """Return the text that `parse` reads back."""
        return str(value)

    def plain(self, value: Any) -> Any:
        """Return the value as JSON shows it."""
        return value if isinstance(value, int | float | bool) else self.show(value)


def _refuse(where: str, text: str, why: str) -> UsageError:
    return UsageError(f"{where}={text}: {why}")


@dataclass(frozen=True)
class Quantities(Kind):
    """A time, size or rate with its unit, between two bounds (both included)."""

    least: Quantity
    most: Quantity
    hint: str

    @property
    def unit(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The unit proposed when none is given."""
        return self.hint

    def parse(self, text: str, where: str) -> Quantity:
        """Read a number with its unit."""
        value = type(self.least).parse(text, where=where, hint=self.hint)
        if not self.least.count <= value.count <= self.most.count:
            raise _refuse(where, text, f"must be {self.range_text()}")
        return value

    def range_text(self) -> str:
        """Return the two bounds."""
        return f"{self.least.short()} to {self.most.short()}"

    def show(self, value: Any) -> str:
        """Return the quantity with its unit."""
        return value.short()


@dataclass(frozen=True)
class Count(Kind):
    """A whole number, from a range or a list; its unit is in the setting's name or its help."""

    least: int = 0
    most: int = 0
    of: str = ""
    choices: tuple[int, ...] = ()

    @property
    def unit(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The unit of the count."""
        return self.of

    def parse(self, text: str, where: str) -> int:
        """Read a plain whole number."""
        if not (text.isascii() and text.isdecimal()):
            raise _refuse(where, text, f"a plain whole number is wanted, {self.range_text()}")
        value = int(text)
        legal = value in self.choices if self.choices else self.least <= value <= self.most
        if not legal:
            raise _refuse(where, text, f"must be {self.range_text()}")
        return value

    def range_text(self) -> str:
        """Return the bounds or the list."""
        if self.choices:
            return " or ".join([", ".join(map(str, self.choices[:-1])), str(self.choices[-1])])
        return f"{self.least} to {self.most}"


@dataclass(frozen=True)
class CountOr(Count):
    """A count, or a word that leaves it to somebody else; its value is None then."""

    word: str = ""

    def parse(self, text: str, where: str) -> int | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Read the word or a count."""
        return None if text == self.word else super().parse(text, where)

    def range_text(self) -> str:
        """Return word and counts."""
        return f"{self.word}, {super().range_text()}"

    def show(self, value: Any) -> str:
        """Return the word or the count."""
        return self.word if value is None else super().show(value)


@dataclass(frozen=True)
class Number(Kind):
    """A decimal number whose unit is in the setting's name."""

    least: float
    most: float
    of: str = ""

    @property
    def unit(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The unit that the name says."""
        return self.of

    def parse(self, text: str, where: str) -> float:
        """Read a plain decimal number."""
        try:
            value = float(text)
        except ValueError:
            raise _refuse(where, text, f"a plain number is wanted, {self.range_text()}") from None
        if not self.least <= value <= self.most:
            raise _refuse(where, text, f"must be {self.range_text()}")
        return value

    def range_text(self) -> str:
        """Return the two bounds."""
        return f"{self.least:g} to {self.most:g}"


class Flag(Kind):
    """On or off."""

    _WORDS = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}

    def parse(self, text: str, where: str) -> bool:
        """Read on or off."""
        value = self._WORDS.get(text.lower())
        if value is None:
            raise _refuse(where, text, "must be on or off")
        return value

    def range_text(self) -> str:
        """Return the two words."""
        return "on or off"

    def show(self, value: Any) -> str:
        """Return on or off."""
        return "on" if value else "off"


@dataclass(frozen=True)
class Choice(Kind):
    """One of a few names."""

    names: tuple[str, ...]

    def parse(self, text: str, where: str) -> str:
        """Read a name."""
        if text not in self.names:
            raise _refuse(where, text, f"no such value{did_you_mean(text, self.names)}")
        return text

    def range_text(self) -> str:
        """Return the names."""
        return ", ".join(self.names)


@dataclass(frozen=True)
class ChoiceOrCount(Kind):
    """One of a few names, or a whole number in a range."""

    names: tuple[str, ...]
    least: int
    most: int
    of: str = ""

    @property
    def unit(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The unit of the count."""
        return self.of

    def parse(self, text: str, where: str) -> str | int:
        """Read a name or a plain whole number."""
        if text in self.names:
            return text
        if text.isascii() and text.isdecimal():
            if self.least <= int(text) <= self.most:
                return int(text)
            raise _refuse(where, text, f"must be {self.range_text()}")
        raise _refuse(
            where,
            text,
            f"neither a number nor one of {', '.join(self.names)}{did_you_mean(text, self.names)}",
        )

    def range_text(self) -> str:
        """Return the names and the bounds."""
        return f"{', '.join(self.names)}, or {self.least} to {self.most}"


@dataclass(frozen=True)
class Share(Kind):
    """A share such as 0.1% or 1e-6."""

    most: float = 1.0

    def parse(self, text: str, where: str) -> float:
        """Read a share."""
        value = parse_share(text, where=where)
        if value > self.most:
            raise _refuse(where, text, f"must be {self.range_text()}")
        return value

    def range_text(self) -> str:
        """Return the bounds."""
        return f"0 to {self.most * 100:g}%"

    def show(self, value: Any) -> str:
        """Return percent where that is exact and has no power of ten."""
        percent = f"{value * 100:.10g}%"
        exact = "e" not in percent and parse_share(percent) == value
        return "0" if not value else percent if exact else repr(value)


class RingPair(NamedTuple):
    """Descriptors of the receive and the transmit ring."""

    rx: int
    tx: int

    def __str__(self) -> str:
        return f"{self.rx}/{self.tx}"


@dataclass(frozen=True)
class Rings(Kind):
    """Receive and transmit ring as RX/TX descriptors."""

    rx_most: int
    tx_most: int
    least: int = 64
    step: int = 8

    def parse(self, text: str, where: str) -> RingPair:
        """Read RX/TX."""
        parts = text.split("/")
        if len(parts) != 2 or not all(p.isascii() and p.isdecimal() for p in parts):
            raise _refuse(where, text, "write receive/transmit descriptors, such as 512/256")
        rings = RingPair(int(parts[0]), int(parts[1]))
        for ring, most in zip(rings, (self.rx_most, self.tx_most), strict=True):
            if not self.least <= ring <= most or ring % self.step:
                raise _refuse(where, text, f"must be {self.range_text()}")
        return rings

    def range_text(self) -> str:
        """Return the bounds of both rings."""
        return (
            f"{self.least} to {self.rx_most} / {self.least} to {self.tx_most}, "
            f"multiples of {self.step}"
        )


class Text(Kind):
    """Any text."""

    def parse(self, text: str, where: str) -> str:
        """Take the text as it is."""
        if "\n" in text or "\0" in text:
            raise _refuse(where, text, "one line is wanted")
        return text

    def range_text(self) -> str:
        """Return what is allowed."""
        return "a line of text"


@dataclass(frozen=True)
class WorkloadName(Kind):
    """A workload of ours, or a command line of the user's."""

    names: tuple[str, ...]

    def parse(self, text: str, where: str) -> str:
        """Read a name, or a command line: more than one word, or a path."""
        if text in self.names or (text.strip() and (" " in text.strip() or "/" in text)):
            return text
        raise _refuse(
            where, text, f"neither a workload nor a command line{did_you_mean(text, self.names)}"
        )

    def range_text(self) -> str:
        """Return the names."""
        return f"{', '.join(self.names)}, or a command line"
