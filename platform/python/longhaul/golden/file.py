# SPDX-License-Identifier: Apache-2.0
"""A file of tests/golden: how the run is made, and what came of it when it was last written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from longhaul.errors import LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.outdir import write_text
from longhaul.paths import ROOT
from longhaul.record.parting import Marks

FOLDER = ROOT / "tests" / "golden"
PREFIX = "golden:"  # of a golden run's name where a folder may stand
MOST_MARKS = 256  # of a stream: a million of its items have one every 4096
_MARKS_A_LINE = 10


class Run(BaseModel):
    """The command; it records whatever else it is asked for."""

    model_config = ConfigDict(extra="forbid")

    scenario: str
    set: list[str] = []
    param: list[str] = []
    seed: int = 1
    options: list[str] = []  # more of `longhaul run`'s


class Basis(BaseModel):
    """The tools of the run; for modelled hosts the compiler only.

    `guest_files` is a checksum of this tree's own part of kernel and root.
    """

    model_config = ConfigDict(extra="forbid")

    compiler: str = ""
    guest_files: str = ""
    guest_kernel: str = ""
    guest_root: str = ""
    guest_packages: dict[str, str] = {}


class Stream(BaseModel):
    """Checkpoints of a stream of its record, as Marks has them."""

    model_config = ConfigDict(extra="forbid")

    items: int
    every: int
    digest: str
    digests: list[str]  # several to a text

    @classmethod
    def of(cls, marks: Marks) -> Stream:
        """Return what stands in the file."""
        words = marks.digests
        lines = [
            " ".join(words[i : i + _MARKS_A_LINE]) for i in range(0, len(words), _MARKS_A_LINE)
        ]
        return cls(items=marks.items, every=marks.every, digest=marks.digest, digests=lines)

    def marks(self) -> Marks:
        """Return the checkpoints."""
        return Marks(self.items, self.every, tuple(" ".join(self.digests).split()), self.digest)


class Golden(BaseModel):
    """The whole file; one without artefacts was never written by a run."""

    model_config = ConfigDict(extra="forbid")

    question: str  # what the run is there to show
    run: Run
    made_with: Basis = Basis()
    artefacts: dict[str, str] = {}
    streams: dict[str, Stream] = {}

    def marks(self) -> dict[str, Marks]:
        """Return each stream's checkpoints."""
        return {name: stream.marks() for name, stream in self.streams.items()}

    def text(self) -> str:
        """Return the file's text: the same for the same content."""
        data: dict[str, Any] = self.model_dump()
        return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def names(folder: Path = FOLDER) -> list[str]:
    """Return the names of all golden runs."""
    return sorted(path.stem for path in folder.glob("*.json"))


def load(name: str, folder: Path = FOLDER) -> Golden:
    """Read one; a UsageError names the nearest, a LonghaulError what is wrong with the file."""
    known = names(folder)
    if name not in known:
        raise UsageError(f"no golden run is called {name!r}{did_you_mean(name, known)}")
    path = folder / f"{name}.json"
    try:
        return Golden.model_validate(json.loads(path.read_text()))
    except (ValidationError, ValueError) as error:
        said = " ".join(str(error).splitlines()[:3])
        raise LonghaulError(f"{path}: no golden run ({said})") from None


def save(name: str, golden: Golden, folder: Path = FOLDER) -> None:
    """Write one."""
    write_text(folder / f"{name}.json", golden.text())
