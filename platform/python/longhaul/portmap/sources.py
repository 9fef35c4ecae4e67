# SPDX-License-Identifier: Apache-2.0
"""The source files that a port map names."""

from __future__ import annotations

from pathlib import Path

from longhaul.portmap.read import MapFile


def listed(file: MapFile) -> tuple[Path, ...]:
    """Return the source files, from the map's folder on; of a pattern packages come first.

    Raises UsageError for a pattern that no file has.
    """
    found: dict[Path, None] = {}
    for pattern in file.map.block.sources:
        here = sorted(
            file.folder.glob(pattern)
            if not Path(pattern).is_absolute()
            else Path(pattern).parent.glob(Path(pattern).name),
            key=lambda path: (not path.stem.endswith("_pkg"), str(path)),
        )
        if not here:
            file.refuse(("block", "sources"), f"no file is {pattern}")
        found |= dict.fromkeys(here)
    return tuple(found)
