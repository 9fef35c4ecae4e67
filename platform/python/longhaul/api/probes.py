# SPDX-License-Identifier: Apache-2.0
"""Probes of an open simulation: their kinds, their values, and calls when a value changes."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from longhaul.api import native, times
from longhaul.api.native import Watch
from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.units import Time

Told = Callable[[Time, Any], object]


@dataclass(frozen=True)
class FrameSeen:
    """A frame at a tap: sent, received or dropped; octets with FCS; why; its first 128 B."""

    fate: str
    octets: int
    why: str
    head: bytes


@dataclass(frozen=True)
class SpanSeen:
    """Something that lasted until `end`; the tap's description says what the numbers are."""

    end: Time
    label: str
    numbers: tuple[int, int]


class Probe:
    """One probe (platform/observe/README.md): `kind` says what its value is.

    "counter", "level", "gauge" and "signal" are numbers; "states" is the time spent in each state;
    "frames" and "spans" have no value and can be subscribed to only.
    """

    def __init__(
        self, session: native.Session, index: int, name: str, kind: str, unit: str, text: str
    ) -> None:
        self._session, self._index = session, index
        self.name, self.kind, self.unit, self.description = name, kind, unit, text

    @property
    def value(self) -> Any:
        """The present value."""
        value = self._session.value(self._index)
        if self.kind == "states":
            return {state: Time(max(ps, 0)) for state, ps in value.items()}
        if value is None:
            raise UsageError(
                f"{self.name} is a tap of {self.kind}: it has no value; subscribe to it"
            )
        return value

    @property
    def number(self) -> int:
        """The present value of what counts or measures; a UsageError for other kinds."""
        value = self.value
        if not isinstance(value, int):
            raise UsageError(f"{self.name}: its value is no number but {self.kind}")
        return value

    @property
    def highest(self) -> int:
        """The highest value of a level in the measured window, or so far."""
        highest = self._session.highest(self._index)
        if highest is None:
            raise UsageError(f"{self.name} is a {self.kind}: only levels have a highest value")
        return highest

    def on_change(self, told: Told) -> Watch:
        """Call `told(time, value)` at each change, as docs/python_api.md says for each kind.

        A tap's value is a FrameSeen or SpanSeen, that of states the state's name.
        """

        def heard(ps: int, value: Any) -> None:
            if self.kind == "frames":
                value = FrameSeen(*value)
            elif self.kind == "spans":
                end, label, *numbers = value
                value = SpanSeen(Time(end), label, (numbers[0], numbers[1]))
            told(Time(ps), value)

        return Watch(self._session, self._session.on_change(self._index, heard))

    def every(self, period: Time, told: Told) -> Watch:
        """Call `told(time, value)` at each period, before what happens at that time."""
        ps_between = times.period(period, "; on_change() tells of each change").ps
        look = self._session.every(ps_between, lambda ps: told(Time(ps), self.value))
        return Watch(self._session, look)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} [{self.unit}]: {self.description}>"


class Probes:
    """All probes of a simulation, by name."""

    def __init__(self, session: native.Session) -> None:
        self._all = {
            name: Probe(session, index, name, kind, unit, text)
            for index, (name, kind, unit, text) in enumerate(session.probes())
        }

    def one(self, name: str) -> Probe:
        """Return the probe of that name; a UsageError names the nearest one."""
        if name not in self._all:
            raise UsageError(f"no probe is called {name!r}{did_you_mean(name, self._all)}")
        return self._all[name]

    def matching(self, *patterns: str) -> list[Probe]:
        """Return those whose names match a pattern (* and ?), in their order; all without one."""
        for pattern in patterns:
            if not fnmatch.filter(self._all, pattern):
                hint = did_you_mean(pattern.replace("*", ""), self._all)
                raise UsageError(f"no probe is called {pattern!r}{hint}")
        return [
            probe
            for name, probe in self._all.items()
            if not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
        ]
