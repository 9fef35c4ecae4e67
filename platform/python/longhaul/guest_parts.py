# SPDX-License-Identifier: Apache-2.0
"""What a run with real guests needs: the guest's kernel and its root folder, built when missing."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from longhaul.errors import LonghaulError

Progress = Callable[[str], None]


class KernelInfo(Protocol):
    """A built guest kernel."""

    @property
    def path(self) -> Path:
        """The executable."""
        ...

    @property
    def version(self) -> str:
        """The kernel's version, as `uname -r` says."""
        ...

    @property
    def key(self) -> str:
        """Key of everything that went into it."""
        ...

    @property
    def drivers(self) -> Mapping[str, str]:
        """SHA-256 of each driver's sources, by driver."""
        ...


class KernelModule(Protocol):
    """`longhaul.kernel`."""

    def ensure(self, progress: Progress) -> KernelInfo:
        """Build the kernel unless the cache has it."""
        ...

    def verify(self) -> object:
        """Prove that driver and network sources are those of the package."""
        ...


class GuestRootModule(Protocol):
    """`longhaul.guest_root`."""

    def ensure(self, progress: Progress) -> Path:
        """Make the guest's root folder unless it is there."""
        ...


@dataclass(frozen=True)
class GuestParts:
    """Kernel and root of all guests of a run."""

    kernel: KernelInfo
    root: Path


def kernel_module() -> KernelModule:
    """Return the kernel builder."""
    return cast(KernelModule, _load("longhaul.kernel"))


def ensure(progress: Progress) -> GuestParts:
    """Return kernel and root, built when missing; `progress` gets a line per step."""
    root = cast(GuestRootModule, _load("longhaul.guest_root"))
    return GuestParts(kernel_module().ensure(progress), root.ensure(progress))


def _load(name: str) -> object:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise LonghaulError(f"this checkout has no {name}") from None
