# SPDX-License-Identifier: Apache-2.0
"""Which files the documentation is made of, and which page of the site stands for each."""

from __future__ import annotations

import posixpath
import subprocess
from collections.abc import Iterable
from functools import cache

from longhaul.paths import GIT, ROOT

SITE = "docs/site"  # what the site is built with, and is no page
TEMPLATES = "platform/python/longhaul/workspace/templates"  # a user's files
_SKIPPED = ("build", "out", ".git")


@cache
def files() -> frozenset[str]:
    """Return all files of the tree that Git knows, or that lie there where there is no Git."""
    command = [*GIT, "ls-files", "-z"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        listed = done.stdout.split("\0") if done.returncode == 0 else []
    except OSError:
        listed = []
    if not listed:
        walked = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        listed = [path.as_posix() for path in walked if path.parts[0] not in _SKIPPED]
    return frozenset(name for name in listed if name and (ROOT / name).is_file())


@cache
def folders() -> frozenset[str]:
    """Return the folders that have files of the tree."""
    found: set[str] = set()
    for name in files():
        folder = posixpath.dirname(name)
        while folder and folder not in found:
            found.add(folder)
            folder = posixpath.dirname(folder)
    return frozenset(found)


def markdown() -> list[str]:
    """Return the names of all Markdown files."""
    return sorted(name for name in files() if name.endswith(".md"))


def pages() -> list[str]:
    """Return the Markdown files that are pages of the site."""
    return [name for name in markdown() if not name.startswith((f"{SITE}/", f"{TEMPLATES}/"))]


def page_of(name: str) -> str:
    """Return where in the site a Markdown file stands."""
    if name == "README.md":
        return "repository.md"
    return name.removeprefix("docs/")


def resolved(target: str, of: str) -> str | None:
    """Return the file or folder of the tree that a link of the file `of` leads to, or None.

    `target` has no `#...`.
    """
    name = posixpath.normpath(posixpath.join(posixpath.dirname(of), target))
    if name in files() or name in folders():
        return name
    return "" if name == "." else None


def named(text: str, of: str, among: Iterable[str]) -> str | None:
    """Return the Markdown file that a text is the path of: from the root, or from its page."""
    known = set(among)
    for name in (text, posixpath.normpath(posixpath.join(posixpath.dirname(of), text))):
        if name in known:
            return name
    return None
