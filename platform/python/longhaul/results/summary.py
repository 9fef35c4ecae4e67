# SPDX-License-Identifier: Apache-2.0
"""A finished run in a few lines of the terminal."""

from pathlib import Path

from rich.console import Console
from rich.table import Table

from longhaul.published import reasons
from longhaul.published.reference import figure
from longhaul.results import adapter_models, rtl_rules, unclaimed, uncounted
from longhaul.results.runview import RunView
from longhaul.results.steadiness import warning
from longhaul.results.words import figure_text, run_words, split_unit


def show(console: Console, folder: Path, *, page: bool = True) -> None:
    """Print headline figures beside published ones, the two hosts and the verdict."""
    run = RunView.load(folder)
    measured, case = run.measured, run.case
    console.print(f"[bold]{run.results['scenario']}[/bold]  {_times(run)}", highlight=False)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for name in dict.fromkeys((*run.headline, *case["reference"])):
        if run.own_heading and name == case["own"][0]:
            table.add_row(run.own_heading)
        words, unit = run_words(run, name)
        published = case["reference"].get(name)
        error = case["error_pct"].get(name)
        against = "" if published is None else f"published {figure_text(published)}"
        if error is not None:
            against += f" ({error:+.1f} %)"
        table.add_row(words, figure_text(figure(measured, name)), unit, against)
    console.print(table, highlight=False)
    for name, reason in reasons.of_case(case).items():
        of = f"Why {split_unit(name)[0]} beyond {reasons.LIMIT_PCT:.0f} %"
        _say(console, f"{of}: {reasons.brief(reason)}.")
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
    _say(console, f"Limited by: {verdict['what']} ({verdict['why']})")
    for direction, other in run.other_verdicts.items():
        _say(console, f"{direction.capitalize()}, limited by: {other['what']} ({other['why']})")
    warnings = (
        warning(case.get("steady"), run.results["scenario"]),
        uncounted.warning(run.manifest.get("uncounted_programs")),
        *rtl_rules.warnings(case),
        *unclaimed.of_case(case),
        *adapter_models.notes(run.results),
        run.console,
    )
    for warned in filter(None, warnings):
        _say(console, f"Note: {warned}.")
    if page:
        _say(console, f"{folder / 'report.html'}")


def _times(run: RunView) -> str:
    """Return how long the run took, in all and for its measured window."""
    text = f"{run.results['simulated_s']:.3f} s simulated in {run.results['wall_s']:.1f} s"
    speed, window = run.window_speed, run.measured.get("window_s")
    if speed is not None:
        text += f"; measured window {window:.3f} s in {run.results['window_wall_s']:.1f} s"
        text += f", {figure_text(speed)} s of wall per simulated second"
    return f"{text}  ({run.name})"


def _say(console: Console, line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)
