# SPDX-License-Identifier: Apache-2.0
"""The commands in the order in which a user meets them, for `longhaul --help`."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

from longhaul import boxes

GROUPS = {
    "To begin": ("demo", "list", "types", "run", "new", "docs", "link", "container"),
    "Many runs": ("sweep", "study", "warmup", "calibrate"),
    "Look at runs": ("report", "compare", "waves", "packets", "diverge"),
    "RTL and drivers of your own": (
        *("rtl", "validate", "coverage", "synthesis", "registers", "kernel", "prefix"),
    ),
    "Scripts, and registers while a run goes on": (
        "python",
        *(name for name, each in boxes.types().items() if each.commands),
    ),
}
REST = "Longhaul itself"
WHOLE = 400  # characters: a first sentence is wrapped, not cut


class Commands(TyperGroup):
    """All commands; the help shows them by group."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a list of commands for each group; one in no group is in the last."""
        names = [name for name in self.list_commands(ctx) if not self.commands[name].hidden]
        grouped = {name for members in GROUPS.values() for name in members}
        groups = {
            heading: [name for name in members if name in names]
            for heading, members in GROUPS.items()
        } | {REST: [name for name in names if name not in grouped]}
        width = max(map(len, names), default=0)
        for heading, members in groups.items():
            if members:
                with formatter.section(heading):
                    formatter.write_dl(
                        [
                            (f"{name:{width}}", self.commands[name].get_short_help_str(WHOLE))
                            for name in members
                        ]
                    )
