# SPDX-License-Identifier: Apache-2.0
"""Profiles of a run's real guests."""

from __future__ import annotations

from longhaul import schema
from longhaul.guest import parts as guest_parts
from longhaul.outdir import OutDir
from longhaul.results import profile
from longhaul.units import Frequency, Time


def write(out: OutDir, config: schema.SimConfig, parts: guest_parts.GuestParts) -> None:
    """Turn what the simulator counted by address into functions of the kernel."""
    machines = [m for m in config.machines if (out.raw / f"profile-{m.name}.blocks").exists()]
    if not machines:
        return
    period = Time.parse(config.observe.profile_period)
    for machine in machines:
        kernel_symbols = profile.Symbols(parts.kernel_of(machine.name).path.parent / "System.map")
        symbols = kernel_symbols.with_modules(out.raw / f"profile-{machine.name}.symbols")
        found = profile.load(
            out.raw,
            machine.name,
            symbols,
            clock_hz=Frequency.parse(machine.cpu.clock).count,
            period_s=period.seconds,
        )
        if found:
            profile.write(found, out.partial, machine.name)
            for leftover in out.raw.glob(f"profile-{machine.name}.*"):
                leftover.unlink()
