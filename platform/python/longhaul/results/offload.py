# SPDX-License-Identifier: Apache-2.0
"""Figures of an adapter's TCP offload engine: its lanes' time, and its connections' waits.

The probes are those of `models/toe`. An engine that had no event in the window has no figures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.results.simdata import SimData

EVENTS = ("receive", "message", "modulation", "timer")
STALLS = ("separated", "tx_fifo", "replies", "payload", "memory")
PARTS = {"work": "work_ps", "cm": "context_ps", "pm": "payload_ps"}  # all of an engine's busy time
WAITS = ("host", "turn", "cwnd", "window")  # of connections that are open for sending
USES = {
    "toe_connections": "cm_connections",
    "toe_pm_tx_pages": "pm_tx_pages",
    "toe_pm_rx_pages": "pm_rx_pages",
}
_LANE = re.compile(r"(?P<engine>.+\.toe)\.(?P<lane>\w+)\.occupancy")
_BUSY = re.compile(r"toe_(?P<lane>[a-z]+)_busy_pct")


def engine_measures(sim: SimData, adapter: str) -> dict[str, float]:
    """Return the figures of an adapter's engine, nothing without one or if it had no event."""
    lanes = [
        match
        for name in sim.probes
        if name.startswith(f"{adapter}.") and (match := _LANE.fullmatch(name))
    ]
    figures: dict[str, float] = {}
    for each in lanes:
        figures |= _lane(sim, each["engine"], each["lane"])
    if not any(figures[f"toe_{each['lane']}_busy_pct"] for each in lanes):
        return {}
    return figures | _connections(sim, lanes[0]["engine"])


def _lane(sim: SimData, engine: str, lane: str) -> dict[str, float]:
    place, prefix = f"{engine}.{lane}", f"toe_{lane}"
    shares = {name: sim.share_pct(f"{place}.occupancy", (name,)) for name in (*EVENTS, *STALLS)}
    figures = {"busy": sum(shares[name] for name in EVENTS), **shares}
    figures |= {
        part: sim.counter(f"{place}.{probe}") / 1e10 / sim.window.seconds
        for part, probe in PARTS.items()
    }
    return {f"{prefix}_{name}_pct": round(value, 3) for name, value in figures.items()}


def _connections(sim: SimData, engine: str) -> dict[str, float]:
    def mean(probe: str) -> float:
        return sim.level(f"{engine}.{probe}").mean or 0.0

    waits = {name: mean(f"send_waits_{name}") for name in WAITS}
    every = sum(waits.values())
    found = {
        f"toe_wait_{name}_pct": round(100.0 * wait / every, 3) if every else 0.0
        for name, wait in waits.items()
    }
    found["toe_pm_full_pct"] = round(100.0 * min(1.0, mean("data_waits_pm")), 3)
    return found | {name: round(mean(probe), 3) for name, probe in USES.items()}


def lanes(host: Mapping[str, float]) -> list[str]:
    """Return the lanes of a host's engine; none without an engine that worked."""
    return [match["lane"] for name in host if (match := _BUSY.fullmatch(name))]


@dataclass(frozen=True)
class Waits:
    """Waits of the connections of a sending host's engine, by cause, in percent of their time.

    `memory` is in percent of the window: a message of the host waited for payload memory.
    """

    host: float
    turn: float
    cwnd: float
    window: float
    memory: float

    @classmethod
    def of(cls, host: Mapping[str, float]) -> Waits | None:
        """Return those of a host's figures; None without an engine that sends."""
        each = {name: host.get(f"toe_wait_{name}_pct", 0.0) for name in WAITS}
        if not any(each.values()):
            return None
        return cls(**each, memory=host.get("toe_pm_full_pct", 0.0))

    @property
    def words(self) -> str:
        """All of them in half a sentence."""
        return (
            f"the engine's connections waited {self.host:.1f} % of their time for data of the "
            f"host, {self.turn:.1f} % for the engine, {self.cwnd:.1f} % for the congestion window "
            f"and {self.window:.1f} % for the receiver's window"
        )
