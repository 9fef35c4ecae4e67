# SPDX-License-Identifier: Apache-2.0
"""When each part of a run began on the host, for `longhaul bench --only 'fixed cost'`.

Instants are taken only where LONGHAUL_PHASES names a file for them: nothing of them is in a run's
folder.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

FILE = "LONGHAUL_PHASES"
HANDED_OVER = "LONGHAUL_HANDED_OVER"  # set by ./longhaul: when it started Python

INTERPRETER = "interpreter"

_begun: list[tuple[str, float]] = []


def begin(part: str) -> None:
    """From now on time is this part's, until another begins; a part may begin again."""
    if os.environ.get(FILE):
        _begun.append((part, time.time()))


def write() -> None:
    """Write what was taken, at the end of the process."""
    path = os.environ.get(FILE)
    if not path or not _begun:
        return
    handed_over = os.environ.get(HANDED_OVER)
    first = [(INTERPRETER, float(handed_over))] if handed_over else []
    Path(path).write_text(json.dumps([*first, *_begun]))


def read(path: Path) -> list[tuple[str, float]]:
    """Return the parts with their beginnings, in order."""
    return [(str(part), float(instant)) for part, instant in json.loads(path.read_text())]


def milliseconds(
    begun: Sequence[tuple[str, float]], started: float, ended: float, before: str, after: str
) -> dict[str, float]:
    """Return how long each part took of a process that started and ended at these instants.

    What precedes the first part is `before`, what follows the last one's beginning is that part's;
    a last part of no name is `after`.
    """
    steps = [(before, started), *begun]
    instants = [*(instant for _, instant in steps), ended]
    found: dict[str, float] = {}
    for (part, begin_s), end_s in zip(steps, instants[1:], strict=True):
        name = part or after
        found[name] = found.get(name, 0.0) + 1000.0 * (end_s - begin_s)
    return found
