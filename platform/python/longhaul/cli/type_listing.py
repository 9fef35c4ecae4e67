# SPDX-License-Identifier: Apache-2.0
"""`longhaul types`: all types of models, and the parameters of each."""

from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.table import Table

from longhaul.types.described import Described, Parameter


def show_all(console: Console, types: Sequence[Described]) -> None:
    """Print all types by kind."""
    widest = max(len(each.name) for each in types)
    for kind, members in groupby(types, lambda each: each.kind):
        console.print(kind, style="bold", markup=False, highlight=False)
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(no_wrap=True, min_width=widest + 2)
        table.add_column(overflow="fold")
        for each in members:
            table.add_row(f"  {each.name}", each.title + _whence(each))
        console.print(table, markup=False, highlight=False)
    console.print("\nParameters of one: longhaul types NAME.", markup=False, highlight=False)


def show_one(console: Console, each: Described) -> None:
    """Print a type with all of its parameters."""
    console.print(f"{each.kind} {each.name}", style="bold", markup=False, highlight=False)
    console.print(each.title, markup=False, highlight=False)
    facts = {"from": each.plugin or each.file, "PCI": ", ".join(each.pci_ids), "slot": each.slot}
    facts["cable"] = each.phy
    if driver := each.linux_driver:
        mtus = f"MTU {driver.least_mtu} to {driver.largest_mtu} B"
        how = "a module that a run builds" if driver.option else "built in"
        facts["Linux driver"] = f"{driver.module}, {how}, {mtus} ({driver.source})"
    for name, text in facts.items():
        if text:
            console.print(f"{name}: {text}", markup=False, highlight=False)
    for group, parameters in each.parameters.items():
        console.print(f"\n{group}", style="bold", markup=False, highlight=False)
        console.print(_table(parameters), markup=False, highlight=False)


def _table(parameters: Sequence[Parameter]) -> Table | str:
    if not parameters:
        return "  none"
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("parameter", style="bold", no_wrap=True)
    for heading in ("default", "range", "meaning", "evidence"):
        table.add_column(heading, overflow="fold")
    for item in parameters:
        default = str(item.default).lower() if item.type == "bool" else str(item.default)
        told = f"{item.evidence}: {item.source}"
        table.add_row(item.name, default or "(none)", item.limits(), item.description, told)
    return table


def _whence(each: Described) -> str:
    return f" ({each.plugin})" if each.plugin else ""
