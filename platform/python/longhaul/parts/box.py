# SPDX-License-Identifier: Apache-2.0
"""Something in the path between hosts, whatever its type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from longhaul.parts.part import ParamValue, Part
from longhaul.units import Time


@dataclass(frozen=True, kw_only=True)
class Box(Part):
    """Something in the long path between hosts; `params` go to the box's model.

    `type` is a type of `./longhaul types`, of a plug-in too, whose ports are `ports`. A
    frame that comes in at the first leaves at the second and back, the next two likewise. The box
    adds `one_way_delay` each way. Types that have a class of their own set their delay by it.
    """

    type: str
    one_way_delay: Time
    ports: tuple[str, ...] = ("west", "east")
    params: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])

    def round_trip(self) -> Time:
        """Return the delay there and back."""
        return self.one_way_delay * 2

    def segments(self) -> list[tuple[str, ...]]:
        """Return the ports in pairs: frames that come in at one leave at the other."""
        names = self.port_names()
        return list(zip(names[::2], names[1::2], strict=True))

    def port_names(self) -> list[str]:
        """Return the names of the ports."""
        return list(self.ports)

    def loose_end(self, plugged: set[str]) -> str | None:
        """Say which port lacks its cable while the one that leads to it has one."""
        for pair in self.segments():
            open_ports = [name for name in pair if name not in plugged]
            if len(open_ports) == 1:
                if len(self.port_names()) == len(pair):
                    return f"{self.name} has only one of its two ports plugged in"
                other = next(name for name in pair if name in plugged)
                return (
                    f"{self.name} has {other} plugged in, but not {open_ports[0]} to which it leads"
                )
        return None

    def own_params(self) -> dict[str, ParamValue]:
        """Return the parameters that follow from this class's fields; `params` stand above them."""
        return {}

    def all_params(self) -> dict[str, ParamValue]:
        """Return the parameters that the box's model is given."""
        return self.own_params() | dict(self.params)


def at_ports(ports: Sequence[str], values: Mapping[str, ParamValue]) -> dict[str, ParamValue]:
    """Return every value under NAME_PORT for each of the ports that frames arrive at."""
    return {f"{name}_{port}": value for name, value in values.items() for port in ports}
