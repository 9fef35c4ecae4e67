# SPDX-License-Identifier: Apache-2.0
"""The judge of every case: names all that is wrong with its end.

Right is: an end within the limits, the exit code that fits (docs/cli.md), at most three lines that
say what is wrong and where, and nothing left behind.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from dataclasses import dataclass, field

from longhaul.attack.processes import Ended

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
DOCUMENTED = frozenset({DONE, FAILED, USAGE, INTERRUPTED})
MOST_LINES = 3
MOST_CHARACTERS = 1500  # of a message
TAIL = "  | "  # begins the lines of a guest's console, which follow a message
PREFIX = "longhaul: "
# Texts that no message may have: each shows a defect.
_DEFECTS = {
    "sanitizer": re.compile(
        r"ERROR: (Address|Leak|Thread|Memory)Sanitizer|runtime error: |SUMMARY: \w+Sanitizer"
    ),
    "traceback": re.compile(r"^Traceback \(most recent call last\)|internal error: ", re.M),
    "json": re.compile(r"json\.exception|parse_error\.\d|type_error\.\d|out_of_range\.\d"),
    "assertion": re.compile(
        r"Assertion .* failed|terminate called|__glibcxx_assert|Error: \(E\d+\)|Fatal: \(F\d+\)"
    ),
    "library": re.compile(r"std::|basic_string|vector::|bad_alloc|map::at|bad_function|stoi|stoul"),
}
# The place that a message begins with: machines[0].cpu: ..., sender.eth0: ..., config.json: ...
_PLACE = re.compile(r"[^\s:.'\"][^:]{0,300}: \S|[^:]*'[^']+'|--\w|.*\w+=")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with how a case ended."""

    kind: str
    text: str

    @property
    def signature(self) -> str:
        """The same for faults that are alike: without numbers, names and paths."""
        if self.kind in ("lines", "length", "characters"):  # whatever they are about
            return self.kind
        if "exit code" in self.kind:  # its numbers are what is wrong
            return f"{self.kind}: {self.text}"
        text = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", self.text)
        text = re.sub(r"/\S+", "/...", text)
        return f"{self.kind}: {re.sub(r'[0-9]+', 'N', text)[:100]}"


@dataclass(frozen=True)
class Expected:
    """How a case may end.

    `says` is a pattern that the message of a failure must have. With a `place` a message begins
    with the place that it is about. With `only` the message is all that standard error may have.
    """

    codes: frozenset[int] = DOCUMENTED
    says: str = ""
    place: bool = False
    only: bool = False
    silent: frozenset[int] = field(default_factory=lambda: frozenset[int]())
    more: Callable[[Ended], list[Fault]] = lambda _ended: []


def codes(*numbers: int) -> frozenset[int]:
    """Return a set of exit codes."""
    return frozenset(numbers)


def message(err: str) -> list[str]:
    """Return the lines of the last message on standard error, without a guest's console."""
    lines = err.rstrip().splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith(PREFIX)]
    return [line for line in lines[starts[-1] :] if not line.startswith(TAIL)] if starts else []


def judge(ended: Ended, expected: Expected) -> list[Fault]:
    """Return all that is wrong."""
    faults: list[Fault] = []
    if ended.memory:
        faults.append(Fault("memory", f"took {ended.memory / 2**30:.1f} GiB"))
    elif ended.code is None:
        when = "after SIGTERM" if ended.stopped else "at its limit"
        faults.append(Fault("hang", f"had not ended {when}, {ended.seconds:.0f} s"))
    else:
        faults += _code(ended.code, expected)
    faults += _defects(ended)
    if ended.code is not None and ended.code > 0 and ended.code not in expected.silent:
        faults += _message(ended, expected)
    faults += [Fault("stray", f"still runs: {name}") for name in ended.strays]
    faults += [Fault("file", f"outside of its folders: {name}") for name in ended.strangers]
    if not faults:
        faults += expected.more(ended)
    return faults


def _code(code: int, expected: Expected) -> list[Fault]:
    if code in expected.codes:
        return []
    if code < 0:
        return [Fault("crash", f"was killed by {signal.Signals(-code).name}")]
    wanted = ", ".join(map(str, sorted(expected.codes)))
    kind = "exit code" if code in DOCUMENTED else "undocumented exit code"
    return [Fault(kind, f"{code}, not {wanted}")]


def _defects(ended: Ended) -> list[Fault]:
    own = "\n".join(line for line in ended.err.splitlines() if not line.startswith(TAIL))
    found: list[Fault] = []
    for kind, pattern in _DEFECTS.items():
        match = pattern.search(own)
        if match:
            line = own[own.rfind("\n", 0, match.start()) + 1 :].partition("\n")[0]
            found.append(Fault(kind, line.strip()[:300]))
    return found


def _message(ended: Ended, expected: Expected) -> list[Fault]:
    lines = message(ended.err)
    if not lines:
        last = ended.err.strip().splitlines()[-1:] or ["nothing"]
        return [Fault("no message", f"exit code {ended.code}, and it said: {last[0][:200]}")]
    faults: list[Fault] = []
    text = "\n".join(lines).removeprefix(PREFIX)
    said = ended.err.strip().splitlines() if expected.only else lines
    if len(said) > MOST_LINES:
        faults.append(Fault("lines", f"{len(said)} lines: {said[0][:200]}"))
    if len(text) > MOST_CHARACTERS:
        faults.append(Fault("length", f"{len(text)} characters: {text[:100]}"))
    if any(not character.isprintable() and character != "\n" for character in text):
        faults.append(Fault("characters", f"does not print: {text[:200]!r}"))
    if not text.strip():
        faults.append(Fault("no message", f"exit code {ended.code} with an empty one"))
    elif expected.place and ended.code != INTERRUPTED and not _PLACE.match(text):
        faults.append(Fault("place", f"none: {text[:200]}"))
    if expected.says and ended.code != INTERRUPTED and not re.search(expected.says, text):
        faults.append(Fault("words", f"without {expected.says!r}: {text[:200]}"))
    return faults
