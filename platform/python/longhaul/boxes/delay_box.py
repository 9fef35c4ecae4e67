# SPDX-License-Identifier: Apache-2.0
"""The delay box of models/wan/delay_box."""

from __future__ import annotations

from dataclasses import dataclass

from longhaul.boxes import BoxType
from longhaul.parts.box import Box, at_ports
from longhaul.parts.part import ParamValue


@dataclass(frozen=True, kw_only=True)
class DelayBox(Box):
    """An exact two-port WAN emulator; `loss` is the share of frames dropped in each direction."""

    type: str = "delay_box"
    loss: float = 0.0

    def own_params(self) -> dict[str, ParamValue]:
        """Return delay and loss at both ports."""
        both: dict[str, ParamValue] = {"delay": str(self.one_way_delay)}
        if self.loss:
            both["loss"] = repr(self.loss)
        return at_ports(self.ports, both)


BOX = BoxType(part=DelayBox)
