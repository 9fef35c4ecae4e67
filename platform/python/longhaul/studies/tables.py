# SPDX-License-Identifier: Apache-2.0
"""The common part of all studies' files: workloads, figures, and how a file is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT
from longhaul.workspace.toml_file import TomlFile

Term = Annotated[str, Field(pattern=r"^(measured|probe|ethtool):\S+$")]
Name = Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]  # of a folder, too


class Table(BaseModel):
    """A table of a study's file: no other keys than those named."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Load(Table):
    """A workload, with settings of its own; a study has one or several."""

    name: Name
    sets: tuple[str, ...] = ()


class RunFigure(Table):
    """A figure of a run: `times` * (sum of `of`) / (sum of `over`)."""

    name: str
    unit: str = ""
    load: str = ""  # empty: of the only one
    of: tuple[Term, ...] = Field(min_length=1)
    over: tuple[Term, ...] = ()
    times: float = 1.0


class StudyFile(Table):
    """The tables and keys of every study's file."""

    title: str
    question: str
    scenario: str
    sets: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    loads: tuple[Load, ...] = (Load(name="load"),)
    not_modelled: tuple[str, ...] = Field(min_length=1)

    def load_of(self, figure: RunFigure) -> str:
        """Return the workload of a figure."""
        return figure.load or self.loads[0].name

    def mistakes(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with names and values, with the key that it stands under."""
        raise NotImplementedError

    def missing_loads(self, figures: Sequence[RunFigure]) -> Iterator[tuple[str, str]]:
        """Yield mistakes of figures that name a workload that there is not."""
        loads = [load.name for load in self.loads]
        for figure in figures:
            if figure.load and figure.load not in loads:
                yield f"figure {figure.name}: there is no load {figure.load!r}", "figures"


def merged(sets: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    """Return NAME=VALUE texts; of two with the same name the later one counts."""
    return tuple({text.partition("=")[0]: text for text in (*sets, *more)}.values())


Kind = TypeVar("Kind", bound=StudyFile)


@dataclass(frozen=True)
class NamedFile(Generic[Kind]):
    """A study with its name and file."""

    name: str
    path: Path
    study: Kind


def files(pattern: str) -> Mapping[str, Path]:
    """Return the tree's files that match, by name."""
    return {path.stem: path for path in sorted(ROOT.glob(pattern))}


def read(path: Path, kind: type[Kind]) -> Kind:
    """Read a study's file; a UsageError names file, line and what is wrong."""
    document = TomlFile.load(path)
    try:
        study = kind.model_validate(document.tables)
    except ValidationError as error:
        # A key that is misspelt is also one that lacks.
        first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
        where = [part for part in first["loc"] if isinstance(part, str)]
        what = f"{'.'.join(where)}: {first['msg']}"
        if first["type"] == "extra_forbidden":
            what = f"there is no key {where[-1]}{did_you_mean(where[-1], kind.model_fields)}"
        raise document.wrong(what, *_place(document, where)) from None
    for what, key in study.mistakes():
        raise document.wrong(what, "", key)
    return study


def _place(document: TomlFile, where: Sequence[str]) -> tuple[str, str]:
    """Return the table and key nearest to a mistake that stand in the file."""
    if where and isinstance(document.tables.get(where[0]), dict):
        return where[0], where[1] if len(where) > 1 else ""
    return "", where[0] if where and where[0] in document.tables else ""
