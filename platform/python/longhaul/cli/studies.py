# SPDX-License-Identifier: Apache-2.0
"""Commands that simulate to answer one question: `warmup`, `calibrate`, `study`."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longhaul.cli import consoles
from longhaul.cli.app import (
    JobsOption,
    LayoutOption,
    OutsOption,
    ParamOption,
    PluginOption,
    RepeatOption,
    ScenarioArgument,
    SeedOption,
    SetOption,
    app,
    asked,
)
from longhaul.cli.own import use_workspace
from longhaul.cli.runs import carry_out, check_with_simulator
from longhaul.errors import UsageError
from longhaul.workspace import current

if TYPE_CHECKING:
    from longhaul.studies import definition, ways
    from longhaul.sweeps.plan import Plan


@app.command()
def warmup(
    name: ScenarioArgument,
    set_: SetOption = None,
    param: ParamOption = None,
    plugin: PluginOption = None,
    out: OutsOption = None,
    seed: SeedOption = 1,
    layout: LayoutOption = 0,
    repeat: Annotated[
        int, typer.Option(min=2, metavar="N", help="Use N runs, each with another seed and layout.")
    ] = 3,
    jobs: JobsOption = 0,
) -> None:
    """Find the warm-up that a scenario needs until its goodput is steady (MSER-5).

    Runs it with warm-up 0 for twice its usual time, or for --set duration=TIME.
    """
    # With Pydantic and Polars.
    from longhaul import registry
    from longhaul.sweeps import warmup as warmups

    entry = registry.find(name)
    use_workspace(entry)
    folder = out or current.out() / f"warmup-{entry.name}"
    plan = warmups.plan(
        entry.spec, set_ or [], folder, seed, params=param or [], layout=layout, repeat=repeat
    )
    check_with_simulator(plan)
    if asked.check_only:
        return
    carry_out(plan, jobs)
    warmups.show(plan, warmups.found(plan, plan.run_points(entry)), consoles.printed())


@app.command()
def calibrate(
    testbed: Annotated[
        str,
        typer.Argument(metavar="TESTBED", help="A folder of scenarios/ that has a calibration."),
    ],
    out: OutsOption = None,
    duration: Annotated[
        str, typer.Option(metavar="TIME", help="Measured window of each run.")
    ] = "1s",
) -> None:
    """Fit a testbed's free parameters to the published figures that it may be fitted to."""
    from longhaul.papers import calibration  # with Pydantic

    if asked.check_only:
        calibration.find(testbed, duration)
        return
    folder = out or current.out() / f"calibration-{testbed}"
    current.leave()
    typer.echo(f"{calibration.run(testbed, folder, duration, consoles.progress())}")


@app.command()
def study(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]", help="A study by name or file; without one, all of them are listed."
        ),
    ] = "",
    short: Annotated[
        bool, typer.Option("--short", help="Fewer and shorter runs, for a first look.")
    ] = False,
    plugin: PluginOption = None,
    out: OutsOption = None,
    seed: SeedOption = 1,
    repeat: RepeatOption = 1,
    jobs: JobsOption = 0,
) -> None:
    """Answer a question of design along axes: of a block's size or clock, or of several ways.

    Of a block the twin's sweep predicts and runs of the RTL confirm (`buffer`). Of several ways
    (`offload`: TCP in software, with TSO, in the adapter) it says where each pays. Writes a page
    with plots and verdict; goes on where it stopped.
    """
    # With Pydantic and Polars.
    from longhaul.studies import catalogue, definition

    if not name:
        for each in catalogue.names():
            typer.echo(f"{each:<12} {catalogue.find(each).study.question}")
        return
    found = catalogue.find(name)
    if short:
        found = dataclasses.replace(found, study=found.study.in_short())  # type: ignore[arg-type]
    folder = out or current.out() / f"study-{found.name}{'-short' if short else ''}"
    command = f"longhaul study {name}{' --short' if short else ''}"
    if isinstance(found, definition.Named):
        if repeat > 1:
            raise UsageError(f"--repeat: the study {found.name} compares RTL and twin in one run")
        _study_block(found, folder, seed, jobs, command)
    else:
        command += f" --repeat {repeat}" if repeat > 1 else ""
        _study_ways(found, folder, seed, repeat, jobs, command)


def _study_block(found: definition.Named, folder: Path, seed: int, jobs: int, command: str) -> None:
    """Run twin and RTL of a block, and show both."""
    from longhaul.studies import outcome, page, runs  # as study()

    parts = list(runs.parts(found.study, folder, seed))
    if not _ran([part.plan for part in parts], jobs):
        return
    came = outcome.of(found.study, parts)
    written = page.write(folder, found, came, parts, command)
    for line in page.lines(came):
        typer.echo(line)
    typer.echo(came.verdict)
    typer.echo(f"{written}")


def _study_ways(
    found: ways.Named, folder: Path, seed: int, repeat: int, jobs: int, command: str
) -> None:
    """Run all ways, and show where each pays."""
    from longhaul.studies import ways_outcome, ways_page, ways_runs  # as study()

    parts = list(ways_runs.parts(found.study, folder, seed, repeat))
    if not _ran([part.plan for part in parts], jobs):
        return
    came = ways_outcome.of(found.study, parts)
    written = ways_page.write(folder, found, came, parts, command)
    console = consoles.printed(highlight=False)
    for table in ways_page.tables(found.study, came):
        console.print(table)
    for line in ways_page.statements(found.study, came):
        typer.echo(line)
    typer.echo(f"{written}")


def _ran(plans: Sequence[Plan], jobs: int) -> bool:
    """Check and run all sweeps; return False with --check-only, which runs none."""
    for plan in plans:
        check_with_simulator(plan)
    if asked.check_only:
        return False
    for plan in plans:
        carry_out(plan, jobs)
    return True
