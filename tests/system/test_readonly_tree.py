# SPDX-License-Identifier: Apache-2.0
"""A checkout that cannot be written: commands work, build elsewhere, and change nothing in it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from longhaul.paths import PLUGIN_SIMULATOR, ROOT, build_folder, cache_dir

# Root may write everywhere unless it has not these: then it is as others are.
ORDINARY = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
SKIPPED = (".git", "build", "out", ".ruff_cache", ".pytest_cache", "__pycache__")


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Path]:
    """A copy of the tree that nobody may write."""
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*SKIPPED), symlinks=True)
    subprocess.run(["chmod", "-R", "a-w", tree], check=True)
    yield tree
    subprocess.run(["chmod", "-R", "u+w", tree], check=True)


def start(tree: Path, folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the checkout's script as an ordinary user with this test's cache."""
    cache = folder / "cache" / "longhaul"
    cache.mkdir(parents=True, exist_ok=True)
    for venv in cache_dir().glob("venv-*"):
        if not (cache / venv.name).exists():
            (cache / venv.name).symlink_to(venv)
    hidden = ("LONGHAUL_", "PYTHON")
    clean = {name: text for name, text in os.environ.items() if not name.startswith(hidden)}
    ordinary = ORDINARY if os.geteuid() == 0 else []
    return subprocess.run(
        [*ordinary, "bash", tree / "longhaul", *words],
        cwd=folder,
        env=clean | {"XDG_CACHE_HOME": str(cache.parent), "CI": "true"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def files(tree: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mtime_ns for path in tree.rglob("*")}


def source_key(tree: Path) -> str:
    """Ask the script for its key of the sources."""
    text = (tree / "longhaul").read_text()
    functions = "".join(
        text[(at := text.index(f"\n{name}() {{")) : text.index("\n}\n", at) + 3]
        for name in ("sources", "source_key")
    )
    words = f"root={tree} builds=/nowhere\n{functions}\nsource_key models platform sw rtl"
    return subprocess.run(
        ["bash", "-euc", words], capture_output=True, text=True, check=True
    ).stdout


def test_a_workspace_is_made_listed_and_linked(checkout: Path, tmp_path: Path) -> None:
    before = files(checkout)
    for words in (
        ("new", "mine"),
        ("--workspace", "mine", "list"),
        ("list", "mine/scenarios/mine"),
        ("link", str(tmp_path / "bin")),
        ("--version",),
    ):
        done = start(checkout, tmp_path, *words)
        assert done.returncode == 0, done.stderr
    assert files(checkout) == before


def test_the_owners_build_of_the_same_sources_is_used(checkout: Path, tmp_path: Path) -> None:
    release = checkout / "build" / "release"
    checkout.chmod(0o755)
    release.mkdir(parents=True)
    for name in ("longhaul-sim", PLUGIN_SIMULATOR):
        shutil.copy(build_folder() / "release" / name, release / name)
    (release / ".built-longhaul-sim").write_text(source_key(checkout))
    subprocess.run(["chmod", "-R", "a-w", checkout], check=True)
    before = files(checkout)
    assert start(checkout, tmp_path, "new", "mine").returncode == 0
    done = start(checkout, tmp_path, "run", "mine/scenarios/mine", "--set", "duration=10ms")
    assert done.returncode == 0, done.stderr
    assert "building" not in done.stderr
    assert len(list((tmp_path / "mine" / "out").iterdir())) == 1
    done = start(checkout, tmp_path, "types", "--update")
    assert done.returncode == 0 or "Permission denied" in done.stderr
    assert files(checkout) == before


def test_without_one_the_build_goes_to_the_cache(checkout: Path, tmp_path: Path) -> None:
    before = files(checkout)
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "cmake").write_text('#!/bin/sh\necho "cmake $*" >>"$NOTES"; exit 1\n')
    (tools / "cmake").chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
        patch.setenv("NOTES", str(tmp_path / "notes"))
        done = start(checkout, tmp_path, "types")
    assert done.returncode == 1 and "building the simulator: failed" in done.stderr
    (folder,) = (tmp_path / "cache" / "longhaul" / "builds").iterdir()
    assert f"-B {folder}/release" in (tmp_path / "notes").read_text()
    assert (folder / "of").read_text().splitlines()[0] == str(checkout)
    assert files(checkout) == before
