# SPDX-License-Identifier: Apache-2.0
"""Programs of the user's in real guests: any number of them on any number of hosts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.errors import TopologyError
from longhaul.parts.machine import Machine
from longhaul.parts.part import Part, Port
from longhaul.topology.workloads import Workload
from longhaul.units import Time, s

SERVER, CLIENT = "server", "client"
ABOUT = s(1)


@dataclass(frozen=True)
class Program:
    """A line of shell that runs on a host; one with a port serves until the last client has ended.

    The clients begin when every server listens on its port. A program that fails ends the run,
    unless its text begins with a hyphen.
    """

    host: Machine
    command: str
    wait_port: int | None = None

    @property
    def kind(self) -> str:
        """Whether it is a server or a client."""
        return CLIENT if self.wait_port is None else SERVER


@dataclass(frozen=True, kw_only=True)
class Programs(Workload):
    """All programs of a run; the measured window is from the clients' begin to their last end.

    `sender` is the host of the first client, which coordinates; `receiver` that of the first
    program on another host. Use `run_programs()`.
    """

    KIND = "programs"

    listed: tuple[Program, ...]

    def longest_silence(self) -> Time:
        """Return 0: users' programs may be silent for as long as they like."""
        return Time(0)

    def greeting(self) -> None:
        """Longhaul does not know what programs say, so no report is read."""

    def hosts(self) -> list[Machine]:
        """Return the hosts that have programs, the coordinator first."""
        found = {self.sender.name: self.sender}
        found |= {each.host.name: each.host for each in self.listed}
        return list(found.values())

    def on(self, host: str) -> list[Program]:
        """Return the programs of a host, in their order."""
        return [each for each in self.listed if each.host.name == host]

    def clients(self, host: str) -> int:
        """Return how many clients a host has."""
        return sum(each.kind == CLIENT for each in self.on(host))

    def told(self, host: str, addresses: Mapping[str, str]) -> dict[str, str]:
        """Return the settings of a host's part in it; none of a host without programs."""
        names = [each.name for each in self.hosts()]
        if host not in names:
            return {}
        others = [name for name in names if name != host]
        coordinates = host == self.sender.name
        return {
            "LH_COORDINATOR": "" if coordinates else addresses[self.sender.name],
            "LH_OTHERS": " ".join(addresses[name] for name in others) if coordinates else "",
            "LH_CLIENTS": str(self.clients(host)),
            "LH_OTHERS_WITH_CLIENTS": str(sum(self.clients(name) > 0 for name in others)),
        }


def check(
    workload: Programs, parts: Mapping[str, Part], cabled: set[Port], joined: Mapping[Port, Port]
) -> None:
    """Refuse hosts that are not real, not there, or that no path of links leads to."""
    for host in workload.hosts():
        port = host.workload_port
        if parts.get(host.name) is not host:
            raise TopologyError(f"{host.name} has a program but is not in the topology")
        if host.system is not None:
            raise TopologyError(f"{host.name} has a program, and a modelled system cannot run it")
        if port not in cabled:
            raise TopologyError(f"{port} carries programs but no link is plugged into it")
        if joined[port] != joined[workload.sender.workload_port]:
            raise TopologyError(f"no path of links from {workload.sender.name} to {host.name}")


def run_programs(*listed: Program, duration: Time = ABOUT, ip: str = "v4") -> Programs:
    """Return the workload of programs; `duration` is about how long the clients run.

    Raises TopologyError if they need no network.
    """
    clients = [each.host for each in listed if each.kind == CLIENT]
    if not clients:
        raise TopologyError(
            "every program has a wait_port; the run ends with the programs without one"
        )
    sender = clients[0]
    other = next((each.host for each in listed if each.host.name != sender.name), None)
    if other is None:
        raise TopologyError(f"all programs are on {sender.name}; wants some on another host")
    for each in listed:
        if each.wait_port is not None and not 0 < each.wait_port < 65536:
            raise TopologyError(f"{each.command!r}: wait_port={each.wait_port} is no port")
        if not each.command.removeprefix("-").strip():
            raise TopologyError(f"a program of {each.host.name} has no command")
    return Programs(sender=sender, receiver=other, duration=duration, ip=ip, listed=listed)
