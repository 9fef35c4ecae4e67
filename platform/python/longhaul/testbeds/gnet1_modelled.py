# SPDX-License-Identifier: Apache-2.0
"""GNET-1's testbed with the paper's own systems as models: both PCs, the box, the stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.parts.part import ParamValue
from longhaul.settings import Choice, Count, Quantities, as_in, setting, with_default
from longhaul.testbeds import gnet1 as testbed
from longhaul.testbeds import gnet1_watch, modelled
from longhaul.testbeds.rows import listed, not_given
from longhaul.topology import Box, Machine, Ring, Scenario, System, machines, nics
from longhaul.units import Size, Time, ghz, mb

FIGURE_SYSTEMS = ("solaris-9", "linux-2.4.20", "freebsd-5.1")
CPU_CLOCK = ghz(2.4)  # GNET-1, tables 1 and 2
# Which version of models/host/drivers stands for each system's own driver.
DRIVERS = {"linux-2.4.18": "sk98lin", "freebsd-5.1": "em"}
OTHER_DRIVER = "4.4.12"
# Where the profile has what a system did by default, and the testbed did not leave it so.
TCP: Mapping[str, Mapping[str, ParamValue]] = {"solaris-9": {"cwnd_limit": "2MB"}}


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """Settings of the two PCs, which are alike, and on the box."""

    system: str = setting(
        Choice(modelled.SYSTEMS[1:]),
        "linux-2.4.20",
        help="what both hosts run",
        evidence="measured",
        source=f"{testbed.PAPER} tables 1 and 2",
    )
    model: str = as_in(testbed.HostSettings, "model")
    delay: Time = as_in(testbed.HostSettings, "delay")
    duration: Time = as_in(testbed.HostSettings, "duration")
    processors: int = setting(
        Count(choices=(1, 2)),
        "2",
        help="processors of a host; its programs run on the last one, its interrupts on the first",
        evidence="measured",
        source=f"{testbed.PAPER} tables 1 and 2: dual Xeon, kernels for several processors; who "
        "runs where is assumed (docs/gnet1_modelled.md)",
    )


@dataclass(frozen=True, kw_only=True)
class StreamSettings(HostSettings):
    """Settings of hosts, box and the ring benchmark (section 4)."""

    window: Size = as_in(testbed.StreamSettings, "window")
    read: Size = setting(
        Quantities(Size(1), mb(128), "KiB"),
        "1MiB",
        help="what a call of the receiving program asks for",
        evidence="assumed",
        source=f"{testbed.PAPER} section 4.2 has 1 MB for the writes, and nothing of the reads",
    )
    warmup: Time = as_in(testbed.StreamSettings, "warmup")
    duration: Time = with_default(
        HostSettings, "duration", "1s", source="the rate is back after 0.1 s, or is slow for long"
    )


@dataclass(frozen=True, kw_only=True)
class LossSettings(StreamSettings, gnet1_watch.WatchSettings):
    """Settings of the runs in which one frame is discarded."""


def systems(
    given: Mapping[str, str], more: Mapping[str, tuple[str, ...]] | None = None
) -> list[tuple[str, ...]]:
    """Return a case for each of the paper's systems, with what it sets if that is not given."""
    return [
        (f"system={system}", *not_given(given, (more or {}).get(system, ())))
        for system in listed(HostSettings, given, "system", FIGURE_SYSTEMS)
    ]


def add_path(
    scenario: Scenario,
    settings: HostSettings,
    box: Box | None = None,
    tcp: Mapping[str, ParamValue] | None = None,
) -> tuple[Machine, Machine, Box]:
    """Add sender, box (a GNET-1 unless one is given) and receiver in a line.

    `tcp` is what differs from the profile. As in testbeds.gnet1, neither host sends or obeys PAUSE.
    """

    def host(name: str) -> Machine:
        version = DRIVERS.get(settings.system, OTHER_DRIVER)
        nic = nics.e1000(tso=False, flow_control=False, link_partner="no-pause")
        system = System(
            profile=settings.system,
            processors=settings.processors,
            tcp={**TCP.get(settings.system, {}), **(tcp or {})},
            net={"tso": False},
            driver={"version": version, "flow_control": False, "tso": False},
        )
        return scenario.add(machines.xeon_533(name, nic=nic, cpu_clock=CPU_CLOCK, system=system))

    return testbed.join(scenario, settings, (host("sender"), host("receiver")), box)


def across(name: str, settings: StreamSettings, seed: int, discard_at: Time | None) -> Scenario:
    """Return the ring benchmark across GNET-1, which discards a frame at a time, or none."""
    scenario = Scenario(name, seed=seed)
    sender, receiver, box = add_path(scenario, settings)
    scenario.run_workload(
        Ring(
            sender=sender,
            receiver=receiver,
            duration=settings.duration,
            warmup=settings.warmup,
            window=settings.window,
            read=settings.read,
            cpu=sender.last_processor,
        )
    )
    gnet1_watch.watch(scenario, box, settings.duration, discard_at)
    return scenario
