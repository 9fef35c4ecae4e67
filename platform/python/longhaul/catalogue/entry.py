# SPDX-License-Identifier: Apache-2.0
"""The catalogue of figures: platform/config/results/AREA.toml, as platform/config/README.md says.

A measurement is one command and the figures that are read from what it leaves. Values are not in
the catalogue; `values.py` keeps them.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from longhaul.errors import LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT

FOLDER = ROOT / "platform" / "config" / "results"
# As on the page.
AREAS = ("fidelity", "offload", "speed", "rtl", "cost", "determinism", "memory", "tests")
FRONT_DOOR = "./longhaul"
Cost = Literal["seconds", "minutes", "an hour"]
CHEAP: Cost = "seconds"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Reading(_Strict):
    """Where a number stands in what a command leaves; one of four ways.

    `json`: a file of the command's folder and the keys to the value, with a dot between two.
    `row` and `column`: headings of a table that the command prints. `pattern`: a regular expression
    with one group, of what it prints. `call`: a function of `functions.py`.
    """

    json_: str = Field("", alias="json")
    row: str = ""
    column: str = ""
    pattern: str = ""
    call: str = ""

    @model_validator(mode="after")
    def _one_way(self) -> Reading:
        ways = [self.json_, self.row or self.column, self.pattern, self.call]
        if sum(map(bool, ways)) != 1 or bool(self.row) != bool(self.column):
            raise ValueError("a value is read by json, by row and column, by pattern or by call")
        if self.json_ and len(self.json_.split(" ")) != 2:
            raise ValueError(f"json {self.json_!r}: wants FILE KEY.KEY")
        if self.pattern and re.compile(self.pattern).groups != 1:
            raise ValueError(f"pattern {self.pattern!r}: wants one group")
        return self


class Figure(_Strict):
    """A number: a sentence on it, its unit, where it is read, and the reference beside it.

    `over` is a second reading that the first is divided by. `goal` says whether `reference` is the
    right value or a bound. A `ratio` of a measured figure is the same on every machine within its
    spread; other measured figures are compared on the machine that they name.
    """

    what: str
    unit: str = ""
    read: Reading
    over: Reading | None = None
    reference: float | None = None
    goal: Literal["equal", "at most", "at least"] = "equal"
    source: str = ""
    reason: str = ""
    ratio: bool = False
    spread_pct: float | None = Field(None, ge=0)  # instead of the measurement's

    @model_validator(mode="after")
    def _with_its_source(self) -> Figure:
        if (self.reference is None) != (not self.source):
            raise ValueError(f"{self.what!r}: a reference needs a source, and a source a reference")
        return self


class Measurement(_Strict):
    """A command as a reader types it in the tree, and its figures.

    `published` stands for figures: all those of the scenarios that `report --all` compares with a
    paper. `workspace` is the kind of a fresh workspace that the command is typed in, where
    `longhaul` is in PATH (docs/workspaces.md). `verdict`: the command ends with 1 where something
    that it looks at is wrong, and its figures tell what.
    """

    name: str = Field(pattern=r"^[a-z0-9_]+$")
    command: str
    kind: Literal["simulated", "measured"]
    cost: Cost
    takes: str
    note: str = ""
    needs: str = ""  # a program that the command cannot do without
    workspace: str = ""
    verdict: bool = False
    spread_pct: float = Field(0.0, ge=0)
    published: bool = False
    figures: tuple[Figure, ...] = Field((), alias="figure")

    @model_validator(mode="after")
    def _whole(self) -> Measurement:
        if self.published == bool(self.figures):
            raise ValueError(
                f"{self.name}: wants figures of its own or all published ones, not both"
            )
        for each in self.figures:
            spread = self.spread(each)
            if self.kind == "simulated" and spread:
                raise ValueError(f"{self.name}: a simulated figure is the same when repeated")
            if self.kind == "measured" and not spread:
                raise ValueError(f"{self.name}, {each.what!r}: a measured figure needs a spread")
        names = [each.what for each in self.figures]
        if len(names) != len(set(names)):
            raise ValueError(f"{self.name}: two figures have one name")
        self.words()
        return self

    def spread(self, figure: Figure) -> float:
        """Return how far a repeated value may lie from the one on the page, in percent of it."""
        return self.spread_pct if figure.spread_pct is None else figure.spread_pct

    def words(self) -> tuple[dict[str, str], list[str]]:
        """Return the environment and the words after `longhaul` of the command."""
        words = shlex.split(self.command)
        environment: dict[str, str] = {}
        while words and re.match(r"[A-Z_]+=", words[0]):
            name, _, value = words.pop(0).partition("=")
            environment[name] = value
        door = "longhaul" if self.workspace else FRONT_DOOR
        if not words or words[0] != door:
            raise ValueError(f"{self.name}: {self.command!r} does not begin with {door}")
        return environment, words[1:]


class Area(_Strict):
    """A table of the page: its heading, a few sentences ahead of it, and its measurements."""

    title: str
    about: str = ""
    measurements: tuple[Measurement, ...] = Field(alias="measurement", min_length=1)


Catalogue = Mapping[str, Area]


def load(folder: Path = FOLDER) -> dict[str, Area]:
    """Read all areas; a LonghaulError names the file and what is wrong in it."""
    found: dict[str, Area] = {}
    for area in AREAS:
        path = folder / f"{area}.toml"
        try:
            found[area] = Area.model_validate(tomllib.loads(path.read_text()))
        except FileNotFoundError:
            raise LonghaulError(f"{path}: is missing") from None
        except (tomllib.TOMLDecodeError, ValidationError) as error:
            said = " ".join(str(error).splitlines()[:3])
            raise LonghaulError(f"{path}: no catalogue of figures ({said})") from None
    names = [each.name for each in everything(found)]
    twice = sorted({name for name in names if names.count(name) > 1 or name in AREAS})
    if twice:
        raise LonghaulError(f"{folder}: {twice[0]} is the name of two measurements or an area")
    return found


def everything(catalogue: Catalogue) -> list[Measurement]:
    """Return the measurements of all areas, in the page's order."""
    return [each for area in catalogue.values() for each in area.measurements]


def chosen(catalogue: Catalogue, names: Sequence[str], *, every: bool) -> list[Measurement]:
    """Return the measurements that are named, by name or area; without names the cheap or all."""
    known = {each.name: each for each in everything(catalogue)}
    for name in names:
        if name not in known and name not in catalogue:
            near = did_you_mean(name, [*catalogue, *known])
            raise UsageError(f"no figures are called {name!r}{near}")
    wanted = set(names)
    for area in wanted & set(catalogue):
        wanted |= {each.name for each in catalogue[area].measurements}
    if names:
        return [each for name, each in known.items() if name in wanted]
    return [each for each in known.values() if every or each.cost == CHEAP]
