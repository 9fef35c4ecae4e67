# SPDX-License-Identifier: Apache-2.0
"""Mutants of SystemVerilog by rule: one operator, constant, condition or assignment each."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from mutants.mutant import Mutant

COMMENT = re.compile(r"//[^\n]*")
# From the first assertion on, a file says what holds, not what the hardware does.
CHECKS = re.compile(
    r"^  (?:\w+: (?:assert|cover) property|always_ff .* begin : checks)", re.MULTILINE
)
# Ports and signals: a mutant there is of another type, which the compiler refuses.
DECLARED = re.compile(
    r"^\s*(?:input|output|typedef|logic|parameter|import|module|endmodule|\w+_[te]\b)"
)
# Of these the type alone; the value behind it is hardware.
TYPED = re.compile(r"^\s*(?:localparam|function)[^=\n]*")


def _swap(pairs: dict[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda found: found[0].replace(found["op"], pairs[found["op"]])


def _one_more(found: re.Match[str]) -> str:
    """Return a number of SystemVerilog with its value one higher, or lower if it is the highest."""
    base = {"d": 10, "h": 16, "b": 2, "o": 8}[found["base"]]
    value = int(found["value"].replace("_", ""), base)
    highest = (1 << int(found["width"])) - 1
    other = value - 1 if value == highest else value + 1
    return f"{found['width']}'d{other}"


RULES: dict[str, tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = {
    "equality": (re.compile(r" (?P<op>==|!=) "), _swap({"==": "!=", "!=": "=="})),
    "order": (
        re.compile(r"(?<=[\w)\]]) (?P<op>>=|>|<)(?= [^<>=])"),
        _swap({">=": ">", ">": ">=", "<": "<="}),
    ),
    "logic": (re.compile(r" (?P<op>&&|\|\|)(?=\s)"), _swap({"&&": "||", "||": "&&"})),
    "sum": (re.compile(r"(?<=[\w)\]}]) (?P<op>[+-])(?= [\w({])"), _swap({"+": "-", "-": "+"})),
    "bits": (
        re.compile(r"(?<=[\w)\]}]) (?P<op>[|^&])(?= [\w({~])"),
        _swap({"|": "&", "&": "|", "^": "|"}),
    ),
    "negation": (re.compile(r"(?<![\w!])!(?=[\w(])"), lambda _: ""),
    "constant": (
        re.compile(r"(?<![\w'])(?P<width>\d+)'(?P<base>[dhbo])(?P<value>[0-9A-Fa-f_]+)"),
        _one_more,
    ),
    "reset": (re.compile(r"(?<= <= )(?:'0|1'b0|'1|1'b1)(?=;)"), lambda found: {
        "'0": "'1", "1'b0": "1'b1", "'1": "'0", "1'b1": "1'b0"}[found[0]]),
    "enable": (re.compile(r"(?<!else )(?<=if \()[^();\n]+(?=\))"), lambda _: "1'b1"),
    "dropped": (re.compile(r"(?<=\n)[ ]+\w+ +<= [^;\n]+;\n"), lambda _: "\n"),
    "bound": (re.compile(r"\[(?P<high>\d+):(?P<low>\d+)\]"),
              lambda found: f"[{int(found['high']) + 1}:{int(found['low']) + 1}]"),
}  # fmt: skip


def _hardware(text: str) -> Callable[[int], bool]:
    """Return whether a place of the text is hardware: no comment, check or declaration."""
    checks = CHECKS.search(text)
    end = checks.start() if checks else len(text)
    comments = [found.span() for found in COMMENT.finditer(text)]
    lines = [0, *(found.end() for found in re.finditer("\n", text))]
    declared: list[tuple[int, int]] = []
    for begin, after in zip(lines, [*lines[1:], len(text)], strict=True):
        line = text[begin:after]
        if DECLARED.match(line):
            declared.append((begin, after))
        elif found := TYPED.match(line):
            declared.append((begin, begin + found.end()))

    def is_hardware(at: int) -> bool:
        inside = any(begin <= at < after for begin, after in (*comments, *declared))
        return at < end and not inside

    return is_hardware


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    text = path.read_text()
    is_hardware = _hardware(text)
    for rule, (pattern, change) in RULES.items():
        for found in pattern.finditer(text):
            begin, end = found.span()
            if is_hardware(begin + len(found[0]) - len(found[0].lstrip())):
                line = text.count("\n", 0, begin + (found[0][:1] == "\n")) + 1
                name = f"{path.stem}:{line}:{rule}"
                what = f"{rule}: {_shown(found[0])} is {_shown(change(found)) or 'left out'}"
                yield Mutant.at(name, path, found[0], change(found), begin, what)


def _shown(text: str) -> str:
    """Return RTL as Markdown has it within a line."""
    return f"`{' '.join(text.split())}`" if text.strip() else ""


def in_turn(found: Iterable[Mutant], seed: int) -> Iterator[Mutant]:
    """Yield mutants as evenly over modules, and then over rules, as there are some.

    The order is the same for a seed.
    """
    chance = random.Random(seed)
    by_file: dict[str, list[Mutant]] = {}
    for mutant in found:
        by_file.setdefault(mutant.file, []).append(mutant)
    for group in by_file.values():
        chance.shuffle(group)
    files = sorted(by_file)
    chance.shuffle(files)
    taken: Counter[str] = Counter()
    while by_file:
        for file in [file for file in files if file in by_file]:
            chosen = min(by_file[file], key=lambda mutant: taken[mutant.rule])
            by_file[file].remove(chosen)
            taken[chosen.rule] += 1
            yield chosen
            if not by_file[file]:
                del by_file[file]
