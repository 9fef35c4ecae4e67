# SPDX-License-Identifier: Apache-2.0
"""Short runs of a scenario at several settings, each made once for all tests that ask for it."""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from longhaul.units import Frequency

from rig import front_door
from rig.scenarios import Run

# The sender has filled its socket buffer by then; before, its core is busier than the path needs.
STEADY = ("warmup=60ms", "duration=60ms")

# An adapter that is never the limit: 16 bytes a clock, 20 Gb/s.
FAST_ENGINE = ("--param", "*.eth0.tx_kib_clocks=64")


@dataclass(frozen=True)
class Point(Run):
    """A finished run, with what limited it and what each machine counted."""

    @cached_property
    def verdict(self) -> dict[str, Any]:
        return json.loads((self.folder / "results.json").read_text())["cases"][0]["bottleneck"]

    def clocks(self, machine: str) -> dict[str, float]:
        """Return the clocks of a machine's bus by cause."""
        states = self.sim.probes[f"{machine}.pcix.clocks"].states
        assert states is not None
        return {cause: ps / self.period_ps(machine) for cause, ps in states.items()}

    def period_ps(self, machine: str) -> int:
        """Return a clock of a machine's bus, rounded to the picosecond as the bus does."""
        config = json.loads((self.folder / "raw" / "config.json").read_text())
        text = next(m["pcix"]["clock"] for m in config["machines"] if m["name"] == machine)
        return round(10**12 / Frequency.parse(text).count)

    def count(self, probe: str) -> int:
        return self.sim.counter(probe)


@functools.cache
def _scratch() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="longhaul-points-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@functools.cache
def point(scenario: str, *sets: str, options: tuple[str, ...] = ()) -> Point:
    """Run the scenario with these settings; `options` are further words of the command."""
    out = _scratch() / f"{len(list(_scratch().iterdir()))}"
    return Point(front_door.run(out, scenario, *sets, options=options))


def drawn() -> Point:
    """Run the two hosts for a moment and record the timeline of it all."""
    return point("ixgb_b2b", "warmup=10ms", "duration=15ms", options=("--timeline",))


def steady(*sets: str, options: tuple[str, ...] = ()) -> Point:
    """Run the two hosts without delay, in their steady state."""
    return point("ixgb_b2b", *STEADY, *sets, options=options)
