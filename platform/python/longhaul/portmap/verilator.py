# SPDX-License-Identifier: Apache-2.0
"""Which Verilator compiles a block, and what it says of the RTL.

The first of these that is given: the map's `verilator`, LONGHAUL_VERILATOR in the environment, the
workspace's `verilator`, and the one in PATH.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.portmap.read import MapFile
from longhaul.process import missing
from longhaul.workspace import current

VARIABLE = "LONGHAUL_VERILATOR"
PROGRAM = "verilator"
OLDEST = (5, 6)
"""Debian 12's, the oldest that compiles blocks."""


def program(file: MapFile) -> str:
    """Return the program's path; a UsageError says who named one that is not there."""
    named = file.map.block.verilator
    if named:
        found = shutil.which(named) or shutil.which(str(file.folder / named))
        if found is None:
            file.refuse(("block", "verilator"), f"there is no program {named}")
        return found
    named = os.environ.get(VARIABLE, "")
    if named:
        found = shutil.which(named)
        if found is None:
            raise UsageError(f"{VARIABLE}={named}: there is no such program")
        return found
    workspace = current.given()
    if workspace and workspace.verilator:
        return workspace.verilator
    found = shutil.which(PROGRAM)
    if found is None:
        raise missing(PROGRAM, PROGRAM)
    return found


@cache
def version(program: str) -> str:
    """Return what a Verilator says of its version; a UsageError for what is none, or too old."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise UsageError(f"{program}: cannot be run: {error.strerror}") from None
    text = said.stdout.strip().partition("\n")[0]
    if said.returncode or not text:
        raise UsageError(f"{program}: is no Verilator: `{program} --version` prints no version")
    numbers = re.match(r"Verilator (\d+)\.(\d+)", text)
    if numbers and (int(numbers[1]), int(numbers[2])) < OLDEST:
        oldest = f"{OLDEST[0]}.{OLDEST[1]:03}"
        raise UsageError(f"{program}: is {text}; wants {oldest} or newer")
    return text


def warnings(log: Path) -> list[str]:
    """Return the first lines of Verilator's warnings in what it printed."""
    lines = log.read_text().splitlines() if log.is_file() else []
    return [line.removeprefix("%") for line in lines if line.startswith("%Warning-")]
