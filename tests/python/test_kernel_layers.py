# SPDX-License-Identifier: Apache-2.0
"""sw/linux/um: a file uses its own folder and those below it, as sw/linux/README.md says."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from longhaul.paths import ROOT

UM = Path("sw/linux/um")
README = "sw/linux/README.md"
# The table of layers, lowest first: folder, what it does, what it uses.
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \|([^|]*)\|$", re.MULTILINE)
INCLUDE = re.compile(r"^#include [<\"]([\w.]+)[>\"]", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# In kernel style, a function's name and arguments stand above a lone brace, at the line's begin.
FUNCTION = re.compile(r"^(\w[^\n;{}()#]*?)\b(\w+)\([^;{}#]*\)\n\{", re.MULTILINE)
VARIABLE = re.compile(
    r"^(\w[\w \t*]*?[ *])(\w+)(?:\[[^\n]*?\])?(?: __\w+)*(?: =[^\n]*|;)$", re.MULTILINE
)
ATTRIBUTE = re.compile(r" (?:__attribute__\(\(.*?\)\)|__aligned\(\w+\)|____cacheline_aligned)")
# Of a header.
DECLARED = re.compile(
    r"^(?!static|#|typedef|_Static_assert)\w[^;{}#]*?\b(\w+)\([^;{}]*\);", re.MULTILINE
)
EXTERN = re.compile(r"^extern ([^;]*);", re.MULTILINE)
INTERNAL = re.compile(r"^#define (\w+) static\b", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """A file: its folder and the name that it shares with its header, its text as C has it."""

    path: str
    text: str

    @property
    def folder(self) -> str:
        return Path(self.path).parent.name

    @property
    def stem(self) -> str:
        return Path(self.path).stem

    def line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1

    def defines(self) -> set[str]:
        """Return the functions and variables that other files can name."""
        inner = ("static", "extern", "typedef", *INTERNAL.findall(self.text))
        text = ATTRIBUTE.sub("", self.text)
        found = [*FUNCTION.findall(text), *VARIABLE.findall(text)]
        return {name for kind, name in found if kind.split()[0] not in inner}

    def declares(self) -> set[str]:
        """Return the functions and variables that a header promises."""
        externs = [part for each in EXTERN.findall(self.text) for part in each.split(",")]
        names = {re.sub(r"\[.*", "", part).split()[-1].lstrip("*") for part in externs}
        return names | set(DECLARED.findall(self.text))


@dataclass(frozen=True)
class Arrow:
    """In which line of which file another file's name stands, or its header is included."""

    source: Source
    line: int
    name: str
    target: Source


def without_comments(text: str) -> str:
    return COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)


def sources(root: Path) -> list[Source]:
    paths = sorted(p for p in (root / UM).rglob("*") if p.suffix in (".c", ".h"))
    return [Source(str(p.relative_to(root)), without_comments(p.read_text())) for p in paths]


def arrows(files: list[Source]) -> Iterator[Arrow]:
    """Yield includes of files of ours, and names that others define, in order."""
    headers = {Path(file.path).name: file for file in files}
    homes = {name: file for file in files if file.path.endswith(".c") for name in file.defines()}
    for file in files:
        uses = [*INCLUDE.finditer(file.text), *re.finditer(r"\b([A-Za-z_]\w*)\b", file.text)]
        for use in sorted(uses, key=lambda use: use.start()):
            target = (headers if use[0].startswith("#") else homes).get(use[1])
            if target is not None and target.stem != file.stem:
                yield Arrow(file, file.line(use.start()), use[1], target)


def table(root: Path) -> dict[str, list[str]]:
    """Return what each folder may use, the lowest first."""
    rows = ROW.findall((root / README).read_text())
    return {folder: re.findall(r"`(\w+)`", uses) for folder, uses in rows}


def circle(found: list[Arrow]) -> list[str]:
    """Return the files of a circle; none if there is no circle."""
    graph: dict[str, set[str]] = {}
    for arrow in found:
        graph.setdefault(arrow.source.stem, set()).add(arrow.target.stem)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        names: list[str] = error.args[1]
        return names[::-1]  # graphlib has them from the one that is used
    return []


def complaint(arrow: Arrow, layers: dict[str, list[str]]) -> str | None:
    """Return what is wrong with an arrow between folders; None if it may be."""
    source, target = arrow.source.folder, arrow.target.folder
    if target == source or target in layers[source]:
        return None
    head = f"{arrow.source.path}:{arrow.line}: {source} -> {target} ({arrow.name})"
    order = list(layers)
    if order.index(target) > order.index(source):
        return f"{head} runs up; have {target} give {source} a function, or move what both need"
    return f"{head} is not declared; do without it, or add {target} to what {source} uses"


def check(root: Path) -> list[str]:
    """Return a complaint for each thing that is not as the table says."""
    layers, files = table(root), sources(root)
    order = list(layers)
    wrong = [
        f"{README}: {folder} uses {name}, which does not stand above it"
        for folder, uses in layers.items()
        for name in uses
        if name not in order[: order.index(folder)]
    ]
    homeless = [f"{f.path}: {f.folder} is no layer" for f in files if f.folder not in layers]
    if homeless:
        return [*wrong, *homeless]
    found = list(arrows(files))
    wrong += dict.fromkeys(filter(None, (complaint(arrow, layers) for arrow in found)))
    needed = {(arrow.source.folder, arrow.target.folder) for arrow in found}
    wrong += [
        f"{README}: {folder} uses {name}, but needs nothing of it; take it out"
        for folder, uses in layers.items()
        for name in uses
        if (folder, name) not in needed
    ]
    stems = circle(found)
    return [*wrong, f"a circle of files: {' -> '.join(stems)}"] if stems else wrong


def test_files_use_what_stands_below_them_and_nothing_else() -> None:
    wrong = check(ROOT)
    assert not wrong, "\n" + "\n".join(wrong)


def test_a_header_declares_what_the_file_of_its_name_defines() -> None:
    # So the parser has missed none of them, either.
    files = sources(ROOT)
    defined = {f.stem: f.defines() for f in files if f.path.endswith(".c")}
    by_linker = set(re.findall(r"^\t(\w+) = \.;", (ROOT / UM / "longhaul.lds.S").read_text(), re.M))
    declared = {f.stem: f.declares() - by_linker for f in files if f.path.endswith(".h")}
    wrong = {stem: names - defined.get(stem, set()) for stem, names in declared.items()}
    assert {stem: names for stem, names in wrong.items() if names} == {}
    assert sum(map(len, declared.values())) > 50


# --- The check itself, on a small tree -----------------------------------------------------------

TABLE = """
| folder | what it does | uses |
| --- | --- | --- |
| `low` | the first | |
| `mid` | the second | `low` |
| `top` | the third | `mid` |
"""
SOUND = {
    "low/a.h": "void a_run(void);\nextern int a_count;\n",
    "low/a.c": "#include <a.h>\n\nint a_count;\n\nvoid a_run(void)\n{\n\tstep();\n}\n",
    "mid/b.h": "void b_run(int n);\n",
    "mid/b.c": "#include <a.h>\n\nvoid b_run(int n)\n{\n\ta_run(); /* for c_run() */\n}\n",
    "top/c.c": "#include <b.h>\nstatic void step(void)\n{\n}\nint c_run(void)\n{\n\tb_run(1);\n}\n",
}


def tree(root: Path, changes: dict[str, str], rows: str = TABLE) -> Path:
    for name, text in {**SOUND, **changes}.items():
        path = root / UM / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / README).write_text(rows)
    return root


def test_a_sound_tree_has_no_complaint(tmp_path: Path) -> None:
    assert check(tree(tmp_path, {})) == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "low/a.h",
            "#include <b.h>\n",
            [
                "sw/linux/um/low/a.h:1: low -> mid (b.h) runs up; have mid give low a function, "
                "or move what both need",
                "a circle of files: a -> b -> a",
            ],
        ),
        (
            "low/a.c",
            "int a_count;\nvoid a_run(void)\n{\n\tc_run();\n}\n",
            [
                "sw/linux/um/low/a.c:4: low -> top (c_run) runs up; have top give low a function, "
                "or move what both need",
                "a circle of files: a -> c -> b -> a",
            ],
        ),
        (
            "top/c.c",
            "int c_run(void)\n{\n\tb_run(a_count);\n}\n",
            [
                "sw/linux/um/top/c.c:3: top -> low (a_count) is not declared; do without it, or "
                "add low to what top uses"
            ],
        ),
        (
            "mid/b.c",
            "void b_run(int n)\n{\n}\n",
            ["sw/linux/README.md: mid uses low, but needs nothing of it; take it out"],
        ),
        (
            "mid/d.c",
            "static int d_twice(void)\n{\n}\n\nint d_run(void)\n{\n\tb_run(1);\n\te_run();\n}\n",
            ["a circle of files: d -> e -> d"],
        ),
        ("new/g.c", "", ["sw/linux/um/new/g.c: new is no layer"]),
        ("g.h", "", ["sw/linux/um/g.h: um is no layer"]),
    ],
)
def test_a_wrong_arrow_is_named(tmp_path: Path, name: str, text: str, said: list[str]) -> None:
    other = {"mid/e.c": "int e_run(void)\n{\n\td_run();\n}\n"}
    assert check(tree(tmp_path, {**other, name: text})) == said


def test_a_circle_in_the_table_is_named(tmp_path: Path) -> None:
    rows = TABLE.replace("the first | |", "the first | `mid` |")
    circular = {"low/a.c": "int a_count;\nvoid a_run(void)\n{\n\tb_run(1);\n}\n"}
    assert check(tree(tmp_path, circular, rows)) == [
        "sw/linux/README.md: low uses mid, which does not stand above it",
        "a circle of files: a -> b -> a",
    ]
