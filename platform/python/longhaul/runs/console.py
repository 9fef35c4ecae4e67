# SPDX-License-Identifier: Apache-2.0
"""A console in a real guest (`longhaul run --console HOST`): its options, its effect on a run."""

from __future__ import annotations

import os
from dataclasses import dataclass

from longhaul import schema
from longhaul.errors import UsageError
from longhaul.guest import own_modules
from longhaul.guest.files import ON_FAILURE, Console
from longhaul.guest.parts import GuestParts, Progress
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT
from longhaul.topology import Machine, Scenario
from longhaul.units import Time, s

MODULE = ROOT / "sw" / "linux" / "console"
MOMENTS = ("before", "after", ON_FAILURE)
"""When a console opens: before or after the workload, or when the guest's part of it fails."""
NOTE = "a console was open; figures are not reproducible"
LONGER = s(3600)
"""Simulated time that a user may spend in a console."""
_MOST_ROWS = 9_000_000  # of series.csv, which the simulator's limit allows for


@dataclass(frozen=True)
class Wanted:
    """The console that the user asked for."""

    host: str
    when: str = MOMENTS[0]

    def check(self, scenario: Scenario) -> None:
        """Refuse a host that is no real guest; a UsageError says which there are."""
        guests = scenario.guests()
        if self.host in guests:
            return
        asked = f"--console {self.host}"
        if not guests:
            raise UsageError(f"{asked}: {scenario.name} has no real guest")
        if isinstance(scenario.parts.get(self.host), Machine):
            real = ", ".join(guests)
            raise UsageError(f"{asked}: {self.host} has a modelled system; real guests are {real}")
        near = did_you_mean(self.host, guests)
        raise UsageError(f"{asked}: no real guest is called {self.host!r}{near}")

    def configured(self, config: schema.SimConfig) -> schema.SimConfig:
        """Return a configuration in which the guest has the console, and time for it."""
        machines = [
            machine.model_copy(update={"guest": machine.guest.model_copy(update={"console": True})})
            if machine.guest and machine.name == self.host
            else machine
            for machine in config.machines
        ]
        limit = Time.parse(config.limit)
        period = Time.parse(config.observe.series_period or "1ms")
        limit = max(limit, min(limit + LONGER, period * _MOST_ROWS))
        return config.model_copy(update={"machines": machines, "limit": str(limit)})


def parts(wanted: Wanted | None, guests: GuestParts | None, say: Progress) -> Console | None:
    """Return what the guest of a console gets; the terminal's module is built if missing."""
    if wanted is None or guests is None:
        return None
    own = guests.hosts.get(wanted.host)
    info = own.kernel.info if own and own.kernel else guests.kernel
    module = own_modules.ensure(info, MODULE, say)[0].file
    term = os.environ.get("TERM", "linux") if os.isatty(0) else ""
    return Console(wanted.host, wanted.when, module, term)


def record(wanted: Wanted | None) -> dict[str, dict[str, str]]:
    """Return what manifest and results say of a run's console; nothing without one."""
    if wanted is None:
        return {}
    return {"console": {"host": wanted.host, "when": wanted.when, "note": NOTE}}


def parse(host: str, when: str) -> Wanted | None:
    """Read the options; None without a host."""
    if when not in MOMENTS:
        raise UsageError(
            f"--console-at {when}: wants {', '.join(MOMENTS[:-1])} or {MOMENTS[-1]}"
            f"{did_you_mean(when, MOMENTS)}"
        )
    if not host and when != MOMENTS[0]:
        raise UsageError(f"--console-at {when}: wants --console HOST, too")
    return Wanted(host, when) if host else None
