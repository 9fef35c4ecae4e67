# SPDX-License-Identifier: Apache-2.0
"""`longhaul link`: a `longhaul` that works from anywhere."""

from __future__ import annotations

import os
from pathlib import Path

from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import ROOT

NAME = "longhaul"
MARK = b"# Longhaul's front door"  # in each checkout's script


def default() -> Path:
    """Return the folder of a user's own programs (systemd file-hierarchy: ~/.local/bin)."""
    return Path.home() / ".local" / "bin"


def make(folder: Path) -> list[str]:
    """Link this checkout's `longhaul` into a folder, and return lines for the user.

    A link to another checkout is replaced; a UsageError refuses any other file of the name.
    """
    script = ROOT / NAME
    place = folder.expanduser().absolute() / NAME
    if not script.is_file():
        raise LonghaulError(f"{script} is not there; this is no checkout of Longhaul")
    if place == script:
        raise UsageError(f"{place} is Longhaul's own script; give another folder")
    before = _linked_to(place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if before is not None:
            part = place.with_name(f".{NAME}.{os.getpid()}")
            part.symlink_to(script)
            part.replace(place)
        else:
            place.symlink_to(script)
    except OSError as error:
        raise LonghaulError(
            f"{place}: {error.strerror}; longhaul link DIR takes another folder"
        ) from None
    lines = [f"{place} starts {script}"]
    if before is not None and before != script:
        lines.append(f"it was a link to {before} before")
    return lines + _path_lines(place)


def _linked_to(place: Path) -> Path | None:
    """Return what a link of ours is to, None where there is nothing yet."""
    if not place.is_symlink():
        if place.exists():
            raise UsageError(
                f"{place} is somebody else's file, and is not replaced; move it away, or give "
                "another folder: longhaul link DIR"
            )
        return None
    target = place.parent / place.readlink()
    try:
        ours = MARK in target.read_bytes()[:500]
    except OSError:
        ours = target.name == NAME  # a checkout that is no more
    if not ours:
        raise UsageError(
            f"{place} is a link to {target}, which is not Longhaul, and is not replaced; move it "
            "away, or give another folder: longhaul link DIR"
        )
    return target


def _path_lines(place: Path) -> list[str]:
    """Return what a user has to do for the shell to find the link."""
    folders = [Path(text) for text in os.environ.get("PATH", "").split(os.pathsep) if text]
    if place.parent not in folders:
        line = f'export PATH="{place.parent}:$PATH"'
        return [f"{place.parent} is not in PATH; put this into ~/.profile: {line}"]
    for folder in folders[: folders.index(place.parent)]:
        other = folder / NAME
        if os.access(other, os.X_OK) and not other.samefile(place):
            return [f"{other} comes first in PATH, and is another"]
    return []
