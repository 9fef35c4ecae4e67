# SPDX-License-Identifier: Apache-2.0
"""The command that attacks all others: attack."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from longhaul.cli import consoles
from longhaul.cli.app import OutsOption, SeedOption, app, asked
from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean

USUAL_MINUTES = 10.0


@app.command()
def attack(
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help=f"For so long; {USUAL_MINUTES:g} unless --cases says how much."),
    ] = None,
    seed: SeedOption = 1,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND",
            help="configurations, commands, results, faults, misdeeds or wires; may be repeated.",
        ),
    ] = None,
    cases: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND=N", help="So many cases of a kind, and of no other kind."),
    ] = None,
    case: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="With one --only: this case alone.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=0, help="Cases side by side; 0 is one a core.")] = 0,
    simulator: Annotated[
        str,
        typer.Option(
            metavar="PATH",
            help="Attack this simulator, or that of a build preset: release, debug, asan.",
        ),
    ] = "",
    out: OutsOption = None,
) -> None:
    """Attack Longhaul with wrong inputs, faults and misdeeds, and judge how each case ends.

    Ends with 0 when nothing is wrong, 1 when something is. Run again, it goes on where it stopped.
    """
    from longhaul.attack import driver, report, simulators
    from longhaul.attack.kind import Ground
    from longhaul.attack.kinds import KINDS
    from longhaul.attack.tally import Tally

    counts = _counts(cases or [])
    given: list[str] = [*(only or []), *counts]
    names = list(dict.fromkeys(given))
    for name in names:
        if name not in KINDS:
            raise UsageError(f"no attack is called {name!r}{did_you_mean(name, KINDS)}")
    if case is not None and len(names) != 1:
        raise UsageError("--case wants one --only, such as --only configurations --case 7")
    simulators.find(simulator)
    if asked.check_only:
        return

    def say(line: str) -> None:
        typer.echo(f"longhaul: {line}", err=True)

    binary = simulators.ensure(simulator, say)
    folder = (out or Path("out") / f"attack-{seed}").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    tally = Tally.load(folder, seed, simulators.checksum(binary))
    with tempfile.TemporaryDirectory(prefix="longhaul-attack-") as scratch:
        ground = Ground(
            seed,
            binary,
            folder / "base",
            Path(scratch),
            patience=simulators.patience(binary),
            say=say,
        )
        kinds = {name: KINDS[name](ground) for name in names or KINDS}
        for kind in kinds.values():
            kind.prepare()
        if case is not None:
            (kind,) = kinds.values()
            verdict, place = driver.one(kind, case, Path(scratch))
            typer.echo("".join(place.said()), nl=False, err=True)
            typer.echo(driver.described(verdict, seed), nl=False)
            raise typer.Exit(bool(verdict.faults))
        progress = report.Progress(Console(stderr=True), tally)
        work = driver.Driver(
            kinds,
            tally,
            folder,
            Path(scratch),
            jobs=jobs or len(os.sched_getaffinity(0)),
            tell=progress.tell,
        )
        if minutes is None and not counts:
            minutes = USUAL_MINUTES
        work.run(driver.Budget(None if minutes is None else minutes * 60, counts))
    report.show(consoles.printed(), tally, folder)
    raise typer.Exit(bool(tally.findings))


def _counts(texts: list[str]) -> dict[str, int]:
    """Read KIND=N."""
    found: dict[str, int] = {}
    for text in texts:
        name, _, count = text.partition("=")
        if not (count.isascii() and count.isdecimal()) or not name:
            raise UsageError(f"--cases {text}: wants KIND=N, such as --cases configurations=20000")
        found[name] = int(count)
    return found
