# SPDX-License-Identifier: Apache-2.0
"""Writes what a run hands to its guests (docs/guest-files.md)."""

import shlex
from collections.abc import Mapping
from pathlib import Path

from longhaul import guest_image

IMAGE = "files.erofs"
"""The disk that holds a machine's files, beside their folder."""


def write_guest_files(raw: Path, settings: Mapping[str, Mapping[str, str]]) -> None:
    """Write `guests/NAME/files/settings` under the raw folder, and its image, for every machine."""
    for machine, assignments in settings.items():
        folder = raw / "guests" / machine / "files"
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"{name}={shlex.quote(value)}\n" for name, value in sorted(assignments.items())]
        (folder / "settings").write_text("".join(lines))
        guest_image.of_folder(folder, folder.with_name(IMAGE))
