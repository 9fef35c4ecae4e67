# SPDX-License-Identifier: Apache-2.0
"""Parts of a scenario: machines, adapters, switches, WAN boxes, links and workloads.

The classes of all types of boxes are here, too, by no name of theirs: see `longhaul.boxes`.
"""

from typing import TYPE_CHECKING

from longhaul import boxes
from longhaul.errors import TopologyError
from longhaul.parts.box import Box
from longhaul.parts.machine import Machine, Nic, Relay, System
from longhaul.parts.part import Part, Port
from longhaul.parts.switch import Switch
from longhaul.topology import machines, nics
from longhaul.topology.guest_programs import Program, Programs, run_programs
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
    "Iperf",
    "Iperf3",
    "KernelTcp",
    "Machine",
    "NetperfRr",
    "NetperfStream",
    "Nic",
    "Part",
    "Ping",
    "Port",
    "Program",
    "Programs",
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
    "run_programs",
]

if not TYPE_CHECKING:  # a checker of types has the classes of boxes from longhaul.boxes only
    globals().update(boxes.classes())
    __all__ += boxes.classes()
