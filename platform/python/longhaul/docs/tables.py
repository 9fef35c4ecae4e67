# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

BAR = "\\|"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; columns that are empty in every row are left out, no rows are no table."""
    cells = [[re.sub(r"[ \t\n]+", " ", text).strip() for text in row] for row in rows]
    if not cells:
        return ""
    used = [index for index in range(len(heads)) if any(row[index] for row in cells)]
    lines = [[heads[index] for index in used], ["---" for _ in used]]
    lines += [[row[index] for index in used] for row in cells]
    return "".join(f"{line(*each)}\n" for each in lines) + "\n"


def line(*cells: str) -> str:
    """Return a row of a table, without the newline; a bar in a cell is none of the table's."""
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"


def code(text: str) -> str:
    """Return a text as code, nothing for an empty one."""
    return f"`{text}`" if text else ""


def plain(text: str) -> str:
    """Return prose in which no character is Markdown's own; code between backticks stays code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    text = re.sub(r"([*\[])|(?<!\w)(_)|(_)(?!\w)", r"\\\g<0>", text)
    return text.replace("<", "&lt;")
