# SPDX-License-Identifier: Apache-2.0
"""A finished run in a few lines of the terminal."""

from pathlib import Path

from rich.console import Console
from rich.table import Table

from longhaul import uncounted
from longhaul.report.page import figure_text, split_unit
from longhaul.runview import RunView
from longhaul.steadiness import warning


def show(console: Console, folder: Path, *, page: bool = True) -> None:
    """Print headline figures beside published ones, the two hosts and the verdict."""
    run = RunView.load(folder)
    measured, case = run.measured, run.case
    simulated, wall = run.results["simulated_s"], run.results["wall_s"]
    console.print(
        f"[bold]{run.results['scenario']}[/bold]  {simulated:.3f} s simulated in {wall:.1f} s"
        f"  ({run.name})",
        highlight=False,
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for name in run.headline:
        if run.own_heading and name == case["own"][0]:
            table.add_row(run.own_heading)
        words, unit = split_unit(name)
        published = case["reference"].get(name)
        error = case["error_pct"].get(name)
        against = "" if published is None else f"published {figure_text(published)}"
        if error is not None:
            against += f" ({error:+.1f} %)"
        table.add_row(words, figure_text(measured.get(name)), unit, against)
    console.print(table, highlight=False)
    hosts = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    hosts.add_column("")
    roles = [role for role in ("sender", "receiver") if role in measured]
    for role in roles:
        hosts.add_column(role, justify="right")
    for name in (
        "cpu_busy_pct",
        "pcix_busy_pct",
        "mem_busy_pct",
        "adapter_tx_busy_pct",
        "adapter_rx_busy_pct",
        "irq_per_s",
    ):
        words, unit = split_unit(name)
        values = [figure_text(measured[role].get(name), unit) for role in roles]
        hosts.add_row(f"{words}, {unit}", *values)
    console.print(hosts, highlight=False)
    verdict = case["bottleneck"]
    console.print(
        f"Limited by: {verdict['what']} ({verdict['why']})",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    for warned in filter(
        None,
        (
            warning(case.get("steady"), run.results["scenario"]),
            uncounted.warning(run.manifest.get("uncounted_programs")),
        ),
    ):
        console.print(f"Note: {warned}.", markup=False, highlight=False, soft_wrap=True)
    if page:
        console.print(f"{folder / 'report.html'}", markup=False, highlight=False, soft_wrap=True)
