# SPDX-License-Identifier: Apache-2.0
"""Commands that hold runs against each other and against the tree: diverge, golden."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from longhaul.cli import consoles
from longhaul.cli.app import OutsOption, app, asked, run_folder
from longhaul.errors import UsageError
from longhaul.process import ending_signals_raise
from longhaul.workspace import current


@app.command()
def diverge(
    first: Annotated[
        Path, typer.Argument(metavar="DIR", help="A run with --record.", parser=run_folder)
    ],
    second: Annotated[
        str,
        typer.Argument(
            metavar="DIR", help="A second run, or golden:NAME (longhaul golden --list)."
        ),
    ],
    items: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Items to show ahead of the first difference, or of a golden run's interval.",
        ),
    ] = None,
) -> None:
    """Find the first exchange, frame or event in which two runs differ, and show both sides.

    Ends with 0 if they are the same, 1 if they differ.
    """
    # With Pydantic and NumPy.
    from longhaul.golden import diverge as divergence
    from longhaul.golden.file import PREFIX

    console = consoles.printed()
    if second.startswith(PREFIX):
        shown = divergence.GOLDEN_ITEMS if items is None else items
        code = divergence.of_golden(console, first, second.removeprefix(PREFIX), shown)
    else:
        context = divergence.CONTEXT if items is None else items
        code = divergence.of_runs(console, first, run_folder(second), context)
    raise typer.Exit(code)


@app.command()
def golden(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Golden runs; none: all.")
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Write the checksums of these runs into the tree.")
    ] = False,
    list_: Annotated[
        bool, typer.Option("--list", help="Show the golden runs, and run none.")
    ] = False,
    out: OutsOption = None,
    jobs: Annotated[int, typer.Option(min=0, help="Runs side by side; 0 is one on each core.")] = 0,
    host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PROCESSOR",
            help="Run on this processor, which QEMU emulates, some thirty times slower; "
            "'each' is qemu64, Nehalem, Haswell, EPYC and max.",
        ),
    ] = None,
) -> None:
    """Make the golden runs of tests/golden and compare every artefact with its checksum there.

    Ends with 0 if all runs that can be compared are the same, 1 if one differs, is stale or fails.
    """
    from longhaul.golden import file, report, runs  # with Pydantic and NumPy

    wanted = list(dict.fromkeys(names or file.names()))
    loaded = {name: file.load(name) for name in wanted}
    if list_:
        report.listing(consoles.printed(), loaded)
        return
    if not wanted:
        raise UsageError(f"{file.FOLDER}: no golden runs")
    if host and update:
        raise UsageError("--update writes what this host computes; --host only compares")
    places = runs.hosts(host or [])
    if asked.check_only:
        for one in loaded.values():
            runs.has_guests(one)
        return
    folder, code = out or current.out() / "golden", 0
    current.leave()
    for place in places:
        with ending_signals_raise(), place.simulator(_say):
            verdicts = runs.run(
                wanted,
                folder / place.name,
                _say,
                jobs=jobs or len(os.sched_getaffinity(0)),
                update=update,
            )
            code |= report.show(consoles.printed(highlight=False), wanted, verdicts, place.title)
    if update:
        runs.know_versions(loaded.values(), _say)
    raise typer.Exit(code)


def _say(line: str) -> None:
    typer.echo(f"longhaul: {line}", err=True)
