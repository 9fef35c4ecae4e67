# SPDX-License-Identifier: Apache-2.0
"""`longhaul list`: what there is to run, and what can be set."""

from collections.abc import Iterable
from itertools import groupby

from rich.console import Console
from rich.table import Table

from longhaul import registry

NO_PAPER = "No paper"
TITLE_COLUMNS = 64  # of the longest title
WIDE = 120  # columns from which on there is room for the published figures


def show(console: Console, name: str | None, by: str = "question") -> None:
    """Print all scenarios by question or by paper, or one with all of its settings."""
    if name is None:
        _all(console, by)
    else:
        _one(console, registry.find(name))


def grouped(
    entries: Iterable[registry.ScenarioEntry], by: str
) -> list[tuple[str, list[registry.ScenarioEntry]]]:
    """Return the scenarios under their headings: `question`, or `paper` they reproduce."""

    def heading(entry: registry.ScenarioEntry) -> str:
        return entry.question if by == "question" else entry.paper or NO_PAPER

    ordered = sorted(entries, key=lambda e: (heading(e) == NO_PAPER, heading(e), e.name))
    return [(name, list(members)) for name, members in groupby(ordered, heading)]


def _all(console: Console, by: str) -> None:
    entries = registry.scenarios()
    widest = max(map(len, entries))
    for heading, members in grouped(entries.values(), by):
        console.print(heading, style="bold", markup=False, highlight=False)
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), show_header=False)
        table.add_column(no_wrap=True, min_width=widest + 2)
        table.add_column(no_wrap=True)
        table.add_column(min_width=min(TITLE_COLUMNS, console.width - widest - 6))
        table.add_column(no_wrap=True)
        for entry in members:
            mark = "*" if entry.has_guests else " "
            paper = entry.reproduces if console.width >= WIDE else ""
            table.add_row(f"  {entry.name}", mark, entry.title, paper)
        console.print(table, markup=False, highlight=False)
    other = "paper" if by == "question" else "question"
    console.print(
        "\n* runs real Linux guests; the others run models of operating systems, which is faster.\n"
        f"Parameters of one: longhaul list NAME. By {other}: longhaul list --by {other}.",
        markup=False,
        highlight=False,
    )


def _one(console: Console, entry: registry.ScenarioEntry) -> None:
    console.print(entry.title, style="bold", markup=False, highlight=False)
    console.print(" ".join(entry.text.split()), markup=False, highlight=False)
    if entry.reproduces:
        console.print(f"\nReproduces: {entry.reproduces}", markup=False, highlight=False)
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("parameter", style="bold", no_wrap=True)
    for heading in ("default", "range", "meaning", "evidence"):
        table.add_column(heading, overflow="fold")
    for item in entry.settings.values():
        default = item.kind.show(item.default) or "(none)"
        unit = f", {item.kind.unit}" if isinstance(item.default, int) and item.kind.unit else ""
        table.add_row(
            item.name,
            default,
            item.kind.range_text() + unit,
            item.help + (f" (only with {item.condition})" if item.condition else ""),
            f"{item.evidence}: {item.source}",
        )
    console.print(table, markup=False, highlight=False)
