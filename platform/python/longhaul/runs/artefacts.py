# SPDX-License-Identifier: Apache-2.0
"""Checksums of what a run leaves and of nothing that depends on its machine, hour or place."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from longhaul import json_file
from longhaul.errors import UsageError

DIGITS = 16  # of a SHA-256 that are kept: 64 bits

# Members of sim.json that tell of the host: wall times, what programs took of its CPU, and what
# compiled the simulator.
_OF_THE_HOST = ("wall_s", "window_wall_s", "host_s", "compiler")
# Of a case: not the published figures beside it, which change without a run.
_OF_THE_RUN = ("case", "measured", "own", "bottleneck", "bottleneck_by_direction")
# Files whose bytes a run sets alone. Not the consoles: a kernel tells there of its host's processor
# and of the simulator's folder. FST's and pcapng's headers name no date and no host.
_FILES = (
    "*.pcapng",
    "guests/*/report/*",
    "raw/control.csv",
    "raw/connections.json",
    "profile-*",
    "waves.fst",
    "waves.gtkw",
)


def checksums(folder: Path) -> dict[str, str]:
    """Return a checksum of each artefact by its name, in a fixed order: coarse ones first."""
    sim, results = _json(folder / "raw" / "sim.json"), _json(folder / "results.json")
    counters = {name: value for name, value in sim.items() if name not in _OF_THE_HOST}
    cases = [{name: case.get(name) for name in _OF_THE_RUN} for case in results["cases"]]
    found = {"results": _of_json(cases), "counters": _of_json(counters)}
    for pattern in _FILES:
        for path in sorted(folder.glob(pattern)):
            if path.is_file():
                with path.open("rb") as stream:
                    digest = hashlib.file_digest(stream, "sha256").hexdigest()
                found[path.relative_to(folder).as_posix()] = digest[:DIGITS]
    return found


def differing(first: dict[str, str], second: dict[str, str]) -> list[str]:
    """Return the names of artefacts that differ, or that only one side has."""
    names = dict.fromkeys([*first, *second])
    return [name for name in names if first.get(name) != second.get(name)]


def only_in_one(first: dict[str, str], second: dict[str, str]) -> list[str]:
    """Return the names of artefacts that only one side has: another run with other options."""
    return [name for name in differing(first, second) if name not in first or name not in second]


def _json(path: Path) -> dict[str, Any]:
    try:
        return json_file.read(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read as JSON ({error})") from None


def _of_json(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
