# SPDX-License-Identifier: Apache-2.0
"""A TOML file of the user's: an error in it is told with file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean
from longhaul.workspace.toml_lines import Lines

_UNENDED = "Illegal character '\\n'"  # tomllib's words for it


@dataclass(frozen=True)
class TomlFile:
    """The tables of a file, and its text to find lines in; every error is a UsageError."""

    path: Path
    tables: Mapping[str, Any]
    text: str

    @classmethod
    def load(cls, path: Path) -> TomlFile:
        """Read a file; a UsageError says where it is no TOML."""
        text = ""
        try:
            text = path.read_text(encoding="utf-8")
            return cls(path, tomllib.loads(text), text)
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise UsageError(f"{path}: is no text in UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            at = re.search(r" \(at line (\d+), column \d+\)$", str(error))
            line = at[1] if at else str(text.count("\n") + 1)  # "at end of document"
            what = re.sub(r" [(]at .*[)]$", "", str(error))
            if what == _UNENDED:
                what = "the text that begins in this line has no end"
            raise UsageError(f"{path}:{line}: {what}") from None

    @cached_property
    def lines(self) -> Lines:
        """Where its keys stand."""
        return Lines(self.text)

    def line(self, table: str, key: str = "") -> int:
        """Return the line of a table or of a key in it; 1 if it is spelt in another way.

        A table within a table is `outer.inner`.
        """
        return self.lines.of([part for part in (*table.split("."), key) if part])

    def wrong(self, what: str, table: str, key: str = "") -> UsageError:
        """Return an error that tells file and line of a table or of a key in it."""
        return UsageError(f"{self.path}:{self.line(table, key)}: {what}")

    def check_tables(self, known: Iterable[str]) -> None:
        """Refuse tables that nobody reads, and values where tables belong."""
        names = tuple(known)
        for name, found in self.tables.items():
            if name not in names:
                what = f"unknown table [{name}]" if isinstance(found, Mapping) else _unknown(name)
                raise self.wrong(f"{what}{did_you_mean(name, names)}", name)
            if not isinstance(found, Mapping):
                raise self.wrong(f"{name} has to be a table: [{name}]", name)

    def table(self, name: str, known: Iterable[str]) -> Mapping[str, Any]:
        """Return a table, empty where there is none; a key that nobody reads is refused."""
        found = cast(Mapping[str, Any], self.tables.get(name, {}))
        names = tuple(known)
        for key in found:
            if key not in names:
                raise self.wrong(
                    f"{_unknown(key)} in [{name}]{did_you_mean(key, names)}", name, key
                )
        return found

    def text_of(self, table: str, key: str, default: str | None = None) -> str:
        """Return a text that is not empty; without `default` it has to be there."""
        value = self.tables.get(table, {}).get(key, default)
        if value is None:
            raise self.wrong(f'[{table}] lacks {key} = "..."', table)
        if not isinstance(value, str) or (not value and default is None):
            raise self.wrong(f'{key} has to be a text: {key} = "..."', table, key)
        return value

    def texts_of(self, table: str, key: str) -> tuple[str, ...]:
        """Return a list of texts, none of them empty; empty where it is not there."""
        value = self.tables.get(table, {}).get(key, [])
        texts = cast(list[Any], value) if isinstance(value, list) else []
        found = tuple(text for text in texts if isinstance(text, str) and text)
        if not isinstance(value, list) or len(found) < len(texts):
            raise self.wrong(f'{key} has to be a list of texts: {key} = ["..."]', table, key)
        return found

    def numbers_of(self, table: str, key: str) -> Mapping[str, float]:
        """Return a table of numbers by name, empty where it is not there."""
        value: Any = self.tables.get(table, {}).get(key, {})
        if not isinstance(value, Mapping):
            raise self.wrong(f'{key} has to be a table: {key} = {{"NAME" = 1.5}}', table, key)
        found = cast(Mapping[str, Any], value)
        for name, number in found.items():
            if isinstance(number, bool) or not isinstance(number, int | float):
                right = f'{key} = {{"{name}" = 1.5}}'
                raise self.wrong(f"{name} has to be a number: {right}", table, key)
        return found


def _unknown(key: str) -> str:
    return f"unknown key {key!r}"
