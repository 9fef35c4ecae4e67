# SPDX-License-Identifier: Apache-2.0
"""What a run with real guests needs: the guest's kernel and its root folder, built when missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.guest import kernel, kernel_options, kernel_proofs
from longhaul.guest import root as guest_root
from longhaul.guest.drivers import DriverModule
from longhaul.guest.host_parts import HostParts

Progress = Callable[[str], None]


@dataclass(frozen=True)
class GuestParts:
    """Kernel, table of its basic blocks and root of all guests; versions of the root's packages.

    `root` is the image of the root; `drivers` are those that guests load, by name. `hosts` has what
    only one guest has, by its name. `root_folder` is what the root's image was made of.
    """

    kernel: kernel.KernelInfo
    blocks: Path
    root: Path
    packages: dict[str, str] = field(default_factory=dict[str, str])
    drivers: Mapping[str, DriverModule] = field(default_factory=dict[str, DriverModule])
    hosts: Mapping[str, HostParts] = field(default_factory=dict[str, HostParts])
    root_folder: Path = Path()

    def kernel_of(self, guest: str) -> kernel.KernelInfo:
        """Return the kernel that a guest has."""
        own = self.hosts[guest].kernel if guest in self.hosts else None
        return own.info if own else self.kernel

    def drivers_of(self, guest: str) -> Mapping[str, DriverModule]:
        """Return the drivers that are built for a guest's kernel, by name."""
        own = self.hosts[guest].kernel if guest in self.hosts else None
        return own.drivers if own else self.drivers


def ensure(progress: Progress) -> GuestParts:
    """Return kernel and root, built when missing; `progress` gets a line per step."""
    root = guest_root.ensure(progress)
    info = kernel.ensure(progress)
    image = guest_root.image(root, progress)
    return GuestParts(
        info, kernel.blocks(info, progress), image, guest_root.versions(root), root_folder=root
    )


def verified_kernel(
    progress: Progress, own: kernel_options.Options | None = None
) -> kernel_proofs.Verification:
    """Compare the kernel's sources with Debian's; a LonghaulError names the first that differs."""
    found = kernel_proofs.verify(progress, own)
    if found.differing:
        more = f" and {len(found.differing) - 1} more" if len(found.differing) > 1 else ""
        raise LonghaulError(f"not as in the Debian package: {found.differing[0]}{more}")
    return found
