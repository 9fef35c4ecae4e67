# SPDX-License-Identifier: Apache-2.0
"""The command that keeps docs/results.md: results."""

from __future__ import annotations

from typing import Annotated

import typer

from longhaul.cli import consoles
from longhaul.cli.app import app, asked
from longhaul.errors import LonghaulError, UsageError
from longhaul.workspace import current


@app.command()
def results(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME...]",
            help="Areas or measurements; without names it shows all, and measures those that "
            "take seconds.",
        ),
    ] = None,
    update: Annotated[
        bool,
        typer.Option(
            "--update",
            help="Run their commands, keep the values and write docs/results.md; run again to go "
            "on after an interruption.",
        ),
    ] = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Run their commands and compare with the page, within the spread that it states; "
            "end with 1 if a figure differs.",
        ),
    ] = False,
    page: Annotated[
        bool, typer.Option("--page", help="Write docs/results.md from the kept values; run none.")
    ] = False,
    every: Annotated[
        bool,
        typer.Option("--all", help="With --update or --check: all measurements, which take hours."),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="With --update: measure figures of this commit again.")
    ] = False,
) -> None:
    """Show the figures of docs/results.md with their age, measure them again, or check them."""
    # With Pydantic, Polars and Jinja.
    from longhaul.catalogue import commands, entry, listing, machine, values
    from longhaul.catalogue import page as pages
    from longhaul.catalogue import update as updates

    _one_of(update=update, check=check, page=page)
    wrong = {"--all": every and not (update or check), "--force": force and not update}
    lone = next((option for option, given in wrong.items() if given), None)
    if lone:
        raise UsageError(
            f"{lone}: is for {'--update' if lone == '--force' else '--update and --check'}"
        )
    if every and names:
        raise UsageError(f"--all: takes no names; {names[0]} is one of them")
    catalogue = entry.load()
    making = update or check
    wanted = entry.chosen(catalogue, names or [], every=every or not making)
    if asked.check_only:
        return
    current.leave()  # the tree's own, wherever this is called
    recorded = values.load()
    if page:
        pages.write(catalogue, recorded)
        typer.echo(str(pages.FILE))
        return
    if not making:
        listing.show(consoles.printed(160), wanted, recorded)
        return
    commit = machine.commit([values.FILE, pages.FILE])
    if check:
        bad = updates.repeat(wanted, recorded, lambda one: commands.make(one, commit), _say)
        _end(bad, "differ from the page")
        return
    try:
        bad = updates.update(
            wanted,
            commit,
            lambda one: commands.make(one, commit, kept=commands.kept()),
            _say,
            force=force,
        )
    finally:
        pages.write(catalogue, values.load())
    typer.echo(str(pages.FILE))
    _end(bad, "could not be made")


def _one_of(**given: bool) -> None:
    named = [f"--{name}" for name, is_given in given.items() if is_given]
    if len(named) > 1:
        raise UsageError(f"{named[0]} and {named[1]} are two commands; give one of them")


def _end(bad: list[str], what: str) -> None:
    if bad:
        more = f"; {len(bad) - 1} more" if len(bad) > 1 else ""
        raise LonghaulError(f"figures {what}: {bad[0]}{more}")


def _say(line: str) -> None:
    typer.echo(f"longhaul: {line}", err=True)
