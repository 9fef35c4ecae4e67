# SPDX-License-Identifier: Apache-2.0
"""GNET-1, the FPGA box of rtl/gnet1 and models/wan/gnet1."""

from __future__ import annotations

from dataclasses import dataclass

from longhaul.boxes import BoxType
from longhaul.gnet1 import commands, registers
from longhaul.parts.box import Box, at_ports
from longhaul.parts.part import ParamValue


@dataclass(frozen=True, kw_only=True)
class Gnet1(Box):
    """The GNET-1 FPGA box: frames that come in at p0 leave at p1 and back, p2 and p3 likewise.

    `model` is "rtl" (Verilated, clock by clock) or "tlm" (its twin).
    """

    type: str = "gnet1"
    ports: tuple[str, ...] = ("p0", "p1", "p2", "p3")
    model: str = "tlm"

    def own_params(self) -> dict[str, ParamValue]:
        """Return the model, and the delay at all ports."""
        return {"model": self.model} | at_ports(self.ports, {"delay": str(self.one_way_delay)})


BOX = BoxType(
    part=Gnet1,
    registers=registers.MAP,
    commands=commands.app,
    examples={
        "registers": "longhaul gnet1 registers",
        "read": "longhaul gnet1 read out/running TIME p0.LEVEL",
        "write": "longhaul gnet1 write out/running p0.DELAY=4ms",
        "discard": "longhaul gnet1 discard out/running 0 --after 100",
        "counters": "longhaul gnet1 counters out/running 0",
        "sample": "longhaul gnet1 sample out/running 0 --period 20us",
        "samples": "longhaul gnet1 samples out/running",
    },
)
