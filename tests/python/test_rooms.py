# SPDX-License-Identifier: Apache-2.0
"""The packages of longhaul: each imports from those above it in this list only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import longhaul
import pytest
from longhaul import boxes, topology, types
from longhaul.units import ms

# From the ground up. A module at the top of the package has its own place.
ROOMS = (
    ("errors", "file_lock", "nearest", "phases", "schema"),
    ("echo", "json_file", "paths", "units"),
    ("workspace",),
    ("process",),
    ("outdir",),
    ("answers", "packets", "portmap", "record", "registers", "settings"),
    ("gnet1", "published", "synthesis", "types"),
    ("guest",),
    ("parts",),
    ("boxes",),
    ("topology",),
    ("registry", "testbeds"),
    ("results",),
    ("report",),
    ("coverage",),
    ("runs",),
    ("api", "golden", "sweeps"),
    ("attack", "devtools", "docs", "papers", "studies", "validation"),
    ("catalogue", "prose"),
    ("cli",),
    ("__main__",),
)
MOST_AT_THE_TOP = 15  # with __init__ and __main__
PACKAGE = Path(longhaul.__file__).parent
FLOOR = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}


def imported(source: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the room of each import of longhaul's own, wherever it stands."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "longhaul":
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("longhaul."):
            yield node.lineno, (node.module or "").split(".")[1]
        elif isinstance(node, ast.Import):
            for name in node.names:
                if name.name.startswith("longhaul."):
                    yield node.lineno, name.name.split(".")[1]


def wrong_arrows(package: Path) -> list[str]:
    """Return each import that runs up, or to a room that has no place."""
    wrong: list[str] = []
    for source in sorted(package.rglob("*.py")):
        room, *inner = source.relative_to(package).with_suffix("").parts
        if room == "__init__" or "templates" in inner:  # which are a user's files
            continue
        for line, other in imported(source):
            if other in (room, "__version__"):
                continue
            if FLOOR[other] >= FLOOR[room]:
                where = source.relative_to(package)
                wrong.append(
                    f"{where}:{line}: {room} imports {other}, which is not below it "
                    f"(tests/python/test_rooms.py)"
                )
    return wrong


def test_every_room_has_its_place_and_there_is_no_other() -> None:
    there = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert there - {"__init__", "__pycache__"} == set(FLOOR)


def test_imports_run_down() -> None:
    assert wrong_arrows(PACKAGE) == []


@pytest.mark.parametrize(
    "place", ["api", "cli", "parts", "registers", "results/waves.py", "runs", "topology"]
)
def test_whoever_serves_all_boxes_knows_none_by_name(place: str) -> None:
    known = {*types.names("box"), *boxes.types(), *boxes.classes()}
    if place != "topology":  # which cites the paper that a box has its name from
        known |= {each.title for each in boxes.register_maps().values()}
    sources = sorted((PACKAGE / place).rglob("*.py")) or [PACKAGE / place]
    named = [
        f"{source.relative_to(PACKAGE)}: {name}"
        for source in sources
        for name in known
        if name.lower() in source.read_text().lower()
    ]
    assert named == []


def test_a_topology_has_the_class_of_each_type_of_box() -> None:
    assert set(boxes.classes()) >= {"DelayBox", "Gnet1", "Nistnet"}
    for name, part in boxes.classes().items():
        assert getattr(topology, name) is part
        assert part.type in types.names("box")
        assert part(name="b", type=part.type, one_way_delay=ms(1)).all_params()


def imports_without_a_reason(package: Path) -> list[str]:
    """Return each import within a function that has no comment.

    The comment is in a line of the import, or above the first of several that follow each other.
    """
    found: list[str] = []
    for source in sorted(package.rglob("*.py")):
        lines = source.read_text().splitlines()
        tree = ast.parse("\n".join(lines))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        functions = [n for n in ast.walk(tree) if isinstance(n, kinds)]
        within = {
            line for each in functions for line in range(each.lineno, (each.end_lineno or 0) + 1)
        }
        for block in sorted(blocks_of_imports(tree), key=lambda block: block[0].lineno):
            above = lines[block[0].lineno - 2].strip().startswith("#")
            for each in block:
                own = lines[each.lineno - 1 : each.end_lineno]
                if each.lineno in within and not above and not any("#" in line for line in own):
                    found.append(f"{source.relative_to(package)}:{each.lineno}: {own[0].strip()}")
    return found


def blocks_of_imports(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Yield imports that follow each other, wherever they stand."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            for ours, block in groupby(body if isinstance(body, list) else [], is_import):
                if ours:
                    yield list(block)


def is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def test_an_import_within_a_function_has_its_reason_beside_it() -> None:
    assert imports_without_a_reason(PACKAGE) == []


def test_an_import_without_a_reason_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import os\n"
        "def f():\n"
        "    # With Polars.\n"
        "    import polars\n"
        "    from pathlib import Path\n"
        "    if polars:\n"
        "        import json\n"
        "    try:\n"
        "        import csv  # seldom\n"
        "    finally:\n"
        "        from a import (\n"
        "            b,\n"
        "        )\n"
        "async def g():\n"
        "    import sys\n"
    )
    assert imports_without_a_reason(tmp_path) == [
        "a.py:7: import json",
        "a.py:11: from a import (",
        "a.py:15: import sys",
    ]


def test_few_modules_lie_at_the_top() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= MOST_AT_THE_TOP


def test_an_import_that_runs_up_is_found_inside_a_function_too(tmp_path: Path) -> None:
    (tmp_path / "units.py").write_text("def f():\n    from longhaul.cli.app import app\n")
    (tmp_path / "outdir.py").write_text("from longhaul import errors, runs\n")
    assert [arrow.split(",")[0] for arrow in wrong_arrows(tmp_path)] == [
        "outdir.py:1: outdir imports runs",
        "units.py:2: units imports cli",
    ]
