# SPDX-License-Identifier: Apache-2.0
"""Commands that simulate to answer one question: `warmup`, `calibrate`, `study`."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from longhaul.cli import consoles
from longhaul.cli.app import (
    JobsOption,
    LayoutOption,
    OutsOption,
    ParamOption,
    PluginOption,
    ScenarioArgument,
    SeedOption,
    SetOption,
    app,
    asked,
)
from longhaul.cli.own import use_workspace
from longhaul.cli.runs import carry_out, check_with_simulator
from longhaul.workspace import current


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
    jobs: JobsOption = 0,
) -> None:
    """Answer a question of a block's design: its twin's sweep predicts, its RTL's runs confirm.

    Writes a page with both, how they differ, and the verdict; goes on where it stopped.
    """
    # With Pydantic and Polars.
    from longhaul.studies import definition, outcome, page
    from longhaul.studies import runs as study_runs

    if not name:
        for each in definition.names():
            typer.echo(f"{each:<12} {definition.find(each).study.question}")
        return
    found = definition.find(name)
    if short:
        found = dataclasses.replace(found, study=found.study.in_short())
    folder = out or current.out() / f"study-{found.name}{'-short' if short else ''}"
    parts = list(study_runs.parts(found.study, folder, seed))
    for part in parts:
        check_with_simulator(part.plan)
    if asked.check_only:
        return
    for part in parts:
        carry_out(part.plan, jobs)
    came = outcome.of(found.study, parts)
    command = f"longhaul study {name}{' --short' if short else ''}"
    written = page.write(folder, found, came, parts, command)
    for line in page.lines(came):
        typer.echo(line)
    typer.echo(came.verdict)
    typer.echo(f"{written}")
