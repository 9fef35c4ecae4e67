# SPDX-License-Identifier: Apache-2.0
"""A cage for a process and all that it starts: it can write below some folders only (Landlock).

A program under attack gets paths at random, also those of the user's own files. The kernel refuses
writes outside the cage, as if the user had no right to write there.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

# <linux/landlock.h>, <asm/unistd.h>, <linux/prctl.h>
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38
_LEAST_VERSION = 3  # renames between folders, and truncation
_WRITE_FILE = 1 << 1
_ALL_WRITES = _WRITE_FILE | sum(1 << bit for bit in range(4, 15))  # remove, make, refer, truncate
_ON_A_FILE = _WRITE_FILE | 1 << 14

_libc = ctypes.CDLL(None, use_errno=True)


def available() -> bool:
    """Tell whether this kernel has what a cage needs."""
    return _libc.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION) >= _LEAST_VERSION


class Cage:
    """The folders that processes may write below; without Landlock, all."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._rules = -1
        if not available():
            return
        self._rules = self._made(struct.pack("=Q", _ALL_WRITES))
        for folder in (*folders, Path("/dev"), Path("/proc")):
            self._allow(folder)

    @staticmethod
    def _made(attributes: bytes) -> int:
        rules = _libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
        if rules < 0:
            raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
        return rules

    def _allow(self, path: Path) -> None:
        rights = _ALL_WRITES if path.is_dir() else _ON_A_FILE
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rule = struct.pack("=Qi", rights, place)
            if _libc.syscall(_ADD_RULE, self._rules, _PATH_BENEATH, rule, 0):
                raise OSError(ctypes.get_errno(), f"landlock_add_rule {path}")
        finally:
            os.close(place)

    def enter(self) -> None:
        """Shut this process in, for good, and all that it will start."""
        if self._rules < 0:
            return
        if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl")
        if _libc.syscall(_RESTRICT_SELF, self._rules, 0):
            raise OSError(ctypes.get_errno(), "landlock_restrict_self")
