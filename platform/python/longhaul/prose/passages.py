# SPDX-License-Identifier: Apache-2.0
"""The English of the tree's files: each comment, docstring, message and paragraph with its line.

A file's kind follows from its name. Code, identifiers in backticks and addresses are blotted out
with one placeholder for each word, so that lines and columns stay.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from longhaul.docs import markdown

CODE = "\0"  # stands for each character of code; no pattern finds it
KINDS = ("comment", "docstring", "markdown", "message", "page")
FEWEST_WORDS = 3  # of a string that is taken for English
_WORD = re.compile(r"[A-Za-z]{2,}")
_ADDRESS = re.compile(r"https?://\S+")
_NAMES = re.compile(r"`[^`\n]+`|`[^`\n]+\n[^`\n]+`")


@dataclass(frozen=True)
class Passage:
    """A stretch of English. `kind` is markdown, comment, docstring, message or page.

    `line` counts from 1 and is where `text` begins; each newline of `text` is one of the file.
    """

    path: str
    line: int
    kind: str
    text: str

    def line_of(self, place: int) -> int:
        """Return the line of the file that a place of the text stands on."""
        return self.line + self.text.count("\n", 0, place)


def blotted(text: str, *patterns: re.Pattern[str]) -> str:
    """Return the text with each thing that a pattern finds blotted out; lines stay."""
    for pattern in patterns:
        text = pattern.sub(lambda found: re.sub(r"[^\n]", CODE, found[0]), text)
    return text


def _is_english(text: str) -> bool:
    return len(_WORD.findall(text)) >= FEWEST_WORDS and " " in text.strip()


def of_markdown(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield a document in one piece, without its code and its links' targets."""
    changes: list[tuple[int, int, str]] = []
    for begin, end in markdown.fenced(text):
        changes.append((begin, end, "\n" * text.count("\n", begin, end)))
    for code in markdown.codes(text):
        changes.append((code.begin, code.end, re.sub(r"[^\n]", CODE, text[code.begin : code.end])))
    text = markdown.replaced(text, changes)
    yield 1, "markdown", re.sub(r"\]\([^\s()]*\)", "]", text)


def of_python(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield docstrings, comments and strings of several words."""
    module = ast.parse(text)
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings: set[int] = set()
    for node in ast.walk(module):
        if isinstance(node, kinds) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                value = first.value
                if isinstance(value.value, str):
                    docstrings.add(id(value))
                    yield value.lineno, "docstring", value.value
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr):
            words = "".join(
                str(part.value) if isinstance(part, ast.Constant) else CODE for part in node.values
            )
            docstrings.update(id(part) for part in node.values)
            if _is_english(words):
                yield node.lineno, "message", words.replace("\n", " ")
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings and _is_english(node.value):
                yield node.lineno, "message", node.value
    yield from _grouped(_python_comments(text))


def _python_comments(text: str) -> Iterator[tuple[int, int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            alone = not token.line[: token.start[1]].strip()
            yield token.start[0], token.start[1] if alone else -1, token.string.lstrip("#! ")


def _grouped(comments: Iterator[tuple[int, int, str]]) -> Iterator[tuple[int, str, str]]:
    """Join comments of lines that follow each other at one column; -1 is behind code."""
    first, column, lines = 0, 0, list[str]()
    for line, at, words in comments:
        if words.startswith(("SPDX-", "namespace ", "NOLINT")):
            continue
        if lines and at == column and at >= 0 and line == first + len(lines):
            lines.append(words)
            continue
        if lines:
            yield first, "comment", "\n".join(lines)
        first, column, lines = line, at, [words]
    if lines:
        yield first, "comment", "\n".join(lines)


_C = re.compile(
    r"(?P<raw>R\"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)\")"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"(?:\s*\"(?:[^\"\\\n]|\\.)*\")*)"
    r"|(?P<char>(?<!\w)'(?:[^'\\\n]|\\.)+')"
    r"|(?P<line>//[^\n]*)"
    r"|(?P<block>/\*.*?\*/)",
    re.S,
)


def of_c(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield comments and strings of C, C++, SystemVerilog and SystemRDL."""
    comments: list[tuple[int, int, str]] = []
    for found in _C.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found["line"] is not None:
            before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
            at = len(before) if not before.strip() else -1
            comments.append((line, at, found[0].lstrip("/!< ")))
        elif found["block"] is not None:
            body = re.sub(r"(?m)^[ \t]*\*+(?!/)", "", found[0][2:-2]).strip("*!")
            yield line, "comment", body
        elif found["string"] is not None:
            pieces = re.sub(r"\"(\s*)\"", lambda gap: "\n" * gap[1].count("\n"), found[0][1:-1])
            words = pieces.replace('\\"', '"').replace("\\n", " ")
            words = re.sub(r"\{[^{}\n]*\}|%[\d.]*[lhz]*[a-zA-Z]", CODE, words)
            if _is_english(words):
                yield line, "message", words
    yield from _grouped(iter(comments))


_TOML = re.compile(
    r"(?P<long>\"\"\".*?\"\"\"|'''.*?''')|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')|(?P<comment>#[^\n]*)",
    re.S,
)


def of_toml(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield comments and strings of several words; literal strings ('...') are patterns."""
    comments: list[tuple[int, int, str]] = []
    for found in _TOML.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found["comment"]:
            before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
            comments.append(
                (line, len(before) if not before.strip() else -1, found[0].lstrip("# "))
            )
        elif not found[0].startswith("'") and _is_english(found[0]):
            yield line, "message", found[0].strip('"')
    yield from _grouped(iter(comments))


_SHELL_SAYS = re.compile(
    r"\b(?:say|die|step|echo|fail|warn)\b[^\n\"']*(\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')"
)


def of_shell(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield comments, and what a script says."""
    comments: list[tuple[int, int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r"\s*#(?!!)[# ]*(.*)$", line) or re.search(r"\s\s#\s+([^\"'`]*)$", line)
        if found:
            alone = line.lstrip().startswith("#")
            comments.append((number, len(line) - len(line.lstrip()) if alone else -1, found[1]))
        for said in _SHELL_SAYS.finditer(line):
            words = re.sub(r"\$\{?[\w@*#]+[^}\s\"]*\}?", CODE, said[1][1:-1])
            if _is_english(words):
                yield number, "message", words
    yield from _grouped(iter(comments))


_TEMPLATE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<(script|style)\b.*?</\1>|<[^<>]*>", re.S)


def of_template(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield a page's words without its tags."""
    yield 1, "page", blotted(text, _TEMPLATE)


Reader = Callable[[str], Iterator[tuple[int, str, str]]]
READERS: dict[str, Reader] = {
    ".md": of_markdown,
    ".md.j2": of_markdown,
    ".html.j2": of_template,
    ".py": of_python,
    **dict.fromkeys((".h", ".cc", ".c", ".sv", ".v", ".rdl", ".vlt", ".S", ".js"), of_c),
    **dict.fromkeys((".toml", ".toml.j2", ".cmake", "CMakeLists.txt", ".yml", ".yaml"), of_toml),
    **dict.fromkeys((".sh", "longhaul", "sw/guest/*", ".ci/run"), of_shell),
}


def reader_of(name: str) -> Reader | None:
    """Return how the English of a file is found, or None: it has none that is ours."""
    path = PurePosixPath(name)
    for ending, reader in READERS.items():
        if name.endswith(ending) if ending.startswith(".") else path.match(ending):
            return reader
    return of_shell if path.match("sw/guest/workloads/*") else None


def passages(name: str, text: str) -> Iterator[Passage]:
    """Yield the passages of a file; code in backticks and addresses are blotted out."""
    reader = reader_of(name)
    if reader is None:
        return
    for line, kind, words in reader(text):
        yield Passage(name, line, kind, blotted(words, _ADDRESS, _NAMES))
