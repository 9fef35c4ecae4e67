# SPDX-License-Identifier: Apache-2.0
"""The file of a study of several ways to do one thing, compared along several axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field

from longhaul.nearest import did_you_mean
from longhaul.studies import tables
from longhaul.studies.tables import Name, NamedFile, RunFigure, StudyFile, Table, merged

FOLDERS = "scenarios/*/studies/*.toml"


class Way(Table):
    """One way: its settings, and what they are in words."""

    name: Name
    title: str
    sets: tuple[str, ...] = Field(min_length=1)


class Axis(Table):
    """A setting that is varied for all ways, as `longhaul sweep --over` takes it."""

    name: Name
    title: str
    unit: str = ""  # of values that are plain numbers
    over: str  # the first name's values are the axis
    short: str  # the same in the short form
    sets: tuple[str, ...] = ()
    of_load: Mapping[str, tuple[str, ...]] = {}  # settings of one workload here
    repeat: int = Field(1, ge=1)  # runs of each point at least, where chance decides


class WayFigure(RunFigure):
    """A figure of each way; one without `better` is shown and not judged."""

    better: Literal["higher", "lower", ""] = ""


class Pair(Table):
    """A way that is judged, and the way that it is judged against."""

    way: str
    against: str


class ShortWays(Table):
    """Settings of the short form; each axis has values of its own for it."""

    sets: tuple[str, ...] = ()


class WayStudy(StudyFile):
    """A study's file."""

    ways: tuple[Way, ...] = Field(min_length=2)
    axes: tuple[Axis, ...] = Field(min_length=1)
    figures: tuple[WayFigure, ...] = Field(min_length=1)
    pairs: tuple[Pair, ...] = Field(min_length=1)
    pays_pct: float = 5.0  # the least gain that counts
    short: ShortWays

    def in_short(self) -> WayStudy:
        """Return the shorter form."""
        return self.model_copy(
            update={
                "sets": merged(self.sets, self.short.sets),
                "axes": tuple(
                    axis.model_copy(
                        update={
                            "over": axis.short,
                            "sets": merged(axis.sets, self.short.sets),
                            "of_load": {},
                            "repeat": 1,
                        }
                    )
                    for axis in self.axes
                ),
            }
        )

    def way(self, name: str) -> Way:
        """Return a way by its name."""
        return next(way for way in self.ways if way.name == name)

    def mistakes(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with names, with the key that it stands under."""
        loads = [load.name for load in self.loads]
        ways = [way.name for way in self.ways]
        for key, each in (("ways", ways), ("axes", [axis.name for axis in self.axes])):
            double = next((name for name in each if each.count(name) > 1), None)
            if double:
                yield f"{key}: {double} stands there twice", key
        for axis in self.axes:
            for name in axis.of_load:
                if name not in loads:
                    yield f"axis {axis.name}: there is no load {name!r}", "axes"
        yield from self.missing_loads(self.figures)
        for pair in self.pairs:
            for name in (pair.way, pair.against):
                if name not in ways:
                    near = did_you_mean(name, ways)
                    yield f"pairs: there is no way {name!r}{near}", "pairs"
        common = {text.partition("=")[0] for text in self.sets}
        for way in self.ways:
            both = next((text for text in way.sets if text.partition("=")[0] in common), None)
            if both:
                yield f"way {way.name}: sets holds {both.partition('=')[0]} too", "ways"


class Named(NamedFile[WayStudy]):
    """A study of several ways with its name and file."""


def names() -> Mapping[str, Path]:
    """Return the files of the tree's studies by name."""
    return tables.files(FOLDERS)
