# SPDX-License-Identifier: Apache-2.0
"""Commands as somebody types them into a shell, with `longhaul` among its programs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LIMIT_S = 1800


class Shell:
    """Runs command lines of bash in a folder, which `cd` changes.

    In what they say the first folder is called `home`.
    """

    def __init__(self, folder: Path, home: str) -> None:
        programs = folder / ".bin"
        programs.mkdir(parents=True)
        program = programs / "longhaul"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m longhaul "$@"\n')
        program.chmod(0o755)
        self.folder = self._first = folder
        self._home = home
        self._environment = os.environ | {
            "LONGHAUL_PLUGINS": "",
            "PATH": f"{programs}:{os.environ['PATH']}",
        }

    def run(self, line: str) -> str:
        """Run a line and return what it says, on both outputs."""
        first, _, rest = line.partition(" ")
        if first == "cd":
            self.folder = self.folder / rest
            return ""
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        return done.stdout.replace(str(self._first), self._home)
