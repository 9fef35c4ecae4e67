# SPDX-License-Identifier: Apache-2.0
"""The parts that a topology joins, each with its ports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from longhaul.errors import UsageError
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

    def port(self, name: str) -> Port:
        """Return the port of that name; a UsageError names the nearest one."""
        if name not in self.port_names():
            raise UsageError(
                f"{self.name} has no port {name!r}{did_you_mean(name, self.port_names())}"
            )
        return Port(self.name, name)


@dataclass(frozen=True, kw_only=True)
class Nic:
    """An adapter in a slot, and how the guest's driver is set up for it.

    `params` go to the adapter's model; `module_args` to the kernel's command line; the other fields
    are what the guest's start-up script hands to `ip` and `ethtool`.
    """

    type: str
    name: str = "eth0"
    slot: int = 1
    mtu: int = 1500
    offloads: Mapping[str, bool] = field(default_factory=dict[str, bool])
    gso_max_segs: int | None = None
    module_args: tuple[str, ...] = ()
    params: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])


@dataclass(frozen=True, kw_only=True)
class PcixSettings:
    """The bus of a PC and what its firmware writes into the devices' PCI-X command registers.

    `protocol` is "pcix", or "pci" for conventional PCI on the same slots.
    """

    clock: Frequency
    mmrbc: int
    outstanding: int
    latency_timer: int
    protocol: str = "pcix"


@dataclass(frozen=True, kw_only=True)
class Machine(Part):
    """A PC that runs a real Linux guest, with its adapters.

    `cpu`, `memory_parts` and `bridge` are parameters of the models of processor, memory and host
    bridge beside clock and size; what is not given has the models' defaults.
    """

    cpu_clock: Frequency
    memory: Size
    pcix: PcixSettings
    nics: tuple[Nic, ...]
    cpu: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    memory_parts: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    bridge: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])

    def port_names(self) -> list[str]:
        """Return one port for each adapter."""
        return [nic.name for nic in self.nics]

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


@dataclass(frozen=True, kw_only=True)
class DelayBox(Part):
    """An exact two-port WAN emulator; `loss` is the share of frames dropped in each direction."""

    one_way_delay: Time
    loss: float = 0.0
    params: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])

    def port_names(self) -> list[str]:
        """Return west and east."""
        return ["west", "east"]
