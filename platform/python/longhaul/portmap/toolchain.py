# SPDX-License-Identifier: Apache-2.0
"""The compilers of RTL objects: their versions and places, and how they are run."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT
from longhaul.process import missing


@cache
def compilers_version() -> str:
    """Return the first line of g++'s version."""
    return run(["g++", "--version"], ROOT).splitlines()[0]


@cache
def verilator_root(program: str) -> Path:
    """Return the folder of a Verilator's runtime."""
    return Path(run([program, "--getenv", "VERILATOR_ROOT"], ROOT).strip())


@cache
def launcher() -> tuple[str, ...]:
    """Return the words ahead of a compiler: ccache, if there is one."""
    return ("ccache",) if shutil.which("ccache") else ()


def run(command: Sequence[str], folder: Path) -> str:
    """Run a tool and return what it prints; a failure of it is none of the user's."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise missing(command[0], command[0]) from None
    if done.returncode:
        raise LonghaulError(f"{Path(command[0]).name}: {first_line(done.stderr.splitlines())}")
    return done.stdout


def first_line(lines: Iterable[str]) -> str:
    """Return the first line that speaks of an error, else the first."""
    lines = list(lines)
    errors = (line for line in lines if "error" in line.lower())
    return next(errors, lines[0] if lines else "failed without a word")
