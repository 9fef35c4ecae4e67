# SPDX-License-Identifier: Apache-2.0
"""The report's plots of a TCP offload engine: its lanes' time, and what connections wait for."""

from __future__ import annotations

from collections.abc import Mapping

from longhaul.results.measures import Plot
from longhaul.results.offload import EVENTS, STALLS, WAITS

LANES = ("pipeline", "transmit", "receive", "management")  # models/toe/README.md#lanes


def plots(ports: Mapping[str, str]) -> list[Plot]:
    """Return the plots of each role's adapter; a run without an engine has none of the columns."""
    found: list[Plot] = []
    for role, port in ports.items():
        engine, title = f"{port}.path.toe", f"{role.capitalize()}'s offload engine"
        for lane in LANES:
            columns = {
                state.replace("_", " "): f"{engine}.{lane}.occupancy:{state}"
                for state in (*EVENTS, *STALLS)
            }
            found.append(
                Plot(f"{title}, {lane} lane", "%", columns, 1e-10, stacked=True, without_zeros=True)
            )
        waits = {name: f"{engine}.send_waits_{name}" for name in WAITS}
        found.append(
            Plot(f"{title}: connections by what they wait for", "connections", waits, 1,
                 per_second=False, without_zeros=True)
        )  # fmt: skip
    return found
