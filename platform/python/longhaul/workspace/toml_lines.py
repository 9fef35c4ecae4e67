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
        """Return the line of a key or table, else of what is in it, else of the table around it.

        It is 1 where there is none of these.
        """
        names = tuple(str(part) for part in path)
        while names:
            within = (at for known, at in self._lines.items() if known[: len(names)] == names)
            if (line := self._lines.get(names) or next(within, 0)) != 0:
                return line
            names = names[:-1]
        return 1
