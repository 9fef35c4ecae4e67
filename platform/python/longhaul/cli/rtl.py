# SPDX-License-Identifier: Apache-2.0
"""The command for port maps: does one fit its RTL, and which pin is what?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from longhaul.cli.app import app, asked
from longhaul.cli.own import load_plugins
from longhaul.errors import UsageError


@app.command(name="rtl")
def rtl_(
    map_: Annotated[
        Path | None, typer.Argument(metavar="MAP", help="A port map (docs/port_maps.md).")
    ] = None,
    build: Annotated[
        bool, typer.Option("--build", help="Compile the block, too, and print where it is.")
    ] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of port maps, for editors.")
    ] = False,
    reference: Annotated[
        bool, typer.Option("--reference", help="Print all keys of port maps as Markdown.")
    ] = False,
) -> None:
    """Check a port map against its RTL and show which pin is what."""
    # With Pydantic.
    from longhaul.portmap import objects, table
    from longhaul.portmap.read import read
    from longhaul.types import plugins, rtl_models

    if schema or reference:
        if map_ or build or schema and reference:
            raise UsageError("--schema and --reference take nothing else; give one of them")
        typer.echo(table.schema() if schema else table.reference())
        return
    if map_ is None:
        raise UsageError("which port map? for example: longhaul rtl mynic.toml")
    file = read(map_)
    if asked.check_only:
        return
    if file.map.pci and file.map.pci.twin:
        load_plugins()
        rtl_models.check_map(rtl_models.of_file(file.path), plugins.given())
    bound = objects.bound(file, _say)
    for line in table.pins(json.loads(bound)):
        typer.echo(line)
    if build:
        typer.echo(objects.ensure(file, _say))


def _say(line: str) -> None:
    typer.echo(f"longhaul: {line}", err=True)
