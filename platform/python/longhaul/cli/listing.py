# SPDX-License-Identifier: Apache-2.0
"""`longhaul list`: the scenarios, and their settings."""

from collections.abc import Iterable
from itertools import groupby

from rich.console import Console
from rich.table import Table

from longhaul import registry
from longhaul.errors import LonghaulError
from longhaul.workspace import current
from longhaul.workspace.folder import SCENARIO

NO_PAPER = "No paper"
# Headings that stand first: those of the scenarios that a new user tries.
FIRST = (
    "What limits a host?",
    "What do delay and window leave of the rate?",
    "What does TCP do after a loss?",
)
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

    def place(entry: registry.ScenarioEntry) -> tuple[bool, int, str, str]:
        first = FIRST.index(heading(entry)) if heading(entry) in FIRST else len(FIRST)
        return heading(entry) == NO_PAPER, first, heading(entry), entry.name

    ordered = sorted(entries, key=place)
    return [(name, list(members)) for name, members in groupby(ordered, heading)]


def _all(console: Console, by: str) -> None:
    workspace = current.given()
    own = registry.of_workspace(workspace)
    entries = [each for name, each in registry.scenarios().items() if name not in own]
    widest = max(len(each.name) for each in [*entries, *own.values()])
    if workspace:
        heading = f"Workspace {workspace.name} ({workspace.folder})"
        _group(console, heading, list(own.values()), widest)
        if not own:
            console.print(f"  no scenario yet: scenarios/NAME/{SCENARIO}", markup=False)
        console.print()
    for heading, members in grouped(entries, by):
        _group(console, heading, members, widest)
    other = "paper" if by == "question" else "question"
    console.print(
        "\n* runs real Linux guests; the others run models of operating systems, which is faster.\n"
        f"Settings of one: longhaul list NAME. By {other}: longhaul list --by {other}.",
        markup=False,
        highlight=False,
    )


def _group(
    console: Console, heading: str, members: Iterable[registry.ScenarioEntry], widest: int
) -> None:
    console.print(heading, style="bold", markup=False, highlight=False)
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), show_header=False)
    table.add_column(no_wrap=True, min_width=widest + 2)
    table.add_column(no_wrap=True)
    table.add_column(min_width=min(TITLE_COLUMNS, console.width - widest - 6))
    table.add_column(no_wrap=True)
    for entry in members:
        mark, title, reproduces = _own_cells(entry) if entry.own else _cells(entry)
        paper = reproduces if console.width >= WIDE else ""
        table.add_row(f"  {entry.name}", mark, title, paper)
    console.print(table, markup=False, highlight=False)


def _cells(entry: registry.ScenarioEntry) -> tuple[str, str, str]:
    return "*" if entry.has_guests else " ", entry.title, entry.reproduces


def _own_cells(entry: registry.ScenarioEntry) -> tuple[str, str, str]:
    """Return the cells of a workspace's scenario; one with a mistake does not hide the others.

    Whether it has guests is not known before its plug-ins are built.
    """
    try:
        title = entry.title
    except LonghaulError as error:
        return "!", str(error), ""
    try:
        return _cells(entry)
    except LonghaulError:
        return "?", title, entry.reproduces


def _one(console: Console, entry: registry.ScenarioEntry) -> None:
    console.print(entry.title, style="bold", markup=False, highlight=False)
    console.print(" ".join(entry.text.split()), markup=False, highlight=False)
    if entry.reproduces:
        console.print(f"\nReproduces: {entry.reproduces}", markup=False, highlight=False)
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("setting", style="bold", no_wrap=True)
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
