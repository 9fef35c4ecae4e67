# SPDX-License-Identifier: Apache-2.0
"""The check of the tree's English: its findings, less the known ones, which have to shrink."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from longhaul.docs import tree
from longhaul.paths import ROOT
from longhaul.prose import rules, sentences, terms
from longhaul.prose.passages import Passage, passages
from longhaul.prose.rules import Finding, Rule

KNOWN = ROOT / "platform" / "config" / "prose" / "known.toml"
KNOWN_HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# Findings of `python -m longhaul.prose` that stand in the tree: for each file, how many of
# each rule. A file with more fails. `--shrink` takes mended ones out of this list and adds none.
"""
# Files whose English is not the tree's own to choose.
QUOTING = {
    "platform/config/prose/": "the rules quote what they catch",
    "docs/vocabulary.md": "lists the words that are not used",
    "tests/python/test_prose.py": "quotes what the rules catch",
    "tests/python/samples/": "other programs' output",
    "docs/site/iframe-worker.js": "another project's",
    "rtl/gnet1/gnet1_csr_pkg.sv": "made of gnet1.rdl",
    "models/wan/gnet1/gnet1_regs.h": "made of gnet1.rdl",
}
# Strings of these are scripts, kernel's lines or what others say; their comments are checked.
STRINGS_OF_OTHERS = ("tests/", "sw/linux/edits/", "platform/python/longhaul/attack/kinds/")


@dataclass(frozen=True)
class Counted:
    """How often a file breaks a rule: found, and known to stand there."""

    path: str
    rule: str
    found: int
    known: int


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return the rules of plain English and those of the vocabulary."""
    return (*rules.load(), *(rule for term in terms.load() for rule in term.rules))


def of_text(name: str, text: str) -> list[Finding]:
    """Return what is found in a file's English, in order of line."""
    lines = text.splitlines()
    found: list[Finding] = []
    for passage in passages(name, text):
        if passage.kind != "message" or not name.startswith(STRINGS_OF_OTHERS):
            found += of_passage(passage)
        if passage.kind == "comment" and not name.endswith(".py"):  # ruff's E501
            found += sentences.wide(passage, lines)
    return sorted(found, key=lambda each: each.line)


def of_passage(passage: Passage) -> Iterator[Finding]:
    """Yield what the rules find in a passage, and its sentences that are too long."""
    for rule in all_rules():
        yield from rule.findings(passage)
    if passage.kind in ("comment", "docstring", "message"):  # a document's: test_documents.py
        yield from sentences.findings(passage)


def files() -> list[str]:
    """Return the files whose English is the tree's own."""
    return sorted(name for name in tree.files() if not name.startswith(tuple(QUOTING)))


def of_tree(names: Iterable[str], root: Path = ROOT) -> list[Finding]:
    """Return what is found in these files, in order of file and line."""
    found: list[Finding] = []
    for name in names:
        try:
            text = (root / name).read_text()
        except UnicodeDecodeError:
            continue
        found += of_text(name, text)
    return found


def known(file: Path = KNOWN) -> dict[str, dict[str, int]]:
    """Return how many findings of which rule stand in which file."""
    return tomllib.loads(file.read_text()) if file.exists() else {}


def compared(found: Sequence[Finding], stand: dict[str, dict[str, int]]) -> list[Counted]:
    """Return each file and rule whose findings are not as many as are known."""
    counts = Counter((each.path, each.rule) for each in found)
    listed = {(path, rule): n for path, by_rule in stand.items() for rule, n in by_rule.items()}
    every = sorted(counts.keys() | listed.keys())
    pairs = [Counted(*each, counts[each], listed.get(each, 0)) for each in every]
    return [each for each in pairs if each.found != each.known]


def shrunk(
    found: Sequence[Finding], stand: dict[str, dict[str, int]] | None
) -> dict[str, dict[str, int]]:
    """Return the known findings without those that were mended; of None, all that is found."""
    counts = Counter((each.path, each.rule) for each in found)
    kept: dict[str, dict[str, int]] = {}
    for (path, rule), number in sorted(counts.items()):
        least = number if stand is None else min(number, stand.get(path, {}).get(rule, 0))
        if least:
            kept.setdefault(path, {})[rule] = least
    return kept


def as_toml(stand: dict[str, dict[str, int]]) -> str:
    """Return the known findings as the file has them."""
    lines = [
        f'"{path}" = {{ {", ".join(f"{_key(rule)} = {n}" for rule, n in by_rule.items())} }}\n'
        for path, by_rule in stand.items()
    ]
    return KNOWN_HEAD + "".join(lines)


def _key(rule: str) -> str:
    return rule if rule.replace("-", "").isalnum() else f'"{rule}"'
