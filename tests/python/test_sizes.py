# SPDX-License-Identifier: Apache-2.0
"""No source over 400 lines, no class over 500 in all its files.

What `./longhaul registers` makes is no source: nobody writes it.
"""

import re
from collections import Counter
from pathlib import Path

from longhaul.paths import ROOT

SOURCES = (".h", ".cc", ".c", ".py", ".sv")
FOLDERS = ("benchmarks", "examples", "models", "platform", "rtl", "scenarios", "sw", "tests")
MADE = re.compile(
    r"^// Made from \S+\.rdl by `./longhaul registers`; a change here is lost.$", re.M
)
CLASS = re.compile(r"^class (\w+)(?: final)?(?: :|\s*\{)", re.M)
METHOD = re.compile(r"^[^\s/#].*?\b(\w+)::~?\w+\(", re.M)


def sources(*endings: str) -> list[Path]:
    found = [path for name in FOLDERS for path in (ROOT / name).rglob("*")]
    return [path for path in found if path.suffix in endings and path.is_file()]


def is_made(path: Path) -> bool:
    return bool(MADE.search(path.read_text()[:300]))


def lines(path: Path) -> int:
    return path.read_text().count("\n")


def test_no_source_has_more_than_400_lines() -> None:
    long = [path for path in sources(*SOURCES) if lines(path) > 400]
    assert [str(path) for path in long if not is_made(path)] == []


def test_no_class_has_more_than_500_lines_in_all_its_files() -> None:
    """A source is a file of the class that most methods in it belong to."""
    owners: dict[tuple[Path, str], int] = {}
    for path in sources(".cc"):
        methods = Counter(METHOD.findall(path.read_text()))
        if methods:
            (name, _), *_ = methods.most_common(1)
            owners[path.parent, name] = owners.get((path.parent, name), 0) + lines(path)
    sizes = {
        f"{path.relative_to(ROOT)}: {name}": lines(path) + owners.get((path.parent, name), 0)
        for path in sources(".h")
        for name in CLASS.findall(path.read_text())
    }
    assert len(sizes) > 300
    assert {name: size for name, size in sizes.items() if size > 500} == {}
