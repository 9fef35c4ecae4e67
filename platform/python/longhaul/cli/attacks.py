# SPDX-License-Identifier: Apache-2.0
"""The command that attacks all others: attack."""

from __future__ import annotations

import os
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longhaul.cli import consoles
from longhaul.cli.app import OutsOption, SeedOption, app, asked
from longhaul.cli.main import main
from longhaul.errors import Interrupted, UsageError
from longhaul.nearest import did_you_mean
from longhaul.process import ending_signals_raise, no_strays
from longhaul.workspace import current

if TYPE_CHECKING:
    from longhaul.attack.kind import Kind
    from longhaul.attack.tally import Tally

USUAL_MINUTES = 10.0
MOST_MINUTES = 1e6


@app.command()
def attack(
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=MOST_MINUTES,
            help=f"Start cases for this many minutes; {USUAL_MINUTES:g} unless --cases is given.",
        ),
    ] = None,
    seed: SeedOption = 1,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND",
            help="configurations, commands, results, faults, misdeeds, wires or traffic; may be "
            "repeated.",
        ),
    ] = None,
    cases: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND=N", help="Run N cases of KIND; only the named kinds run."),
    ] = None,
    case: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="With one --only: run this case only.")
    ] = None,
    jobs: Annotated[
        int, typer.Option(min=0, help="Cases side by side; 0 is one on each core.")
    ] = 0,
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
    # Thirty modules that no other command needs, with Pydantic.
    from longhaul.attack import cage, driver, report, simulators
    from longhaul.attack.kind import CommandLine, Ground
    from longhaul.attack.kinds import KINDS
    from longhaul.attack.tally import Tally

    counts = _counts(cases or [])
    if counts and only:
        raise UsageError("--cases names its kinds itself; leave --only out")
    names = list(dict.fromkeys(only or counts))
    for name in names:
        if name not in KINDS:
            raise UsageError(f"no attack is called {name!r}{did_you_mean(name, KINDS)}")
    if case is not None and (len(names) != 1 or counts):
        raise UsageError("--case wants one --only, such as --only configurations --case 7")
    simulators.find(simulator)
    if asked.check_only:
        return

    def say(line: str) -> None:
        typer.echo(f"longhaul: {line}", err=True)

    with ending_signals_raise(), no_strays():
        binary = simulators.ensure(simulator, say)
    folder = (out or current.out() / f"attack-{seed}").absolute()
    current.leave()
    folder.mkdir(parents=True, exist_ok=True)
    chosen = f"--simulator {shlex.quote(simulator)}" if simulator else ""
    target = simulators.checksum(binary)
    if case is None:
        tally = Tally.load(folder, seed, target, chosen)
    else:  # a case is repeated after a mend, too
        tally = Tally(seed, target, chosen)
    if not cage.available():
        say("this kernel has no Landlock, so cases can write outside of their own folders")
    stopped: Interrupted | None = None
    try:
        with (
            ending_signals_raise(),
            tempfile.TemporaryDirectory(prefix="longhaul-attack-") as scratch,
            no_strays(),
        ):
            patience = simulators.patience(binary)
            ground = Ground(
                seed,
                binary,
                folder / f"base-{target}",
                Path(scratch),
                CommandLine(_call, lambda: typer.main.get_command(app)),
                patience=patience,
                say=say,
            )
            kinds = {name: KINDS[name](ground) for name in names or KINDS}
            for kind in kinds.values():
                kind.prepare()
            if case is not None:
                raise typer.Exit(_repeat(kinds[names[0]], case, tally))
            if minutes is None and not counts:
                minutes = USUAL_MINUTES
            budget = driver.Budget(None if minutes is None else minutes * 60, counts)
            progress = report.Progress(consoles.progress(), tally)
            driver.Driver(
                kinds,
                tally,
                folder,
                Path(scratch),
                jobs=jobs or len(os.sched_getaffinity(0)),
                tell=progress.tell,
                say=say,
            ).run(budget)
    except Interrupted as error:
        stopped = error
    if tally.cases():
        report.show(consoles.printed(), tally, folder)
    if stopped:
        raise stopped
    raise typer.Exit(bool(tally.findings))


def _call(words: list[str]) -> int:
    """Call the command line in a process that was forked for it, as if it had just started."""
    asked.debug = asked.check_only = False  # of the attack's own command line
    tempfile.tempdir = None  # the attack's own
    return main(words)


def _repeat(kind: Kind, number: int, tally: Tally) -> int:
    """Carry out one case, show what it said and how it ended; return the exit code."""
    from longhaul.attack import driver  # as above

    verdict, place = driver.one(kind, number, kind.ground.scratch)
    typer.echo("".join(place.said()), nl=False, err=True)
    typer.echo(driver.described(verdict, tally.again(verdict)), nl=False)
    return bool(verdict.faults)


def _counts(texts: list[str]) -> dict[str, int]:
    """Read KIND=N."""
    found: dict[str, int] = {}
    for text in texts:
        name, _, count = text.partition("=")
        if not (count.isascii() and count.isdecimal()) or not name:
            raise UsageError(f"--cases {text}: wants KIND=N, such as --cases configurations=20000")
        found[name] = int(count)
    return found
