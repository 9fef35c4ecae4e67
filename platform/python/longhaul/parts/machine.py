# SPDX-License-Identifier: Apache-2.0
"""A PC with its adapters, its bus, and what it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from longhaul.guest import software
from longhaul.guest.software import GuestSoftware
from longhaul.parts.part import ParamValue, Part, Port
from longhaul.units import Frequency, Size


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
    bridge beside clock and size; all others have the models' defaults. `sources` has evidence and
    source of those that a preset gave: {"cpu.clock": (evidence, source)}.
    `platform_bus` are parameters of the bus that platform devices lie on.
    `modules` to `kernel_config` are of a real guest only (docs/own_drivers.md); paths are from the
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
    platform_bus: Mapping[str, ParamValue] = field(default_factory=dict[str, ParamValue])
    sources: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    modules: tuple[str | Path, ...] = ()
    module_params: Mapping[str, str] = field(default_factory=dict[str, str])
    packages: tuple[str, ...] = ()
    files: Mapping[str, str | Path] = field(default_factory=dict[str, str | Path])
    commands_before: tuple[str, ...] = ()
    commands_after: tuple[str, ...] = ()
    kernel_args: tuple[str, ...] = ()
    kernel_config: tuple[str, ...] = ()

    @property
    def software(self) -> GuestSoftware:
        """All that its guest gets; a TopologyError says what is wrong with it."""
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
