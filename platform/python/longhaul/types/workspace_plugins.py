# SPDX-License-Identifier: Apache-2.0
"""The plug-ins of the workspace in use: folders of them are built, and runs load them all."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from longhaul import file_lock
from longhaul.errors import LonghaulError
from longhaul.types import plugins, prefix
from longhaul.workspace import current
from longhaul.workspace.folder import Workspace

Say = Callable[[str], None]
UNBUILT = "LONGHAUL_UNBUILT"  # set by ./longhaul while the simulator is stale or not there
MOST_LINES = 40  # of what a build says


def ensure(say: Say) -> bool:
    """Build what is stale, and let this process and its children load the workspace's plug-ins.

    Returns False where there are plug-ins, given or the workspace's, and no simulator yet: it
    builds them, and tells their types. A LonghaulError names a plug-in that does not compile; `say`
    has been told what its compiler says.
    """
    workspace = current.given()
    if os.environ.get(UNBUILT) and (plugins.given() or (workspace and workspace.plugins)):
        return False
    if workspace is None:
        return True
    folders = [path for path in workspace.plugins if path.is_dir()]
    for path in workspace.plugins:
        plugins.use(_built(workspace, path, say) if path in folders else [path])
    return True


def _built(workspace: Workspace, source: Path, say: Say) -> list[Path]:
    """Return the shared objects that a folder's CMakeLists.txt makes, built if stale."""
    installed = prefix.ensure(say)
    name = os.path.relpath(source, workspace.folder).replace(os.sep, "-").replace("..", "up")
    build = workspace.build / name
    with file_lock.held(build / ".lock", lambda: say("waiting for another longhaul that builds")):
        if not (build / "build.ninja").is_file():
            say(f"configuring the plug-in {source}")
            places = ["-S", str(source), "-B", str(build), f"-DCMAKE_PREFIX_PATH={installed}"]
            _run(["cmake", "-G", "Ninja", *places], source, say)
        if _run(["ninja", "-n", "-C", str(build)], source, say).find("no work to do") < 0:
            say(f"building the plug-in {source}")
            _run(["nice", "cmake", "--build", str(build)], source, say)
            _run(["ninja", "-C", str(build), "-t", "cleandead"], source, say)
    found = sorted(path for path in build.glob("*.so") if path.is_file())
    if not found:
        makes = f"{source / 'CMakeLists.txt'} makes no plug-in"
        raise LonghaulError(f"{makes}; it wants longhaul_plugin(NAME SOURCE...)")
    return found


def _run(command: list[str], source: Path, say: Say) -> str:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        for line in done.stdout.rstrip().splitlines()[-MOST_LINES:]:
            say(line)
        raise LonghaulError(f"the plug-in {source} cannot be built; its messages stand above")
    return done.stdout
