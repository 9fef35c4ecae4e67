# SPDX-License-Identifier: Apache-2.0
"""Waveforms of a run: what can be drawn, and a look at it in GTKWave."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from longhaul.errors import LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.units import Time, ms

DRAWABLE = ("pcix",)
LONGEST = ms(100)  # a busy bus of 133 MHz needs some 100 MB of file for it


@dataclass(frozen=True)
class Drawn:
    """What is drawn, from when after the begin of the measured window, and for how long."""

    what: tuple[str, ...]
    begin: Time
    length: Time


NOTHING_DRAWN = Drawn((), Time(0), Time(10**8))


def check(what: Sequence[str], begin: str, length: str) -> Drawn:
    """Refuse what nobody draws and windows that no disk holds."""
    for name in what:
        if name not in DRAWABLE:
            hint = did_you_mean(name, DRAWABLE)
            raise UsageError(f"--waves: {name!r} cannot be drawn, only {', '.join(DRAWABLE)}{hint}")
    time = Time.parse(length, where="--waves-length")
    if not 0 < time.ps <= LONGEST.ps:
        raise UsageError(f"--waves-length: {time} is out of range, wants up to {LONGEST}")
    return Drawn(tuple(dict.fromkeys(what)), Time.parse(begin, where="--waves-from"), time)


def show(folder: Path) -> None:
    """Run GTKWave on a run's waveforms until its window closes."""
    dump, layout = folder / "waves.fst", folder / "waves.gtkw"
    if not dump.is_file():
        raise UsageError(f"{folder} has no waves.fst; run the scenario with --waves pcix")
    if shutil.which("gtkwave") is None:
        raise LonghaulError("gtkwave is missing; sudo apt-get install gtkwave")
    subprocess.run(["gtkwave", dump, layout], check=True)
