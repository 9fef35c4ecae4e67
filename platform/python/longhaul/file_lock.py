# SPDX-License-Identifier: Apache-2.0
"""A file's lock for the length of a block, for what only one process may do at a time."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def held(path: Path, waits: Callable[[], None] = lambda: None) -> Generator[None]:
    """Hold the lock of a file, which is made if it is not there; `waits` tells of another holder.

    The kernel lets go of it when this process ends, however it ends.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waits()
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
