# SPDX-License-Identifier: Apache-2.0
"""Verilator's options and file lists, in the words that slang has for them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

Word = str | Path
"""A word as it is, or a file or folder."""

_FOLLOWED = frozenset(
    (
        *("-CFLAGS", "-LDFLAGS", "-MAKEFLAGS", "-Mdir", "-O", "-j", "-top", "-top-module"),
        *("-clk", "-default-language", "-inline-mult", "-l2-name", "-language", "-mod-prefix"),
        *("-output-split", "-prefix", "-threads", "-timescale", "-timescale-override"),
        *("-trace-depth", "-trace-threads", "-unroll-count", "-unroll-stmts", "-x-assign"),
        *("-x-initial", "-hierarchical-block", "-build-jobs", "-converge-limit", "-waiver-output"),
    )
)
"""Options of Verilator that slang does not have, with a value as their next word."""
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|^\s*#[^\n]*", re.DOTALL | re.MULTILINE)
_RTL = frozenset((".v", ".sv", ".vh", ".svh", ".V", ".SV", ""))
_MOST_LISTS = 20
"""File lists within one another."""


@dataclass
class Words:
    """Words that slang is told, and those that it does not have."""

    told: list[Word] = field(default_factory=list[Word])
    left_out: list[str] = field(default_factory=list[str])


class ListError(Exception):
    """A file list cannot be read; the message says which and why."""


def translated(words: Iterable[str], folder: Path) -> Words:
    """Return options of Verilator as slang has them; paths begin at `folder`.

    Raises ListError for a file list that cannot be read.
    """
    found = Words()
    _translate(iter(words), folder, found, 0)
    return found


def _translate(words: Iterator[str], own: Path, found: Words, depth: int) -> None:
    """Translate words whose paths begin at the folder `own`; depth: of file lists."""
    if depth > _MOST_LISTS:
        raise ListError(f"file lists name one another {_MOST_LISTS} deep")
    for word in words:
        option = f"-{word[2:]}" if word.startswith("--") else word
        if option in ("-f", "-F"):
            name = _given(word, words)
            path = own / name
            below = path.parent if option == "-F" else own
            _translate(iter(_listed(path, name)), below, found, depth + 1)
        elif option in ("-y", "-I", "-v"):
            found.told += [option, own / _given(word, words)]
        elif option.startswith("-I"):
            found.told += ["-I", own / option[2:], "-y", own / option[2:]]
        elif option.startswith("+incdir+"):
            for name in filter(None, option.split("+")[2:]):
                found.told += ["-I", own / name, "-y", own / name]
        elif option.startswith("+libext+"):
            for name in filter(None, option.split("+")[2:]):
                found.told += ["-Y", name]
        elif option.startswith("+define+"):
            found.told += [f"-D{name}" for name in filter(None, option.split("+")[2:])]
        elif option.startswith("-D"):
            found.told.append(option)
        elif re.match(r"-G\w+=", option):
            found.told += ["-G", option[2:]]
        elif option.startswith(("-", "+")):
            value = f" {next(words, '')}" if option in _FOLLOWED else ""
            found.left_out.append(f"{word}{value}")
        elif Path(word).suffix in _RTL:
            found.told.append(own / word)
        else:
            found.left_out.append(word)


def _given(option: str, words: Iterator[str]) -> str:
    try:
        return next(words)
    except StopIteration:
        raise ListError(f"{option} names nothing") from None


def _listed(path: Path, name: str) -> list[str]:
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        what = error.strerror if isinstance(error, OSError) else "is no text"
        raise ListError(f"{name}: {what}") from None
    return os.path.expandvars(_COMMENT.sub(" ", text)).split()
