# SPDX-License-Identifier: Apache-2.0
"""A machine's adapters: which names they may have, and what a guest is told of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from longhaul import schema
from longhaul.errors import TopologyError, UsageError
from longhaul.guest import kernel
from longhaul.guest.device_tree import Device, station
from longhaul.parts.machine import Machine, Nic, PcixSettings
from longhaul.types import LinuxDriver
from longhaul.types import adapters as adapter_types

# Linux: IFNAMSIZ is 16, with the zero at the end. A first hyphen would begin an option.
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,14}")
LINUXS_OWN = ("lo", "all", "default")  # the loopback, and two folders of /proc/sys/net/*/conf
UNSET = "-1"  # e1000_param.c, ixgb_param.c: OPTION_UNSET


def check(machine: Machine) -> None:
    """Refuse names that Linux or the simulator cannot give, and two adapters in one place."""
    places: dict[tuple[int, int], str] = {}
    for nic in machine.nics:
        here = f"{machine.name}: {nic.name!r}"
        if not _PLAIN.fullmatch(nic.name):
            raise TopologyError(
                f"{here} cannot be an adapter's name: "
                "wants 1 to 15 letters, digits, underscores and hyphens, with no hyphen first"
            )
        if nic.name in LINUXS_OWN:
            raise TopologyError(f"{here} cannot be an adapter's name: Linux has that name already")
        other = places.setdefault((nic.slot, nic.function), nic.name)
        if other != nic.name:
            where = f"slot {nic.slot}" + (f", function {nic.function}" if nic.function else "")
            raise TopologyError(
                f"{machine.name}: {other} and {nic.name} are both in {where}; give them two slots"
            )


def drivers(machine: Machine, *, own: bool = False) -> tuple[LinuxDriver, ...]:
    """Return the drivers that a guest has to load, each once: those not built into its kernel.

    They are modules of the kernel's sources, or of the user's where `own` says that there are some.
    Raises UsageError for an adapter that no driver is known for.
    """
    found: dict[str, LinuxDriver] = {}
    for nic in machine.nics:
        driver = adapter_types.find(nic.type).linux_driver
        here = f"{machine.name}.{nic.name}: the adapter {nic.type!r}"
        give = f"--module {machine.name}=FOLDER"
        if driver is None:
            if own:
                continue
            raise UsageError(
                f"{here} has no Linux driver, so it needs a modelled system, or yours: {give}"
            )
        if driver.option:
            found[driver.module] = driver
        elif _is_in_no_kernel(driver):
            if not own:
                raise UsageError(
                    f"{here} needs the module {driver.module}, which is not in the guests' kernel; "
                    f"give the folder that builds it: {give}"
                )
            found[driver.module] = driver
    return tuple(found.values())


def own_devices(machine: Machine) -> dict[str, tuple[str, ...]]:
    """Return the PCI ids of the adapters whose driver only the user can give."""
    found: dict[str, tuple[str, ...]] = {}
    for nic in machine.nics:
        each = adapter_types.find(nic.type)
        if each.linux_driver is None or _is_in_no_kernel(each.linux_driver):
            found[f"{machine.name}.{nic.name}"] = each.pci_ids
    return found


def built_in_drivers(nics: Iterable[Nic]) -> tuple[str, ...]:
    """Return the built-in drivers that probe a guest's adapters when it boots."""
    known = (adapter_types.find(nic.type).linux_driver for nic in nics)
    names = (driver.module for driver in known if driver and driver.module in kernel.DRIVERS)
    return tuple(dict.fromkeys(names))


def need_own_module(machine: Machine) -> bool:
    """Tell whether an adapter's driver is in no kernel's sources: only the user can give it."""
    known = (adapter_types.find(nic.type).linux_driver for nic in machine.nics)
    return any(driver is None or _is_in_no_kernel(driver) for driver in known)


def _is_in_no_kernel(driver: LinuxDriver) -> bool:
    return not driver.option and driver.module not in kernel.DRIVERS


def names(machine: Machine) -> str:
    """Return the place and name of each adapter; empty where Linux gives the one name too.

    The place of a function of the bus is its PCI address. That of a platform device is a path from
    the folder of these, /sys/bus/pci/devices, which a guest looks in.
    """
    if [nic.name for nic in machine.nics] == ["eth0"]:
        return ""
    devices = platform_devices(machine, 0)
    return " ".join(
        f"../../platform/devices/{devices[nic.name].name}={nic.name}"
        if nic.name in devices
        else f"0000:00:{nic.slot:02x}.{nic.function}={nic.name}"
        for nic in machine.nics
    )


def platform_devices(machine: Machine, number: int) -> dict[str, Device]:
    """Return the platform devices of the n-th machine by their names."""
    found: dict[str, Device] = {}
    for i, nic in enumerate(machine.nics):
        node = adapter_types.find(nic.type).platform
        if node:
            found[nic.name] = Device(nic.slot, node, station(number, i))
    return found


def devices(machine: Machine) -> list[schema.Device]:
    """Return a machine's adapters as the simulator has them."""
    firmware = schema.Firmware(
        mmrbc=machine.pcix.mmrbc,
        outstanding=machine.pcix.outstanding,
        latency_timer=machine.pcix.latency_timer,
    )
    return [
        schema.Device(
            type=nic.type,
            name=nic.name,
            slot=nic.slot,
            function=nic.function,
            firmware=firmware,
            params=dict(nic.params),
        )
        for nic in machine.nics
    ]


def settings(nic: Nic, *, linked: bool) -> dict[str, str]:
    """Return how a guest sets an adapter up, as docs/guest-files.md lists it."""
    given = {
        "LH_GSO_MAX_SEGS": nic.gso_max_segs,
        "LH_GRO_MAX_SIZE": nic.gro_max_size,
        "LH_TXQUEUELEN": nic.tx_queue_len,
        "LH_RINGS": nic.rings and f"rx {nic.rings[0]} tx {nic.rings[1]}",
        "LH_BQL": None if nic.byte_queue_limits else 0,
        "LH_LINK": None if linked else 0,
    }
    return {
        "LH_IFACE": nic.name,
        "LH_MTU": str(nic.mtu),
        "LH_OFFLOADS": " ".join(
            f"{name} {'on' if on else 'off'}" for name, on in nic.offloads.items()
        ),
    } | {name: str(value) for name, value in given.items() if value is not None}


def addresses(name: str, peer: str, v4: Mapping[str, str], v6: Mapping[str, str]) -> dict[str, str]:
    """Return a machine's own addresses and its peer's of one network, by books of them."""
    return {
        "LH_ADDRESS4": f"{v4[name]}/24",
        "LH_ADDRESS6": f"{v6[name]}/64",
        "LH_PEER4": v4.get(peer, ""),
        "LH_PEER6": v6.get(peer, ""),
    }


def kernel_args(nics: Iterable[Nic]) -> list[str]:
    """Return the arguments of all adapters' drivers, as Linux takes them.

    A driver's parameter is a list. Its first value is for the first board that the driver finds, in
    the order of slots and functions.
    """
    values: dict[str, dict[int, str]] = {}
    found = sorted(nics, key=lambda nic: (nic.slot, nic.function))
    for i, nic in enumerate(found):
        for argument in nic.module_args:
            key, _, value = argument.partition("=")
            values.setdefault(key, {})[i] = value
    boards = {
        nic.type: [i for i, each in enumerate(found) if each.type == nic.type] for nic in found
    }
    arguments: list[str] = []
    for key, given in values.items():
        driver = key.partition(".")[0]
        row = [given.get(i, UNSET) for i in boards.get(driver, given)]
        arguments.append(f"{key}={','.join(row)}" if any(given.values()) else key)
    return arguments


def bus(settings: PcixSettings) -> schema.Pcix:
    """Return the bus that a machine's adapters are on."""
    other: dict[str, str | int] = {}
    if settings.protocol != "pcix":
        other["protocol"] = settings.protocol
    if settings.width_bits != 64:
        other["width_bits"] = settings.width_bits
    if settings.data_subphases != 1:
        other["data_subphases"] = settings.data_subphases
    return schema.Pcix.model_validate({"clock": str(settings.clock), **other})
