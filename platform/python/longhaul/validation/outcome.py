# SPDX-License-Identifier: Apache-2.0
"""The outcome of a test: its checks with their times, and its faults."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from longhaul import json_file
from longhaul.outdir import write_json

_NOTE = re.compile(r"(\d+) (\S+) (check|ok|not ok|skip|figure) ([\w.-]+)(?::? (.*))?")
MOST_SHOWN = 160  # characters of a message on a terminal
PASSED, FAILED, SKIPPED, UNENDED = "passed", "failed", "skipped", "not ended"


@dataclass(frozen=True)
class Check:
    """One check of a script: its verdict, what it said, its begin and end in simulated seconds."""

    name: str
    verdict: str = UNENDED
    said: str = ""
    begin_s: float | None = None
    end_s: float | None = None


@dataclass(frozen=True)
class Finding:
    """Something wrong: `by` names who found it, such as a check, a rule or tshark."""

    by: str
    message: str
    at_s: float | None = None


@dataclass(frozen=True)
class Outcome:
    """A test that was run. `key` is of all that it depends on (run.py); times are in seconds."""

    test: str
    key: str
    checks: tuple[Check, ...] = ()
    findings: tuple[Finding, ...] = ()
    figures: Mapping[str, str] = field(default_factory=dict[str, str])
    notes: tuple[str, ...] = ()
    wall_s: float = 0.0
    simulated_s: float = 0.0
    waves: str = ""  # the folder of the run that was repeated with waves, if there is one
    is_whole: bool = True  # the run came to its end
    window_s: float | None = None  # when its measured window began
    lost: int = 0  # frames in that window

    @property
    def passed(self) -> bool:
        """Tell whether nothing is wrong."""
        return not self.findings

    def counts(self) -> dict[str, int]:
        """Return how many checks ended how."""
        verdicts = [each.verdict for each in self.checks]
        return {each: verdicts.count(each) for each in (PASSED, FAILED, SKIPPED, UNENDED)}

    def write(self, path: Path) -> None:
        """Write it as JSON."""
        write_json(path, dataclasses.asdict(self))


def shortened(message: str) -> str:
    """Return as much of a message as a line has room for."""
    return message if len(message) <= MOST_SHOWN else f"{message[:MOST_SHOWN]} ..."


def number(text: str) -> float | None:
    """Return the number that a figure begins with; None where it begins with none."""
    try:
        return float(text.split()[0])
    except (ValueError, IndexError):
        return None


def load(path: Path) -> Outcome | None:
    """Read an outcome; None where there is none, or none of this form."""
    try:
        found: dict[str, Any] = json_file.read(path)
        found["checks"] = tuple(Check(**each) for each in found["checks"])
        found["findings"] = tuple(Finding(**each) for each in found["findings"])
        found["notes"] = tuple(found["notes"])
        return Outcome(**found)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def noted(lines: Iterable[str], host: str) -> tuple[list[Check], dict[str, str]]:
    """Read the checks and the figures of a host from a run's notes (raw/notes.txt)."""
    checks: dict[str, Check] = {}
    figures: dict[str, str] = {}
    begun: dict[str, float] = {}
    for match in filter(None, map(_NOTE.fullmatch, lines)):
        if match[2] != host:
            continue
        at, word, name, said = int(match[1]) / 1e12, match[3], match[4], match[5] or ""
        if word == "figure":
            figures[name] = said
        elif word == "check":
            begun[name] = at
            checks[name] = Check(name, begin_s=at)
        else:
            verdict = {"ok": PASSED, "not ok": FAILED, "skip": SKIPPED}[word]
            checks[name] = Check(name, verdict, said, begun.get(name), at)
    return list(checks.values()), figures
