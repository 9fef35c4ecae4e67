# SPDX-License-Identifier: Apache-2.0
"""The file of a block's study: its runs, its figures, and the rule of its verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT
from longhaul.studies import tables
from longhaul.studies.tables import Load, RunFigure, Table, merged

FOLDERS = "rtl/*/studies/*.toml"


class Figure(RunFigure):
    """A figure of twin and RTL."""

    reason: str = ""  # why RTL and twin differ by more than the study's `alike_pct`


class Enough(Table):
    """The first value of the axis from which on the figure is good, for the verdict."""

    kind: Literal["enough"]
    figure: str
    at_most: float | None = None  # else: within `within_pct` of the last value's figure
    within_pct: float = 2.0


class Cost(Table):
    """The change of figures from one value of the axis to another, for the verdict."""

    kind: Literal["cost"]
    figures: tuple[str, ...] = Field(min_length=1)
    begin: str
    end: str


class Short(Table):
    """A shorter form, for tests and for a first look."""

    sets: tuple[str, ...] = ()
    twin: tuple[str, ...] = Field(min_length=1)
    rtl: tuple[str, ...] = Field(min_length=1)


class Study(Table):
    """A study's file."""

    title: str
    question: str
    scenario: str
    axis: str  # a setting, or OBJECT.NAME as for --param
    axis_name: str  # in words
    adapters: tuple[str, ...] = Field(min_length=1)  # those that are RTL in the RTL's runs
    sets: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    kernel_args: tuple[str, ...] = ()
    twin: tuple[str, ...] = Field(min_length=1)
    rtl: tuple[str, ...] = Field(min_length=1)
    loads: tuple[Load, ...] = (Load(name="load"),)
    figures: tuple[Figure, ...] = Field(min_length=1)
    verdict: Annotated[Enough | Cost, Field(discriminator="kind")]
    alike_pct: float = 5.0
    not_modelled: tuple[str, ...] = Field(min_length=1)
    short: Short

    def in_short(self) -> Study:
        """Return the shorter form."""
        return self.model_copy(
            update={
                "sets": merged(self.sets, self.short.sets),
                "twin": self.short.twin,
                "rtl": self.short.rtl,
            }
        )

    def load_of(self, figure: Figure) -> str:
        """Return the workload of a figure."""
        return figure.load or self.loads[0].name

    def values(self) -> list[str]:
        """Return all values of the axis, those of the RTL among the twin's."""
        return [*self.twin, *(value for value in self.rtl if value not in self.twin)]


@dataclass(frozen=True)
class Named:
    """A study with its name and file."""

    name: str
    path: Path
    study: Study


def names() -> Mapping[str, Path]:
    """Return the files of the tree's studies by name."""
    return {path.stem: path for path in sorted(ROOT.glob(FOLDERS))}


def read(path: Path) -> Study:
    """Read a study's file; a UsageError names file, line and what is wrong."""
    document, study = tables.read(path, Study)
    for what, key in _mistakes(study):
        raise document.wrong(what, "", key)
    return study


def _mistakes(study: Study) -> list[tuple[str, str]]:
    """Return what is wrong with names and values, with the key that it stands under."""
    found: list[tuple[str, str]] = []
    loads = [load.name for load in study.loads]
    figures = {figure.name for figure in study.figures}
    for figure in study.figures:
        if figure.load and figure.load not in loads:
            found.append((f"figure {figure.name}: there is no load {figure.load!r}", "figures"))
    verdict = study.verdict
    wanted = (verdict.figure,) if isinstance(verdict, Enough) else verdict.figures
    for name in wanted:
        if name not in figures:
            near = did_you_mean(name, figures)
            found.append((f"verdict: there is no figure {name!r}{near}", "verdict"))
    if isinstance(verdict, Cost):
        for form in (study, study.in_short()):
            for value in (verdict.begin, verdict.end):
                if value not in form.twin or value not in form.rtl:
                    found.append((f"verdict: {value} is no value of both twin and RTL", "verdict"))
    return found
