# SPDX-License-Identifier: Apache-2.0
"""Where commands print their tables."""

import sys

from rich.console import Console

PIPED_COLUMNS = 180  # in a file or pipe, whose reader has no width that could be asked for


def printed(columns: int = PIPED_COLUMNS, *, highlight: bool = True) -> Console:
    """Return standard output: as wide as the terminal, or `columns` wide where it is none."""
    return Console(width=None if sys.stdout.isatty() else columns, highlight=highlight)
