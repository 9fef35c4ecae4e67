# SPDX-License-Identifier: Apache-2.0
"""Merges what runs have kept, by design: counts are summed, and each point's first run is known."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from longhaul.coverage import kept as kept_files
from longhaul.coverage import points
from longhaul.coverage.kept import Design, Kept
from longhaul.coverage.points import Point
from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.outdir import PARTIAL


@dataclass
class Bin:
    """Something that a bus may see: how often it has, and in which run first."""

    count: int = 0
    first: str = ""

    def add(self, count: int, run: str) -> None:
        """Add what a run has counted."""
        self.first = self.first or (run if count else "")
        self.count += count


@dataclass
class Bus:
    """An interface of a block over all runs; `registers` have reads and writes by address."""

    bins: dict[str, Bin] = field(default_factory=dict[str, Bin])
    registers: dict[str, tuple[Bin, Bin]] = field(default_factory=dict[str, tuple[Bin, Bin]])

    def add(self, found: Mapping[str, Any], run: str) -> None:
        """Add what a run has of it."""
        for name, count in found.get("bins", ()):
            self.bins.setdefault(name, Bin()).add(count, run)
        for address, reads, writes in found.get("registers", ()):
            read, written = self.registers.setdefault(address, (Bin(), Bin()))
            read.add(reads, run)
            written.add(writes, run)


@dataclass
class Merged:
    """A design over all runs that had it; `first` names the run that reached a point first."""

    design: Design
    runs: list[str] = field(default_factory=list[str])
    counts: dict[Point, int] = field(default_factory=dict[Point, int])
    first: dict[Point, str] = field(default_factory=dict[Point, str])
    buses: dict[str, Bus] = field(default_factory=dict[str, Bus])

    def add(self, kept: Kept, run: str) -> None:
        """Add what a run has of a block."""
        self.add_counts(points.read(kept.points), run)
        for name, found in kept.buses.items():
            self.buses.setdefault(name, Bus()).add(found, run)

    def add_counts(self, counts: Mapping[Point, int], run: str) -> None:
        """Add the points that a run has of the design."""
        self.runs.append(run)
        for point, count in counts.items():
            self.counts[point] = self.counts.get(point, 0) + count
            if count and point not in self.first:
                self.first[point] = run


def of(folders: Sequence[Path], places: Sequence[str] = ()) -> list[Merged]:
    """Merge all runs in some folders; with `places`, what only these blocks have reached.

    Raises UsageError where runs had different RTL, or a place is none of theirs.
    """
    found = [(folder, kept) for folder in folders for kept in kept_files.found_in(folder)]
    known = {kept.place for _, kept in found}
    for place in places:
        if place not in known:
            near = did_you_mean(place, known)
            raise UsageError(f"--of {place}: no run has it, only {', '.join(sorted(known))}{near}")
    seen: set[Path] = set()
    merged: dict[str, tuple[Merged, Path]] = {}
    for folder, kept in found:
        path = kept.points.resolve()
        if path in seen or (places and kept.place not in places):
            continue
        seen.add(path)
        name = kept.design.name
        if name not in merged:
            merged[name] = (Merged(kept.design), kept.run)
        into, first = merged[name]
        _check_same(into.design, first, kept)
        lone = "" if len(known) == 1 else f", {kept.place}"
        into.add(kept, f"{_label(kept.run, folder, folders)}{lone}")
    return [each for each, _ in merged.values()]


def _label(run: Path, folder: Path, folders: Iterable[Path]) -> str:
    """Return what a run is called: its folder, from the one that was named on."""
    ended = "" if not run.name.endswith(PARTIAL) else " (did not end well)"
    name = run.with_name(run.name.removesuffix(PARTIAL))
    inner = os.path.relpath(name, folder)
    if inner == ".":
        return f"{folder.name}{ended}"
    return f"{inner if len(list(folders)) == 1 else f'{folder.name}/{inner}'}{ended}"


def _check_same(design: Design, run: Path, other: Kept) -> None:
    ours, theirs = design.sources, other.design.sources
    for name in sorted({*ours, *theirs}):
        one, two = ours.get(name), theirs.get(name)
        if one and two and one.sha256 == two.sha256:
            continue
        what = "differs between" if one and two else "is in only one of"
        raise UsageError(
            f"{name} of {design.name} {what} {run} and {other.run}; runs of different RTL are not "
            "merged: repeat one of them"
        )
