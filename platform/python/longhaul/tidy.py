# SPDX-License-Identifier: Apache-2.0
"""`python -m longhaul.tidy`: clang-tidy over models/ and platform/, once for each source's state.

A source that was found clean is not looked at again until it, a header of ours that it includes,
the compile command, `.clang-tidy` or clang-tidy itself changes. What was found clean is remembered
in the user's cache, so a fresh checkout of the same sources is quick too.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT, cache_dir

FOLDERS = ("models", "platform")
INCLUDE = re.compile(rb'^#include "([^"]+)"', re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """One translation unit and the command that compiles it."""

    path: Path
    command: str


def sources(build: Path, root: Path = ROOT) -> list[Source]:
    """Return what the build compiles of ours, in order of name."""
    entries = json.loads((build / "compile_commands.json").read_text())
    folders = [root / folder for folder in FOLDERS]
    found = {
        path: Source(path, entry["command"])
        for entry in entries
        if any(folder in (path := Path(entry["file"])).parents for folder in folders)
    }
    return [found[path] for path in sorted(found)]


def closure(path: Path, root: Path = ROOT) -> list[Path]:
    """Return a source and all of our headers that it includes, however deep, in order of name."""
    todo, seen = [path], {path}
    while todo:
        for name in _includes(todo.pop()):
            header = root / name
            if header not in seen and header.is_file():
                seen.add(header)
                todo.append(header)
    return sorted(seen)


def _includes(path: Path) -> tuple[str, ...]:
    return tuple(name.decode() for name in INCLUDE.findall(path.read_bytes()))


def key(source: Source, tool: str, root: Path = ROOT) -> str:
    """Return what names one state of a source, wherever the checkout lies."""
    digest = hashlib.sha256(f"{tool}\0{source.command.replace(str(root), '')}\0".encode())
    for path in (root / ".clang-tidy", *closure(source.path, root)):
        digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def check(source: Source, build: Path) -> str:
    """Return what clang-tidy has to say of a source: nothing if it is clean."""
    done = subprocess.run(
        ["clang-tidy", "-p", str(build), "--quiet", "--use-color=false", str(source.path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return ""
    return done.stdout or done.stderr or f"{source.path}: clang-tidy failed ({done.returncode})\n"


def judge(build: Path, clean: Path, jobs: int, root: Path = ROOT) -> list[str]:
    """Look at every source whose state is not in `clean`; return the complaints, one a source."""
    tool = subprocess.run(
        ["clang-tidy", "--version"], capture_output=True, text=True, check=True
    ).stdout
    states = {source: clean / key(source, tool, root) for source in sources(build, root)}
    if not states:
        raise LonghaulError(f"{build}/compile_commands.json names no source of {root}")
    todo = [source for source, state in states.items() if not state.exists()]
    with ThreadPoolExecutor(jobs) as pool:
        complaints = dict(zip(todo, pool.map(check, todo, repeat(build)), strict=True))
    clean.mkdir(parents=True, exist_ok=True)
    for source, complaint in complaints.items():
        if not complaint:
            states[source].touch()
    return [complaint for complaint in complaints.values() if complaint]


def main() -> int:
    """Configure the release build if it is not, and judge it; 1 if there are complaints."""
    if not shutil.which("clang-tidy"):
        print("longhaul: clang-tidy is missing: install the Debian package clang-tidy")
        return 1
    build = ROOT / "build" / "release"
    if not (build / "compile_commands.json").exists():
        subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True)
    os.nice(10)
    complaints = judge(build, cache_dir() / "tidy", len(os.sched_getaffinity(0)))
    print("".join(complaints), end="")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
