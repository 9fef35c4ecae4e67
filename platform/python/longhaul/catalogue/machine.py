# SPDX-License-Identifier: Apache-2.0
"""In what state and on what machine a figure is measured: the commit, the processor."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.paths import GIT, ROOT

_CPUINFO = Path("/proc/cpuinfo")


def described(cpuinfo: Path = _CPUINFO) -> str:
    """Return processor, family and model, cores that this process may use, and the kernel."""
    text = cpuinfo.read_text()
    cores = len(os.sched_getaffinity(0))
    name, family, model = (_field(text, each) for each in ("model name", "cpu family", "model"))
    kernel = f"Linux {platform.release()}"
    return f"{name} (family {family}, model {model}), {cores} cores, {kernel}"


def _field(text: str, name: str) -> str:
    found = re.search(rf"^{name}\s*: (.*)$", text, re.MULTILINE)
    return " ".join(found[1].split()) if found else "unknown"


def commit(beside: Iterable[Path] = ()) -> str:
    """Return the checkout's commit, with "+changes" where a file differs from it.

    Changes of the files `beside` do not count: they hold the figures.
    """
    spared = [f":(exclude){path.relative_to(ROOT)}" for path in beside if path.is_relative_to(ROOT)]
    sha = _git("rev-parse", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", *spared)
    return f"{sha}+changes" if changed else sha


def age(of: str) -> int | None:
    """Return how many commits followed one; None where this history does not have it."""
    try:
        return int(_git("rev-list", "--count", f"{of.partition('+')[0]}..HEAD"))
    except LonghaulError:
        return None


def _git(*words: str) -> str:
    command = [*GIT, *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise LonghaulError(f"{' '.join(command)} failed; figures name their commit") from error
    return done.stdout.strip()
