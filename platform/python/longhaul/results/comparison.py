# SPDX-License-Identifier: Apache-2.0
"""`longhaul compare`: two runs side by side."""

from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from longhaul.results import adapter_models
from longhaul.results.runview import RunView, flatten
from longhaul.results.words import figure_text, split_unit


@dataclass(frozen=True)
class Row:
    """One figure of both runs; a missing one is None. `change_pct` is relative to the first."""

    name: str
    first: float | None
    second: float | None

    @property
    def change_pct(self) -> float | None:
        """Return the difference in percent of the first, or None where that has no meaning."""
        if self.first is None or self.second is None:
            return None
        if self.first == self.second:
            return 0.0
        return 100.0 * (self.second - self.first) / abs(self.first) if self.first else None


def figures(first: RunView, second: RunView) -> list[Row]:
    """Return every number that either run measured."""
    a, b = dict(flatten(first.measured)), dict(flatten(second.measured))
    return [Row(name, a.get(name), b.get(name)) for name in dict.fromkeys([*a, *b])]


def settings(first: RunView, second: RunView) -> dict[str, tuple[Any, Any]]:
    """Return the settings in which the two runs differ, seed, layout and commit, adapters'
    models, and parameters that were given values (`--param`, or by the scenario)."""

    def all_of(run: RunView) -> dict[str, Any]:
        return {
            "scenario": run.results["scenario"],
            **run.case["case"],
            "seed": run.manifest.get("seed"),
            "layout": run.manifest.get("layout", 0),
            "commit": run.manifest.get("versions", {}).get("commit"),
        }

    def parameters(run: RunView) -> dict[str, dict[str, Any]]:
        return {f"{each['object']}.{each['name']}": each for each in run.manifest["parameters"]}

    a, b = all_of(first), all_of(second)
    of_a, of_b = parameters(first), parameters(second)
    given = [name for name in of_a if name in of_b and (of_a[name]["set"] or of_b[name]["set"])]
    names = dict.fromkeys([*a, *b, *given])
    a |= {name: of_a[name]["value"] for name in given}
    b |= {name: of_b[name]["value"] for name in given}
    model_a, model_b = (adapter_models.of_run(run.manifest) for run in (first, second))
    names |= dict.fromkeys(name for name in model_a if name in model_b)
    a |= model_a
    b |= model_b
    return {name: (a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name)}


def settings_table(first: str, second: str, different: dict[str, tuple[Any, Any]]) -> Table:
    """Return the table of what differs between two runs of these names."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("setting")
    table.add_column(first)
    table.add_column(second)
    for name, (a, b) in different.items():
        table.add_row(name, figure_text(a), figure_text(b))
    return table


def change_text(percent: float | None) -> str:
    """Return a change as text; a dash where it has no percentage."""
    return "–" if percent is None else "same" if percent == 0 else f"{percent:+.2f} %"


def show(console: Console, first: RunView, second: RunView) -> None:
    """Print both tables."""
    different = settings(first, second)
    if different:
        console.print(settings_table(first.name, second.name, different), highlight=False)
    else:
        console.print(
            "Same scenario, settings, parameters, seed, layout and commit.", highlight=False
        )
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("figure", no_wrap=True)
    for heading in (first.name, second.name, "change"):
        table.add_column(heading, justify="right")
    for row in figures(first, second):
        words, unit = split_unit(row.name)
        table.add_row(
            f"{words}, {unit}" if unit else words,
            figure_text(row.first, unit),
            figure_text(row.second, unit),
            change_text(row.change_pct),
        )
    console.print(table, highlight=False)
    limits = [run.case["bottleneck"]["what"] for run in (first, second)]
    console.print(f"\nLimited by: {limits[0]}  |  {limits[1]}", markup=False, highlight=False)
    console.print(
        "One run each cannot tell chance from effect; run --repeat N gives intervals.",
        highlight=False,
    )
