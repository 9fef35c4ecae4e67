# SPDX-License-Identifier: Apache-2.0
"""The file of a block's study: its runs, its figures, and the rule of its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from longhaul.nearest import did_you_mean
from longhaul.studies import tables
from longhaul.studies.tables import NamedFile, RunFigure, StudyFile, Table, merged

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


class Study(StudyFile):
    """A study's file."""

    axis: str  # a setting, or OBJECT.NAME as for --param
    axis_name: str  # in words
    adapters: tuple[str, ...] = Field(min_length=1)  # those that are RTL in the RTL's runs
    kernel_args: tuple[str, ...] = ()
    twin: tuple[str, ...] = Field(min_length=1)
    rtl: tuple[str, ...] = Field(min_length=1)
    figures: tuple[Figure, ...] = Field(min_length=1)
    verdict: Annotated[Enough | Cost, Field(discriminator="kind")]
    alike_pct: float = 5.0
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

    def values(self) -> list[str]:
        """Return all values of the axis, those of the RTL among the twin's."""
        return [*self.twin, *(value for value in self.rtl if value not in self.twin)]

    def mistakes(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with names and values, with the key that it stands under."""
        yield from self.missing_loads(self.figures)
        figures = {figure.name for figure in self.figures}
        verdict = self.verdict
        wanted = (verdict.figure,) if isinstance(verdict, Enough) else verdict.figures
        for name in wanted:
            if name not in figures:
                near = did_you_mean(name, figures)
                yield f"verdict: there is no figure {name!r}{near}", "verdict"
        if isinstance(verdict, Cost):
            for form in (self, self.in_short()):
                for value in (verdict.begin, verdict.end):
                    if value not in form.twin or value not in form.rtl:
                        yield f"verdict: {value} is no value of both twin and RTL", "verdict"


class Named(NamedFile[Study]):
    """A study of a block with its name and file."""


def names() -> Mapping[str, Path]:
    """Return the files of the tree's studies by name."""
    return tables.files(FOLDERS)
