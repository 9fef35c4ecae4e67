# SPDX-License-Identifier: Apache-2.0
"""GNET-1, the FPGA box of rtl/gnet1 and models/wan/gnet1."""

from __future__ import annotations

import typer

from longhaul.boxes import BoxType
from longhaul.gnet1 import registers


def _commands() -> typer.Typer:
    from longhaul.gnet1.commands import app

    return app


BOX = BoxType(
    registers=registers.MAP,
    commands=_commands,
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
