# SPDX-License-Identifier: Apache-2.0
"""Simulations in Python's own process: open one, run it in steps, look into it, change it.

docs/python_api.md says how; `./longhaul python SCRIPT` runs a script with all it needs.
"""

from longhaul.api.each import each
from longhaul.api.native import Watch
from longhaul.api.outcome import Outcome
from longhaul.api.probes import FrameSeen, Probe, SpanSeen
from longhaul.api.recording import Recording
from longhaul.api.registers import AdapterRegisters, BoxRegisters
from longhaul.api.simulation import (  # noqa: A004 - as io.open is
    Simulation,
    open,
    use_plugins,
)

__all__ = [
    "AdapterRegisters",
    "BoxRegisters",
    "FrameSeen",
    "Outcome",
    "Probe",
    "Recording",
    "Simulation",
    "SpanSeen",
    "Watch",
    "each",
    "open",
    "use_plugins",
]
