# SPDX-License-Identifier: Apache-2.0
"""What a scenario is made of: machines, adapters, switches, WAN boxes, links and workloads."""

from longhaul.topology import machines, nics
from longhaul.topology.parts import DelayBox, Machine, Nic, Part, Port, Switch
from longhaul.topology.scenario import Scenario, TopologyError
from longhaul.topology.workloads import Command, Iperf, Iperf3, Ping, Udp, Workload

__all__ = [
    "Command",
    "DelayBox",
    "Iperf",
    "Iperf3",
    "Machine",
    "Nic",
    "Part",
    "Ping",
    "Port",
    "Scenario",
    "Switch",
    "TopologyError",
    "Udp",
    "Workload",
    "machines",
    "nics",
]
