# SPDX-License-Identifier: Apache-2.0
"""The parts that a topology joins, each with its ports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from longhaul import schema
from longhaul.errors import UsageError
from longhaul.guest import software
from longhaul.guest.software import GuestSoftware
from longhaul.nearest import did_you_mean
from longhaul.units import Frequency, Size, Time

ParamValue = str | int | float | bool


@dataclass(frozen=True)
class Port:
    """One Ethernet port, named as the simulator names it: `part.port`."""

    part: str
    name: str

    def __str__(self) -> str:
        return f"{self.part}.{self.name}"


@dataclass(frozen=True, kw_only=True)
class Part:
    """Anything with a name and Ethernet ports."""

    name: str

    def port_names(self) -> list[str]:
        """Return the names of this part's ports."""
        raise NotImplementedError

    def segments(self) -> list[tuple[str, ...]]:
        """Return the groups of ports between which frames pass; a port alone leads nowhere."""
        return [(name,) for name in self.port_names()]

    def round_trip(self) -> Time:
        """Return what this part is set to add to a round trip through it."""
        return Time(0)

    def port(self, name: str) -> Port:
        """Return the port of that name; a UsageError names the nearest one."""
        if name not in self.port_names():
            raise UsageError(
                f"{self.name} has no port {name!r}{did_you_mean(name, self.port_names())}"
            )
        return Port(self.name, name)


@dataclass(frozen=True, kw_only=True)
class Nic:
    """An adapter in a slot, or its second function, and how the guest's driver is set up for it.

    `params` go to the adapter's model; `module_args` to the kernel's command line; the other fields
    are what the guest's start-up script hands to `ip` and `ethtool`.
    """

    type: str
    name: str = "eth0"
    slot: int = 1
    function: int = 0
    mtu: int = 1500
    offloads: Mapping[str, bool] = field(default_factory=dict[str, bool])
    gso_max_segs: int | None = None
    gro_max_size: int | None = None
    tx_queue_len: int | None = None
    byte_queue_limits: bool = True
    rings: tuple[int, int] | None = None
    """Receive and transmit descriptors, of a driver that takes them from `ethtool -G`."""
    module_args: tuple[str, ...] = ()
    params: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])


@dataclass(frozen=True, kw_only=True)
class PcixSettings:
    """The bus of a PC and what its firmware writes into the devices' PCI-X command registers.

    `protocol` is "pcix", or "pci" for conventional PCI on the same slots, `width_bits` 64 or 32.
    PCI-X 2.0 moves 2 or 4 `data_subphases` a clock, PCI-X 1.0 one.
    """

    clock: Frequency
    mmrbc: int
    outstanding: int
    latency_timer: int
    protocol: str = "pcix"
    width_bits: int = 64
    data_subphases: int = 1


@dataclass(frozen=True, kw_only=True)
class Relay:
    """A program of a modelled system that passes frames between two adapters (models/booster).

    `edge` and `line` are the numbers of the adapters towards the ends and towards the `partner`,
    which is a machine of the topology with a relay of its own.
    """

    partner: str
    edge: int = 0
    line: int = 1
    params: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])


@dataclass(frozen=True, kw_only=True)
class System:
    """A modelled operating system: a profile (models/host/profiles) and what differs from it.

    `driver` are parameters of the adapters' driver, `tcp`, `net` and `kernel` those of the profile,
    `interrupts` those of their way to the processors. With a `relay` its ports are joined.
    """

    profile: str
    processors: int = 1
    tcp: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    net: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    kernel: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    driver: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    interrupts: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    relay: Relay | None = None


@dataclass(frozen=True, kw_only=True)
class Machine(Part):
    """A PC with its adapters; it runs a real Linux guest, or the modelled `system`.

    A workload is on the first adapter, whatever its name and slot.
    `cpu`, `memory_parts` and `bridge` are parameters of the models of processor, memory and host
    bridge beside clock and size; what is not given has the models' defaults. `sources` says how
    those are known that a preset gave: {"cpu.clock": (evidence, source)}.
    `modules` to `kernel_args` are of a real guest only (docs/own_drivers.md); paths are from the
    scenario's folder.
    """

    cpu_clock: Frequency
    memory: Size
    pcix: PcixSettings
    nics: tuple[Nic, ...]
    system: System | None = None
    cpu: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    memory_parts: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    bridge: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    sources: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    modules: tuple[str | Path, ...] = ()
    module_params: Mapping[str, str] = field(default_factory=dict[str, str])
    packages: tuple[str, ...] = ()
    files: Mapping[str, str | Path] = field(default_factory=dict[str, str | Path])
    commands_before: tuple[str, ...] = ()
    commands_after: tuple[str, ...] = ()
    kernel_args: tuple[str, ...] = ()

    @property
    def software(self) -> GuestSoftware:
        """What its guest gets; a TopologyError says what is wrong with it."""
        return software.of(self, self.name, modelled=self.system is not None)

    @property
    def last_processor(self) -> int:
        """Where a modelled host's programs go: off the first one, which has the interrupts."""
        return (self.system.processors if self.system else 1) - 1

    def port_names(self) -> list[str]:
        """Return one port for each adapter."""
        return [nic.name for nic in self.nics]

    def segments(self) -> list[tuple[str, ...]]:
        """Return the ports that a relay joins, and the others alone."""
        relay = self.system.relay if self.system else None
        if relay is None:
            return super().segments()
        joined = tuple(self.nics[i].name for i in (relay.edge, relay.line))
        return [joined, *((nic.name,) for nic in self.nics if nic.name not in joined)]

    @property
    def workload_port(self) -> Port:
        """The port of the first adapter, which a workload is on."""
        return self.port(self.nics[0].name)

    def nic(self, name: str) -> Nic:
        """Return the adapter behind a port."""
        return next(nic for nic in self.nics if nic.name == name)


@dataclass(frozen=True, kw_only=True)
class Switch(Part):
    """A store-and-forward Ethernet switch with ports p0, p1, ..."""

    ports: int = 4
    params: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])

    def port_names(self) -> list[str]:
        """Return p0 to p(n-1)."""
        return [f"p{i}" for i in range(self.ports)]

    def segments(self) -> list[tuple[str, ...]]:
        """Return all ports together."""
        return [tuple(self.port_names())]


@dataclass(frozen=True, kw_only=True)
class Box(Part):
    """Something in the long path between hosts; `params` go to the box's model.

    `type` is a type of `./longhaul types`, of a plug-in too, whose ports are `ports`: what comes in
    at the first leaves at the second and back, the next two likewise. `one_way_delay` is what the
    box is set to add each way. Types that have a class of their own set their delay by it.
    """

    type: str
    one_way_delay: Time
    ports: tuple[str, ...] = ("west", "east")
    params: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])

    def round_trip(self) -> Time:
        """Return the delay there and back."""
        return self.one_way_delay * 2

    def segments(self) -> list[tuple[str, ...]]:
        """Return the ports in pairs: what comes in at one leaves at the other."""
        names = self.port_names()
        return list(zip(names[::2], names[1::2], strict=True))

    def port_names(self) -> list[str]:
        """Return the names of the ports."""
        return list(self.ports)

    def loose_end(self, plugged: set[str]) -> str | None:
        """Say which port lacks its cable while the one that leads to it has one."""
        for pair in self.segments():
            open_ports = [name for name in pair if name not in plugged]
            if len(open_ports) == 1:
                if len(self.port_names()) == len(pair):
                    return f"{self.name} has only one of its two ports plugged in"
                other = next(name for name in pair if name in plugged)
                return (
                    f"{self.name} has {other} plugged in, but not {open_ports[0]} to which it leads"
                )
        return None

    def own_params(self) -> dict[str, ParamValue]:
        """Return the parameters that follow from this class's fields; `params` stand above them."""
        return {}

    def config(self) -> schema.Box:
        """Return the box in the simulator's terms."""
        params = self.own_params() | dict(self.params)
        return schema.Box(type=self.type, name=self.name, params=params)


def _at_ports(ports: Sequence[str], values: Mapping[str, ParamValue]) -> dict[str, ParamValue]:
    """Return every value under NAME_PORT for each of the ports that frames arrive at."""
    return {f"{name}_{port}": value for name, value in values.items() for port in ports}


@dataclass(frozen=True, kw_only=True)
class DelayBox(Box):
    """An exact two-port WAN emulator; `loss` is the share of frames dropped in each direction."""

    type: str = "delay_box"
    loss: float = 0.0

    def own_params(self) -> dict[str, ParamValue]:
        """Return delay and loss at both ports."""
        both: dict[str, ParamValue] = {"delay": str(self.one_way_delay)}
        if self.loss:
            both["loss"] = repr(self.loss)
        return _at_ports(self.ports, both)


@dataclass(frozen=True, kw_only=True)
class Gnet1(Box):
    """The GNET-1 FPGA box: what comes in at p0 leaves at p1 and back, p2 and p3 likewise.

    `model` is "rtl" (Verilated, clock by clock) or "tlm" (its twin).
    """

    type: str = "gnet1"
    ports: tuple[str, ...] = ("p0", "p1", "p2", "p3")
    model: str = "tlm"

    def own_params(self) -> dict[str, ParamValue]:
        """Return the model, and the delay at all ports."""
        return {"model": self.model} | _at_ports(self.ports, {"delay": str(self.one_way_delay)})


@dataclass(frozen=True, kw_only=True)
class Nistnet(Box):
    """A PC with NIST Net and two gigabit adapters."""

    type: str = "nistnet"

    def own_params(self) -> dict[str, ParamValue]:
        """Return the delay at both ports."""
        return _at_ports(self.ports, {"delay": str(self.one_way_delay)})
