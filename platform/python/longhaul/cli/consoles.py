# SPDX-License-Identifier: Apache-2.0
"""Where commands print their tables and their progress."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

PIPED_COLUMNS = 180  # in a file or pipe, whose reader has no width that could be asked for


def printed(columns: int = PIPED_COLUMNS, *, highlight: bool = True) -> Console:
    """Return standard output: as wide as the terminal, or `columns` wide where it is none."""
    from rich.console import Console  # else a tenth of the help's time

    return Console(width=None if sys.stdout.isatty() else columns, highlight=highlight)


def progress() -> Console:
    """Return standard error, for what changes while a command is at work."""
    from rich.console import Console  # as above

    return Console(stderr=True)
