# SPDX-License-Identifier: Apache-2.0
"""`python -m longhaul.tidy`: clang-tidy over models/ and platform/, once for each source's state.

A source that was found clean is not looked at again until it, a header of ours that it includes,
the compiler's options, `.clang-tidy` or clang-tidy itself changes. What was found clean is
remembered in the user's cache, so a fresh checkout of the same sources is quick too.

Most of clang-tidy's time goes into the headers of libraries. So sources are shown to it several at
a time, and one by one only where that brought complaints, which then are those of each source.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT, cache_dir

FOLDERS = ("models", "platform")
INCLUDE = re.compile(rb'^#include "([^"]+)"', re.MULTILINE)
AT_ONCE = 8
OURS = rf"({'|'.join(FOLDERS)})/.*\.(h|cc)$"
# Of a compile command, what names files: with how many words behind it.
FILES = {"-o": 1, "-MF": 1, "-MT": 1, "-MD": 0, "-c": 1}


@dataclass(frozen=True)
class Source:
    """One source and the options with which it is compiled."""

    path: Path
    options: tuple[str, ...]


def sources(build: Path, root: Path = ROOT) -> list[Source]:
    """Return what the build compiles of ours, in order of name, alone or with others."""
    entries = json.loads((build / "compile_commands.json").read_text())
    folders = [root / folder for folder in FOLDERS]
    found = {
        path: Source(path, _options(entry["command"]))
        for entry in entries
        for path in _members(Path(entry["file"]))
        if any(folder in path.parents for folder in folders)
    }
    return [found[path] for path in sorted(found)]


def _members(path: Path) -> list[Path]:
    """Return a source, or those that CMake compiles as one."""
    if path.parent.name != "Unity":
        return [path]
    return [Path(name.decode()) for name in INCLUDE.findall(path.read_bytes())]


def _options(command: str) -> tuple[str, ...]:
    words = iter(shlex.split(command))
    options: list[str] = []
    for word in words:
        if word in FILES:
            for _ in range(FILES[word]):
                next(words)
        elif word.startswith("-") and word != "-E":  # of `cmake -E env`, which starts the compiler
            options.append(word)
            if word == "-isystem":
                options.append(next(words))
    return tuple(options)


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
    options = " ".join(source.options).replace(str(root), "")
    digest = hashlib.sha256(f"{tool}\0{options}\0".encode())
    for path in (root / ".clang-tidy", *closure(source.path, root)):
        digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def check(batch: Sequence[Source], scratch: Path) -> dict[Source, str]:
    """Return what clang-tidy has to say of sources with the same options: nothing of clean ones."""
    options = batch[0].options
    if len(batch) == 1:
        return {batch[0]: _ask(batch[0].path, options)}
    with tempfile.NamedTemporaryFile("w", suffix=".cc", dir=scratch) as together:
        together.writelines(f'#include "{source.path}"\n' for source in batch)
        together.flush()
        if not _ask(Path(together.name), options):
            return dict.fromkeys(batch, "")
    return {source: text for each in batch for source, text in check([each], scratch).items()}


def _ask(path: Path, options: Sequence[str]) -> str:
    filters = ["--quiet", "--use-color=false", f"--header-filter={OURS}"]
    done = subprocess.run(
        ["clang-tidy", *filters, str(path), "--", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return ""
    return done.stdout or done.stderr or f"{path}: clang-tidy failed ({done.returncode})\n"


def batches(todo: Sequence[Source]) -> list[list[Source]]:
    """Part sources into neighbours with the same options, `AT_ONCE` at most."""
    parts: list[list[Source]] = []
    for _, group in groupby(todo, key=lambda source: source.options):
        same = list(group)
        parts += [same[at : at + AT_ONCE] for at in range(0, len(same), AT_ONCE)]
    return parts


def judge(build: Path, clean: Path, jobs: int, root: Path = ROOT) -> list[str]:
    """Look at every source whose state is not in `clean`; return the complaints, one a source."""
    tool = subprocess.run(
        ["clang-tidy", "--version"], capture_output=True, text=True, check=True
    ).stdout
    states = {source: clean / key(source, tool, root) for source in sources(build, root)}
    if not states:
        raise LonghaulError(f"{build}/compile_commands.json names no source of {root}")
    clean.mkdir(parents=True, exist_ok=True)
    todo = batches([source for source, state in states.items() if not state.exists()])
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(jobs) as pool:
        shutil.copy(root / ".clang-tidy", scratch)
        for found in pool.map(check, todo, [Path(scratch)] * len(todo)):
            complaints += [text for text in found.values() if text]
            for source in (source for source, text in found.items() if not text):
                states[source].touch()
    return complaints


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
