# SPDX-License-Identifier: Apache-2.0
"""When each part of a run began on the host, for `longhaul bench --only 'fixed cost'`.

Instants are taken only where LONGHAUL_PHASES names a file for them: nothing of them is in a run's
folder.
"""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

FILE = "LONGHAUL_PHASES"
HANDED_OVER = "LONGHAUL_HANDED_OVER"  # set by ./longhaul: when it started Python
SCRIPT, INTERPRETER = "./longhaul", "interpreter"


class Begun(NamedTuple):
    """A part's beginning: wall clock, and CPU seconds of the process and its ended children."""

    part: str
    wall_s: float
    cpu_s: float


class Took(NamedTuple):
    """The time that a part took."""

    wall_ms: float
    cpu_ms: float


_begun: list[Begun] = []


def begin(part: str) -> None:
    """From now on time is this part's, until another begins; a part may begin again."""
    if os.environ.get(FILE):
        own = cpu_s(resource.RUSAGE_SELF) + cpu_s(resource.RUSAGE_CHILDREN)
        _begun.append(Begun(part, time.time(), own))


def cpu_s(whose: int) -> float:
    """Return the CPU seconds of this process, or of its children that have ended."""
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def write() -> None:
    """Write what was taken, at the end of the process."""
    path = os.environ.get(FILE)
    if not path:
        return
    handed_over = os.environ.get(HANDED_OVER)
    # The script tells no CPU time: the process, which became Python, has it.
    script = [Begun(INTERPRETER, float(handed_over), 0.0)] if handed_over else []
    Path(path).write_text(json.dumps([*script, *_begun]))


def read(path: Path) -> list[Begun]:
    """Return the parts' beginnings, in order."""
    return [Begun(*each) for each in json.loads(path.read_text())]


def parts(begun: Sequence[Begun], started_s: float, ended_s: float, cpu: float) -> dict[str, Took]:
    """Return what each part took of a process from its start to its end, and of its `cpu` seconds.

    What precedes the first one is the interpreter's, or the script's that started it.
    """
    first = Begun(SCRIPT if begun[0].part == INTERPRETER else INTERPRETER, started_s, 0.0)
    found: dict[str, Took] = {}
    for one, after in pairwise([first, *begun, Begun("", ended_s, cpu)]):
        wall_ms, cpu_ms = found.get(one.part, Took(0.0, 0.0))
        wall_ms += 1000.0 * (after.wall_s - one.wall_s)
        cpu_ms += 1000.0 * (after.cpu_s - one.cpu_s)
        found[one.part] = Took(wall_ms, cpu_ms)
    return found
