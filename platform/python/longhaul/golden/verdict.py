# SPDX-License-Identifier: Apache-2.0
"""A finished run held against its golden file, and the golden file made of it."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from longhaul.golden.file import MOST_MARKS, PREFIX, Basis, Golden, Stream
from longhaul.record.file import NAME, Record
from longhaul.record.parting import Interval, Marks, intervals
from longhaul.record.text import seconds
from longhaul.runs import artefacts


class State(Enum):
    """The state of a golden run."""

    SAME = "same"
    PARTED = "parted"
    NOT_COMPARABLE = "not comparable"
    STALE = "stale"
    FAILED = "failed"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True)
class Verdict:
    """How a golden run ended, and why."""

    name: str
    state: State
    text: str = ""

    @property
    def good(self) -> bool:
        """Tell whether it is no reason to fail; a run that cannot be compared is none."""
        return self.state not in (State.PARTED, State.STALE, State.FAILED)


def made_of(folder: Path, golden: Golden, guests: Basis | None) -> Golden:
    """Return the golden file of a finished run; `guests` is what its real guests are made of."""
    record = Record(folder / NAME)
    marks = {stream.name: Marks.of(record, stream, MOST_MARKS) for stream in record.streams}
    basis = (guests or Basis()).model_copy(update={"compiler": compiler_of(folder)})
    return golden.model_copy(
        update={
            "made_with": basis,
            "artefacts": artefacts.checksums(folder),
            "streams": {name: Stream.of(each) for name, each in marks.items() if each},
        }
    )


def compiler_of(folder: Path) -> str:
    """Return what compiled the simulator of a run."""
    return str(json.loads((folder / "raw" / "sim.json").read_text()).get("compiler", ""))


def judge(name: str, golden: Golden, folder: Path) -> Verdict:
    """Compare a finished run with the golden file: artefacts, and the record's checkpoints."""
    if not golden.artefacts:
        text = f"has no values yet; longhaul golden {name} --update writes them"
        return Verdict(name, State.PARTED, text)
    differing = artefacts.differing(golden.artefacts, artefacts.checksums(folder))
    parted = intervals(Record(folder / NAME), golden.marks())
    if not differing and not parted:
        return Verdict(name, State.SAME)
    said: list[str] = []
    if differing:
        more = f" and {len(differing) - 1} more" if len(differing) > 1 else ""
        said.append(f"{differing[0]}{more} differs")
    said.append(interval_text(parted[0]) if parted else "the record is the same")
    if (compiler := compiler_of(folder)) != golden.made_with.compiler:
        said.append(f"made with {golden.made_with.compiler}, here {compiler}")
    said.append(f"longhaul diverge {shlex.quote(str(folder))} {PREFIX}{name}")
    return Verdict(name, State.PARTED, "; ".join(said))


def interval_text(found: Interval) -> str:
    """Return where a stream parts."""
    if found.begin == found.end:
        return (
            f"{found.stream} ends after {found.ours} items, at {seconds(found.until_ps)}; "
            f"the golden run's has {found.golden}"
        )
    return (
        f"{found.stream} parts among items {found.begin} to {found.end - 1}, "
        f"{seconds(found.from_ps)} to {seconds(found.until_ps)}"
    )
