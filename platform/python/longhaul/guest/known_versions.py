# SPDX-License-Identifier: Apache-2.0
"""The versions that the tree's figures were made with, and how a run's guests differ from them.

A guest's kernel and programs are Debian's. An update of one moves the figures of real guests by
about as much as another layout does.
"""

from __future__ import annotations

import json
from pathlib import Path

from longhaul.guest import kernel
from longhaul.guest.parts import GuestParts
from longhaul.outdir import write_text
from longhaul.paths import ROOT

FILE = ROOT / "platform" / "config" / "known-versions.json"
"""Written by `longhaul golden --update`."""


def of_guests(parts: GuestParts) -> dict[str, str]:
    """Return the version of everything that guests are made of and with, by name."""
    return kernel.made_with(parts.kernel) | dict(sorted(parts.packages.items()))


def known(file: Path = FILE) -> dict[str, str]:
    """Return the versions that docs/results.md and the golden runs were made with."""
    return json.loads(file.read_text()) if file.exists() else {}


def save(parts: GuestParts, file: Path = FILE) -> None:
    """Take the versions of these guests for the known ones."""
    write_text(file, json.dumps(of_guests(parts), indent=1) + "\n")


def differences(parts: GuestParts, file: Path = FILE) -> list[str]:
    """Return each version that is another one here, as a text; none: figures can be compared."""
    here, there = of_guests(parts), known(file)
    if not there:
        return []
    names = dict.fromkeys([*there, *here])
    pairs = ((name, here.get(name, "none"), there.get(name, "none")) for name in names)
    return [f"{name} {ours} here, {theirs} there" for name, ours, theirs in pairs if ours != theirs]


def warning(parts: GuestParts, file: Path = FILE) -> str:
    """Return the line that tells a user of them; empty if there is nothing to tell."""
    found = differences(parts, file)
    if not found:
        return ""
    more = f" (and {len(found) - 1} more: versions.differing in manifest.json)" if found[1:] else ""
    return f"these guests are not those of docs/results.md: {found[0]}{more}"
