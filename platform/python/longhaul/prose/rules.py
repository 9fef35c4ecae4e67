# SPDX-License-Identifier: Apache-2.0
"""Rules of plain English as data, and what they find in a passage."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from longhaul.errors import LonghaulError
from longhaul.nearest import did_you_mean
from longhaul.paths import ROOT
from longhaul.prose.passages import KINDS, Passage

FILE = ROOT / "platform" / "config" / "prose" / "rules.toml"
_KEYS = ("name", "pattern", "instead", "kinds", "unless", "where", "allowed", "wrong", "right")
_NEEDED = ("name", "pattern", "instead", "wrong", "right")


@dataclass(frozen=True)
class Finding:
    """A rule's find: where, the words, and what to write instead."""

    path: str
    line: int
    rule: str
    words: str
    instead: str

    def __str__(self) -> str:
        """Return the finding in one line."""
        return f'{self.path}:{self.line}: {self.rule}: "{self.words}"; {self.instead}'


@dataclass(frozen=True)
class Rule:
    """Words that are not written, and what is written instead.

    `kinds` are the kinds of passages that it holds for and `where` the folders; empty: all.
    `unless` has the phrases in which the words are right, `allowed` the files in which they are,
    each with the reason. `wrong` and `right` are sentences that prove the rule.
    """

    name: str
    pattern: str
    instead: str
    wrong: str
    right: str
    kinds: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    allowed: tuple[tuple[str, str], ...] = ()

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(_over_lines(self.pattern), re.IGNORECASE)

    @cached_property
    def _right(self) -> re.Pattern[str] | None:
        joined = "|".join(f"(?:{_over_lines(phrase)})" for phrase in self.unless)
        return re.compile(joined, re.IGNORECASE) if joined else None

    def holds_for(self, path: str, kind: str) -> bool:
        """Return whether the rule looks at such passages of a file."""
        if (self.kinds and kind not in self.kinds) or path in dict(self.allowed):
            return False
        return not self.where or path.startswith(self.where)

    def within(self, text: str) -> Iterator[re.Match[str]]:
        """Yield where a text breaks the rule."""
        found = list(self._pattern.finditer(text))
        spans = (
            [each.span() for each in self._right.finditer(text)] if found and self._right else []
        )
        for each in found:
            if not any(begin <= each.start() and each.end() <= end for begin, end in spans):
                yield each

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield what a passage breaks the rule with."""
        if self.holds_for(passage.path, passage.kind):
            for each in self.within(passage.text):
                words = " ".join(each[0].replace("\0", "").split())
                yield Finding(
                    passage.path, passage.line_of(each.start()), self.name, words, self.instead
                )


_BEHIND = re.compile(r"\(\?<[=!][^()]*\)| \??")


def _over_lines(pattern: str) -> str:
    """Let a space of a pattern stand for the end of a line, too."""

    def change(found: re.Match[str]) -> str:
        if len(found[0]) <= 2:
            return r"\s+" if found[0] == " " else r"\s*"
        return found[0].replace(" ", r"\s")  # what looks behind has one width

    return _BEHIND.sub(change, pattern)


def reading(table: dict[str, Any], file: Path) -> Rule:
    """Read a rule; a LonghaulError says what is wrong with it."""
    shown = f"{file.name}: rule {table.get('name', '')!r}"
    for key in table:
        if key not in _KEYS:
            raise LonghaulError(f"{shown} has no key {key!r}{did_you_mean(key, _KEYS)}")
    for key in _NEEDED:
        if not table.get(key):
            raise LonghaulError(f"{shown} needs {key!r}")
    for kind in table.get("kinds", ()):
        if kind not in KINDS:
            raise LonghaulError(f"{shown}: no kind {kind!r}{did_you_mean(kind, KINDS)}")
    lists: dict[str, tuple[str, ...]] = {
        key: tuple(table.get(key, ())) for key in ("kinds", "unless", "where")
    }
    for pattern in (table["pattern"], *lists["unless"]):
        try:
            re.compile(_over_lines(pattern))
        except re.error as error:
            raise LonghaulError(f"{shown}: {pattern!r} is no pattern: {error}") from None
    allowed = tuple(table.get("allowed", {}).items())
    return Rule(*(table[key] for key in _NEEDED), **lists, allowed=allowed)


def load(file: Path = FILE) -> list[Rule]:
    """Read the rules of a file."""
    return [reading(table, file) for table in tomllib.loads(file.read_text())["rule"]]
