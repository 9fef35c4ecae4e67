# SPDX-License-Identifier: Apache-2.0
"""`longhaul new`: makes a workspace that runs as it is."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import ROOT
from longhaul.workspace.folder import FILE
from longhaul.workspace.kinds import Kind

LONGEST = 40  # characters of a name: it is part of folders' and scenarios' names


def check(name: str, into: Path) -> Path:
    """Return the folder that a workspace will have, in `into`; a UsageError says why it cannot."""
    _check_name(name)
    folder = into.expanduser().absolute() / name
    if folder.resolve().is_relative_to(ROOT.resolve()):
        raise UsageError(
            f"{folder} lies in Longhaul's own tree, which no workspace is written into; "
            "give another folder: --in DIR"
        )
    if (folder / FILE).exists():
        raise UsageError(f"{folder} is a workspace already; cd there and start longhaul run")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"{folder} exists and is not empty; take another name, another folder (--in DIR), or "
            "move it away"
        )
    return folder


def _check_name(name: str) -> None:
    plain = re.sub(r"\W", "_", name, flags=re.ASCII).strip("_").lower()[:LONGEST]
    plain = f"n{plain}" if not plain or plain[0].isdigit() or keyword.iskeyword(plain) else plain
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        raise UsageError(
            f"{name!r} cannot be a workspace's name: wants letters, digits and underscores, no "
            f"digit first; for example: longhaul new {plain}"
        )
    if len(name) > LONGEST:
        raise UsageError(f"{name!r}: a workspace's name has {LONGEST} characters at most")


def make(kind: Kind, name: str, folder: Path) -> None:
    """Write the files of a workspace; a LonghaulError says where that cannot be."""
    files = kind.files(name)
    try:
        for file in files:
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
            if file.executable:
                path.chmod(path.stat().st_mode | 0o111)
    except OSError as error:
        raise LonghaulError(
            f"{error.filename}: {error.strerror}; --in DIR takes another folder"
        ) from None
