# SPDX-License-Identifier: Apache-2.0
"""Which PCI devices a kernel module is for, as its file says."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.guest.host_parts import HostParts, LoadedModule

# What MODULE_DEVICE_TABLE(pci, ...) makes: alias=pci:v00001234d00004E43sv*sd*bc*sc*i*
_ALIAS = re.compile(rb"alias=(pci:v(\*|[0-9A-F]{8})d(\*|[0-9A-F]{8})sv[^\0]*)")


def of_module(file: Path) -> list[tuple[str, str]]:
    """Return vendor and device of each entry of a module's table, "*" for any."""
    found = _ALIAS.findall(file.read_bytes())
    return [(_id(vendor), _id(device)) for _, vendor, device in found]


def patterns(file: Path) -> list[str]:
    """Return the entries of a module's table as patterns of a device's `modalias`."""
    return [pattern.decode() for pattern, _, _ in _ALIAS.findall(file.read_bytes())]


def check(devices: Mapping[str, Sequence[str]], parts: HostParts) -> None:
    """Refuse an adapter that none of its guest's own modules claims.

    `devices` has the ids of each ("1234:4e43"), by MACHINE.DEVICE. A module without a table may
    have other ways to find its device, so then nothing is refused.
    """
    tables = {each.module.name: of_module(each.module.file) for each in parts.modules}
    if not tables or not all(tables.values()):
        return
    claimed = [entry for table in tables.values() for entry in table]
    for place, ids in devices.items():
        if not ids or any(_claims(claimed, each) for each in ids):
            continue
        says = "; ".join(f"{name} claims {_listed(table)}" for name, table in tables.items())
        raise UsageError(
            f"{place}: no driver claims PCI device {' or '.join(ids)}, as the adapter calls "
            f"itself; {says}: change the driver's pci_device_id table, or vendor and device "
            "in [pci]"
        )


def ahead_of(
    drivers: Sequence[str], guest: str, parts: HostParts, say: Callable[[str], None]
) -> HostParts:
    """Return a guest's parts with modules that get their devices from built-in drivers.

    `drivers` are those that probe the guest's adapters when it boots. Each module is told.
    """
    modules: list[LoadedModule] = []
    for each in parts.modules:
        table = of_module(each.module.file) if drivers else []
        takes = tuple(dict.fromkeys(":".join(entry) for entry in table))
        if takes:
            say(
                f"{guest}: {each.module.name} gets its PCI devices ({_listed(table)}) from the "
                f"built-in {' and '.join(drivers)}, which gives up those that it has"
            )
        modules.append(dataclasses.replace(each, takes=takes))
    return dataclasses.replace(parts, modules=tuple(modules))


def _claims(table: Iterable[tuple[str, str]], device: str) -> bool:
    wanted = device.split(":")
    return any(
        all(entry in ("*", want) for entry, want in zip(each, wanted, strict=True))
        for each in table
    )


def _listed(table: Sequence[tuple[str, str]]) -> str:
    shown = [":".join(each) for each in table]
    return ", ".join(shown[:4]) + (f" and {len(shown) - 4} more" if len(shown) > 4 else "")


def _id(text: bytes) -> str:
    return "*" if text == b"*" else f"{int(text, 16):04x}"
