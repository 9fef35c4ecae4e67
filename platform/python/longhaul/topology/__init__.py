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
from longhaul.topology.workloads import (
    Command,
    FileRead,
    Iperf,
    Iperf3,
    KernelTcp,
    Netperf,
    Ping,
    Ring,
    Udp,
    Workload,
)

__all__ = [
    "Box",
    "Command",
    "DelayBox",
    "FileRead",
    "Gnet1",
    "Iperf",
    "Iperf3",
    "KernelTcp",
    "Machine",
    "Netperf",
    "Nic",
    "Nistnet",
    "Part",
    "Ping",
    "Port",
    "Relay",
    "Ring",
    "Scenario",
    "Switch",
    "System",
    "TopologyError",
    "Udp",
    "Workload",
    "machines",
    "nics",
]
