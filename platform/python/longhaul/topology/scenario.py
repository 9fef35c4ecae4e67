# SPDX-License-Identifier: Apache-2.0
"""A topology with a workload, checked before anything runs, and its form for the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from longhaul import schema
from longhaul.errors import TopologyError
from longhaul.guest import device_tree
from longhaul.guest import files as guest_files
from longhaul.guest.software import GuestSoftware
from longhaul.nearest import did_you_mean
from longhaul.parts.box import Box
from longhaul.parts.machine import Machine, Relay
from longhaul.parts.part import ParamValue, Part, Port
from longhaul.parts.switch import Switch
from longhaul.registers import Access
from longhaul.topology import adapters, cabling, guest_programs, layouts, several, tree_drivers
from longhaul.topology.cabling import PHY_GBPS, Link
from longhaul.topology.guest_programs import Programs
from longhaul.topology.workloads import Workload
from longhaul.types import LinuxDriver
from longhaul.units import Time

PartT = TypeVar("PartT", bound=Part)

NETWORK_V4 = "10.{}.0"  # of a machine's first adapter, its second, ...
NETWORK_V6 = "fd10:{}::"
FIRST_NETWORK = 10


class Scenario:
    """Machines, boxes, links and workloads; a wrong topology is refused in one line."""

    def __init__(self, name: str, *, seed: int = 1, layout: int = 0) -> None:
        self.name = name
        self.seed = seed
        self.layout = layout
        self.folder = Path()  # that paths of the topology are from
        self.parts: dict[str, Part] = {}
        self.links: list[Link] = []
        self.workloads: list[Workload] = []
        self.steps: list[schema.Control] = []
        self._given: dict[str, GuestSoftware] = {}

    def add(self, part: PartT) -> PartT:
        """Add a part; its name must be new."""
        if part.name in self.parts:
            raise TopologyError(f"two parts are called {part.name!r}; names must differ")
        if not part.name.replace("_", "").isalnum():
            raise TopologyError(f"{part.name!r}: a part's name is letters, digits and underscores")
        ports = part.port_names()
        double = next((p for p in ports if ports.count(p) > 1), None)
        if double:
            raise TopologyError(f"{part.name} has two ports called {double!r}; names must differ")
        if isinstance(part, Machine):
            adapters.check(part)
            _ = part.software
        self.parts[part.name] = part
        return part

    def link(self, a: Port, b: Port, *, name: str = "", phy: str = "10gbase-r") -> Link:
        """Join two ports by a cable; `name` becomes the name of the link's packet capture."""
        if phy not in PHY_GBPS:
            raise TopologyError(f"{a} to {b}: there is no PHY {phy!r}{did_you_mean(phy, PHY_GBPS)}")
        for port in (a, b):
            self._check_port(port)
        if a.part == b.part:
            raise TopologyError(f"{a} and {b} are on the same device; a link joins two devices")
        joined = self._groups()
        if joined[a] == joined[b]:
            raise TopologyError(f"a link from {a} to {b} closes a loop; Ethernet needs a tree")
        link = Link(name or f"l{len(self.links)}", a, b, phy)
        if any(link.name == other.name for other in self.links):
            raise TopologyError(f"two links are called {link.name!r}; names must differ")
        self.links.append(link)
        return link

    def run_workload(self, workload: Workload) -> None:
        """Add what the hosts run; several at once on modelled hosts only.

        The measured window is that of the first, whose sender and receiver are the run's.
        """
        self.workloads.append(workload)

    def control(
        self,
        box: Part,
        at: Time,
        accesses: Sequence[Access],
        *,
        times: int = 1,
        every: Time | None = None,
    ) -> None:
        """Write and read a box's registers `at` after the measured window begins.

        With `times` the same again, `every` so long. Values that were read are in raw/control.csv.
        """
        if self.parts.get(box.name) is not box:
            raise TopologyError(f"{box.name} is controlled but not in the topology")
        if times > 1 and (every is None or not every.ps):
            raise TopologyError(f"{box.name}: {times} times, but every how long?")
        self.steps.append(
            schema.Control(
                at=str(at),
                box=box.name,
                accesses=[access.pair() for access in accesses],
                times=times,
                every=str(every or Time(0)),
            )
        )

    def check(self) -> Workload:
        """Refuse what cannot run, as a host without a cable; return the first workload."""
        if not self.workloads:
            raise TopologyError(f"scenario {self.name} has no workload")
        joined = self._groups()
        cabled = {port for link in self.links for port in (link.a, link.b)}
        for workload in self.workloads:
            self._check_ends(workload, joined, cabled)
        for part in self.parts.values():
            if isinstance(part, Box):
                loose = part.loose_end({p.name for p in cabled if p.part == part.name})
                if loose:
                    raise TopologyError(loose)
        several.check(self.name, self.workloads, guests=self.has_guests())
        return self.workloads[0]

    def _check_ends(self, workload: Workload, joined: dict[Port, Port], cabled: set[Port]) -> None:
        ends = (workload.sender, workload.receiver)
        if ends[0].name == ends[1].name:
            raise TopologyError(f"{ends[0].name} cannot be both sender and receiver")
        for machine in ends:
            if self.parts.get(machine.name) is not machine:
                raise TopologyError(f"{machine.name} is in the workload but not in the topology")
            port = machine.workload_port
            if port not in cabled:
                raise TopologyError(f"{port} carries the workload but no link is plugged into it")
        if isinstance(workload, Programs):
            guest_programs.check(workload, self.parts, cabled, joined)
        near, far = (joined[machine.workload_port] for machine in ends)
        if near != far:
            raise TopologyError(f"no path of links from {ends[0].name} to {ends[1].name}")

    def config(
        self,
        *,
        out: Path,
        files: Path,
        kernel: Path | None,
        kernel_blocks: Path | None,
        guest_root: Path | None,
        observe: schema.Observe,
        limit: Time,
    ) -> schema.SimConfig:
        """Return the simulator's configuration; a guest's files: files/guests/NAME/files.erofs."""
        workload = self.check()
        return schema.SimConfig(
            name=self.name,
            seed=self.seed,
            layout=self.layout,
            out=str(out),
            limit=str(limit),
            kernel=str(kernel or ""),
            kernel_blocks=str(kernel_blocks or ""),
            guest_root=str(guest_root or ""),
            machines=[self._machine(machine, files) for machine in self._machines()],
            switches=[
                schema.Switch(type=p.type, name=p.name, ports=p.ports, params=dict(p.params))
                for p in self.parts.values()
                if isinstance(p, Switch)
            ],
            boxes=[
                schema.Box(type=p.type, name=p.name, params=p.all_params())
                for p in self.parts.values()
                if isinstance(p, Box)
            ],
            links=[
                schema.Link(name=link.name, a=str(link.a), b=str(link.b), params={"phy": link.phy})
                for link in self.links
            ],
            window=workload.measured_window(),
            control=self.steps,
            observe=observe,
        )

    def has_guests(self) -> bool:
        """Tell whether any machine runs a real guest."""
        return any(isinstance(p, Machine) and p.system is None for p in self.parts.values())

    def _machines(self) -> list[Machine]:
        return [p for p in self.parts.values() if isinstance(p, Machine)]

    def _guests(self) -> list[Machine]:
        return [machine for machine in self._machines() if machine.system is None]

    def _roles(self) -> dict[str, tuple[str, str]]:
        """Return role and peer of the first workload's two machines by name."""
        near, far = self.check().sender.name, self.check().receiver.name
        return {near: ("sender", far), far: ("receiver", near)}

    def _addresses(self, nic: int = 0) -> tuple[dict[str, str], dict[str, str]]:
        """Return IPv4 and IPv6 addresses by name, of the machines that have an n-th adapter."""
        network = FIRST_NETWORK + nic
        places = {
            machine.name: i
            for i, machine in enumerate(self._machines(), 1)
            if nic < len(machine.nics)
        }
        return (
            {name: f"{NETWORK_V4.format(network)}.{i}" for name, i in places.items()},
            {name: f"{NETWORK_V6.format(network)}{i:x}" for name, i in places.items()},
        )

    def guest_settings(self) -> dict[str, dict[str, str]]:
        """Return each guest's settings file, as docs/guest-files.md lists it."""
        workload = self.check()
        book = self._addresses()[0 if workload.ip == "v4" else 1]
        roles = self._roles()
        settings: dict[str, dict[str, str]] = {}
        for machine in self._guests():
            role, peer = roles.get(machine.name, ("idle", ""))
            told = workload.settings() | self._adapter(machine, 0)
            if isinstance(workload, Programs):
                told |= workload.told(machine.name, book)
            told |= {"LH_NAME": machine.name, "LH_ROLE": role, "LH_PEER": book.get(peer, "")}
            if names := adapters.names(machine):
                told["LH_NAMES"] = names
            if (delay := layouts.start_delay(self.layout, machine.name)).ps:
                told["LH_START_DELAY"] = f"{delay.seconds:.6f}"
            settings[machine.name] = told
        return settings

    def drivers(self) -> dict[str, tuple[LinuxDriver, ...]]:
        """Return the drivers that each guest loads, by its name."""
        software = self.software()
        return {
            machine.name: adapters.drivers(machine, own=bool(software[machine.name].modules))
            for machine in self._guests()
        }

    def own_devices(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return the adapters of each guest whose driver is the user's, with their PCI ids."""
        return {machine.name: adapters.own_devices(machine) for machine in self._guests()}

    def give(self, guest: str, more: GuestSoftware) -> None:
        """Add to what a guest gets; paths are absolute, or from the topology's folder."""
        guests = [machine.name for machine in self._guests()]
        if guest not in guests:
            raise TopologyError(f"no real guest is called {guest!r}{did_you_mean(guest, guests)}")
        self._given[guest] = self._given.get(guest, GuestSoftware()).joined(more)

    def host_names(self) -> str:
        """Return the text of a guest's etc/hosts: every machine by its name."""
        lines = ["127.0.0.1 localhost", "::1 localhost"]
        for book in self._addresses():
            lines += [f"{address} {name}" for name, address in book.items()]
        return "".join(f"{line}\n" for line in lines)

    def guests(self) -> list[str]:
        """Return the names of the machines that run a real guest."""
        return [machine.name for machine in self._guests()]

    def software(self) -> dict[str, GuestSoftware]:
        """Return what each guest gets beside the root of all, with whole paths, by its name.

        One with platform devices gets a kernel that reads device trees. Drivers of this tree are
        loaded first, so a user's module for the same device has it.
        """
        devices = self.platform_devices()
        return {
            machine.name: tree_drivers.software(machine.nics)
            .joined(machine.software)
            .joined(self._given.get(machine.name, GuestSoftware()))
            .joined(device_tree.software(devices[machine.name]))
            .below(self.folder.absolute())
            for machine in self._guests()
        }

    def platform_devices(self) -> dict[str, tuple[device_tree.Device, ...]]:
        """Return each guest's platform devices by its name."""
        return {
            machine.name: tuple(adapters.platform_devices(machine, i).values())
            for i, machine in enumerate(self._machines(), 1)
            if machine.system is None
        }

    def adapter_settings(self) -> dict[str, dict[str, dict[str, str]]]:
        """Return what each guest is told of the adapters that its workload is not on, by name."""
        return {
            machine.name: {
                nic.name: self._adapter(machine, i) for i, nic in enumerate(machine.nics[1:], 1)
            }
            for machine in self._guests()
        }

    def _adapter(self, machine: Machine, number: int) -> dict[str, str]:
        """Return what a guest is told of its n-th adapter."""
        nic = machine.nics[number]
        port = machine.port(nic.name)
        linked = any(port in (link.a, link.b) for link in self.links)
        _, peer = self._roles().get(machine.name, ("", ""))
        books = self._addresses(number)
        return adapters.settings(nic, linked=linked) | adapters.addresses(
            machine.name, peer, *books
        )

    def _guest(self, machine: Machine, files: Path) -> schema.Guest | None:
        if machine.system is not None:
            return None
        image = files / "guests" / machine.name / guest_files.IMAGE
        args = adapters.kernel_args(machine.nics)
        if self.platform_devices()[machine.name]:
            args.append(f"dtb=guests/{machine.name}/{device_tree.FILE}")
        return schema.Guest(
            files=str(image), args=[*args, *self.software()[machine.name].kernel_args]
        )

    def _host(self, machine: Machine) -> schema.Host | None:
        system = machine.system
        if system is None:
            return None
        v4, v6 = self._addresses()
        delay = layouts.start_delay(self.layout, machine.name)
        programs = several.programs(self.workloads, machine, {"v4": v4, "v6": v6}, delay)
        if system.relay is not None:
            programs = [*programs, self._relay(machine.name, system.relay)]
        return schema.Host(
            system=system.profile,
            processors=system.processors,
            tcp=dict(system.tcp),
            net=dict(system.net),
            kernel=dict(system.kernel),
            interrupts=dict(system.interrupts),
            interfaces=[self._interface(machine, i) for i in range(len(machine.nics))],
            programs=programs,
        )

    def _interface(self, machine: Machine, number: int) -> schema.Interface:
        assert machine.system is not None
        v4, v6 = self._addresses(number)
        nic = machine.nics[number]
        return schema.Interface(
            device=nic.name,
            ipv4=f"{v4[machine.name]}/24",
            ipv6=f"{v6[machine.name]}/64",
            mtu=nic.mtu,
            driver=dict(machine.system.driver),
        )

    def _relay(self, name: str, relay: Relay) -> schema.Program:
        partner = self.parts.get(relay.partner)
        if not isinstance(partner, Machine) or not partner.system or not partner.system.relay:
            raise TopologyError(f"{name}: its partner {relay.partner!r} is no machine with a relay")
        v4, _ = self._addresses(partner.system.relay.line)
        where: dict[str, ParamValue] = {"edge": relay.edge, "line": relay.line}
        where["partner"] = v4[relay.partner]
        return schema.Program(type="booster_relay", params=where | dict(relay.params))

    def _check_port(self, port: Port) -> None:
        part = self.parts.get(port.part)
        if part is None:
            hint = did_you_mean(port.part, self.parts)
            raise TopologyError(f"{port}: no part is called {port.part!r}{hint}")
        part.port(port.name)
        for link in self.links:
            if port in (link.a, link.b):
                raise TopologyError(f"{port} is used twice: link {link.name} is plugged into it")

    def _groups(self) -> dict[Port, Port]:
        return cabling.groups(self.parts.values(), self.links)

    def path(self, workload: Workload) -> list[Link]:
        """Return the links that a workload's frames pass."""
        ends = (workload.sender.workload_port, workload.receiver.workload_port)
        return cabling.path(self.parts.values(), self.links, *ends)

    def _machine(self, machine: Machine, files: Path) -> schema.Machine:
        return schema.Machine(
            name=machine.name,
            cpu=schema.Cpu.model_validate({"clock": str(machine.cpu_clock), **machine.cpu}),
            memory=schema.Memory.model_validate(
                {"size": str(machine.memory), **machine.memory_parts}
            ),
            pcix=adapters.bus(machine.pcix),
            bridge=schema.Bridge.model_validate(machine.bridge),
            platform_bus=dict(machine.platform_bus),
            guest=self._guest(machine, files),
            host=self._host(machine),
            devices=adapters.devices(machine),
        )
