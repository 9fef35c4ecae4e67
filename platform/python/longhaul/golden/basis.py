# SPDX-License-Identifier: Apache-2.0
"""The inputs of a golden run with real guests, and how those of two runs differ."""

from __future__ import annotations

from collections.abc import Iterator

from longhaul.answers import sha256
from longhaul.golden.file import Basis
from longhaul.guest import kernel_edits
from longhaul.guest import root as guest_root
from longhaul.guest.parts import GuestParts


def of_guests(parts: GuestParts) -> Basis:
    """Return the guests' part of it, as it is on this machine."""
    return Basis(
        guest_files=f"{kernel_edits.checksum()[:12]}-{guest_root.scripts_key()}",
        guest_kernel=sha256(parts.kernel.path),
        guest_root=sha256(parts.root),
        guest_packages=dict(sorted(parts.packages.items())),
    )


def differences(golden: Basis, here: Basis) -> list[str]:
    """Return in what this machine's guests differ from those of a golden run; none of a model's.

    Packages come first: they are why the root differs.
    """
    if not golden.guest_kernel:
        return []
    return [
        *_packages(golden.guest_packages, here.guest_packages),
        *_one("guest kernel", golden.guest_kernel, here.guest_kernel),
        *_one("guest root", golden.guest_root, here.guest_root),
    ]


def _packages(golden: dict[str, str], here: dict[str, str]) -> Iterator[str]:
    for name in dict.fromkeys([*golden, *here]):
        yield from _one(name, golden.get(name, "none"), here.get(name, "none"))


def _one(what: str, golden: str, here: str) -> Iterator[str]:
    if golden != here:
        yield f"{what} {here[:20]} here, {golden[:20]} there"
