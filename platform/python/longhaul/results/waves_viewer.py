# SPDX-License-Identifier: Apache-2.0
"""A look at a run's waves in GTKWave."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from longhaul import outdir
from longhaul.errors import LonghaulError, UsageError


def _made(folder: Path) -> Path:
    """Return where a run's waves are: a failed run's lie in its unfinished folder."""
    partial = outdir.partial_path(folder)
    failed = not folder.exists() and (partial / "waves.fst").is_file()
    return partial if failed else folder


def show(folder: Path) -> None:
    """Run GTKWave on a run's waves until its window closes."""
    dump, layout = (_made(folder) / name for name in ("waves.fst", "waves.gtkw"))
    if not dump.parent.is_dir():
        raise UsageError(f"{folder}: there is no such folder")
    if not dump.is_file():
        raise UsageError(f"{folder} has no waves.fst; run the scenario with --waves")
    if shutil.which("gtkwave") is None:
        raise LonghaulError("gtkwave is missing; sudo apt-get install gtkwave")
    if not os.environ.get("DISPLAY"):
        raise LonghaulError(
            f"there is no display to open GTKWave on (DISPLAY is not set); "
            f"where there is one: gtkwave {dump} {layout}"
        )
    # Relative names in the layout are those of its folder.
    done = subprocess.run(
        ["gtkwave", dump.name, layout.name], cwd=dump.parent, stdout=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        raise LonghaulError(f"gtkwave failed with exit code {done.returncode}")
