# SPDX-License-Identifier: Apache-2.0
"""Cables between ports, and where frames get to over them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from longhaul.parts.part import Part, Port

# Data rates of the PHYs, Gb/s: IEEE 802.3, clauses 24, 36, 40, 49 and 50.
PHY_GBPS = {
    "100base-tx": 0.125 * 4 / 5,
    "1000base-x": 1.25 * 8 / 10,
    "1000base-t": 0.125 * 8,
    "10gbase-r": 10.3125 * 64 / 66,
    "10gbase-w": 9.95328 * 26 / 27 * 64 / 66,
}


@dataclass(frozen=True)
class Link:
    """A cable between two ports."""

    name: str
    a: Port
    b: Port
    phy: str

    @property
    def gbps(self) -> float:
        """Its data rate, Gb/s."""
        return PHY_GBPS[self.phy]


def groups(parts: Iterable[Part], links: Iterable[Link]) -> dict[Port, Port]:
    """Return for each port one that stands for all ports that frames from it can get to."""
    group: dict[Port, Port] = {}
    for part in parts:
        for segment in part.segments():
            first = Port(part.name, segment[0])
            group |= {Port(part.name, name): first for name in segment}
    for link in links:
        old, new = group[link.b], group[link.a]
        group = {port: new if g == old else g for port, g in group.items()}
    return group


def path(parts: Iterable[Part], links: Iterable[Link], a: Port, b: Port) -> list[Link]:
    """Return the links from one port to another; there is one way at most, Ethernet is a tree."""
    segment_of: dict[Port, frozenset[Port]] = {}
    for part in parts:
        for names in part.segments():
            segment = frozenset(Port(part.name, name) for name in names)
            segment_of |= dict.fromkeys(segment, segment)
    leads = [(end, link) for link in links for end in ((link.a, link.b), (link.b, link.a))]
    way: dict[Port, list[Link]] = {a: []}
    open_ports = [a]
    while open_ports and b not in way:
        here = open_ports.pop()
        for (near, far), link in leads:
            if near not in segment_of[here] or link in way[here]:
                continue
            reached = segment_of[far] - way.keys()
            way |= {port: [*way[here], link] for port in reached}
            open_ports.append(far)
    return way.get(b, [])
