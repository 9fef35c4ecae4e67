# SPDX-License-Identifier: Apache-2.0
"""What a scenario is made of: machines, adapters, switches, WAN boxes, links and workloads."""

from longhaul.topology import machines, nics
from longhaul.topology.parts import (
    Box,
    DelayBox,
    Gnet1,
    Machine,
    Nic,
    Nistnet,
    Part,
    Port,
    Relay,
    Switch,
    System,
)
from longhaul.topology.scenario import Scenario, TopologyError
from longhaul.topology.workloads import Command, Iperf, Iperf3, KernelTcp, Ping, Udp, Workload

__all__ = [
    "Box",
    "Command",
    "DelayBox",
    "Gnet1",
    "Iperf",
    "Iperf3",
    "KernelTcp",
    "Machine",
    "Nic",
    "Nistnet",
    "Part",
    "Ping",
    "Port",
    "Relay",
    "Scenario",
    "Switch",
    "System",
    "TopologyError",
    "Udp",
    "Workload",
    "machines",
    "nics",
]
