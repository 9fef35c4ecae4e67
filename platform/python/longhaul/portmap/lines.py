# SPDX-License-Identifier: Apache-2.0
"""Where the keys of a TOML file stand, which `tomllib` does not tell."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TABLE = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")


def _parts(text: str) -> tuple[str, ...]:
    return tuple(next(filter(None, match.groups()), "") for match in _PART.finditer(text))


class Lines:
    """The lines of a TOML file's tables and keys."""

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(text.splitlines(), 1):
            if match := _TABLE.match(line):
                table = _parts(match[1])
                self._lines.setdefault(table, number)
            elif match := _KEY.match(line):
                self._lines.setdefault((*table, *_parts(match[1])), number)

    def of(self, path: Sequence[str | int]) -> int:
        """Return the line of a key, or of the nearest table around it; 1 if there is none."""
        names = tuple(str(part) for part in path)
        while names and names not in self._lines:
            names = names[:-1]
        return self._lines.get(names, 1)
