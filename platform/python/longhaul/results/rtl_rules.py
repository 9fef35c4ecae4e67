# SPDX-License-Identifier: Apache-2.0
"""What a run's RTL did wrong, where it was only to be counted (docs/port_maps.md)."""

from __future__ import annotations

from longhaul.results import simdata

COUNTED = {".block.violations": "broken rules", ".block.failures": "failed assertions"}


def outcome(sim: simdata.SimData) -> list[str]:
    """Say how many rules and assertions each block broke, from power-up on."""
    return [
        f"{name.removesuffix(end)}: {count:.0f} {what}; simulator.log names each"
        for name, probe in sim.probes.items()
        for end, what in COUNTED.items()
        if name.endswith(end) and (count := probe.end or 0)
    ]
