# SPDX-License-Identifier: Apache-2.0
"""Installed packages, by dpkg-query: asked once as long as dpkg's notes stay the same."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from longhaul import answers

NOTES = Path("/var/lib/dpkg")
ELSEWHERE = ("DPKG_ADMINDIR", "DPKG_ROOT")  # in the environment: dpkg's notes are other ones


def query(arguments: Sequence[str], ask: Callable[[list[str]], str]) -> str:
    """Return what dpkg-query says for these arguments; `ask` runs the command."""
    command = ["dpkg-query", *arguments]
    program = shutil.which(command[0])
    if program is None or any(name in os.environ for name in ELSEWHERE):
        return ask(command)
    # dpkg puts what it changes into `updates` first and then replaces `status`.
    files = (Path(program), NOTES / "status", NOTES / "updates")
    return answers.kept("\0".join([program, *arguments]), files, lambda: ask(command))
