# SPDX-License-Identifier: Apache-2.0
"""A topology with a workload, checked before anything runs, and its form for the simulator."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from longhaul import schema
from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.topology.parts import DelayBox, Machine, Part, PcixSettings, Port, Switch
from longhaul.topology.workloads import Workload
from longhaul.units import Time

PartT = TypeVar("PartT", bound=Part)

NETWORK_V4 = "10.10.0"
NETWORK_V6 = "fd10:10::"


class TopologyError(UsageError):
    """A topology that no cable could make; the message names the part."""


@dataclass(frozen=True)
class Link:
    """A cable between two ports."""

    name: str
    a: Port
    b: Port
    phy: str


class Scenario:
    """Machines, boxes, links and one workload; what cannot be is refused with one clear line."""

    def __init__(self, name: str, *, seed: int = 1) -> None:
        self.name = name
        self.seed = seed
        self.parts: dict[str, Part] = {}
        self.links: list[Link] = []
        self.workload: Workload | None = None

    def add(self, part: PartT) -> PartT:
        """Add a part; its name must be new."""
        if part.name in self.parts:
            raise TopologyError(f"two parts are called {part.name!r}; names must differ")
        if not part.name.replace("_", "").isalnum():
            raise TopologyError(f"{part.name!r}: a part's name is letters, digits and underscores")
        ports = part.port_names()
        double = next((p for p in ports if ports.count(p) > 1), None)
        if double:
            raise TopologyError(f"{part.name} has two ports called {double!r}")
        self.parts[part.name] = part
        return part

    def link(self, a: Port, b: Port, *, name: str = "", phy: str = "10gbase-r") -> Link:
        """Join two ports by a cable; `name` becomes the name of the link's packet capture."""
        for port in (a, b):
            self._check_port(port)
        if a.part == b.part:
            raise TopologyError(f"{a} and {b} are on the same device; a link joins two devices")
        joined = self._groups()
        if joined[a.part] == joined[b.part]:
            raise TopologyError(f"a link from {a} to {b} closes a loop; Ethernet needs a tree")
        link = Link(name or f"l{len(self.links)}", a, b, phy)
        if any(link.name == other.name for other in self.links):
            raise TopologyError(f"two links are called {link.name!r}; names must differ")
        self.links.append(link)
        return link

    def run_workload(self, workload: Workload) -> None:
        """Set what the guests run."""
        if self.workload is not None:
            raise TopologyError(f"scenario {self.name} already has a workload")
        self.workload = workload

    def check(self) -> Workload:
        """Refuse what cannot run: a host without a cable, or no path between the two."""
        workload = self.workload
        if workload is None:
            raise TopologyError(f"scenario {self.name} has no workload")
        ends = (workload.sender, workload.receiver)
        if ends[0].name == ends[1].name:
            raise TopologyError(f"{ends[0].name} cannot be both sender and receiver")
        cabled = {port for link in self.links for port in (link.a, link.b)}
        for machine in ends:
            if self.parts.get(machine.name) is not machine:
                raise TopologyError(f"{machine.name} is in the workload but not in the topology")
            port = machine.port(machine.nics[0].name)
            if port not in cabled:
                raise TopologyError(f"{port} carries the workload but no link is plugged into it")
        reached = self._reachable(ends[0])
        if ends[1].name not in reached:
            raise TopologyError(f"no path of links from {ends[0].name} to {ends[1].name}")
        for part in self.parts.values():
            if isinstance(part, DelayBox) and sum(p.part == part.name for p in cabled) == 1:
                raise TopologyError(f"{part.name} has only one of its two ports plugged in")
        return workload

    def config(
        self,
        *,
        out: Path,
        files: Path,
        kernel: Path,
        kernel_blocks: Path,
        guest_root: Path,
        observe: schema.Observe,
        limit: Time,
    ) -> schema.SimConfig:
        """Return the simulator's configuration; guest files are in files/guests/NAME/files."""
        workload = self.check()
        return schema.SimConfig(
            name=self.name,
            seed=self.seed,
            out=str(out),
            limit=str(limit),
            kernel=str(kernel),
            kernel_blocks=str(kernel_blocks),
            guest_root=str(guest_root),
            machines=[
                self._machine(m, files) for m in self.parts.values() if isinstance(m, Machine)
            ],
            switches=[
                schema.Switch(name=p.name, ports=p.ports, params=dict(p.params))
                for p in self.parts.values()
                if isinstance(p, Switch)
            ],
            boxes=[self._box(p) for p in self.parts.values() if isinstance(p, DelayBox)],
            links=[
                schema.Link(name=link.name, a=str(link.a), b=str(link.b), params={"phy": link.phy})
                for link in self.links
            ],
            window=workload.measured_window(),
            observe=observe,
        )

    def guest_settings(self) -> dict[str, dict[str, str]]:
        """Return each machine's settings file, as docs/guest-files.md lists it."""
        workload = self.check()
        machines = [p for p in self.parts.values() if isinstance(p, Machine)]
        v4 = {m.name: f"{NETWORK_V4}.{i}" for i, m in enumerate(machines, 1)}
        v6 = {m.name: f"{NETWORK_V6}{i:x}" for i, m in enumerate(machines, 1)}
        roles = {workload.sender.name: "sender", workload.receiver.name: "receiver"}
        peers = {
            workload.sender.name: workload.receiver.name,
            workload.receiver.name: workload.sender.name,
        }
        settings: dict[str, dict[str, str]] = {}
        for machine in machines:
            nic = machine.nics[0]
            book = v4 if workload.ip == "v4" else v6
            settings[machine.name] = workload.settings() | {
                "LH_NAME": machine.name,
                "LH_ROLE": roles.get(machine.name, "idle"),
                "LH_IFACE": nic.name,
                "LH_MTU": str(nic.mtu),
                "LH_ADDRESS4": f"{v4[machine.name]}/24",
                "LH_ADDRESS6": f"{v6[machine.name]}/64",
                "LH_PEER": book.get(peers.get(machine.name, ""), ""),
                "LH_PEER4": v4.get(peers.get(machine.name, ""), ""),
                "LH_PEER6": v6.get(peers.get(machine.name, ""), ""),
                "LH_OFFLOADS": " ".join(
                    f"{name} {'on' if on else 'off'}" for name, on in nic.offloads.items()
                ),
            }
            if nic.gso_max_segs is not None:
                settings[machine.name]["LH_GSO_MAX_SEGS"] = str(nic.gso_max_segs)
        return settings

    def _check_port(self, port: Port) -> None:
        part = self.parts.get(port.part)
        if part is None:
            hint = did_you_mean(port.part, self.parts)
            raise TopologyError(f"{port}: no part is called {port.part!r}{hint}")
        part.port(port.name)
        for link in self.links:
            if port in (link.a, link.b):
                raise TopologyError(f"{port} is used twice: link {link.name} is plugged into it")

    def _groups(self) -> dict[str, str]:
        """Name each part's connected group. A machine does not forward, so it joins nothing."""
        group = {name: name for name in self.parts}
        for link in self.links:
            if any(isinstance(self.parts[p.part], Machine) for p in (link.a, link.b)):
                continue
            old, new = group[link.b.part], group[link.a.part]
            group = {name: new if g == old else g for name, g in group.items()}
        return group

    def _reachable(self, start: Part) -> set[str]:
        seen, frontier = {start.name}, [start.name]
        while frontier:
            here = frontier.pop()
            if here != start.name and isinstance(self.parts[here], Machine):
                continue
            for link in self.links:
                for near, far in ((link.a, link.b), (link.b, link.a)):
                    if near.part == here and far.part not in seen:
                        seen.add(far.part)
                        frontier.append(far.part)
        return seen

    def _machine(self, machine: Machine, files: Path) -> schema.Machine:
        return schema.Machine(
            name=machine.name,
            cpu=schema.Cpu.model_validate({"clock": str(machine.cpu_clock), **machine.cpu}),
            memory=schema.Memory.model_validate(
                {"size": str(machine.memory), **machine.memory_parts}
            ),
            pcix=_bus(machine.pcix),
            bridge=schema.Bridge.model_validate(machine.bridge),
            guest=schema.Guest(
                files=str(files / "guests" / machine.name / "files"),
                args=[arg for nic in machine.nics for arg in nic.module_args],
            ),
            devices=[
                schema.Device(
                    type=nic.type,
                    name=nic.name,
                    slot=nic.slot,
                    firmware=schema.Firmware(
                        mmrbc=machine.pcix.mmrbc,
                        outstanding=machine.pcix.outstanding,
                        latency_timer=machine.pcix.latency_timer,
                    ),
                    params=dict(nic.params),
                )
                for nic in machine.nics
            ],
        )

    def _box(self, box: DelayBox) -> schema.Box:
        both: dict[str, schema.ParamValue] = {"delay": str(box.one_way_delay)}
        if box.loss:
            both["loss"] = repr(box.loss)
        return schema.Box(
            type="delay_box",
            name=box.name,
            params={f"{key}_{side}": v for key, v in both.items() for side in ("west", "east")}
            | dict(box.params),
        )


def _bus(settings: PcixSettings) -> schema.Pcix:
    other = {} if settings.protocol == "pcix" else {"protocol": settings.protocol}
    return schema.Pcix.model_validate({"clock": str(settings.clock), **other})
