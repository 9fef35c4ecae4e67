# SPDX-License-Identifier: Apache-2.0
"""All studies by name: those of blocks, and those of several ways to do one thing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.studies import definition, tables, ways
from longhaul.workspace.toml_file import TomlFile


def names() -> Mapping[str, Path]:
    """Return the files of the tree's studies by name."""
    return {**definition.names(), **ways.names()}


def find(name: str) -> definition.Named | ways.Named:
    """Return a study of the tree by name, or any by its file; a UsageError says what is wrong."""
    known = names()
    if name.endswith(".toml"):
        path = Path(name)
    elif name in known:
        path = known[name]
    else:
        raise UsageError(f"no study {name!r}{did_you_mean(name, known)}; or name a file *.toml")
    if "ways" in TomlFile.load(path).tables:
        return ways.Named(path.stem, path, tables.read(path, ways.WayStudy))
    return definition.Named(path.stem, path, tables.read(path, definition.Study))
