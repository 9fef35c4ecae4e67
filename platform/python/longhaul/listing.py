# SPDX-License-Identifier: Apache-2.0
"""`longhaul list`: what there is to run, and what can be set."""

from rich.console import Console
from rich.table import Table

from longhaul import registry


def show(console: Console, name: str | None) -> None:
    """Print all scenarios, or one with all of its settings."""
    if name is None:
        _all(console)
    else:
        _one(console, registry.find(name))


def _all(console: Console) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("scenario", "what it asks", "reproduces"):
        table.add_column(heading, style="bold" if heading == "scenario" else "")
    for entry in registry.scenarios().values():
        table.add_row(entry.name, entry.title, entry.reproduces)
    console.print(table)
    console.print("\nParameters of one: longhaul list NAME", highlight=False)


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
