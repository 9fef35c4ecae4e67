# SPDX-License-Identifier: Apache-2.0
"""A tree beside one of its commits: both run by turns, and what is compared of them."""

import io
import re
import subprocess
from pathlib import Path

import pytest
from longhaul.devtools import commit_bench
from longhaul.errors import LonghaulError, UsageError
from rich.console import Console

# A front door that takes as long as the tree's file `speed` says, and tells who called.
FRONT_DOOR = """#!/usr/bin/env python3
import json, os, pathlib, sys
here = pathlib.Path(__file__).parent
assert not [name for name in os.environ if name.startswith("LONGHAUL_")]
out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
(out / "raw").mkdir(parents=True)
wall = float((here / "speed").read_text())
results = {"window_wall_s": wall, "cases": [{"measured": {"goodput_gbps": 5.0}}]}
probes = {"a.eth0.mac.tx_frames": {"delta": 1000}, "sw.port0.tx_frames": {"delta": 7}}
(out / "results.json").write_text(json.dumps(results))
(out / "raw" / "sim.json").write_text(json.dumps({"probes": probes}))
with (here.parent / "calls").open("a") as calls:
    calls.write((here / "speed").read_text() + " " + " ".join(sys.argv[1:-2]) + "\\n")
"""
WINDOW = re.compile("window, jumbo, IPv4")


def git(where: Path, *words: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(where), *identity, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a tree whose first commit takes 4 s a simulated second; it takes 1 s itself."""
    root = tmp_path / "trees" / "here"
    root.mkdir(parents=True)
    git(root, "init", "--quiet")
    (root / "longhaul").write_text(FRONT_DOOR)
    (root / "longhaul").chmod(0o755)
    (root / "speed").write_text("4.0")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "slow")
    git(root, "tag", "slow")
    (root / "speed").write_text("1.0")
    git(root, "commit", "--quiet", "-am", "fast")
    monkeypatch.setattr(commit_bench, "ROOT", root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LONGHAUL_SIMULATOR", "/of/this/tree")
    return root


def said(tree: Path, turns: int) -> str:
    console = Console(file=io.StringIO(), width=200)
    commit_bench.run("slow", WINDOW, turns, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_ratio_is_that_of_the_two_trees(tree: Path) -> None:
    text = said(tree, turns=2)
    assert re.search(r"wall s a simulated s +│ 4.00 +│ 1.00 +│ 0.25 \(0.25 to 0.25\)", text), text
    assert re.search(r"us a frame +│ 4000.00 +│ 1000.00 +│ 0.25", text), text


def test_the_trees_take_turns_after_each_was_built(tree: Path, tmp_path: Path) -> None:
    said(tree, turns=2)
    commits = tmp_path / "cache" / "longhaul" / "commits"
    theirs = (commits / "calls").read_text().splitlines()
    ours = (tree.parent / "calls").read_text().splitlines()
    assert len(theirs) == len(ours) == 3
    assert all(line.startswith("4.0 run ixgb_b2b") for line in theirs)
    assert all(line.startswith("1.0 run ixgb_b2b") for line in ours)


def test_a_commit_is_checked_out_once_and_this_tree_is_left_alone(tree: Path) -> None:
    sha = commit_bench.resolve("slow")
    first = commit_bench.checkout(sha)
    assert (first.root / "speed").read_text() == "4.0"
    (first.root / "built").touch()
    assert (commit_bench.checkout(sha).root / "built").exists()
    assert git(tree, "worktree", "list").count("\n") == 0
    assert git(tree, "status", "--short") == ""


def test_an_unknown_commit_is_an_error_in_one_line(tree: Path) -> None:
    with pytest.raises(UsageError, match="--against fastest: .* has no such commit"):
        commit_bench.resolve("fastest")


def test_a_name_that_nothing_has_lists_what_there_is(tree: Path) -> None:
    with pytest.raises(UsageError, match="there are window, jumbo, IPv4; .*a run of 1 ms; a sweep"):
        commit_bench.chosen(re.compile("nothing"))


def test_a_tree_that_does_not_build_says_which_and_why(tree: Path) -> None:
    (tree / "longhaul").write_text("#!/bin/sh\necho 'longhaul: no compiler' >&2\nexit 1\n")
    with pytest.raises(LonghaulError, match=r"this tree: .* failed: longhaul: no compiler"):
        said(tree, turns=1)


def test_results_of_another_form_are_named(tree: Path) -> None:
    broken = FRONT_DOOR.replace("window_wall_s", "wall_of_the_window")
    (tree / "longhaul").write_text(broken)
    with pytest.raises(LonghaulError, match="do not tell the window's wall"):
        said(tree, turns=1)
