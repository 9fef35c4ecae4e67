# SPDX-License-Identifier: Apache-2.0
"""A run that failed: its files, and how to see more of its end."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from longhaul import json_file
from longhaul.errors import LonghaulError
from longhaul.outdir import OutDir
from longhaul.results import simdata, unclaimed
from longhaul.results.waves import RTL, VIOLATION
from longhaul.units import Time

FILE = "failed.json"  # of the simulator, in the run's raw folder
WAVES = ("waves.fst", "waves.gtkw")
MOST_WORDS = 3
_NO_INTERFACE = re.compile(r"guest '([\w-]+)' says .*: no driver has made \S+")
# "mynic 0000:00:01.0: ID register reads 0, wants 1"; each driver's first line is not told.
_DEVICE = r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d"
_OF_A_DEVICE = re.compile(rf"(?!pci )[\w-]+ {_DEVICE}: (?!enabling device)")


class EndedBy(BaseModel):
    """The rule that ended the run."""

    part: str
    rule: str
    ps: int


class Failed(BaseModel):
    """The simulator's state when it failed."""

    model_config = ConfigDict(extra="ignore")

    at_ps: int
    ended_by: EndedBy | None = None
    waves: simdata.Waves | None = None
    unclaimed: list[simdata.Unclaimed] = []
    waiting: list[str] = []  # what hosts and RTL wait for, a line each


def explained(
    error: LonghaulError, out: OutDir, words: Sequence[str], traced: Sequence[str]
) -> LonghaulError:
    """Return the error of a failed run with what its folder has of it.

    Waves come to their place in the folder, where `longhaul waves` finds them. `words` are those of
    the command line, `traced` what its waves are of.
    """
    try:
        failed = Failed.model_validate(json_file.read(out.raw / FILE))
    except (OSError, ValueError):
        return error  # it was killed, or ended before it ran
    lines = [str(error), *_drivers_words(str(error), out.raw)]
    lines += [*unclaimed.lines(failed.unclaimed), *failed.waiting]
    if failed.waves and (span := _span(failed.waves)):
        for name in WAVES:
            (out.raw / name).rename(out.partial / name)
        lines.append(
            f"waves of the {span} before are kept{_marked(failed)}; "
            f"longhaul waves {_path(out.partial)} shows them"
        )
    elif failed.ended_by:
        more = " ".join(again(words, traced)) if words else ""
        lines.append(
            f"waves of it: {more or f'run it with --waves {RTL} --waves-trigger {VIOLATION}'}"
        )
    return type(error)("\n".join(lines))


def again(words: Sequence[str], traced: Sequence[str] = ()) -> list[str]:
    """Return the command that runs the same once more, with waves of what breaks a rule."""
    kept: list[str] = []
    skip = False
    for word in words:
        name, given, _ = word.partition("=")
        option = name == "--of-sweep" or name == "--waves" or name.startswith("--waves-")
        if not skip and not option:
            kept.append(shlex.quote(word))
        skip = option and not given and not skip
    what = ",".join(dict.fromkeys([*traced, RTL]))
    return ["longhaul", *kept, "--waves", what, "--waves-trigger", VIOLATION]


def _drivers_words(said: str, raw: Path) -> list[str]:
    """Return what drivers had to say of their devices, where one has made no interface."""
    guest = _NO_INTERFACE.match(said)
    if not guest:
        return []
    try:
        console = (raw / "guests" / guest[1] / "console.log").read_text(errors="replace")
    except OSError:
        return []
    words = [line for line in console.splitlines() if _OF_A_DEVICE.match(line)]
    return [f"{guest[1]}'s kernel: {line}" for line in words[-MOST_WORDS:]]


def _span(waves: simdata.Waves) -> str:
    """Return how much of the time the waves show; nothing if they are empty."""
    if waves.from_ps is None or waves.until_ps is None or waves.until_ps <= waves.from_ps:
        return ""
    span_ps = waves.until_ps - waves.from_ps
    unit_ps = 10 ** max(3, len(str(span_ps)) - 3)  # three digits
    return Time(max(unit_ps, span_ps // unit_ps * unit_ps)).short()


def _marked(failed: Failed) -> str:
    """Say what the marker stands at."""
    if failed.ended_by and failed.waves and failed.waves.trigger_ps == failed.ended_by.ps:
        return f", with {failed.ended_by.rule} at the marker"
    return ""


def _path(folder: Path) -> str:
    """Return a folder as it is called from here, if it lies below."""
    name = os.path.relpath(folder)
    return shlex.quote(str(folder) if name.startswith("..") else name)
