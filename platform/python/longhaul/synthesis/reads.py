# SPDX-License-Identifier: Apache-2.0
"""Which files the RTL of a design is read from; the cache's key has their contents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from longhaul.synthesis.design import Design

_INCLUDE = re.compile(r"`include\b[ \t]*(?:\"([^\"\n]+)\"|<([^>\n]+)>)?")
_LIBRARY = frozenset((".v", ".sv"))


def files(design: Design) -> list[Path] | None:
    """Return all files that may be read, each once.

    None if a macro gives the name of an included file: then they cannot be told.
    """
    folders = list(_folders(design, "-I"))
    found: dict[Path, None] = {}
    todo = list(_given(design))
    while todo:
        path = todo.pop()
        if path in found or not path.is_file():
            continue
        found[path] = None
        for quoted, angled in _INCLUDE.findall(path.read_text(errors="replace")):
            name = quoted or angled
            if not name:
                return None
            todo += [folder / name for folder in (path.parent, *folders)]
    return sorted(found)


def _given(design: Design) -> Iterator[Path]:
    """Yield sources, and the modules in folders where slang looks for them."""
    yield from design.sources
    yield from (word for word in design.words if isinstance(word, Path) and word.is_file())
    for folder in _folders(design, "-y"):
        if folder.is_dir():
            yield from (path for path in folder.iterdir() if path.suffix in _LIBRARY)


def _folders(design: Design, option: str) -> Iterator[Path]:
    for word, path in pairwise(design.words):
        if word == option and isinstance(path, Path):
            yield path
