# SPDX-License-Identifier: Apache-2.0
"""A run's kept coverage: the folder `coverage`, in its own.

PLACE.dat has the counts of a block's RTL, PLACE.buses.json what its buses have seen, designs.json
the RTL itself: its files with checksum and text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul import json_file
from longhaul.errors import UsageError
from longhaul.outdir import PARTIAL, partial_path, write_json
from longhaul.portmap import objects
from longhaul.portmap.read import read
from longhaul.portmap.verilated import SOURCES
from longhaul.types.rtl_models import PARAMETER, RTL

FOLDER = "coverage"
DESIGNS = "designs.json"
POINTS, BUSES = ".dat", ".buses.json"
RAW = "raw"  # where the simulator writes
PORT_MAP = ".toml"


@dataclass(frozen=True)
class Source:
    """A file of RTL as a run had it; `name` is from the port map's folder on."""

    name: str
    sha256: str
    text: str


@dataclass(frozen=True)
class Design:
    """The RTL of a port map, as a run had it."""

    name: str
    folder: Path
    sources: Mapping[str, Source]


@dataclass(frozen=True)
class Kept:
    """A run's coverage of one block; `run` is the run's folder, which may be a partial one."""

    run: Path
    place: str
    design: Design
    buses: Mapping[str, Any]

    @property
    def points(self) -> Path:
        """The file of counts."""
        return self.run / FOLDER / f"{self.place}{POINTS}"


def write_designs(run: Path, plugins: Iterable[tuple[Path, Path]]) -> None:
    """Write the RTL of a run's port maps, each with the RTL object that was made of it."""
    found: dict[str, Any] = {}
    for map_path, made in plugins:
        if map_path.suffix != PORT_MAP:
            continue
        file = read(map_path)
        sources: dict[str, dict[str, str]] = {}
        for name in json_file.read(made.parent / SOURCES):
            path = file.folder / name
            if path.resolve().is_relative_to(objects.PRIMITIVES.resolve()):
                continue
            data = path.read_bytes()
            sources[name] = {
                "sha256": hashlib.sha256(data).hexdigest(),
                "text": data.decode(errors="replace"),
            }
        found[file.map.block.name] = {"folder": str(file.folder.absolute()), "sources": sources}
    (run / FOLDER).mkdir(exist_ok=True)
    write_json(run / FOLDER / DESIGNS, found)


def check(plugins: Iterable[Path], params: Iterable[str] = ()) -> None:
    """Refuse runs that could keep nothing, before anything is built.

    `params` are texts as for --param and --over: one with `model=rtl` asks for an adapter's RTL.
    """
    if any(path.suffix == PORT_MAP for path in plugins):
        return
    if not any(_asks_for_rtl(text) for text in params):
        raise UsageError(
            "--coverage: needs RTL by a port map, and none is given; start in its workspace, add "
            "--plugin MAP.toml, or --param MACHINE.DEVICE.model=rtl for an adapter with such RTL"
        )


def _asks_for_rtl(text: str) -> bool:
    names, _, values = text.partition("=")
    of_model = any(name.endswith(f".{PARAMETER}") for name in names.split(","))
    return of_model and RTL in values.replace(":", ",").split(",")


def collect(run: Path) -> None:
    """Move what the simulator has written to its place, also of a run that failed."""
    written = run / RAW / FOLDER
    if not written.is_dir():
        return
    for path in written.iterdir():
        path.rename(run / FOLDER / path.name)
    written.rmdir()


def has_some(run: Path) -> bool:
    """Tell whether a run has counts, in its folder or in the partial one of a run that failed."""
    return any(any((at / FOLDER).glob(f"*{POINTS}")) for at in (run, partial_path(run)))


def found_in(folder: Path) -> list[Kept]:
    """Return what the runs in a folder have kept, in the order of their names.

    The folder is a run's, or has some in it, as a sweep's and a validation's have. A run that
    failed has `.partial` behind its name; where there is a finished one too, the later of both
    counts. A UsageError where there is no coverage, or part of it is missing.
    """
    places = [place for place in (folder, partial_path(folder)) if place.is_dir()]
    if not places:
        raise UsageError(f"{folder}: there is no such folder")
    latest: dict[Path, Path] = {}
    for run in (run for place in places for run in _runs(place)):
        name = run.with_name(run.name.removesuffix(PARTIAL))
        other = latest.get(name)
        if other is None or _when(run) > _when(other):
            latest[name] = run
    found = [kept for name in sorted(latest) for kept in _kept(latest[name])]
    if not found:
        raise UsageError(f"{folder}: no run in it has coverage; run with --coverage")
    return found


def _when(run: Path) -> int:
    return (run / FOLDER / DESIGNS).stat().st_mtime_ns


def _runs(folder: Path) -> Iterator[Path]:
    """Yield the runs that have coverage, the folder itself among them."""
    for path in sorted(folder.rglob(DESIGNS)):
        if path.parent.name == FOLDER:
            yield path.parent.parent


def _kept(run: Path) -> Iterator[Kept]:
    designs = _designs(run / FOLDER / DESIGNS)
    for path in sorted((run / FOLDER).glob(f"*{POINTS}")):
        place = path.name.removesuffix(POINTS)
        beside = path.with_name(f"{place}{BUSES}")
        try:
            found: dict[str, Any] = json_file.read(beside)
            yield Kept(run, place, designs[found["design"]], found["buses"])
        except (OSError, ValueError, KeyError, TypeError):
            raise UsageError(f"{beside}: is missing or damaged; repeat its run") from None


def _designs(path: Path) -> dict[str, Design]:
    try:
        found: dict[str, Any] = json_file.read(path)
        return {
            name: Design(
                name,
                Path(each["folder"]),
                {key: Source(key, **source) for key, source in each["sources"].items()},
            )
            for name, each in found.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{path}: is missing or damaged; repeat its run") from None
