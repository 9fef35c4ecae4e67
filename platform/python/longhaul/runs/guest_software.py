# SPDX-License-Identifier: Apache-2.0
"""What a run's guests are made of: those parts that all share, and those that users give to one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping

from longhaul import schema
from longhaul.guest import claims, host_parts
from longhaul.guest import drivers as guest_drivers
from longhaul.guest.own_modules import plain
from longhaul.guest.parts import GuestParts, Progress
from longhaul.topology import Program, Programs, Scenario
from longhaul.types import LinuxDriver

NO_PARTS = host_parts.HostParts()


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
    wanted = {
        driver.module: driver
        for guest, each in drivers.items()
        for driver in of_kernel(each, hosts.get(guest))
        if driver.option
    }
    if wanted:
        made = guest_drivers.ensure(found.kernel, wanted.values(), say)
        found = dataclasses.replace(found, drivers=made)
    for guest, each in drivers.items():
        names = [driver.module for driver in each]
        host_parts.missing_module(guest, names, hosts.get(guest, NO_PARTS), found.drivers)
    for guest, devices in scenario.own_devices().items():
        claims.check(devices, hosts.get(guest, NO_PARTS))
    return dataclasses.replace(found, hosts=hosts) if hosts else found


def of_kernel(
    drivers: Iterable[LinuxDriver], own: host_parts.HostParts | None
) -> list[LinuxDriver]:
    """Return a guest's drivers but those for which it has a module of the user's."""
    theirs = {each.module.name for each in (own or NO_PARTS).modules}
    return [driver for driver in drivers if plain(driver.module) not in theirs]


def with_roots(
    config: schema.SimConfig, hosts: Mapping[str, host_parts.HostParts]
) -> schema.SimConfig:
    """Return a configuration in which guests have the roots that are their own."""
    machines: list[schema.Machine] = []
    for machine in config.machines:
        own = hosts.get(machine.name, NO_PARTS).root
        if machine.guest and own:
            guest = machine.guest.model_copy(update={"root": str(own.image)})
            machine = machine.model_copy(update={"guest": guest})
        machines.append(machine)
    return config.model_copy(update={"machines": machines})


def programs(scenario: Scenario) -> dict[str, list[Program]]:
    """Return each guest's programs; none where the workload is another."""
    workload = scenario.check()
    if not isinstance(workload, Programs):
        return {}
    return {host.name: workload.on(host.name) for host in workload.hosts()}
