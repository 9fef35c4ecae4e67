# SPDX-License-Identifier: Apache-2.0
"""Help for commands that use the current workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from longhaul.paths import ROOT

if TYPE_CHECKING:
    from longhaul.registry import ScenarioEntry


def use_workspace(entry: ScenarioEntry, *, build: bool = True) -> None:
    """Say what a name stands for, and load the workspace's plug-ins unless not to `build` them."""
    if not build:
        return
    if entry.hides:
        tree = ROOT / "scenarios" / entry.name
        _say(f"{entry.name} is the one in {entry.folder}; {tree} has its name, and is another")
    load_plugins()


def load_plugins() -> None:
    """Load the plug-ins of the workspace in use, built if stale.

    Ends the command where it only checks and they cannot be built yet.
    """
    from longhaul.types import workspace_plugins  # with all that builds them

    if not workspace_plugins.ensure(_say):
        raise typer.Exit


def _say(line: str) -> None:
    typer.echo(f"longhaul: {line}", err=True)
