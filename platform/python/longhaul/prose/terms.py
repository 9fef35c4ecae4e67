# SPDX-License-Identifier: Apache-2.0
"""The vocabulary: each thing's term and the words that are not used for it.

`platform/config/prose/terms.toml` is its one source. A word that is wrong in one sense needs
patterns, phrases in which it is right, and two sentences that prove it. A table of Markdown cannot
hold them. So `docs/vocabulary.md` is made of the data, and a test compares the two.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from longhaul.errors import LonghaulError
from longhaul.paths import ROOT
from longhaul.prose.rules import Rule, reading

FILE = ROOT / "platform" / "config" / "prose" / "terms.toml"
PAGE = "docs/vocabulary.md"
HEAD = """\
# Vocabulary

One name for each thing, the field's own. Code, comments, messages and documents use these words.
The third column lists words that mean the same to some people and are not used here.
`./longhaul test --only lint` looks for them in the whole tree.

This page is made of `platform/config/prose/terms.toml`, which also has the phrases in which such a
word is right. `./longhaul python -m longhaul.prose --update` writes it.
"""


@dataclass(frozen=True)
class Term:
    """A thing's one name; `shunned` are the words of the page's third column."""

    group: str
    name: str
    meaning: str
    shunned: tuple[str, ...]
    rules: tuple[Rule, ...]


def load(file: Path = FILE) -> list[Term]:
    """Read the vocabulary; a LonghaulError says what is wrong with it."""
    return [_term(table, file) for table in tomllib.loads(file.read_text())["term"]]


def _term(table: dict[str, Any], file: Path) -> Term:
    name = table["name"]
    words: list[str] = []
    rules: list[Rule] = []
    for entry in table.get("not", ()):
        note = entry.get("note", "")
        words.append(f"{entry['word']} {note}".strip())
        given = {key: value for key, value in entry.items() if key not in ("word", "note")}
        given.setdefault("pattern", rf"\b{entry['word']}s?\b")
        rules.append(reading({"name": f"term: {name}", "instead": name, **given}, file))
    unknown = set(table) - {"group", "name", "meaning", "not"}
    if unknown:
        raise LonghaulError(f"{file}: {name} has no {sorted(unknown)[0]!r}")
    return Term(table["group"], name, table["meaning"], tuple(words), tuple(rules))


def page(terms: list[Term]) -> str:
    """Return docs/vocabulary.md."""
    return HEAD + "".join(_sections(terms))


def _sections(terms: list[Term]) -> Iterator[str]:
    for group, members in groupby(terms, lambda term: term.group):
        yield f"\n## {group}\n\n| term | meaning | not |\n| --- | --- | --- |\n"
        for term in members:
            yield f"| {term.name} | {term.meaning} | {', '.join(term.shunned)} |\n".replace(
                "|  |", "| |"
            )
