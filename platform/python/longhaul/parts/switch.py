# SPDX-License-Identifier: Apache-2.0
"""An Ethernet switch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from longhaul.parts.part import ParamValue, Part


@dataclass(frozen=True, kw_only=True)
class Switch(Part):
    """An Ethernet switch with ports p0, p1, ...; `params` go to its model.

    `type` is a switch of `./longhaul types`, of a plug-in too.
    """

    type: str = "generic"
    ports: int = 4
    params: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])

    def port_names(self) -> list[str]:
        """Return p0 to p(n-1)."""
        return [f"p{i}" for i in range(self.ports)]

    def segments(self) -> list[tuple[str, ...]]:
        """Return all ports together."""
        return [tuple(self.port_names())]
