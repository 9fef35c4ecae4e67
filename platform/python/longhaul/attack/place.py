# SPDX-License-Identifier: Apache-2.0
"""A case's own folder: where it works, what it said, and what it wrote where it should not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

MOST_TEXT = 200_000  # bytes of an output that are looked at, at either end
MOST_NAMED = 5  # files that are named
SANITIZER = "sanitizer"  # begins the names of sanitizers' reports


class Place:
    """A folder with `box` in it, which a case's processes may write to, and their output beside it.

    In the box `work` is their working folder, `tmp` takes temporary files, `home` is a home.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.box = folder / "box"
        self.work = self.box / "work"
        self.tmp = self.box / "tmp"
        self.home = self.box / "home"
        self.out = folder / "stdout.txt"
        self.err = folder / "stderr.txt"

    def make(self) -> Place:
        """Make the folders, empty."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for folder in (self.work, self.tmp, self.home):
            folder.mkdir(parents=True)
        return self

    def remove(self) -> None:
        """Remove all of it."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def environment(self, more: dict[str, str] | None = None) -> dict[str, str]:
        """Return the environment of a case's processes: this one's, with the box's folders."""
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        own = {"TMPDIR": str(self.tmp), "HOME": str(self.home), "XDG_CACHE_HOME": cache}
        log = f"log_path={self.folder / SANITIZER}"
        own |= {"ASAN_OPTIONS": log, "UBSAN_OPTIONS": f"{log}:print_stacktrace=1"}
        return os.environ | own | (more or {})

    def said(self) -> tuple[str, str]:
        """Return standard output and standard error, without the middle of very long ones.

        What sanitizers reported, of whatever process, counts as standard error.
        """
        reports = "".join(_text(path) for path in sorted(self.folder.glob(f"{SANITIZER}.*")))
        return _text(self.out), _text(self.err) + reports

    def strangers(self, expected: Iterable[str]) -> list[str]:
        """Return what lies in the box beside what was expected: paths from the working folder.

        Of a folder of the box that is expected itself (`.`, `..`) nothing in it is one.
        """
        known = {Path(os.path.normpath(self.work / name)) for name in expected}
        roots = (self.box, self.work, self.tmp, self.home)
        found: list[str] = []
        for root in (each for each in roots if each not in known):
            for entry in sorted(root.iterdir()) if root.is_dir() else []:
                if entry not in known and entry not in roots:
                    found.append(str(entry.relative_to(self.box)))
        missing = [str(root.relative_to(self.folder)) for root in roots if not root.is_dir()]
        return [*(f"{name} is gone" for name in missing), *found][:MOST_NAMED]


def _text(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        if size <= 2 * MOST_TEXT:
            return stream.read().decode(errors="replace")
        head = stream.read(MOST_TEXT)
        stream.seek(size - MOST_TEXT)
        return f"{head.decode(errors='replace')}\n...\n{stream.read().decode(errors='replace')}"
