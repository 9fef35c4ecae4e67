# SPDX-License-Identifier: Apache-2.0
"""Longhaul's models as a library in a prefix, and what is built against it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from longhaul.paths import build_folder


def ran(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a command that has to succeed, and return what it printed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def install(prefix: Path) -> Path:
    """Install the release build, and return the prefix."""
    ran("cmake", "--install", build_folder() / "release", "--prefix", prefix)
    return prefix


def build(example: Path, prefix: Path, outside: Path) -> Path:
    """Copy an example out of the tree, build it against a prefix, and return its build folder."""
    source, folder = outside / example.name, outside / "build"
    shutil.copytree(example, source)
    ran("cmake", "-S", source, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}")
    ran("cmake", "--build", folder)
    return folder
