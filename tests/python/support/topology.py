# SPDX-License-Identifier: Apache-2.0
"""Two hosts to join, and the configuration that the simulator gets of a scenario."""

from pathlib import Path

from longhaul import schema
from longhaul.topology import Iperf, Machine, Scenario, machines, nics
from longhaul.units import mib, s


def two_hosts() -> tuple[Scenario, Machine, Machine]:
    scenario = Scenario("test")
    sender = scenario.add(machines.opteron_hdama("sender", nic=nics.ixgb()))
    receiver = scenario.add(machines.opteron_hdama("receiver", nic=nics.ixgb()))
    return scenario, sender, receiver


def traffic(sender: Machine, receiver: Machine) -> Iperf:
    return Iperf(sender=sender, receiver=receiver, duration=s(1), window=mib(16))


def config_for(scenario: Scenario) -> schema.SimConfig:
    return scenario.config(
        out=Path("/o"),
        files=Path("/o"),
        kernel=Path("/k"),
        kernel_blocks=Path("/b"),
        guest_root=Path("/r"),
        observe=schema.Observe(),
        limit=s(30),
    )
