# SPDX-License-Identifier: Apache-2.0
"""Writes what a run hands to its guests (docs/guest-files.md)."""

import shlex
from collections.abc import Mapping
from pathlib import Path

from longhaul.guest import image as guest_image

IMAGE = "files.erofs"
"""The disk that holds a machine's files, beside their folder."""


Assignments = Mapping[str, str]


def write_guest_files(
    raw: Path,
    settings: Mapping[str, Assignments],
    adapters: Mapping[str, Mapping[str, Assignments]],
) -> None:
    """Write `guests/NAME/files` under the raw folder, and its image, for every machine.

    They are `settings`, and `adapters/NAME` for each adapter that the workload is not on.
    """
    for machine, assignments in settings.items():
        folder = raw / "guests" / machine / "files"
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "settings", assignments)
        for name, each in adapters.get(machine, {}).items():
            (folder / "adapters").mkdir(exist_ok=True)
            _write(folder / "adapters" / name, each)
        guest_image.of_folder(folder, folder.with_name(IMAGE))


def _write(file: Path, assignments: Assignments) -> None:
    lines = [f"{name}={shlex.quote(value)}\n" for name, value in sorted(assignments.items())]
    file.write_text("".join(lines))
