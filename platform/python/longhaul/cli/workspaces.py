# SPDX-License-Identifier: Apache-2.0
"""Commands for workspaces: new, prefix, link."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import Annotated

import typer

from longhaul.cli.app import app, asked
from longhaul.paths import ROOT
from longhaul.types import prefix as library
from longhaul.workspace import link as links


@app.command()
def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the workspace and of its folder.")
    ],
    kind: Annotated[
        str,
        typer.Option(metavar="KIND", help="study, tlm-adapter, ...; an unknown KIND lists all."),
    ] = "study",
    into: Annotated[
        Path, typer.Option("--in", metavar="DIR", help="Make it in this folder.")
    ] = Path(),
) -> None:
    """Make a workspace: a folder of your own that runs as it is (docs/workspaces.md)."""
    # With Jinja.
    from longhaul.workspace import creation, kinds

    of = kinds.find(kind)
    folder = creation.check(name, into)
    if asked.check_only:
        return
    creation.make(of, name, folder)
    typer.echo(f"{folder}: {of.title}")
    typer.echo(f"It needs {of.needs}.")
    found = shutil.which("longhaul")
    start = "longhaul" if found else shlex.quote(str(ROOT / "longhaul"))
    shown = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
    typer.echo(f"Run it: cd {shlex.quote(str(shown))} && {start} run")
    if not found:
        typer.echo(f"Have `longhaul` everywhere: {start} link")


@app.command()
def prefix() -> None:
    """Install the models as a library into the cache, and print its folder, for plug-ins."""
    if not asked.check_only:
        typer.echo(str(library.ensure(lambda line: typer.echo(f"longhaul: {line}", err=True))))


@app.command()
def link(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="A folder of PATH; ~/.local/bin if left out."),
    ] = None,
) -> None:
    """Put a `longhaul` that works from anywhere into ~/.local/bin, or another folder."""
    if asked.check_only:
        return
    for line in links.make(folder or links.default()):
        typer.echo(line)
