# SPDX-License-Identifier: Apache-2.0
"""The command that tests an adapter under its driver: validate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from longhaul.cli import consoles, pools
from longhaul.cli.app import (
    CoverageOption,
    LayoutOption,
    OutsOption,
    PluginOption,
    SeedOption,
    SetOption,
    app,
    asked,
)
from longhaul.cli.own import load_plugins
from longhaul.errors import UsageError
from longhaul.types import plugins
from longhaul.workspace import current


@app.command()
def validate(
    adapter: Annotated[
        str | None,
        typer.Argument(
            metavar="[ADAPTER]",
            help="The adapter's type; may be left out if the workspace's plug-ins have one "
            "adapter.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="TEST", help="Run this test; may be repeated.")
    ] = None,
    skip: Annotated[
        list[str] | None, typer.Option(metavar="TEST", help="Leave this test out; may be repeated.")
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="Show the tests, and run none of them.")
    ] = False,
    set_: SetOption = None,
    plugin: PluginOption = None,
    out: OutsOption = None,
    jobs: Annotated[
        int, typer.Option(min=0, help="Tests side by side; 0 is one on each core.")
    ] = 0,
    scheduler: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Run the tests on this Dask cluster.")
    ] = "",
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", help="Start no test after one that failed.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Repeat tests that have been run.")
    ] = False,
    waves: Annotated[
        bool,
        typer.Option(
            "--waves/--no-waves",
            help="Repeat a failed test with waves around the failure, or only say how.",
        ),
    ] = True,
    twin: Annotated[
        str,
        typer.Option(
            metavar="TYPE",
            help="Compare with this type in the adapter's place; none: compare with no type.",
        ),
    ] = "",
    twin_registers: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="SystemRDL with the registers' names, for the comparison with a twin.",
        ),
    ] = None,
    coverage: CoverageOption = False,
    seed: SeedOption = 1,
    layout: LayoutOption = 0,
) -> None:
    """Test an adapter under its Linux driver: traffic, sizes, rings, resets, rebinding and more.

    Ends with 0 if all tests pass, with 1 if one fails. A second start runs only
    tests that have not been run, or whose inputs have changed.
    """
    # With Pydantic.
    from longhaul.coverage import kept
    from longhaul.validation import coverage as validation_coverage
    from longhaul.validation import page, run
    from longhaul.validation.twins import chosen

    if list_:
        if adapter is not None or set_ or only or skip:
            raise UsageError("--list shows the tests, and takes neither an adapter nor settings")
        page.show_tests(consoles.printed())
        return
    wanted = run.chosen(only or [], skip or [])
    load_plugins()
    name = run.adapter(adapter)
    tests = run.fitting(wanted, name, only or [])
    found = chosen.choose(twin, name, twin_registers)
    if coverage:
        kept.check(plugins.given())
    if asked.check_only:
        return
    folder = out or current.out() / f"validate-{name}"
    plan = run.Plan(
        name,
        tests,
        folder,
        tuple(set_ or []),
        seed,
        layout,
        force=force,
        fail_fast=fail_fast,
        waves=waves,
        software=run.own_driver(name),
        twin=found,
        coverage=coverage,
    )

    def say(line: str) -> None:
        typer.echo(f"longhaul: {line}", err=True)

    done = run.run(plan, pools.opener(jobs, scheduler), say)
    covered = validation_coverage.write(folder, done) if coverage else []
    page.write(plan, done, covered)
    page.show(consoles.printed(), plan, done, covered)
    typer.echo(f"{folder / 'report.html'}")
    raise typer.Exit(not all(each.passed for each in done))
