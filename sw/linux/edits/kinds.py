# SPDX-License-Identifier: Apache-2.0
"""What is done to the kernel's tree: files that are added, and texts that are replaced."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NewFile:
    """A file of ours that is copied into the tree."""

    source: str
    """Below sw/linux."""
    target: str
    reason: str


@dataclass(frozen=True)
class Edit:
    """One replacement in a file of the kernel's arch/um."""

    target: str
    old: str | tuple[str, ...]
    """The text to replace; or its forms in different updates of the package, of which one is there."""
    new: str
    reason: str
