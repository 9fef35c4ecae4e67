# SPDX-License-Identifier: Apache-2.0
"""Command lines of the command line's own options, with values at random.

A case calls the command line in a process forked for it: an interpreter's start takes longer than
most cases. A line that would run or build something is only checked (--check-only).
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import typer

from longhaul import registry
from longhaul.attack import processes
from longhaul.attack.kind import Kind, Verdict
from longhaul.attack.kinds import words
from longhaul.attack.kinds.words import ANY, BAD, GOOD, Word
from longhaul.attack.oracle import DONE, FAILED, USAGE, Expected, codes
from longhaul.attack.place import Place
from longhaul.paths import SIMULATOR

LIMIT_S = 120.0
# Commands that only read; the others are checked.
LOOKING = ("list", "report", "compare", "diverge", "waves")
RUNNING = "--all"  # of report: it runs what it shows
# Commands whose words mean what others of the line say: nothing is known of them ahead.
UNSURE = ("python", "report", "test", "bench", "golden", "warmup", "waves")
# Modules that commands load when they are called.
LOADED = (
    "cli.listing",
    "papers.reproductions",
    "report",
    "results.summary",
    "runs.runner",
    "sweeps.repeated_comparison",
    "sweeps.sweep",
)
# By a parameter's name; a text for all others.
_TAKES: dict[str, Callable[[random.Random], Word]] = {
    "name": words.scenario,
    "of": words.scenario,
    "param": words.parameter,
    "over": words.axis,
    "testbed": words.one_of("opteron_10g"),
    "only": words.one_of("lint", "unit", "python", "configurations"),
    "waves": words.one_of("link", "tcp", "core", "all", "link,tcp"),
    "waves_trigger": words.one_of("retransmit", "drop:3", "drop", "register:0x10"),
    "port": words.one_of("0", "1", "3"),
    "host": words.one_of("qemu64"),
    "names": words.text,
    "values": words.text,
}
_TIMES = ("duration", "period", "at", "waves_from", "waves_length", "waves_until", "waves_history")
_PATHS = ("folder", "folders", "first", "second", "run", "out", "html", "again")
_INTEGERS = ("seed", "layout", "repeat", "jobs", "items", "after", "case")
_VARIADIC = ("folders", "names", "values", "arguments")


class Commands(Kind):
    """Case N is a command with options and arguments at random."""

    name = "commands"
    what = "command lines with right and wrong words, checked only"
    weight = 2
    chunk = 8

    def prepare(self) -> None:
        """Load what every case needs, once, ahead of the forks."""
        for module in LOADED:
            importlib.import_module(f"longhaul.{module}")
        for entry in registry.scenarios().values():
            _ = entry.module
        self._tree = list(commands(self.ground.command_line.tree()))

    def run(self, number: int, place: Place) -> Verdict:
        """Let the command line refuse a line of words, or do what it says."""
        chance = self.ground.chance(self.name, number)
        line, known = line_of(chance, self._tree)
        (place.work / "file").write_text("a file\n")
        (place.work / "empty").mkdir()
        damaged = place.work / "damaged"
        damaged.mkdir()
        for name in ("results.json", "manifest.json"):
            (damaged / name).write_text(
                chance.choice(["", "{}", "[]", "null", "{", '{"cases": 1}'])
            )
        environment = place.environment({SIMULATOR: str(self.ground.simulator)})

        limits = processes.Limits(LIMIT_S * self.ground.patience)
        # --html=page writes its file where the user says.
        written = [word.partition("=")[2] for word in line if word.startswith("--")]
        files = ["file", "empty", "damaged", *written, *line]
        call = partial(self.ground.command_line.call, line)
        ended = self.ended(call, place, environment, limits, expected=files)
        expected = {GOOD: codes(DONE), BAD: codes(USAGE), ANY: codes(DONE, FAILED, USAGE)}[known]
        label = f"{known} words"
        return self.verdict(
            number, label, ended, Expected(expected, only=True), command=["longhaul", *line]
        )


def commands(group: Any) -> list[tuple[tuple[str, ...], list[Any]]]:
    """Return every command of the tree: its words and its parameters."""
    context = typer.Context(group)
    found: list[tuple[tuple[str, ...], list[Any]]] = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            found += [((name, *inner), params) for inner, params in commands(command)]
        else:
            found.append(((name,), list(command.params)))
    return found


def line_of(
    chance: random.Random, tree: list[tuple[tuple[str, ...], list[Any]]]
) -> tuple[list[str], str]:
    """Return a command line, and what is known of it: GOOD, BAD or ANY."""
    names, params = chance.choice(tree)
    command, alone = names[0], len(names) == 1
    looks = command in LOOKING or not alone
    ahead = [] if looks else ["--check-only"]
    if chance.random() < 0.03:
        return [*ahead, chance.choice(["nonsense", "runn", *words.STRANGE[6:]])], ANY
    line = list(names)
    chosen: list[Word] = []
    scenario = ""
    for param in params:
        argument = param.param_type_name == "argument"
        if argument:
            many = _how_many(chance, param)
            chosen += [] if many else [Word("", ANY)]
            for _ in range(many):
                word = _value(chance, param.name, scenario)
                scenario = scenario or (word.text if param.name == "name" else "")
                line.append(word.text)
                chosen.append(word if not word.text.startswith("-") else Word(word.text, ANY))
        elif chance.random() < (0.6 if param.name in ("set_", "over") else 0.12):
            option = chance.choice(param.opts)
            if getattr(param, "is_flag", False):
                line.append(option)
                chosen.append(Word(option, ANY))
                continue
            word = _value(chance, param.name, scenario)
            line += [f"{option}={word.text}"] if option.startswith("--") else [option, word.text]
            chosen.append(word)
        elif param.required:  # as --over of a sweep is
            chosen.append(Word("", BAD))
    if chance.random() < 0.05:
        line.append(chance.choice(["--nonsense", "--se", "-x", "--set", "--out"]))
        chosen.append(Word("", ANY))
    sure = alone and command not in UNSURE
    if RUNNING in line:
        ahead = ["--check-only"]
    return [*ahead, *line], words.verdict(chosen) if sure else ANY


def _how_many(chance: random.Random, param: Any) -> int:
    if param.name in _VARIADIC:
        return chance.choice([0, 1, 1, 2, 3])
    return 0 if chance.random() < 0.04 else 1


def _value(chance: random.Random, name: str, scenario: str) -> Word:
    if name == "set_":
        return words.assignment(chance, scenario)
    if name in _TAKES:
        return _TAKES[name](chance)
    if name in _PATHS:
        return words.path(chance)
    if name in _INTEGERS:
        return words.integer(chance)
    return words.time(chance) if name in _TIMES else words.text(chance)
