# SPDX-License-Identifier: Apache-2.0
"""`python -m longhaul.devtools.tidy`: clang-tidy over the sources that have changed.

A source that was found clean is not looked at again until it, a header of ours that it includes,
the compiler's options, `.clang-tidy` or clang-tidy itself changes. Clean files are
remembered in the user's cache, so a fresh checkout of the same sources is quick too. Most of the
time goes into SystemC's headers, so parts that CMake compiles by the dozen are looked at as one.
"""

from __future__ import annotations

import functools
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
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT, cache_dir

FOLDERS = ("models", "platform", "rtl")
INCLUDE = re.compile(rb'^#include "([^"]+)"', re.MULTILINE)
UNITY = "Unity"  # the folder of CMake's sources that include others
DOZEN = re.compile(r"_\d+_cxx\.cxx$")  # of CMake's name for sources that are compiled as one
# Of a compile command, what names files: with how many words behind it.
FILES = {"-o": 1, "-MF": 1, "-MT": 1, "-MD": 0, "-c": 1}
# GCC's own, about optimising as it links: of no use to who only reads.
GCC_ONLY = ("-flto", "-ffat-lto-objects")


@dataclass(frozen=True)
class Source:
    """One source, the part that it is looked at with, and the compiler's options."""

    path: Path
    part: str
    options: tuple[str, ...]


def sources(build: Path, root: Path = ROOT) -> list[Source]:
    """Return what the build compiles of ours, in order of name, alone or with others."""
    entries = json.loads((build / "compile_commands.json").read_text())
    folders = [root / folder for folder in FOLDERS]
    found = {
        path: Source(path, DOZEN.sub("", entry["file"]), _options(entry["command"]))
        for entry in entries
        for path in _members(Path(entry["file"]))
        if any(folder in path.parents for folder in folders)
    }
    return [found[path] for path in sorted(found)]


def _members(path: Path) -> list[Path]:
    """Return a source, or those that CMake compiles as one."""
    if path.parent.name != UNITY:
        return [path]
    return [Path(name.decode()) for name in INCLUDE.findall(path.read_bytes())]


def _options(command: str) -> tuple[str, ...]:
    words = iter(shlex.split(command))
    options: list[str] = []
    for word in words:
        if word in FILES:
            for _ in range(FILES[word]):
                next(words)
        elif word.startswith(GCC_ONLY):
            continue
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


def shared(todo: Sequence[Source], jobs: int) -> list[list[Source]]:
    """Return what is looked at as one, the largest first: parts of equal options in `jobs` loads.

    A source that CMake compiles alone is alone here, too.
    """
    parts: dict[tuple[str, tuple[str, ...]], list[Source]] = {}
    for source in todo:
        parts.setdefault((source.part, source.options), []).append(source)
    loads: dict[tuple[object, ...], list[list[Source]]] = {}
    for (part, options), members in sorted(parts.items(), key=lambda entry: -len(entry[1])):
        alone = Path(part).parent.name != UNITY
        ways = loads.setdefault((options, part if alone else ""), [[] for _ in range(jobs)])
        min(ways, key=len).extend(members)
    return sorted((load for ways in loads.values() for load in ways if load), key=len, reverse=True)


def check(together: Sequence[Source], root: Path) -> tuple[list[Source], str]:
    """Return which sources are clean, and what clang-tidy has to say of the others.

    If it finds something in several parts, it looks at each part by itself: so clean ones are
    known. Two parts may also give one name to two things, and not compile as one.
    """
    complaint = _check(together, root)
    if not complaint:
        return list(together), ""
    parts = sorted({source.part for source in together})
    if len(parts) == 1:
        return [], complaint
    found = [check([each for each in together if each.part == part], root) for part in parts]
    return [each for clean, _ in found for each in clean], "".join(words for _, words in found)


def _check(together: Sequence[Source], root: Path) -> str:
    """Return what clang-tidy has to say of sources that are compiled as one: nothing if clean."""
    with tempfile.TemporaryDirectory(prefix="longhaul-tidy-") as folder:
        if len(together) == 1:
            shown = together[0].path
        else:
            shown = Path(folder, "together.cc")
            shown.write_text("".join(f'#include "{source.path}"\n' for source in together))
        done = subprocess.run(
            [
                *("clang-tidy", "--quiet", "--use-color=false"),
                f"--config-file={root / '.clang-tidy'}",
                *([] if len(together) == 1 else ["--checks=-bugprone-suspicious-include"]),
                *(str(shown), "--", *together[0].options),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode == 0:
        return ""
    return done.stdout or done.stderr or f"{shown}: clang-tidy failed ({done.returncode})\n"


def judge(build: Path, clean: Path, jobs: int, root: Path = ROOT) -> list[str]:
    """Look at every source whose state is not in `clean`; return the complaints."""
    tool = subprocess.run(
        ["clang-tidy", "--version"], capture_output=True, text=True, check=True
    ).stdout
    states = {source: clean / key(source, tool, root) for source in sources(build, root)}
    if not states:
        raise LonghaulError(f"{build}/compile_commands.json names no source of {root}")
    clean.mkdir(parents=True, exist_ok=True)
    loads = shared([source for source, state in states.items() if not state.exists()], jobs)
    look = functools.partial(check, root=root)
    complaints: list[str] = []
    with ThreadPoolExecutor(jobs) as pool:
        for clean_sources, complaint in pool.map(look, loads):
            if complaint:
                complaints.append(complaint)
            for source in clean_sources:
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
