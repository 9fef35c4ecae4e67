# SPDX-License-Identifier: Apache-2.0
"""How long lines and sentences are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from longhaul.docs import markdown
from longhaul.prose.passages import CODE, Passage
from longhaul.prose.rules import Finding

COLUMNS = 100
WORDS = 30
_END = re.compile(r"(?<![ (]e\.g|[ (]i\.e)[.!?][)\]\"'*_]*(?:\s+|$)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_APART = ("|", "#", "![", "<")


def long_lines(text: str) -> list[int]:
    """Return the numbers of lines of a document that are too long.

    A table's row may be, and code.
    """
    unfenced = text
    for begin, end in reversed(markdown.fenced(text)):
        unfenced = unfenced[:begin] + re.sub(r"[^\n]", "", unfenced[begin:end]) + unfenced[end:]
    lines = unfenced.splitlines()
    return [
        number
        for number, line in enumerate(lines, 1)
        if len(line) > COLUMNS and not line.lstrip().startswith(("|", "![", "<"))
    ]


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield each paragraph and list item of prose with its line; code in a line is one word."""
    for begin, end in reversed(markdown.fenced(text)):
        text = text[:begin] + "\n" * text.count("\n", begin, end) + text[end:]
    spans = [(each.begin, each.end) for each in markdown.codes(text)]
    codes = [(begin, end, "code" + "\n" * text.count("\n", begin, end)) for begin, end in spans]
    text = re.sub(r"\]\([^\s()]*\)", "", markdown.replaced(text, codes))
    yield from _joined(text, _APART)


def _joined(text: str, apart: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    first, words = 0, ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        item = _ITEM.match(line)
        alone = not line.strip() or line.lstrip().startswith(apart)
        if words and (alone or item):
            yield first, words
            words = ""
        if not alone:
            first = first if words else number
            words += line[item.end() if item else 0 :].strip(" >") + " "


def _too_long(paragraph: str) -> list[str]:
    return [
        sentence
        for sentence in _END.split(paragraph)
        if sum(any(map(str.isalnum, word)) for word in sentence.split()) > WORDS
    ]


def long_sentences(text: str) -> list[str]:
    """Return the sentences of prose with too many words, each with its paragraph's line."""
    return [
        f"{line}: {sentence}"
        for line, paragraph in paragraphs(text)
        for sentence in _too_long(paragraph)
    ]


def findings(passage: Passage) -> Iterator[Finding]:
    """Yield the sentences of a comment, docstring or message that have too many words."""
    text = re.sub(rf"{CODE}[{CODE} ]*", "code ", passage.text)
    for line, paragraph in _joined(text, ("|",)):
        for sentence in _too_long(paragraph):
            words = len(sentence.split())
            shown = f"{' '.join(sentence.split()[:6])} ..."
            instead = f"{words} words; {WORDS} at most: one idea a sentence"
            yield Finding(passage.path, passage.line + line - 1, "long-sentence", shown, instead)


def wide(passage: Passage, lines: Sequence[str]) -> Iterator[Finding]:
    """Yield the lines of a file, at which a comment or docstring stands, that are too long."""
    for number in range(passage.line, passage.line + passage.text.count("\n") + 1):
        columns = len(lines[number - 1])
        if columns > COLUMNS:
            shown = lines[number - 1][COLUMNS:]
            instead = f"{columns} columns; {COLUMNS} at most"
            yield Finding(passage.path, number, "long-line", shown, instead)
