# SPDX-License-Identifier: Apache-2.0
"""A user's software for one guest, made ready: modules built, packages and files found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from longhaul.answers import sha256
from longhaul.errors import UsageError
from longhaul.guest import kernel, own_modules, own_root
from longhaul.guest.drivers import DriverModule
from longhaul.guest.own_modules import OwnModule
from longhaul.guest.own_root import OwnRoot
from longhaul.guest.software import GuestSoftware
from longhaul.nearest import did_you_mean

Progress = kernel.Progress


@dataclass(frozen=True)
class LoadedModule:
    """A module that a guest loads, of a folder of that name, with its parameters.

    `takes` are the PCI ids that it gets although a built-in driver may have them.
    """

    module: OwnModule
    folder: str
    parameters: str = ""
    takes: tuple[str, ...] = ()


@dataclass(frozen=True)
class OwnKernel:
    """A kernel with options of a guest's own, the table of its blocks, and drivers built for it."""

    info: kernel.KernelInfo
    blocks: Path
    drivers: Mapping[str, DriverModule] = field(default_factory=dict[str, DriverModule])

    def described(self) -> dict[str, Any]:
        """Return the form of the manifest."""
        return {
            "options": list(self.info.options),
            "key": self.info.key,
            "sha256": sha256(self.info.path),
            "drivers": {
                name: {"sha256": sha256(driver.file), "sources_sha256": driver.sources}
                for name, driver in self.drivers.items()
            },
        }


@dataclass(frozen=True)
class HostParts:
    """The parts of one guest that others may not have.

    `root` and `kernel` are None for those of all guests.
    """

    modules: tuple[LoadedModule, ...] = ()
    root: OwnRoot | None = None
    kernel: OwnKernel | None = None
    software: GuestSoftware = field(default_factory=GuestSoftware)

    def described(self) -> dict[str, Any]:
        """Return the form of the manifest: names and checksums, and no path of the host."""
        modules = [
            {
                "name": each.module.name,
                "folder": each.folder,
                "sha256": each.module.checksum,
                "sources_sha256": each.module.sources,
                "parameters": each.parameters,
                **({"takes": list(each.takes)} if each.takes else {}),
            }
            for each in self.modules
        ]
        told: dict[str, Any] = {"modules": modules}
        if self.kernel:
            told["kernel"] = self.kernel.described()
        if self.root:
            told["packages"] = dict(self.root.packages)
            told["scripts_not_run"] = list(self.root.not_done)
            told["files"] = dict(self.root.files)
        for name in ("commands_before", "commands_after", "kernel_args"):
            told[name] = list(getattr(self.software, name))
        return {name: value for name, value in told.items() if value}


def check(software: GuestSoftware) -> None:
    """Refuse what is not there, without building anything."""
    for folder in software.modules:
        own_modules.check(folder)
    kernel.options(software.kernel_config)
    own_root.check(software.packages, software.files)


def ensure(
    info: kernel.KernelInfo, base: Path, guest: str, software: GuestSoftware, progress: Progress
) -> HostParts:
    """Return what a guest of that name gets, built where the cache does not have it.

    `info` is the kernel of all guests, `base` their root folder.
    """
    own = _kernel(guest, software, progress)
    modules = _modules(own.info if own else info, guest, software, progress)
    root = None
    if software.packages or software.files:
        root = own_root.ensure(base, software.packages, software.files, progress)
        if root.not_done:
            progress(
                f"{guest}: of what these packages do when they are installed, only users, groups "
                f"and alternatives are there: {', '.join(root.not_done)}"
            )
    return HostParts(modules, root, own, software)


def _kernel(guest: str, software: GuestSoftware, progress: Progress) -> OwnKernel | None:
    if not software.kernel_config:
        return None
    try:
        info = kernel.ensure(progress, kernel.options(software.kernel_config))
    except UsageError as error:
        raise UsageError(f"{guest}: {error}") from None
    return OwnKernel(info, kernel.blocks(info, progress))


def _modules(
    info: kernel.KernelInfo, guest: str, software: GuestSoftware, progress: Progress
) -> tuple[LoadedModule, ...]:
    found: dict[str, LoadedModule] = {}
    params = {own_modules.plain(name): text for name, text in software.module_params.items()}
    for folder in software.modules:
        for module in own_modules.ensure(info, folder, progress):
            if module.name in kernel.DRIVERS:
                raise UsageError(
                    f"{guest}: {folder} builds {module.name}, and the guests' kernel has a driver "
                    "of that name built in; give the module another name"
                )
            if module.name in found:
                raise UsageError(
                    f"{guest}: two folders build {module.name}: {found[module.name].folder} and "
                    f"{folder.name}"
                )
            parameters = params.get(module.name, "")
            found[module.name] = LoadedModule(module, folder.name, parameters)
    wrong = next((name for name in params if name not in found), None)
    if wrong:
        raise UsageError(
            f"{guest}: module_params names {wrong!r}, which is none of its modules"
            f"{did_you_mean(wrong, found)}"
        )
    return tuple(found.values())


def missing_module(
    guest: str, needed: Iterable[str], parts: HostParts, made: Mapping[str, object]
) -> None:
    """Refuse a guest whose adapter needs a module that is neither the kernel's nor given."""
    there = {each.module.name for each in parts.modules}
    for name in needed:
        if own_modules.plain(name) in there or name in made:
            continue
        built = ", ".join(sorted(there)) or "none"
        raise UsageError(
            f"{guest}: an adapter needs the module {name}, and the modules given for it are: "
            f"{built}; give the folder that builds it: --module {guest}=FOLDER"
        )
