# SPDX-License-Identifier: Apache-2.0
"""Tables of mutants in docs/rtl_mutants.md: a row for each mutant, and who has caught it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from longhaul.paths import ROOT

PAGE = ROOT / "docs/rtl_mutants.md"
END = "<!-- end of the table -->\n"
MOST = 240  # characters of a message
HEAD = "| mutant | what it is | run | caught by | first line of the message, or why not |\n"
RULE = "| --- " * 5 + "|\n"


@dataclass(frozen=True)
class Row:
    """A mutant; `said` is the first line of a message, or why it is not caught."""

    name: str
    what: str
    run: str
    by: str
    said: str
    is_message: bool = True

    def text(self) -> str:
        """Return the row as Markdown has it."""
        said = f"`{_first_line(self.said)}`" if self.is_message else self.said
        cells = [f"`{self.name}`", self.what, self.run, self.by, said]
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def put(begin: str, rows: Iterable[Row]) -> None:
    """Write the table that begins behind the line `begin`."""
    before, found, rest = PAGE.read_text().partition(begin)
    if not found:
        raise ValueError(f"{PAGE} has no line {begin.strip()}")
    _, _, after = rest.partition(END)
    lines = [HEAD, RULE, *(row.text() for row in rows)]
    PAGE.write_text(before + begin + "".join(lines) + END + after)


def table(begin: str) -> str:
    """Return the table's text."""
    _, _, rest = PAGE.read_text().partition(begin)
    return rest.partition(END)[0]


def _first_line(message: str) -> str:
    line = message.splitlines()[0].replace("`", "'")
    return line if len(line) <= MOST else line[:MOST].rpartition(" ")[0] or line[:MOST]
