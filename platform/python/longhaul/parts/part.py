# SPDX-License-Identifier: Apache-2.0
"""The common part of all parts of a topology: a name, and ports."""

from __future__ import annotations

from dataclasses import dataclass

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.units import Time

ParamValue = str | int | float | bool


@dataclass(frozen=True)
class Port:
    """One Ethernet port, named as the simulator names it: `part.port`."""

    part: str
    name: str

    def __str__(self) -> str:
        return f"{self.part}.{self.name}"


@dataclass(frozen=True, kw_only=True)
class Part:
    """Anything with a name and Ethernet ports."""

    name: str

    def port_names(self) -> list[str]:
        """Return the names of this part's ports."""
        raise NotImplementedError

    def segments(self) -> list[tuple[str, ...]]:
        """Return the groups of ports between which frames pass; a port alone leads nowhere."""
        return [(name,) for name in self.port_names()]

    def round_trip(self) -> Time:
        """Return what this part is set to add to a round trip through it."""
        return Time(0)

    def port(self, name: str) -> Port:
        """Return the port of that name; a UsageError names the nearest one."""
        if name not in self.port_names():
            raise UsageError(
                f"{self.name} has no port {name!r}{did_you_mean(name, self.port_names())}"
            )
        return Port(self.name, name)
