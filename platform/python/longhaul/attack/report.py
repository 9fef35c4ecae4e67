# SPDX-License-Identifier: Apache-2.0
"""The output of an attack: a line now and then, a table of its cases, and each finding."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from longhaul.attack.driver import FINDINGS
from longhaul.attack.kind import Verdict
from longhaul.attack.tally import Tally

EVERY_S = 10.0
MOST_TEXT = 300  # characters of a finding


class Progress:
    """Tells on standard error how far an attack is, and at once what it has found."""

    def __init__(self, console: Console, tally: Tally) -> None:
        self._console = console
        self._tally = tally
        self._last = time.monotonic()

    def tell(self, verdict: Verdict, new: Sequence[str]) -> None:
        """Hear of a verdict."""
        for signature in new:
            self._say(f"{verdict.kind} {verdict.number}: {printable(signature)}")
        if time.monotonic() - self._last >= EVERY_S:
            self._last = time.monotonic()
            done = ", ".join(f"{len(of.done)} {name}" for name, of in self._tally.kinds.items())
            self._say(f"{done}; {len(self._tally.findings)} findings")

    def _say(self, line: str) -> None:
        self._console.print(f"longhaul: {line}", markup=False, highlight=False, soft_wrap=True)


def show(console: Console, tally: Tally, folder: Path) -> None:
    """Show the table of all cases, and every finding with how to repeat it."""
    table = Table("attack", "cases", "ended with", "s each", "longest", "findings")
    for name, of in tally.kinds.items():
        ends = ", ".join(f"{end}: {count}" for end, count in sorted(of.ends.items()))
        found = sum(finding.kind == name for finding in tally.findings.values())
        each = of.seconds / len(of.done) if of.done else 0.0
        longest = f"{of.longest:.1f} s ({of.longest_case})"
        table.add_row(name, f"{len(of.done)}", ends, f"{each:.3f}", longest, f"{found}")
    console.print(table)
    for finding in tally.findings.values():
        console.print(f"[bold]{finding.kind}: {finding.fault}[/bold], {finding.count} times")
        console.print(f"  {escape(printable(finding.text))}", highlight=False, soft_wrap=True)
        console.print(f"  of: {escape(printable(finding.label))}", highlight=False, soft_wrap=True)
        console.print(f"  again: ./longhaul attack {finding.repeat}", highlight=False)
    what = f"{len(tally.findings)} findings" if tally.findings else "nothing found"
    where = f"; {folder / FINDINGS}" if tally.findings else ""
    console.print(f"{tally.cases()} cases, {what}{where}", highlight=False, soft_wrap=True)


def printable(text: str) -> str:
    """Return a text as one line that does nothing to a terminal."""
    short = text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}..."
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in short)
