# SPDX-License-Identifier: Apache-2.0
"""Parts of a run's guests: those that all share, and those that users give to one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from longhaul import schema
from longhaul.guest import claims, device_tree, host_parts, kernel
from longhaul.guest import drivers as guest_drivers
from longhaul.guest.host_parts import HostParts
from longhaul.guest.own_modules import plain
from longhaul.guest.parts import GuestParts, Progress
from longhaul.topology import Machine, Program, Programs, Scenario, adapters
from longhaul.types import LinuxDriver

NO_PARTS = HostParts()


def parts(
    scenario: Scenario, guests: Callable[[Progress], GuestParts], say: Progress
) -> GuestParts | None:
    """Return what the run's guests are made of, with the drivers that they load; built if missing.

    What cannot be is refused before anything is built.
    """
    if not scenario.has_guests():
        return None
    drivers, software = scenario.drivers(), scenario.software()
    for each in software.values():
        host_parts.check(each)
    found = guests(say)
    hosts = {
        guest: host_parts.ensure(found.kernel, found.root_folder, guest, each, say)
        for guest, each in software.items()
        if each
    }
    wanted: dict[str, LinuxDriver] = {}
    for guest, each in drivers.items():
        mine = {d.module: d for d in of_kernel(each, hosts.get(guest)) if d.option}
        own = hosts.get(guest, NO_PARTS).kernel
        if own and mine:
            own = dataclasses.replace(
                own, drivers=guest_drivers.ensure(own.info, mine.values(), say)
            )
            hosts[guest] = dataclasses.replace(hosts[guest], kernel=own)
        elif not own:
            wanted |= mine
    if wanted:
        made = guest_drivers.ensure(found.kernel, wanted.values(), say)
        found = dataclasses.replace(found, drivers=made)
    if hosts:
        found = dataclasses.replace(found, hosts=hosts)
    for guest, each in drivers.items():
        names = [driver.module for driver in each]
        built = found.drivers_of(guest)
        host_parts.missing_module(guest, names, hosts.get(guest, NO_PARTS), built)
    for guest, devices in scenario.own_devices().items():
        claims.check(devices, hosts.get(guest, NO_PARTS))
    for guest, each in hosts.items():
        machine = scenario.parts[guest]
        if isinstance(machine, Machine):
            built_in = adapters.built_in_drivers(machine.nics)
            hosts[guest] = claims.ahead_of(built_in, guest, each, say)
    return dataclasses.replace(found, hosts=hosts) if hosts else found


def of_kernel(drivers: Iterable[LinuxDriver], own: HostParts | None) -> list[LinuxDriver]:
    """Return a guest's drivers but those for which it has a module of the user's."""
    theirs = {each.module.name for each in (own or NO_PARTS).modules}
    return [driver for driver in drivers if plain(driver.module) not in theirs]


def with_own(
    config: schema.SimConfig,
    hosts: Mapping[str, HostParts],
    layout: Callable[[kernel.KernelInfo], Path] | None,
) -> schema.SimConfig:
    """Return a configuration in which guests have the roots and kernels that are their own.

    `layout` is that of a kernel's structures, where the run needs it.
    """
    machines: list[schema.Machine] = []
    for machine in config.machines:
        own = hosts.get(machine.name, NO_PARTS)
        update: dict[str, str] = {}
        if own.root:
            update["root"] = str(own.root.image)
        if own.kernel:
            update |= {"kernel": str(own.kernel.info.path), "kernel_blocks": str(own.kernel.blocks)}
            if layout:
                update["kernel_layout"] = str(layout(own.kernel.info))
        if machine.guest and update:
            guest = machine.guest.model_copy(update=update)
            machine = machine.model_copy(update={"guest": guest})
        machines.append(machine)
    return config.model_copy(update={"machines": machines})


def write_device_trees(raw: Path, scenario: Scenario, hosts: Mapping[str, HostParts]) -> None:
    """Write the device trees of guests with platform devices (device_tree.FILE)."""
    for guest, devices in scenario.platform_devices().items():
        own = hosts.get(guest, NO_PARTS).kernel
        if devices and own:
            device_tree.write(raw / "guests" / guest, own.info, devices)


def programs(scenario: Scenario) -> dict[str, list[Program]]:
    """Return each guest's programs; none where the workload is another."""
    workload = scenario.check()
    if not isinstance(workload, Programs):
        return {}
    return {host.name: workload.on(host.name) for host in workload.hosts()}
