# SPDX-License-Identifier: Apache-2.0
"""Commands that show scenarios, types and runs: list, types, report, compare, waves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from longhaul import outdir
from longhaul.cli import consoles
from longhaul.cli.app import OutsOption, PluginOption, RepeatOption, app, asked, run_folder
from longhaul.cli.own import load_plugins, use_workspace
from longhaul.cli.runs import carry_out
from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import ROOT, simulator
from longhaul.types import plugins
from longhaul.workspace import current

if TYPE_CHECKING:
    from longhaul.papers import reproductions as papers


@app.command(name="list")
def list_(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A scenario, by name or path, to see its settings."),
    ] = None,
    by: Annotated[
        Literal["question", "paper"], typer.Option(help="How the scenarios are grouped.")
    ] = "question",
) -> None:
    """Show the scenarios, or one scenario's settings with default, range and evidence."""
    from longhaul.cli import listing  # with Pydantic

    listing.show(consoles.printed(140), name, by)


@app.command(name="types")
def types_(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A type, to see its parameters.")
    ] = None,
    plugin: PluginOption = None,
    update: Annotated[
        bool, typer.Option("--update", help="Write the tree's types.json, which Python reads.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; end with 1 if a types.json is stale.")
    ] = False,
) -> None:
    """Show all types of models (adapters, boxes, systems, ...), or one with its parameters."""
    if (update or check) and (name or (update and check)):
        raise UsageError("--update and --check take nothing else; give one of them")
    if asked.check_only:
        return
    # With Pydantic.
    from longhaul.cli import type_listing
    from longhaul.types import described, rtl_models

    if not (update or check):
        load_plugins()
    found = described.everything(() if update or check else plugins.given())
    if update or check:
        changed = described.update(found) if update else described.stale(found)
        for path in changed:
            remedy = "" if update else " is stale; run: ./longhaul types --update"
            typer.echo(f"{path.relative_to(ROOT)}{remedy}")
        raise typer.Exit(check and bool(changed))
    found = rtl_models.with_parameter(found, plugins.given())
    if name is None:
        type_listing.show_all(consoles.printed(140), found)
        return
    for each in described.called(found, name):
        type_listing.show_one(consoles.printed(140), each)


@app.command()
def report(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[DIR...]", help="Finished runs.", parser=run_folder),
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write one page for all of them.")] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all", help="Run all scenarios that are compared with a paper, and write one page."
        ),
    ] = False,
    of: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="With --all: only this scenario; may be repeated."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="With --all: shorter runs, where scenarios have them.")
    ] = False,
    out: OutsOption = None,
    repeat: RepeatOption = 1,
    jobs: Annotated[
        int, typer.Option(min=0, help="With --all: runs side by side; 0 is one on each core.")
    ] = 0,
) -> None:
    """Show runs, and write one page for all of them (beside a single run, or where --html says).

    With --all the page has every published figure: missing runs are made first, and finished runs
    with the same key are kept. With --repeat N figures have intervals.
    """
    if every:
        if folders:
            raise UsageError(f"{folders[0]}: --all takes no folders; --of NAME chooses scenarios")
        _every_figure(of or [], out, html, quick=quick, jobs=jobs, repeat=repeat)
        return
    lone = {"--of": bool(of), "--quick": quick, "--out": bool(out), "--jobs": bool(jobs)}
    lone["--repeat"] = repeat > 1
    wrong = next((option for option, given in lone.items() if given), None)
    if wrong:
        raise UsageError(f"{wrong}: is for report --all")
    if not folders:
        raise UsageError("which runs? longhaul report out/first, or longhaul report --all")
    _these_runs(folders, html)


def _these_runs(folders: list[Path], html: Path | None) -> None:
    # With Polars and Jinja.
    from longhaul.report import render
    from longhaul.results import summary
    from longhaul.results.runview import runs_in

    runs = [run for folder in folders for run in runs_in(folder)]
    if html is None and len(runs) == 1:
        html = runs[0].folder / "report.html"
    for one in runs:
        summary.show(consoles.printed(), one.folder, page=html is not None and len(runs) == 1)
    if html is not None:
        outdir.write_text(html, render(runs, title=runs[0].name if len(runs) == 1 else ""))
        if len(runs) > 1:
            typer.echo(f"{html}")


def _every_figure(
    names: list[str], out: Path | None, html: Path | None, *, quick: bool, jobs: int, repeat: int
) -> None:
    # With Polars and Jinja.
    from longhaul import registry
    from longhaul.papers import figures_file
    from longhaul.papers import reproductions as papers
    from longhaul.papers.page import as_markdown, render_papers

    folder = out or current.out() / "report"
    page = html or folder / "report.html"
    for name in names:
        use_workspace(registry.find(name))
    if not names:
        load_plugins()
    planned = papers.planned(names, folder, quick=quick, simulator=simulator(), repeat=repeat)
    if asked.check_only:
        return

    def write(done: Sequence[papers.Reproduction]) -> None:
        page.parent.mkdir(parents=True, exist_ok=True)
        outdir.write_text(page, render_papers(done, page.parent.absolute(), quick=quick))
        outdir.write_json(page.with_name("figures.json"), figures_file.as_json(done))
        outdir.write_text(page.with_name("figures.md"), as_markdown(done))

    done = papers.run(planned, lambda plan: carry_out(plan, jobs), write)
    typer.echo(papers.Summary.of(done).text())
    typer.echo(f"{page}")
    failed = [one for one in done if one.failed]
    if failed:
        first = failed[0]
        more = f"; {len(failed) - 1} other scenarios too" if len(failed) > 1 else ""
        raise LonghaulError(f"{first.entry.name}: {first.failed}{more}")


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="DIR", parser=run_folder)],
    second: Annotated[Path, typer.Argument(metavar="DIR", parser=run_folder)],
) -> None:
    """Show two runs side by side: settings that differ, and every figure with its difference.

    For folders of repeated runs (--repeat) it says which differences are more than chance.
    """
    # With Pydantic and Polars.
    from longhaul.results import comparison
    from longhaul.sweeps import repeated_comparison

    one, other = (repeated_comparison.Side.load(folder) for folder in (first, second))
    if len(one.runs) == len(other.runs) == 1:
        comparison.show(consoles.printed(), one.runs[0], other.runs[0])
    else:
        repeated_comparison.show(consoles.printed(), one, other)


@app.command(name="waves")
def waves_(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A run with --waves.", parser=run_folder)
    ],
) -> None:
    """Open GTKWave on a run's waves, in their layout."""
    from longhaul.results import waves_viewer  # with Pydantic

    waves_viewer.show(folder)
