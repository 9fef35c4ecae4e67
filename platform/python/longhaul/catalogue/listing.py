# SPDX-License-Identifier: Apache-2.0
"""The figures in the terminal: value, reference, error, date, commit and its age, machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from longhaul.catalogue import machine
from longhaul.catalogue.entry import Measurement
from longhaul.catalogue.rows import rows
from longhaul.catalogue.values import Values


def show(console: Console, wanted: Sequence[Measurement], values: Mapping[str, Values]) -> None:
    """Print a table of each measurement's figures, below its command and where it was made."""
    for one in wanted:
        there = values.get(one.name)
        console.print(f"[bold]{one.name}[/bold]  {escape(one.command)}", soft_wrap=True)
        console.print(f"  {_when(there)}; {one.kind}, {one.takes}", markup=False, soft_wrap=True)
        if one.published and there is None:
            continue
        table = Table("figure", "value", "beside", "error", "why")
        for row in rows(one, there):
            error = f"{row.error}, within chance" if row.chance else row.error
            style = "bold" if row.far else None
            cells = (row.what, row.value, row.reference, error, row.why)
            table.add_row(*map(escape, cells), style=style)
        console.print(table)


def _when(there: Values | None) -> str:
    if there is None:
        return "not measured yet"
    behind = machine.age(there.commit)
    old = "of another history" if behind is None else f"{behind} commits ago" if behind else "HEAD"
    return f"{there.date}, {there.commit[:8]} ({old}), {there.machine}"
