# SPDX-License-Identifier: Apache-2.0
"""Commands on the tree itself: kernel, registers, bench, tune, python, container, test."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from longhaul import boxes
from longhaul.cli import consoles
from longhaul.cli.app import LayoutOption, PluginOption, app, asked
from longhaul.cli.own import load_plugins
from longhaul.devtools import tuning
from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import ROOT
from longhaul.process import ending_signals_raise
from longhaul.types import plugins


@app.command(name="kernel")
def guest_kernel(
    verify: Annotated[
        bool, typer.Option("--verify", help="Prove that driver and network sources are Debian's.")
    ] = False,
    again: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Build it once more in FOLDER and compare the bytes."),
    ] = None,
    module: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Build the kernel modules in FOLDER for it, with counted blocks."
        ),
    ] = None,
    headers: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write a tree to FOLDER with which `make -C` builds modules."
        ),
    ] = None,
    config: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPTION", help="Do this for a kernel with one more option, such as OF=y."
        ),
    ] = None,
) -> None:
    """Build the guest's kernel or modules for it, or prove what it was built from."""
    # The builder of kernels: ten modules, which only this command needs.
    from longhaul.guest import kernel, kernel_proofs, module_blocks, module_tree
    from longhaul.guest import parts as guest_parts

    def progress(line: str) -> None:
        typer.echo(f"longhaul: {line}", err=True)

    own = kernel.options(config or ())
    if again is not None and not again.is_dir():
        raise UsageError(f"--again {again}: there is no such folder")
    if module is not None and not module.is_dir():
        raise UsageError(f"--module {module}: there is no such folder")
    asked_for = {"--again": again, "--module": module, "--headers": headers}
    given = [option for option, folder in asked_for.items() if folder is not None]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} are two commands; give one of them")
    if headers is not None:
        module_tree.check_place(headers)
    if asked.check_only:
        return
    if again is not None:
        with ending_signals_raise():  # what is half built is removed
            first, second = kernel_proofs.again(again, progress, own)
        if first != second:
            raise LonghaulError(f"two builds differ: sha256 {first} and {second}")
        typer.echo(f"Two builds are the same bytes: sha256 {first}")
    elif module is not None:
        for made in module_blocks.build(kernel.ensure(progress, own), module):
            typer.echo(str(made))
    elif headers is not None:
        info = kernel.ensure(progress, own)
        module_tree.write(info.path.parent / "source", headers)
        typer.echo(f"make -C {headers.absolute()} M=$PWD modules")
        typer.echo(module_tree.ABOUT, err=True)
    elif not verify:
        info = kernel.ensure(progress, own)
        typer.echo(f"Linux {info.version}, key {info.key}: {info.path}")
    if not verify:
        return
    found = guest_parts.verified_kernel(progress, own)
    package = f"linux-source-6.1 {found.info.package_version}"
    typer.echo(f"{found.files} files of drivers/net, net and include are those of {package}")
    for name, checksum in found.info.drivers.items():
        typer.echo(f"  driver {name:6} sha256 {checksum}")
    typer.echo("Edited or added for the guest's machine:")
    for name, reason in found.edited.items():
        typer.echo(f"  {name}: {reason}")


@app.command()
def registers(
    adapter: Annotated[
        str | None, typer.Argument(metavar="[ADAPTER]", help="A type, to see its registers.")
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="[REGISTER=VALUE]...", help="Values, to see them field by field."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the adapter's registers as JSON.")
    ] = False,
    plugin: PluginOption = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; end with 1 if a file is stale.")
    ] = False,
) -> None:
    """Show an adapter's registers with their fields, or make the files of rtl/*/*.rdl."""
    if adapter is not None:
        if check:
            raise UsageError("--check is for the tree's registers; leave the adapter out")
        if not asked.check_only:
            _show_registers(adapter, values or (), as_json)
        return
    for option, given in (("--json", as_json), ("--plugin", plugin)):
        if given:
            raise UsageError(
                f"{option} is for an adapter's registers; name an adapter, such as ixgb"
            )
    if asked.check_only:
        return
    from longhaul.registers import generate  # with SystemRDL's compiler

    if not check:
        for path in generate.write():
            typer.echo(str(path.relative_to(ROOT)))
        return
    stale = [path.relative_to(ROOT).as_posix() for path in generate.stale()]
    for path in stale:
        typer.echo(f"{path} is not what its registers make it; run: ./longhaul registers")
    raise typer.Exit(bool(stale))


def _show_registers(adapter: str, values: Sequence[str], as_json: bool) -> None:
    box = boxes.types().get(adapter)
    if box is not None and box.commands:
        raise UsageError(f"{adapter} is a box; its registers: longhaul {adapter} registers")
    # With Pydantic.
    from longhaul.cli import register_listing
    from longhaul.types import adapter_registers

    load_plugins()
    found = adapter_registers.of(adapter, plugins.given())
    if values:
        given = [found.parse(text) for text in values]
        if as_json:
            fields = [{"register": one.name, "fields": one.numbers(word)} for one, word in given]
            typer.echo(json.dumps(fields, indent=1))
        else:
            for register, word in given:
                register_listing.show_value(consoles.printed(140), register, word)
    elif as_json:
        typer.echo(found.model_dump_json(indent=1))
    else:
        register_listing.show(consoles.printed(140), found)


@app.command()
def bench(
    only: Annotated[str, typer.Option(metavar="REGEX", help="Only benchmarks that match.")] = "",
    against: Annotated[
        str,
        typer.Option(metavar="COMMIT", help="Compare real guests' runs with those of a commit."),
    ] = "",
    turns: Annotated[
        int, typer.Option(min=1, help="With --against: runs of each tree, by turns.")
    ] = 3,
) -> None:
    """Run the benchmarks of the primitives and of whole runs."""
    from longhaul.devtools import benchmarks, commit_bench  # with Pydantic

    pattern = benchmarks.pattern(only)
    if against:
        commit_bench.resolve(against)
        commit_bench.chosen(pattern)
    if asked.check_only:
        return
    if against:
        commit_bench.run(against, pattern, turns, consoles.printed())
    else:
        benchmarks.run(pattern, consoles.printed())


@app.command()
def tune() -> None:
    """Build the simulator for this machine, from a profile of runs: once, for long sweeps."""
    if not asked.check_only:  # the builds before and after it are ./longhaul's
        tuning.train(lambda line: typer.echo(f"longhaul: {line}", err=True))


@app.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    add_help_option=False,
)
def python(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SCRIPT] [ARGUMENT...]", help="Python's own arguments."),
    ] = None,
) -> None:
    """Run Python with longhaul.api: topologies and simulations in a script (docs/python_api.md)."""
    if not asked.check_only:
        os.execv(sys.executable, [sys.executable, *(arguments or [])])


@app.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    add_help_option=False,
)
def container(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[OPTION]... COMMAND [ARGUMENT]...")
    ] = None,
) -> None:
    """Run a command in a container of Debian 12, by podman or docker (docs/container.md)."""
    words = " ".join(command or ["COMMAND"])
    raise UsageError(
        f"container stands ahead of every other word; for example: longhaul container {words}"
    )


@app.command()
def test(
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="SUITE", help="lint, unit, asan, rtl, python, guest or system."),
    ] = None,
    layout: LayoutOption = 0,
    deep: Annotated[
        bool, typer.Option("--deep", help="Also what CI has no time for; takes hours.")
    ] = False,
) -> None:
    """Run every test, or only some suites; guest and system on a layout."""
    from longhaul.devtools import testing  # with XML's parser

    suites = testing.chosen(only or [])
    if asked.check_only:
        return
    raise typer.Exit(testing.run(suites, consoles.printed(highlight=False), layout, deep))
