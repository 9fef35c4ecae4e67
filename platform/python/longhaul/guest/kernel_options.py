# SPDX-License-Identifier: Apache-2.0
"""Options of the guests' kernel beside those of `kernel.config`: "OF=y" (docs/own_drivers.md).

An option that the kernel's own rules drop, or do not know, is refused in one line, which names the
nearest option or the one that it lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from longhaul.errors import UsageError
from longhaul.nearest import did_you_mean

PREFIX = "CONFIG_"
MACHINE = "# --- the machine"
"""The group of kernel.config that makes the kernel a guest; none of it can be changed."""

Options = Mapping[str, str]
"""Values by name, without CONFIG_ and in the order of the names."""

_FORM = re.compile(r'(?:CONFIG_)?([A-Za-z0-9_]+)=(y|n|m|-?\d+|0x[0-9a-fA-F]+|"[^"\\\n]*")')
_SET = re.compile(r"CONFIG_(\w+)=(.*)|# CONFIG_(\w+) is not set")
_ENTRY = re.compile(r"(?:menu)?config (\w+)\b")
_TERM = re.compile(r"(!?)([A-Z0-9_]+)")


def read(texts: Iterable[str], standard: str) -> Options:
    """Return options by name; `standard` is the text of kernel.config.

    Raises UsageError for what is none, for two values of one, and for what makes the kernel a
    guest.
    """
    found: dict[str, str] = {}
    fixed = _machine(standard)
    for text in texts:
        match = _FORM.fullmatch(text.strip())
        if not match:
            raise UsageError(f"kernel option {text!r}: wants NAME=VALUE, such as OF=y")
        name, value = match.groups()
        if value == "m":
            raise UsageError(
                f"kernel option {name}=m: the guests' kernel has no modules of its own; "
                f"{name}=y builds it in"
            )
        if name in fixed:
            raise UsageError(f"kernel option {name}: is fixed: it makes the kernel a guest")
        if found.setdefault(name, value) != value:
            raise UsageError(f"kernel option {name}: is given twice, as {found[name]} and {value}")
    return dict(sorted(found.items()))


def texts(options: Options) -> tuple[str, ...]:
    """Return options as `read` takes them."""
    return tuple(f"{name}={value}" for name, value in options.items())


def lines(options: Options) -> list[str]:
    """Return options as .config has them."""
    return [_line(name, value) for name, value in options.items()]


def wanted(standard: str, options: Options) -> list[str]:
    """Return the lines of kernel.config, those of `options` in place of its own."""
    kept = [line for line in standard.splitlines() if (name := _name(line)) and name not in options]
    return [*kept, *lines(options)]


def check(tree: Path, standard: str, options: Options) -> None:
    """Refuse what a configured tree has not taken of `options`, or of kernel.config for them."""
    got = _values((tree / ".config").read_text())
    for name, value in options.items():
        if got.get(name, "n") != value:
            raise UsageError(f"kernel option {name}={value}: {_why(tree, name, value, got)}")
    for line in wanted(standard, options):
        name = _name(line)
        if name and name not in options and _line(name, got.get(name, "n")) != line:
            raise UsageError(
                f"kernel options {', '.join(texts(options))}: take {line} away, which the guests "
                "need"
            )


def _machine(standard: str) -> set[str]:
    _, _, rest = standard.partition(MACHINE)
    group = rest.partition("\n# ---")[0]
    return {name for line in group.splitlines() if (name := _name(line))}


def _name(line: str) -> str:
    match = _SET.fullmatch(line)
    return (match[1] or match[3]) if match else ""


def _line(name: str, value: str) -> str:
    return f"# {PREFIX}{name} is not set" if value == "n" else f"{PREFIX}{name}={value}"


def _values(config: str) -> dict[str, str]:
    found = (_SET.fullmatch(line) for line in config.splitlines())
    return {match[1] or match[3]: match[2] or "n" for match in found if match}


@dataclass(frozen=True)
class _Entry:
    """An option in a Kconfig file: whether it has a prompt, and what it depends on."""

    name: str
    asked: bool
    needs: tuple[str, ...]


def _why(tree: Path, name: str, value: str, got: Mapping[str, str]) -> str:
    entries = [entry for entry in _entries(tree) if entry.name == name]
    if not entries:
        known = {entry.name for entry in _entries(tree)}
        return f"the kernel has no such option{did_you_mean(name, known)}"
    missing = _missing(entries, got)
    if missing:
        return f"needs {missing}"
    if not any(entry.asked for entry in entries):
        return "others set it; it cannot be given"
    return f"the kernel's own rules make it {got.get(name, 'n')}"


def _missing(entries: Sequence[_Entry], got: Mapping[str, str]) -> str:
    """Return the plain terms that are not met, of the entry that lacks fewest of them."""
    lacks = [
        dict.fromkeys(
            term.strip()
            for text in entry.needs
            for term in text.split("&&")
            if _is_unmet(term, got)
        )
        for entry in entries
    ]
    return " and ".join(min(lacks, key=len)) if all(lacks) else ""


def _is_unmet(term: str, got: Mapping[str, str]) -> bool:
    """Tell whether A, !A or alternatives of these are not met; others are not looked at."""
    ways = [_TERM.fullmatch(way.strip()) for way in term.split("||")]
    return all(way and (got.get(way[2], "n") == "n") is not bool(way[1]) for way in ways)


def _entries(tree: Path) -> Iterator[_Entry]:
    """Yield the options of all Kconfig files that ARCH=um reads, of every part of the tree."""
    own = (tree / "arch/um", tree / "arch/x86/um")
    for file in sorted(tree.rglob("Kconfig*")):
        of_arch = tree / "arch" in file.parents[1:]
        if file.is_file() and (not of_arch or any(each in file.parents for each in own)):
            yield from _read(file.read_text(errors="replace").replace("\\\n", " "))


def _read(text: str) -> Iterator[_Entry]:
    around: list[tuple[str, list[str]]] = []  # menus and ifs with their conditions
    name, asked, needs = "", False, [""]
    inside = False  # a help text, which is further in
    for line in [*text.splitlines(), "endmenu"]:
        words = line.strip()
        at_begin = line[:1] not in ("", " ", "\t", "#")
        if at_begin:
            if name:
                yield _Entry(name, asked, (*(n for _, each in around for n in each), *needs))
            name, asked, needs, inside = "", False, [], False
            match = _ENTRY.match(words)
            kind = words.split()[0] if words else ""
            if match:
                name = match[1]
            elif kind in ("if", "menu", "choice"):
                around.append((kind, [words[2:].strip()] if kind == "if" else []))
            elif kind in ("endif", "endmenu", "endchoice") and around:
                around.pop()
        elif words in ("help", "---help---"):
            inside = True
        elif not inside and words.startswith("depends on "):
            own = needs if name or not around else around[-1][1]
            own.append(words.removeprefix("depends on "))
        elif not inside and re.match(r'(bool|tristate|int|hex|string|prompt)\s+"', words):
            asked = True
            needs += re.findall(r'"\s+if (.+)$', words)
