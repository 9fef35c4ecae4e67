# SPDX-License-Identifier: Apache-2.0
"""The program, what holds for every command, and options that several of them have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from longhaul import __version__, boxes
from longhaul.cli.command_groups import Commands
from longhaul.errors import UsageError
from longhaul.types import plugins
from longhaul.workspace import current

app = typer.Typer(
    name="longhaul",
    cls=Commands,
    help="Real Linux and its unmodified NIC drivers on SystemC hardware.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

for _type in boxes.types().values():
    if _type.commands:
        app.add_typer(_type.commands, name=_type.name)


@dataclass
class Asked:
    """The options ahead of the command."""

    debug: bool = False
    check_only: bool = False
    words: tuple[str, ...] = ()  # of the whole command line


asked = Asked()

SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Change a setting of the scenario."),
]
ParamOption = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        metavar="OBJECT.NAME=VALUE",
        help="Change a parameter of a model; OBJECT is its name in the manifest, * every machine.",
    ),
]


def run_folder(text: str) -> Path:
    """Read the folder of a run, from here or else from the workspace."""
    return current.run_folder(Path(text))


def _folder(text: str) -> Path:
    """Read --out; an empty text, as of a shell's variable that is not set, is none."""
    if not text.strip():
        raise UsageError("--out: is empty; wants a folder, such as out/first")
    return Path(text)


OutOption = Annotated[
    Path | None, typer.Option(metavar="DIR", parser=_folder, help="Folder for the result.")
]
OutsOption = Annotated[
    Path | None, typer.Option(metavar="DIR", parser=_folder, help="Folder for the results.")
]
SeedOption = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of all random numbers.")]
LayoutOption = Annotated[
    int,
    typer.Option(
        min=0,
        max=2**63 - 1,
        envvar="LONGHAUL_LAYOUT",
        help="Shift where the guests' code lies and when programs start; 0 shifts nothing.",
    ),
]

CoverageOption = Annotated[
    bool,
    typer.Option(
        "--coverage",
        help="Count the coverage of RTL by port maps, for `longhaul coverage`; runs take longer.",
    ),
]

JobsOption = Annotated[
    int, typer.Option(min=0, help="Runs side by side; 0 is one on each core of this machine.")
]

RepeatOption = Annotated[
    int,
    typer.Option(
        min=1,
        help="Make every run N times, each with the next seed and layout: means with 95 % "
        "intervals.",
        metavar="N",
    ),
]


def _use_plugins(files: list[Path] | None) -> list[Path] | None:
    plugins.use(files or ())
    return files


ScenarioArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="The scenario, by name (`longhaul list`) or path.")
]
PluginOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--plugin",
        metavar="FILE",
        callback=_use_plugins,
        help="Load a plug-in, a shared object with models of its own (docs/plugins.md).",
    ),
]

ModuleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--module",
        metavar="HOST=FOLDER",
        help="Build the kernel modules of a Kbuild folder and load them in a guest; * is every "
        "guest (docs/own_drivers.md).",
    ),
]
PackageOption = Annotated[
    list[str] | None,
    typer.Option(
        "--package",
        metavar="HOST=NAME",
        help="Install a Debian package and its dependencies in a guest; * is every guest.",
    ),
]
FileOption = Annotated[
    list[str] | None,
    typer.Option(
        "--file", metavar="HOST=PATH=SOURCE", help="Put a file or folder at PATH of a guest."
    ),
]
BeforeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--before",
        metavar="HOST=COMMAND",
        help="Run a shell command in a guest before the workload; after a leading - it may fail.",
    ),
]
AfterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--after", metavar="HOST=COMMAND", help="Run a shell command in a guest after the workload."
    ),
]
KernelArgOption = Annotated[
    list[str] | None,
    typer.Option("--kernel-arg", metavar="HOST=WORD", help="Add to a guest's kernel command line."),
]


KernelConfigOption = Annotated[
    list[str] | None,
    typer.Option(
        "--kernel-config",
        metavar="HOST=OPTION",
        help="Give a guest a kernel with one more option, such as OF=y (docs/own_drivers.md).",
    ),
]
ConsoleOption = Annotated[
    str,
    typer.Option(
        "--console",
        metavar="HOST",
        help="Open a shell in a real guest; simulated time stands while it waits for you "
        "(docs/console.md).",
    ),
]
ConsoleAtOption = Annotated[
    str,
    typer.Option(
        "--console-at",
        metavar="WHEN",
        help="When the shell opens: before the workload, after it, or at its failure in that "
        "guest.",
    ),
]


def _version(asked_for: bool) -> None:
    """Print the version and the checkout's commit, and end."""
    if not asked_for:
        return
    from longhaul.runs import manifest  # with Pydantic

    typer.echo(f"longhaul {__version__} ({manifest.git_commit()})")
    raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the stack of an error.")] = False,
    check_only: Annotated[
        bool, typer.Option("--check-only", help="Check the command and its inputs; run nothing.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show version and commit, and exit."
        ),
    ] = False,
    workspace: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Use the workspace in this folder; the option may also follow the command.",
        ),
    ] = None,
) -> None:
    """Real Linux and its unmodified NIC drivers on SystemC hardware."""
    asked.debug, asked.check_only = debug, check_only
    if workspace is not None:
        current.use(workspace)
