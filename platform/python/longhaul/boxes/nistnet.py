# SPDX-License-Identifier: Apache-2.0
"""NIST Net, the PC of models/wan/nistnet."""

from __future__ import annotations

from dataclasses import dataclass

from longhaul.boxes import BoxType
from longhaul.parts.box import Box, at_ports
from longhaul.parts.part import ParamValue


@dataclass(frozen=True, kw_only=True)
class Nistnet(Box):
    """A PC with NIST Net and two gigabit adapters."""

    type: str = "nistnet"

    def own_params(self) -> dict[str, ParamValue]:
        """Return the delay at both ports."""
        return at_ports(self.ports, {"delay": str(self.one_way_delay)})


BOX = BoxType(part=Nistnet)
