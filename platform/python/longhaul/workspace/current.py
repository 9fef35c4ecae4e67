# SPDX-License-Identifier: Apache-2.0
"""The workspace in use: of a scenario given by its path, of --workspace, or around one's folder.

Child processes inherit it by the environment.
"""

from __future__ import annotations

import os
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.workspace import folder
from longhaul.workspace.folder import Workspace

VARIABLE = "LONGHAUL_WORKSPACE"
OPTION = "--workspace"
NONE = "none"  # in its place: no workspace, wherever one stands


def given() -> Workspace | None:
    """Return the workspace in use; None outside of any. A UsageError tells what is wrong in it."""
    named = os.environ.get(VARIABLE)
    if named == NONE:
        return None
    if not named:
        return folder.around(Path.cwd())
    path = Path(named).absolute()
    if not (path / folder.FILE).is_file():
        raise UsageError(
            f"{OPTION} {named}: no workspace: it has no {folder.FILE}; "
            f"longhaul new NAME makes one, {OPTION} {NONE} takes none"
        )
    return folder.load(path)


def use(path: Path) -> None:
    """Take the workspace in a folder from now on, here and in child processes."""
    os.environ[VARIABLE] = str(path.absolute())


def leave() -> None:
    """Take no workspace from now on: for what is about the tree itself."""
    os.environ[VARIABLE] = NONE


def out() -> Path:
    """Return the folder that runs go to unless --out says otherwise."""
    workspace = given()
    return workspace.out if workspace else Path("out")


def run_folder(path: Path) -> Path:
    """Return a run's folder that was named from here, or else from the workspace or its `out`."""
    if path.exists() or path.is_absolute():
        return path
    workspace = given()
    places = (workspace.folder / path, workspace.folder / "out" / path) if workspace else ()
    return next((place for place in places if place.exists()), path)
