# SPDX-License-Identifier: Apache-2.0
"""The table of all mutants in docs/rtl_mutants.md, written and read."""

from __future__ import annotations

import re
from collections.abc import Mapping

from longhaul.paths import ROOT

from rtl_mutants.trial import UNMUTATED, Mutant
from rtl_mutants.verdict import Finding

PAGE = ROOT / "docs/rtl_mutants.md"
BEGIN = "<!-- tests/rtl_mutants/run.py -->\n"
MOST = 240  # characters of a message
END = "<!-- end of the table -->\n"
HEAD = "| mutant | what it is | run | caught by | first line of the message, or why not |\n"
RULE = "| --- " * 5 + "|\n"


def write(mutants: Mapping[str, Mutant], results: Mapping[str, Finding | None]) -> None:
    """Write a row for each."""
    lines = [HEAD, RULE]
    for name, mutant in mutants.items():
        if name == UNMUTATED:
            continue
        cells = [f"`{name}`", mutant.what]
        if name not in results:
            cells += ["none", "not run yet", ""]
        elif found := results[name]:
            cells += [found.stage, found.by, f"`{_first_line(found.message)}`"]
        else:
            cells += ["all", "**not caught**", mutant.why]
        lines.append("| " + " | ".join(cells) + " |\n")
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + BEGIN + "".join(lines) + END + after)


def _first_line(message: str) -> str:
    return message.splitlines()[0][:MOST].replace("|", "\\|").replace("`", "'")


def rows() -> dict[str, tuple[str, str]]:
    """Return in which run, and by what, each mutant is caught, as the page says."""
    found = re.findall(r"(?m)^\| `(\w+)` \| [^|]* \| ([^|]*) \| ([^|]*) \|", PAGE.read_text())
    return {name: (run, by) for name, run, by in found}
