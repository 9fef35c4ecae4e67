# SPDX-License-Identifier: Apache-2.0
"""A finished run as reports and comparisons read it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul.errors import UsageError
from longhaul.outdir import RESULTS, is_whole, partial_path


@dataclass(frozen=True)
class RunView:
    """One run's folder with its results and manifest."""

    folder: Path
    results: dict[str, Any]
    manifest: dict[str, Any]

    @classmethod
    def load(cls, folder: Path) -> RunView:
        """Read a finished run; a UsageError says why a folder is none."""
        if not is_whole(folder):
            if partial_path(folder).is_dir():
                raise UsageError(f"{folder}: this run was interrupted; it has no results")
            raise UsageError(f"{folder}: no finished run (there is no {RESULTS})")
        try:
            results = json.loads((folder / RESULTS).read_text())
            manifest = json.loads((folder / "manifest.json").read_text())
        except (OSError, json.JSONDecodeError) as error:
            raise UsageError(f"{folder}: cannot be read ({error})") from None
        return cls(folder, results, manifest)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.absolute().name

    @property
    def case(self) -> dict[str, Any]:
        """The run's (first) case."""
        return self.results["cases"][0]

    @property
    def measured(self) -> dict[str, Any]:
        """The run's figures."""
        return self.case["measured"]

    @property
    def roles(self) -> dict[str, str]:
        """Machine names by role."""
        return self.manifest.get("roles", {"sender": "sender", "receiver": "receiver"})


def flatten(measured: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number of `measured` under its dotted name; texts and nulls are left out."""
    for name, value in measured.items():
        if isinstance(value, Mapping):
            yield from flatten(value, f"{prefix}{name}.")  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{prefix}{name}", value


def runs_in(folder: Path) -> list[RunView]:
    """Return the run in a folder, or all finished runs of a sweep's folder."""
    if (folder / "sweep.json").is_file():
        children = sorted(child for child in folder.iterdir() if is_whole(child))
        if not children:
            raise UsageError(f"{folder}: no run of this sweep has finished")
        return [RunView.load(child) for child in children]
    return [RunView.load(folder)]
