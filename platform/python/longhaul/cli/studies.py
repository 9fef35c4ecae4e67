# SPDX-License-Identifier: Apache-2.0
"""Commands that simulate to find a number: `warmup`, `calibrate`."""

from __future__ import annotations

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
