# SPDX-License-Identifier: Apache-2.0
"""Golden runs for a user to read: their list, and each one's verdict."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console

from longhaul.golden.file import Golden
from longhaul.golden.verdict import State, Verdict


def command_of(golden: Golden) -> str:
    """Return the run as a user would type it."""
    run = golden.run
    words = ["longhaul", "run", run.scenario, "--seed", str(run.seed)]
    words += [word for text in run.set for word in ("--set", text)]
    words += [word for text in run.param for word in ("--param", text)]
    return shlex.join([*words, *run.options, "--record"])


def listing(console: Console, goldens: Mapping[str, Golden]) -> None:
    """Print names, questions and commands."""
    for name, golden in goldens.items():
        _say(console, f"{name}: {golden.question}")
        _say(console, f"  {command_of(golden)}")


def show(
    console: Console, names: Sequence[str], verdicts: Iterable[Verdict], title: str = ""
) -> int:
    """Print each verdict as it comes and a closing line; return the exit code."""
    if title:
        _say(console, title)
    width = max(len(name) for name in names)
    counts = dict.fromkeys(State, 0)
    good = True
    for one in verdicts:
        counts[one.state] += 1
        good = good and one.good
        _say(console, f"{one.name:{width}}  {one.state.value}{f': {one.text}' if one.text else ''}")
    told = (f"{count} {state.value}" for state, count in counts.items() if count)
    _say(console, ", ".join(told))
    return 0 if good else 1


def _say(console: Console, line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)
