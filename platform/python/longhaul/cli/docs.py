# SPDX-License-Identifier: Apache-2.0
"""The command for the documentation as a site."""

from __future__ import annotations

from typing import Annotated

import typer

from longhaul.cli.app import OutOption, app, asked
from longhaul.cli.examples import EXAMPLES
from longhaul.workspace import current


@app.command()
def docs(
    serve: Annotated[
        bool, typer.Option("--serve", help="Show the site to browsers of this machine.")
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where --serve listens; 0 is any that is free.")
    ] = 8000,
    out: OutOption = None,
) -> None:
    """Build this documentation as a site that needs no network; out/docs without --out."""
    # With Pydantic, the port maps' schema, an HTTP server and, for figures, matplotlib.
    from longhaul.catalogue.paper_figures import section
    from longhaul.docs import reference, server, site

    folder = out or current.out() / "docs"
    site.check_place(folder)
    if asked.check_only:
        return
    listening = server.opened(port, folder.absolute()) if serve else None
    pages = reference.pages(typer.main.get_command(app), EXAMPLES, section)
    number = site.build(folder, pages, section)
    typer.echo(f"{number} pages: {folder / 'index.html'}")
    if listening:
        server.serve(listening, typer.echo)
