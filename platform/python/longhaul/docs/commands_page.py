# SPDX-License-Identifier: Apache-2.0
"""The page of all commands, from the program's own help."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from longhaul.docs.tables import code, plain, table

_NAMED = {2**63 - 1: "2^63 - 1"}


def page(program: Any, examples: Mapping[str, str]) -> str:
    """Return the page; `program` is the command of all commands, as Typer makes it."""
    text = (
        "# Command line\n\n"
        "Every command, its arguments and its options, as `longhaul COMMAND --help` tells them.\n"
        "docs/cli.md says what they do in depth, docs/run_folder.md what a run leaves.\n\n"
        "## Ahead of the command\n\n"
    )
    text += _parameters(program) + "\n"
    for name, command in _all(program):
        text += f"## {name}\n\n" + _help(command)
        text += f"```sh\nlonghaul {_usage(name, command)}\n```\n\n" + _parameters(command)
        if example := examples.get(name):
            text += f"For example: `{example}`\n\n"
    return text


def names(program: Any) -> list[str]:
    """Return the names of all commands, of groups with their group's."""
    return [name for name, _ in _all(program)]


def _all(program: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in sorted(program.commands.items()):
        if hasattr(command, "commands"):
            yield from _all(command, f"{prefix}{name} ")
        elif not command.hidden:
            yield prefix + name, command


def _help(command: Any) -> str:
    return plain(inspect.cleandoc(command.help or "")) + "\n\n"


def _usage(name: str, command: Any) -> str:
    words = [name]
    for each in command.params:
        if each.param_type_name == "argument":
            metavar = each.metavar or each.name.upper()
            many = "..." if each.nargs == -1 and "..." not in metavar else ""
            needed = each.required or metavar.startswith("[")
            words.append((metavar if needed else f"[{metavar}]") + many)
    return " ".join([*words, "[OPTION]..."] if _options(command) else words)


def _options(command: Any) -> list[Any]:
    return [each for each in command.params if each.param_type_name == "option"]


def _parameters(command: Any) -> str:
    rows: list[tuple[str, str, str]] = []
    for each in command.params:
        if getattr(each, "hidden", False):
            continue
        if each.param_type_name == "argument":
            rows.append((code(each.metavar or each.name.upper()), "", _told(each)))
        else:
            rows.append((_spelled(each), code(_default(each)), _told(each)))
    return table(("", "default", "meaning"), rows)


def _spelled(option: Any) -> str:
    kind = "N" if option.type_descriptor.annotation in (int, float) else "TEXT"
    metavar = "" if option.is_flag else f" {option.metavar or kind}"
    many = "..." if getattr(option, "multiple", False) else ""
    names = (*option.opts, *option.secondary_opts)
    return ", ".join(f"`{name}{metavar}`{many}" for name in names)


def _default(option: Any) -> str:
    value = option.default
    if option.secondary_opts:  # a switch that has a name for each of its states
        return (option.opts if value else option.secondary_opts)[0]
    if option.is_flag or value is None or callable(value) or type(value).__name__ == "Sentinel":
        return ""
    return "" if value in ("", (), []) else str(value)


def _told(parameter: Any) -> str:
    text = plain(parameter.help or "")
    least, most = parameter.min, parameter.max
    if least is not None or most is not None:
        above = f"{least} or more" if most is None else f"{least} to {_NAMED.get(most, most)}"
        text += f" {above}."
    if variable := getattr(parameter, "envvar", None):
        text += f" Or `{variable}` in the environment."
    return text
