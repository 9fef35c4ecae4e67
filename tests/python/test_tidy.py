# SPDX-License-Identifier: Apache-2.0
"""clang-tidy is asked once for each state of a source."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from longhaul.devtools import tidy
from longhaul.errors import LonghaulError

# Finds fault with sources that have the word "bad" in them, or together the word "twice" more than
# once, and writes down which it was shown.
FAKE = r"""#!/bin/sh
if [ "$1" = --version ]; then echo fake 1; exit; fi
for arg; do
  case $arg in --) break ;; --config-file=*) rules=${arg#*=} ;; *.cc) source=$arg ;; esac
done
[ -f "$rules" ] || exit 2
seen=$(sed -n 's/^#include "\(\/.*\.cc\)"$/\1/p' "$source")
if [ "$(cat $seen "$source" | grep -c twice)" -gt 1 ]; then echo "twice"; exit 1; fi
for one in ${seen:-$source}; do
  echo "$(basename "$one")" >>"$(dirname "$0")/asked"
  if grep -q bad "$one"; then echo "$one: bad"; exit 1; fi
done
echo "$(basename "$source")" >>"$(dirname "$0")/times"
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of two sources, one of which includes a header by way of another."""
    root = tmp_path / "root"
    for name, text in {
        "models/a.cc": '#include "models/a.h"\n',
        "models/a.h": '#include <vector>\n#include "models/deep/b.h"\n',
        "models/deep/b.h": "int b();\n",
        "platform/c.cc": "int c() { return 1; }\n",
        "tests/d.cc": "bad\n",
        ".clang-tidy": "Checks: '-*'\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    entries = [
        {"file": str(root / name), "command": f"c++ -I{root} -c {root / name}"}
        for name in ("platform/c.cc", "models/a.cc", "tests/d.cc")
    ]
    (root / "build").mkdir()
    (root / "build" / "compile_commands.json").write_text(json.dumps(entries))
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "clang-tidy").write_text(FAKE)
    (tools / "clang-tidy").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    return root


def judge(root: Path) -> tuple[list[str], list[str]]:
    """Return the complaints and the sources that clang-tidy was shown."""
    asked = root.parent / "tools" / "asked"
    asked.unlink(missing_ok=True)
    complaints = tidy.judge(root / "build", root.parent / "clean", jobs=1, root=root)
    return complaints, sorted(asked.read_text().split()) if asked.exists() else []


def test_only_our_sources_are_judged_and_clean_ones_once(tree: Path) -> None:
    assert judge(tree) == ([], ["a.cc", "c.cc"])
    assert judge(tree) == ([], [])


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        ("models/deep/b.h", ["a.cc"]),
        ("platform/c.cc", ["c.cc"]),
        (".clang-tidy", ["a.cc", "c.cc"]),
    ],
)
def test_what_a_change_can_reach_is_judged_again(
    tree: Path, changed: str, asked: list[str]
) -> None:
    judge(tree)
    with (tree / changed).open("a") as stream:
        stream.write("// more\n")
    assert judge(tree) == ([], asked)


def test_another_compile_command_is_another_state_but_another_place_is_not(tree: Path) -> None:
    judge(tree)
    commands = tree / "build" / "compile_commands.json"
    commands.write_text(commands.read_text().replace("-c ", "-DX -c ", 1))
    assert judge(tree) == ([], ["c.cc"])
    moved = tree.with_name("moved")
    tree.rename(moved)
    commands = moved / "build" / "compile_commands.json"
    commands.write_text(commands.read_text().replace(str(tree), str(moved)))
    assert judge(moved) == ([], [])


def test_a_complaint_is_repeated_until_it_is_mended(tree: Path) -> None:
    source = tree / "platform" / "c.cc"
    good = source.read_text()
    source.write_text("bad\n")
    for _ in range(2):
        complaints, asked = judge(tree)
        assert complaints == [f"{source}: bad\n"]
        assert "c.cc" in asked
    source.write_text(good)
    assert judge(tree) == ([], ["c.cc"])


def by_the_dozen(tree: Path, names: Sequence[str]) -> None:
    """Let CMake compile each source as a dozen of a part of its own."""
    folder = tree / "build" / "x.dir" / "Unity"
    folder.mkdir(parents=True)
    gcc = "-flto=auto -ffat-lto-objects"  # clang-tidy would not have them
    entries: list[dict[str, str]] = []
    for dozen, name in enumerate(names):
        unity = folder / f"unity_part_{dozen}_cxx.cxx"
        unity.write_text(f'#include "{tree / name}"\n')
        command = f"env A=1 c++ -I{tree} {gcc} -MD -MT x -o x -c {unity}"
        entries.append({"file": str(unity), "command": command})
    (tree / "build" / "compile_commands.json").write_text(json.dumps(entries))


def test_sources_that_cmake_compiles_as_one_are_each_known(tree: Path) -> None:
    judge(tree)
    names = ("models/a.cc", "platform/c.cc")
    by_the_dozen(tree, names)
    assert judge(tree) == ([], [])
    for name in names:
        with (tree / name).open("a") as stream:
            stream.write("// more\n")
    times = tree.parent / "tools" / "times"
    times.unlink()
    assert judge(tree) == ([], ["a.cc", "c.cc"])
    assert times.read_text() == "together.cc\n"
    (tree / "platform" / "c.cc").write_text("bad\n")
    assert judge(tree) == ([f"{tree / 'platform' / 'c.cc'}: bad\n"], ["c.cc"])


def test_parts_are_looked_at_apart_where_they_are_not_clean_together(tree: Path) -> None:
    names = ("models/a.cc", "platform/c.cc")
    by_the_dozen(tree, names)
    commands = tree / "build" / "compile_commands.json"
    commands.write_text(commands.read_text().replace("unity_part_1", "unity_other_1"))
    folder = tree / "build" / "x.dir" / "Unity"
    (folder / "unity_part_1_cxx.cxx").rename(folder / "unity_other_1_cxx.cxx")
    for name in names:
        with (tree / name).open("a") as stream:
            stream.write("int twice;\n")
    assert judge(tree) == ([], ["a.cc", "c.cc"])
    assert judge(tree) == ([], [])


def test_a_build_without_our_sources_is_an_error(tree: Path) -> None:
    (tree / "build" / "compile_commands.json").write_text("[]")
    with pytest.raises(LonghaulError, match="names no source of"):
        judge(tree)
