# SPDX-License-Identifier: Apache-2.0
"""One change of a file of RTL."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A file's text `old` from its character `begin` on is `new`; `what` says it to a reader."""

    name: str
    file: str
    old: str
    new: str
    begin: int
    what: str

    @property
    def rule(self) -> str:
        """Return the last part of the name: the rule that it is by."""
        return self.name.rpartition(":")[2]

    def applied(self, text: str) -> str:
        """Return the file's text with the change."""
        end = self.begin + len(self.old)
        assert text[self.begin : end] == self.old
        return text[: self.begin] + self.new + text[end:]
