# SPDX-License-Identifier: Apache-2.0
"""C++ folders include each other downwards only, and as CMakeLists.txt says."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from longhaul.paths import ROOT

# In CMakeLists.txt: the table of layers, lowest first.
LINE = re.compile(r"^ *longhaul_folder\((\S+?)(?: WITHOUT \S+)?(?: USES ([^)]+))?\)$", re.MULTILINE)
# A line that stands for each folder of rtl/ that has a folder `box`.
EACH_BOX = "rtl/${block}"
TOPS = ("models", "platform", "rtl")
INCLUDE = re.compile(r'^#include "([^"]+/[^"]+)"')
# Above all layers: includes what it likes, and nothing includes it.
TOP = "platform/python"
# Headers from outside of models/ and platform/, and who may include them.
OUTSIDE = {
    "sw/linux/longhaul_abi.h": "platform/guest",
    "sw/linux/console/longhaul_console.h": "platform/guest",
}


@dataclass(frozen=True)
class Arrow:
    """An include: in which file and line, of what, and between which folders."""

    place: str
    header: str
    source: str
    target: str


class Layers:
    """The table: folders from below, and which folders each may include."""

    def __init__(self, root: Path) -> None:
        boxes = [f"rtl/{path.parent.name}" for path in sorted(root.glob("rtl/*/box"))]
        lines = [
            (each, uses)
            for folder, uses in LINE.findall((root / "CMakeLists.txt").read_text())
            for each in (boxes if folder == EACH_BOX else [folder])
        ]
        self.need_not_use = set(boxes)
        self.order = [folder for folder, _ in lines]
        self.uses = {folder: tuple(uses.split()) for folder, uses in lines}
        self.by_name = {name_of(folder): folder for folder in self.order}

    def folder(self, path: str) -> str:
        """Return the folder of the table that a file is in, the deepest one; else its parent."""
        around = [f for f in (*self.order, TOP) if path.startswith(f"{f}/")]
        return max(around, key=len, default=str(Path(path).parent))

    def misplaced(self) -> list[str]:
        """Return the entries of the table that do not stand above their user's line."""
        return [
            f"CMakeLists.txt: {folder} USES {name}, which does not stand above its line; "
            f"put {name} above it if it is lower, or take the include out"
            for at, folder in enumerate(self.order)
            for name in self.uses[folder]
            if self.by_name.get(name) not in self.order[:at]
        ]

    def complaint(self, arrow: Arrow) -> str:
        """Return what is wrong with an arrow: file, line, arrow, and what would be right."""
        head = f"{arrow.place}: {arrow.source} -> {arrow.target} ({arrow.header})"
        if arrow.header in OUTSIDE:
            return f"{head}: only {OUTSIDE[arrow.header]} includes it"
        if arrow.source not in self.order:
            return f"{head}: {arrow.source} is no layer; give it a longhaul_folder() line"
        uses = ", ".join(self.uses[arrow.source]) or "nothing"
        if arrow.target not in self.order:
            return f"{head}: {arrow.target} is no layer below; {arrow.source} includes {uses}"
        if self.order.index(arrow.target) > self.order.index(arrow.source):
            return (
                f"{head} runs up: {arrow.source} includes {uses}; move what both need "
                f"below both, or this use of it up to {arrow.target}"
            )
        return (
            f"{head} is not declared: {arrow.source} includes {uses}; do without it, or add "
            f"{name_of(arrow.target)} to USES of {arrow.source} in CMakeLists.txt"
        )

    def wrong(self, arrows: list[Arrow]) -> list[str]:
        """Return a complaint for each arrow that may not be and each entry that nobody needs."""
        bad = [arrow for arrow in arrows if not self.allows(arrow)]
        needed = {(arrow.source, name_of(arrow.target)) for arrow in arrows}
        idle = [
            f"CMakeLists.txt: {folder} USES {name}, but includes nothing of it; take it out"
            for folder in self.order
            for name in self.uses[folder]
            if folder not in self.need_not_use and (folder, name) not in needed
        ]
        return [*self.misplaced(), *map(self.complaint, bad), *idle]

    def allows(self, arrow: Arrow) -> bool:
        if arrow.header in OUTSIDE:
            return arrow.source == OUTSIDE[arrow.header]
        if arrow.source == TOP:
            return arrow.target in self.order
        names = (self.by_name.get(name) for name in self.uses.get(arrow.source, ()))
        return arrow.target in names


def name_of(folder: str) -> str:
    return folder.rpartition("/")[2]


def arrows_in(root: Path, layers: Layers) -> list[Arrow]:
    """Return the includes from one folder to another, in order of files and lines."""
    found: list[Arrow] = []
    for path in sorted(p for top in TOPS for p in (root / top).rglob("*.*")):
        if path.suffix not in (".h", ".cc"):
            continue
        name = str(path.relative_to(root))
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match is None:
                continue
            source, target = layers.folder(name), layers.folder(match[1])
            if source != target:
                found.append(Arrow(f"{name}:{number}", match[1], source, target))
    return found


def check(root: Path) -> list[str]:
    layers = Layers(root)
    return layers.wrong(arrows_in(root, layers))


def test_folders_include_what_stands_below_them_and_nothing_else() -> None:
    wrong = check(ROOT)
    assert not wrong, "\n" + "\n".join(wrong)


def test_every_source_is_in_a_layer() -> None:
    layers = Layers(ROOT)
    sources = [
        str(path.relative_to(ROOT))
        for top in TOPS
        for path in (ROOT / top).rglob("*")
        if path.suffix in (".h", ".cc")
    ]
    assert len(sources) > 400
    assert [s for s in sources if layers.folder(s) not in (*layers.order, TOP)] == []


# --- The check itself, on a small tree -----------------------------------------------------------

TABLE = """
longhaul_folder(models/low)
longhaul_folder(models/mid USES low)
longhaul_folder(platform/rtl WITHOUT box USES low)
longhaul_folder(platform/rtl/box USES mid rtl)
"""
SOUND = {
    "models/low/a.h": "#include <vector>\n",
    "models/low/deep/b.h": '#include "models/low/a.h"\n',
    "models/mid/c.cc": '#include "models/mid/c.h"\n#include "models/low/deep/b.h"\n',
    "platform/rtl/d.h": '#include "models/low/a.h"\n',
    "platform/rtl/box/e.cc": '#include "models/mid/c.h"\n#include "platform/rtl/d.h"\n',
    "platform/python/f.cc": '#include "models/mid/c.h"\n',
}


def tree(root: Path, changes: dict[str, str], table: str = TABLE) -> Path:
    for name, text in {**SOUND, **changes, "CMakeLists.txt": table}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_a_sound_tree_has_no_complaint(tmp_path: Path) -> None:
    assert check(tree(tmp_path, {})) == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "models/low/a.h",
            '#include <vector>\n#include "models/mid/c.h"\n',
            "models/low/a.h:2: models/low -> models/mid (models/mid/c.h) runs up: models/low "
            "includes nothing; move what both need below both, or this use of it up to models/mid",
        ),
        (
            "platform/rtl/d.h",
            '#include "models/low/a.h"\n#include "models/mid/c.h"\n',
            "platform/rtl/d.h:2: platform/rtl -> models/mid (models/mid/c.h) is not declared: "
            "platform/rtl includes low; do without it, or add mid to USES of platform/rtl in "
            "CMakeLists.txt",
        ),
        (
            "platform/rtl/d.h",
            '#include "models/low/a.h"\n#include "platform/rtl/box/e.h"\n',
            "platform/rtl/d.h:2: platform/rtl -> platform/rtl/box (platform/rtl/box/e.h) runs up: "
            "platform/rtl includes low; move what both need below both, or this use of it up to "
            "platform/rtl/box",
        ),
        (
            "models/new/g.h",
            '#include "models/low/a.h"\n',
            "models/new/g.h:1: models/new -> models/low (models/low/a.h): models/new is no layer; "
            "give it a longhaul_folder() line",
        ),
        (
            "models/low/a.h",
            '#include "tests/rig.h"\n',
            "models/low/a.h:1: models/low -> tests (tests/rig.h): tests is no layer below; "
            "models/low includes nothing",
        ),
        (
            "models/mid/c.cc",
            '#include "models/low/a.h"\n#include "platform/python/f.h"\n',
            "models/mid/c.cc:2: models/mid -> platform/python (platform/python/f.h): "
            "platform/python is no layer below; models/mid includes low",
        ),
        (
            "models/low/a.h",
            '#include "sw/linux/longhaul_abi.h"\n',
            "models/low/a.h:1: models/low -> sw/linux (sw/linux/longhaul_abi.h): "
            "only platform/guest includes it",
        ),
        (
            "models/mid/c.cc",
            "",
            "CMakeLists.txt: models/mid USES low, but includes nothing of it; take it out",
        ),
    ],
)
def test_a_wrong_arrow_is_named(tmp_path: Path, name: str, text: str, said: str) -> None:
    assert check(tree(tmp_path, {name: text})) == [said]


def test_a_circle_in_the_table_is_named(tmp_path: Path) -> None:
    table = TABLE.replace("(models/low)", "(models/low USES mid)")
    circle = {"models/low/a.h": '#include "models/mid/c.h"\n'}
    assert check(tree(tmp_path, circle, table)) == [
        "CMakeLists.txt: models/low USES mid, which does not stand above its line; "
        "put mid above it if it is lower, or take the include out"
    ]
