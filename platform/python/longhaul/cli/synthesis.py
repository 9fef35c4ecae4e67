# SPDX-License-Identifier: Apache-2.0
"""The command that synthesises RTL: is there a chip that could be made of it, and how large?"""

from __future__ import annotations

import json
from typing import Annotated

import typer

from longhaul.cli import consoles
from longhaul.cli.app import app, asked
from longhaul.errors import UsageError
from longhaul.process import ending_signals_raise


@app.command(name="synthesis")
def synthesis_(
    target: Annotated[
        str | None,
        typer.Argument(metavar="MAP", help="A port map, or a folder of rtl/, such as nic."),
    ] = None,
    top: Annotated[
        str, typer.Option(metavar="MODULE", help="Another top module than the port map's.")
    ] = "",
    gates: Annotated[
        bool, typer.Option("--gates", help="Map words and arithmetic to gates of a bit each.")
    ] = False,
    memories: Annotated[
        bool, typer.Option("--memories", help="Show the memories with their ports, too.")
    ] = False,
    files: Annotated[
        bool, typer.Option("--files", help="Show what comes from each source file, too.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all of it as JSON.")] = False,
) -> None:
    """Synthesise RTL with Yosys for no particular device; end with 1 if it has a mistake.

    Mistakes are latches, combinational loops, nets with several drivers and nets with none. They
    are told with file and line. Cells, memories and the longest path are counted.
    """
    # With Pydantic.
    from longhaul.synthesis import check, design, shown

    if target is None:
        raise UsageError("which port map? for example: longhaul synthesis mynic.toml")
    found = design.find(target, top)
    if asked.check_only:
        return
    with ending_signals_raise():  # Yosys ends, and what it has made is removed
        report = check.report(found, _say, gates=gates)
    if as_json:
        typer.echo(json.dumps(report, indent=1))
    else:
        shown.show(consoles.printed(), report, memories=memories, files=files)
    for line in shown.lines(report):
        _say(line)
    raise typer.Exit(bool(report["findings"]))


def _say(line: str) -> None:
    typer.echo(f"longhaul: {line}", err=True)
