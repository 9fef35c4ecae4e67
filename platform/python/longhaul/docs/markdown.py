# SPDX-License-Identifier: Apache-2.0
"""Links, headings and code of a Markdown text, by their places in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^ {0,8}(`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,8}\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
_LINK = re.compile(
    r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]"
    r"\(\s*<?(?P<target>[^\s<>()]+(?:\([^\s()]*\))?)>?(?:\s+\"[^\"]*\")?\s*\)"
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.M)
_ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"]+)\"|\{[^}\n]*#([\w-]+)[^}\n]*\}\s*$", re.M)
HIDDEN = "\0"  # stands for each character of code


@dataclass(frozen=True)
class Link:
    """A link or image; `begin` and `end` are of its target in the text, `line` counts from 1.

    `words` are what is shown, `words_at` where they stand.
    """

    target: str
    image: bool
    begin: int
    end: int
    line: int
    words: str
    words_at: tuple[int, int]

    @property
    def outside(self) -> bool:
        """Whether it leads out of the tree: http, mail."""
        return re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", self.target) is not None


@dataclass(frozen=True)
class Code:
    """Code within a line; `begin` and `end` include its backticks. `linked`: within a link."""

    text: str
    begin: int
    end: int
    linked: bool


def hidden(text: str, pattern: re.Pattern[str]) -> str:
    """Return the text with what a pattern finds blotted out; places and lines stay."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", HIDDEN, found[0]), text)


def links(text: str) -> Iterator[Link]:
    """Yield the links and images outside of code."""
    shown = hidden(hidden(text, _FENCE), _CODE)
    for found in _LINK.finditer(shown):
        begin, end = found.span("target")
        line = text.count("\n", 0, begin) + 1
        shows = found.span("text")
        words = text[slice(*shows)]
        yield Link(text[begin:end], bool(found["image"]), begin, end, line, words, shows)


def codes(text: str) -> Iterator[Code]:
    """Yield the code that stands within lines."""
    unfenced = hidden(text, _FENCE)
    linked = [found.span() for found in _LINK.finditer(hidden(unfenced, _CODE))]
    for found in _CODE.finditer(unfenced):
        inside = any(begin <= found.start() < end for begin, end in linked)
        yield Code(found[2].strip(), *found.span(), inside)


def prose(text: str) -> str:
    """Return the text with code and links blotted out; places and lines stay."""
    return hidden(hidden(hidden(text, _FENCE), _CODE), _LINK)


def fenced(text: str) -> list[tuple[int, int]]:
    """Return the places of blocks of code."""
    return [found.span() for found in _FENCE.finditer(text)]


def headings(text: str) -> Iterator[str]:
    """Yield the texts of all headings."""
    for found in _HEADING.finditer(hidden(text, _FENCE)):
        yield found[1]


def anchors(text: str) -> set[str]:
    """Return what `#...` of a link to this text may name, as GitHub makes it of headings."""
    known: set[str] = set()
    for heading in headings(text):
        name = first = slug(heading)
        number = 0
        while name in known:
            number += 1
            name = f"{first}-{number}"
        known.add(name)
    return known | {found[1] or found[2] for found in _ANCHOR.finditer(hidden(text, _FENCE))}


def slug(heading: str) -> str:
    """Return a heading's name in links."""
    shown = _LINK.sub(lambda found: found["text"], heading)
    shown = re.sub(r"[`*]|(?<!\w)_|_(?!\w)", "", shown).lower()
    return re.sub(r"[^\w\- ]", "", shown).strip().replace(" ", "-")


def title(text: str) -> str:
    """Return the first heading, empty if there is none."""
    return next(headings(text), "")


def replaced(text: str, changes: list[tuple[int, int, str]]) -> str:
    """Return the text with other words from one place to another; changes do not overlap."""
    for begin, end, words in sorted(changes, reverse=True):
        text = text[:begin] + words + text[end:]
    return text
