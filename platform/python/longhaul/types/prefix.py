# SPDX-License-Identifier: Apache-2.0
"""Longhaul's models as a library in the user's cache, for plug-ins to be built against."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from longhaul import file_lock
from longhaul.answers import sha256
from longhaul.errors import LonghaulError
from longhaul.outdir import write_text
from longhaul.paths import PLUGIN_SIMULATOR, ROOT, build_folder, cache_dir

STAMP = ".of"  # in the prefix: the checksum of the simulator that it was installed with


def folder() -> Path:
    """Return where this checkout's library is installed."""
    return cache_dir() / "prefix" / hashlib.sha256(str(ROOT).encode()).hexdigest()[:16]


def ensure(say: Callable[[str], None]) -> Path:
    """Return the library's folder, what `cmake -DCMAKE_PREFIX_PATH=` wants; installed if stale."""
    build, into = build_folder() / "release", folder()
    simulator = build / PLUGIN_SIMULATOR
    if not simulator.is_file():
        raise LonghaulError(f"{simulator} is not built; start this through ./longhaul")
    stamp = sha256(simulator)
    if _is(into, stamp):
        return into
    if not os.access(build, os.W_OK):  # cmake --install writes a list into it
        return _by_front_door()
    with file_lock.held(into.with_suffix(".lock"), lambda: say("waiting for another longhaul")):
        if not _is(into, stamp):
            say(f"installing the library for plug-ins into {into}")
            (into / STAMP).unlink(missing_ok=True)
            _run(["cmake", "--install", str(build), "--prefix", str(into)])
            write_text(into / STAMP, stamp)
    return into


def _is(into: Path, stamp: str) -> bool:
    try:
        return (into / STAMP).read_text() == stamp
    except OSError:
        return False


def _by_front_door() -> Path:
    """Let ./longhaul build in the user's cache, and install from there."""
    said = _run([str(ROOT / "longhaul"), "prefix"], stderr=None)
    return Path(said.strip().splitlines()[-1])


def _run(command: list[str], stderr: int | None = subprocess.STDOUT) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, text=True, check=False)
    if done.returncode:
        last = done.stdout.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise LonghaulError(f"{' '.join(command)}: {last[0]}")
    return done.stdout
