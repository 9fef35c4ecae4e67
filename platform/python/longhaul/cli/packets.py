# SPDX-License-Identifier: Apache-2.0
"""The command for packets: what happened to one, from descriptor to wire to memory?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from longhaul.cli import consoles
from longhaul.cli.app import app, asked, run_folder


@app.command()
def packets(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A run with --packets.", parser=run_folder)
    ],
    number: Annotated[
        int | None,
        typer.Argument(
            metavar="[NUMBER]", help="A packet's number, which captures and waves have, too.", min=0
        ),
    ] = None,
) -> None:
    """Show one packet's life from descriptor to wire to memory, or which packets a run has."""
    # With NumPy.
    from longhaul.packets import table
    from longhaul.packets.file import Packets

    if asked.check_only:
        return
    found = Packets.read(folder)
    if number is not None:
        life = table.life(found, number)
        typer.echo(f"packet {number}: {found.text(number)}")
        consoles.printed(140).print(life)
        return
    for line in table.summary(found, folder):
        typer.echo(line)
