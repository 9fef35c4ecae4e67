# SPDX-License-Identifier: Apache-2.0
"""Register accesses of a claim, written to its scratch folder: for the coverage of fields.

A line each: the address, then `r` and the value that was read, or `w`, the word and its strobes.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TextIO

FILE = "accesses.txt"


@cache
def _file() -> TextIO:
    folder = Path(os.environ["LONGHAUL_SCRATCH"])
    return (folder / FILE).open("w", buffering=1)  # the simulator ends without closing it


def read(address: int, value: int) -> None:
    """Keep that a register was read."""
    _file().write(f"{address & ~3:#x} r {value:#x}\n")


def written(address: int, word: int, strobes: int = 15) -> None:
    """Keep that bytes of a register were written."""
    _file().write(f"{address & ~3:#x} w {word:#x} {strobes}\n")
