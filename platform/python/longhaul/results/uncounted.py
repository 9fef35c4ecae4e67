# SPDX-License-Identifier: Apache-2.0
"""The host's CPU time of real guests' programs, which simulated time does not follow.

A guest's programs run on the host's processor, and their instructions are not counted: each system
call is charged a fixed cost instead (`user_syscall_cycles`). The host's CPU time tells when that
stands for too little. It differs between hosts and between runs, so it is in the manifest and on
the page, never among the results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from longhaul.results.simdata import SimData

MATERIAL = 0.10
"""Of the measured window: less host time than that is not warned of."""
LEAST_S = 0.03
"""Three ticks of the host's accounting (10 ms): less may be none."""


def of(sim: SimData, guests: Iterable[str]) -> dict[str, Any]:
    """Return the manifest's part: the window, and of each guest its programs' seconds.

    `host_s` is the host's user-mode CPU time (None: the host does not tell), `charged_s` the
    simulated time that stands for it.
    """
    machines = {
        name: {
            "host_s": _host_s(sim, name),
            "charged_s": _charged_s(sim, name),
        }
        for name in guests
    }
    return {"window_s": sim.window.seconds, "machines": machines}


def _host_s(sim: SimData, machine: str) -> float | None:
    guest = sim.host_s.guests.get(machine)
    return None if guest is None else round(guest.programs.user, 3)


def _charged_s(sim: SimData, machine: str) -> float:
    states = sim.probes[f"{machine}.core.state"].states or {}
    return states.get("user", 0) / 1e12


def warning(part: Mapping[str, Any] | None) -> str:
    """Return one line on programs whose uncounted work matters; empty where there is none."""
    if not part:
        return ""
    found = [
        f"{name} {seconds['host_s']:.2f} s (charged: {seconds['charged_s']:.3g} s)"
        for name, seconds in part["machines"].items()
        if _matters(seconds, part["window_s"])
    ]
    if not found:
        return ""
    return (
        "programs' own instructions take no simulated time. The host's CPU ran many of them "
        f"in the window of {part['window_s']:.3g} s: {', '.join(found)}. Figures that hang on the "
        "programs' speed are too good"
    )


def _matters(seconds: Mapping[str, float | None], window_s: float) -> bool:
    host_s, charged_s = seconds["host_s"], seconds["charged_s"] or 0.0
    if host_s is None:
        return False
    return host_s >= LEAST_S and host_s - charged_s >= MATERIAL * window_s
