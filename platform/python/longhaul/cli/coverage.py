# SPDX-License-Identifier: Apache-2.0
"""The command that merges what runs have reached of the user's RTL: coverage."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from longhaul.cli import consoles
from longhaul.cli.app import OutsOption, app, asked, run_folder
from longhaul.errors import UsageError
from longhaul.workspace import current


@app.command(name="coverage")
def coverage_(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="DIR...",
            help="Runs with --coverage; a sweep or validation stands for all its runs.",
            parser=run_folder,
        ),
    ] = None,
    of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE", help="Only this block, MACHINE.DEVICE or a box; may be repeated."
        ),
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[KIND=]PERCENT",
            help="End with 1 if the coverage is less; KIND is lines (the default), branches, "
            "toggles or covers; may be repeated.",
        ),
    ] = None,
    out: OutsOption = None,
) -> None:
    """Merge the coverage of RTL by port maps, from runs with --coverage, on one page.

    Writes report.html, coverage.json, and for other tools a file in Verilator's format and one in
    LCOV's.
    """
    # With Pydantic and Jinja.
    from longhaul.coverage import bounds, merge, page

    if not folders:
        raise UsageError("which runs? for example: longhaul coverage out/first")
    wanted = bounds.parse(fail_under or [])
    if asked.check_only:
        return
    folder = out or current.out() / "coverage"
    places = of or []
    views = page.write(folder, merge.of(folders, places), places)
    page.show(consoles.printed(), views)
    typer.echo(f"{folder / page.PAGE}")
    wrong = [line for view in views for line in bounds.missed(wanted, view.name, view.totals)]
    for line in wrong:
        typer.echo(f"longhaul: {line}", err=True)
    raise typer.Exit(bool(wrong))
