# SPDX-License-Identifier: Apache-2.0
"""Options that give something to the guests of a run: `--module HOST=FOLDER` and the like.

HOST is a machine's name, or * for every machine that runs a real guest. Paths are from the current
folder. docs/own_drivers.md and docs/guest-files.md say what comes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.guest import kernel, own_modules, own_root
from longhaul.guest.software import GuestSoftware
from longhaul.nearest import did_you_mean
from longhaul.topology import Machine, Scenario, adapters
from longhaul.workspace import current
from longhaul.workspace.folder import FILE

EVERY = "*"
FORMS: Mapping[str, tuple[str, str]] = {
    "module": ("HOST=FOLDER", "'*=driver/'"),
    "package": ("HOST=NAME", "'*=nuttcp'"),
    "file": ("HOST=PATH=SOURCE", "receiver=/etc/my.conf=conf/my.conf"),
    "before": ("HOST=COMMAND", "'*=sysctl -w net.ipv4.tcp_sack=0'"),
    "after": ("HOST=COMMAND", "'*=ethtool -S eth0'"),
    "kernel-arg": ("HOST=WORD", "'*=mynic.debug=1'"),
    "kernel-config": ("HOST=OPTION", "'*=OF=y'"),
}
"""By option: its form and an example."""


@dataclass(frozen=True)
class One:
    """One option's value, as words of a command line, and what it stands for."""

    option: str
    host: str
    text: str
    software: GuestSoftware

    def words(self) -> list[str]:
        """Return the option for another process, whatever its current folder."""
        return [f"--{self.option}", f"{self.host}={self.text}"]


Given = tuple[One, ...]


def parse(texts: Mapping[str, Iterable[str]]) -> Given:
    """Read the values of options by the options' names; a UsageError says what is wrong."""
    return tuple(_one(option, value) for option, values in texts.items() for value in values)


def words(given: Given) -> list[str]:
    """Return all options as words of a command line."""
    return [word for one in given for word in one.words()]


def applied(scenario: Scenario, given: Given) -> Scenario:
    """Give a topology's guests what is theirs; a UsageError names a host that is not there.

    A guest whose adapter needs a module that neither has given gets the workspace's modules.
    """
    guests = scenario.guests()
    for one in given:
        if not guests:
            raise UsageError(
                f"--{one.option} {one.host}={one.text}: {scenario.name} has no real guest"
            )
        if one.host != EVERY and one.host not in guests:
            raise UsageError(
                f"--{one.option} {one.host}={one.text}: no real guest is called {one.host!r}"
                f"{did_you_mean(one.host, guests)}"
            )
        for guest in guests if one.host == EVERY else [one.host]:
            scenario.give(guest, one.software)
    workspace = current.given()
    if workspace and workspace.kernel_config:
        try:
            kernel.options(workspace.kernel_config)
        except UsageError as error:
            raise UsageError(f"{workspace.folder / FILE}: {error}") from None
        for guest in guests:
            scenario.give(guest, GuestSoftware(kernel_config=workspace.kernel_config))
    if workspace and workspace.modules:
        for guest in _without_module(scenario):
            scenario.give(guest, GuestSoftware(modules=workspace.modules))
    return scenario


def _without_module(scenario: Scenario) -> list[str]:
    """Return the guests whose adapter needs a module of the user's, and that have none."""
    software = scenario.software()
    machines = (scenario.parts[guest] for guest in scenario.guests())
    return [
        machine.name
        for machine in machines
        if isinstance(machine, Machine)
        and not software[machine.name].modules
        and adapters.need_own_module(machine)
    ]


def identity(given: Given) -> dict[str, list[str]]:
    """Return what must be the same for two sweeps to be one: the options, and what folders hold."""
    found: dict[str, list[str]] = {}
    for one in given:
        sums = [own_modules.checksum(own_modules.sources(f)) for f in one.software.modules]
        sums += [own_root.checksum(one.software.files)] if one.software.files else []
        found.setdefault(one.option, []).append(" ".join([f"{one.host}={one.text}", *sums]))
    return found


def _one(option: str, value: str) -> One:
    host, equals, text = value.partition("=")
    form, example = FORMS[option]
    if not equals or not host or not text:
        raise UsageError(f"--{option} {value}: wants {form}, such as --{option} {example}")
    try:
        return _read(option, host, text)
    except UsageError as error:
        raise UsageError(f"--{option} {value}: {error}") from None


def _read(option: str, host: str, text: str) -> One:
    match option:
        case "module":
            folder = Path(text).absolute()
            own_modules.check(folder)
            return One(option, host, str(folder), GuestSoftware(modules=(folder,)))
        case "file":
            place, equals, name = text.partition("=")
            source = Path(name).absolute()
            if not equals or not name or not place.startswith("/"):
                raise UsageError(f"{text} is no PATH=SOURCE with an absolute PATH in the guest")
            own_root.check((), {place: source})
            software = GuestSoftware(files={place: source})
            return One(option, host, f"{place}={source}", software)
        case "package":
            own_root.check((text,), {})
            return One(option, host, text, GuestSoftware(packages=(text,)))
        case "before":
            return One(option, host, text, GuestSoftware(commands_before=(text,)))
        case "after":
            return One(option, host, text, GuestSoftware(commands_after=(text,)))
        case "kernel-config":
            kernel.options((text,))
            return One(option, host, text, GuestSoftware(kernel_config=(text,)))
        case _:
            if text.split() != [text]:
                raise UsageError(f"{text!r} is no single word of a kernel's command line")
            return One(option, host, text, GuestSoftware(kernel_args=(text,)))
