# SPDX-License-Identifier: Apache-2.0
"""Which simulator is attacked: the present one, another, or one of a build preset."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable
from pathlib import Path

from longhaul import file_lock
from longhaul.errors import LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT, build_commands, build_folder, simulator

PRESETS = ("release", "debug", "asan")
_SANITIZED = b"__asan_init"
SANITIZED_PATIENCE = 8.0  # so much slower are runs with sanitizers, at the most


def find(named: str) -> Path:
    """Return the simulator of a preset, of a path, or (unnamed) the one that runs take."""
    if not named:
        path = simulator()
    elif named in PRESETS:
        path = build_folder() / named / "longhaul-sim"
    else:
        path = Path(named)
        if not path.is_file():
            hint = did_you_mean(named, PRESETS) if "/" not in named else ""
            raise UsageError(f"--simulator {named}: there is no such program{hint}")
    return path.absolute()


def ensure(named: str, say: Callable[[str], None]) -> Path:
    """Return the simulator; that of a preset other than release is built."""
    path = find(named)
    if named in PRESETS and named != "release":
        waiting = "waiting for another longhaul that is building"
        with file_lock.held(build_folder() / ".lock", lambda: say(waiting)):  # ./longhaul's
            say(f"building the simulator of preset {named}")
            for command in build_commands(named, "longhaul-sim"):
                _run(*command)
    if not path.is_file():
        raise LonghaulError(f"{path} is not built; start this through ./longhaul")
    return path


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise LonghaulError(f"{' '.join(command)} failed: {' '.join(last)}")


def patience(path: Path) -> float:
    """Return how much longer than a usual one a simulator may take."""
    return SANITIZED_PATIENCE if _SANITIZED in path.read_bytes() else 1.0


def checksum(path: Path) -> str:
    """Return what tells attacked simulators, with the Python code around them, apart."""
    found = hashlib.sha256(path.read_bytes())
    package = Path(__file__).parents[1]
    for source in sorted(package.rglob("*.py")):
        found.update(str(source.relative_to(package)).encode() + source.read_bytes())
    return found.hexdigest()[:16]
