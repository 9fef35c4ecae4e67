# SPDX-License-Identifier: Apache-2.0
"""What a scenario is made of: machines, adapters, switches, WAN boxes, links and workloads."""

from longhaul.errors import TopologyError
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
from longhaul.topology.programs import (
    SMB_HEADERS,
    Connect,
    NetperfRr,
    NetperfStream,
    Ring,
    Smb,
)
from longhaul.topology.scenario import Scenario
from longhaul.topology.workloads import Command, Iperf, Iperf3, KernelTcp, Ping, Udp, Workload

__all__ = [
    "SMB_HEADERS",
    "Box",
    "Command",
    "Connect",
    "DelayBox",
    "Gnet1",
    "Iperf",
    "Iperf3",
    "KernelTcp",
    "Machine",
    "NetperfRr",
    "NetperfStream",
    "Nic",
    "Nistnet",
    "Part",
    "Ping",
    "Port",
    "Relay",
    "Ring",
    "Scenario",
    "Smb",
    "Switch",
    "System",
    "TopologyError",
    "Udp",
    "Workload",
    "machines",
    "nics",
]
