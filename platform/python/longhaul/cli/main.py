# SPDX-License-Identifier: Apache-2.0
"""From a command line to an exit code: errors as one line that says what would be right."""

from __future__ import annotations

import copy
import os
import sys
import traceback
from typing import Any

import typer

from longhaul import boxes, echo, phases
from longhaul.cli.app import app, asked
from longhaul.errors import Interrupted, LonghaulError, UsageError
from longhaul.nearest import did_you_mean
from longhaul.workspace.current import OPTION


def main(args: list[str] | None = None) -> int:
    """Run the command line and return the exit code; an error is one line on standard error."""
    phases.begin("command line")
    args = list(sys.argv[1:] if args is None else args)
    args = _workspace_ahead(args)
    command = typer.main.get_command(_with_what_is_asked(args))
    if not args or args[-1] in GROUPS and len(args) == 1:
        args.append("--help")
    try:
        _check_lengths(args)
        if "--waves" in args:
            from longhaul.results import waves  # with Pydantic

            args = waves.split_option(args)
        asked.words = tuple(args)
        outcome: Any = command.main(args=args, prog_name="longhaul", standalone_mode=False)
        if outcome == INTERRUPTED:  # what typer makes of KeyboardInterrupt, without a word
            return _fail(KeyboardInterrupt(), "interrupted", INTERRUPTED)
        return outcome if isinstance(outcome, int) else 0
    except LonghaulError as error:
        return _fail(error, str(error), error.exit_code)
    except typer.TyperException as error:
        text = error.format_message() if hasattr(error, "format_message") else str(error)
        text = _one_line(text).rstrip(".")
        return _fail(error, text + ("" if "Did you mean" in text else _example(args)), 2)
    except (KeyboardInterrupt, typer.Abort) as error:
        return _fail(error, "interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        return _fail(error, f"{what}{error.strerror or error}", 1)
    except MemoryError as error:
        return _fail(error, "out of memory", 1)
    except Exception as error:  # a defect of ours; the line says where to look
        return _fail(error, f"internal error: {type(error).__name__}: {error} (see --debug)", 1)


MOST_ARGUMENT = 4096  # characters
INTERRUPTED = Interrupted.exit_code
GROUPS = tuple(name for name, each in boxes.types().items() if each.commands)  # of commands
EXAMPLES = {
    "run": "longhaul run ixgb_b2b --set duration=100ms --out out/first",
    "sweep": "longhaul sweep ixgb_wan --over rtt=1ms,10ms --set duration=100ms",
    "warmup": "longhaul warmup ixgb_b2b --set mtu=1500",
    "validate": "longhaul validate e1000 --only ping --only rings",
    "report": "longhaul report out/first",
    "compare": "longhaul compare out/first out/second",
    "diverge": "longhaul diverge out/first out/second",
    "golden": "longhaul golden --list",
    "attack": "longhaul attack --minutes 5 --seed 1",
    "list": "longhaul list ixgb_wan",
    "results": "longhaul results --check published",
    "types": "longhaul types ixgb",
    "test": "longhaul test --only unit",
    "bench": "longhaul bench --only jumbo",
    "kernel": "longhaul kernel --verify",
    "tune": "longhaul tune",
    "python": "longhaul python examples/what_if.py",
    "demo": "longhaul demo",
    "new": "longhaul new mystudy --kind study",
    "prefix": "longhaul prefix",
    "link": "longhaul link",
    "calibrate": "longhaul calibrate opteron_10g",
    "waves": "longhaul waves out/first",
    "registers": "longhaul registers --check",
    "rtl": "longhaul rtl mynic.toml",
} | {
    f"{box} {command}": example
    for box, described in boxes.types().items()
    for command, example in described.examples.items()
}


def _workspace_ahead(args: list[str]) -> list[str]:
    """Put --workspace DIR ahead of the command, as one word, wherever it stands.

    What follows `python` is a script's own.
    """
    words: list[str] = []
    given: list[str] = []
    rest = iter(args)
    for word in rest:
        if word == "python":
            words += [word, *rest]
        elif word.startswith(f"{OPTION}="):
            given.append(word)
        elif word == OPTION and (value := next(rest, None)) is not None:
            given.append(f"{OPTION}={value}")
        else:
            words.append(word)
    return given + words


def _with_what_is_asked(args: list[str]) -> typer.Typer:
    """Return the program with the one command that is asked for, if it is one of its own.

    To read the annotations of all commands takes ten times as long.
    """
    word = next((word for word in args if not word.startswith("-")), "")
    own = [
        each
        for each in app.registered_commands
        if word and word == (each.name or getattr(each.callback, "__name__", ""))
    ]
    if not own or "--help" in args[: args.index(word)]:  # the help ahead of a command is of all
        return app
    one = copy.copy(app)
    one.registered_commands, one.registered_groups = own, []
    return one


def _example(args: list[str]) -> str:
    """Return what would be right, ahead of which stands what was wrong: a command, an example."""
    words = [word for word in args if not word.startswith("-")]
    for length in (2, 1):
        command = " ".join(words[:length])
        if command in EXAMPLES:
            return f"; for example: {EXAMPLES[command]}"
    group = f"{words[0]} " if words and words[0] in GROUPS else ""
    known = [name.removeprefix(group).split()[0] for name in EXAMPLES if name.startswith(group)]
    wrong = words[1:2] if group else words[:1]
    return did_you_mean(wrong[0], set(known)) if wrong else ""


def _check_lengths(args: list[str]) -> None:
    """Refuse what is no name, path or value but a whole file; a message could not repeat it."""
    for number, argument in enumerate(args, 1):
        if len(argument) > MOST_ARGUMENT:
            raise UsageError(
                f"argument {number} has {len(argument)} characters, {MOST_ARGUMENT} are the most: "
                f"{argument}"
            )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _fail(error: BaseException, text: str, code: int) -> int:
    if asked.debug:
        traceback.print_exception(error)
    usage = code == UsageError.exit_code
    text = echo.one_line(text) if usage else "\n".join(map(echo.one_line, text.splitlines()))
    print(f"longhaul: {text}", file=sys.stderr)
    return code
