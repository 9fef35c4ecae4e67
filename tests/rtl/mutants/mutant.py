# SPDX-License-Identifier: Apache-2.0
"""One change of a file of RTL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mutant:
    """A file's text `old` from its character `begin` on is `new`.

    `line` is the line that it begins in, `what` says the change to a reader.
    """

    name: str
    file: str
    old: str
    new: str
    begin: int
    line: str
    what: str

    @property
    def rule(self) -> str:
        """Return the last part of the name: the rule that it is by."""
        return self.name.rpartition(":")[2]

    @classmethod
    def at(cls, name: str, path: Path, old: str, new: str, begin: int, what: str) -> Mutant:
        """Return the mutant of a file from a character on."""
        text = path.read_text()
        first = begin + len(old) - len(old.lstrip("\n"))
        line = text[text.rfind("\n", 0, first) + 1 :].partition("\n")[0].strip()
        return cls(name, path.name, old, new, begin, line, what)

    def applied(self, text: str) -> str:
        """Return the file's text with the change."""
        end = self.begin + len(self.old)
        assert text[self.begin : end] == self.old
        return text[: self.begin] + self.new + text[end:]
