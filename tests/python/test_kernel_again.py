# SPDX-License-Identifier: Apache-2.0
"""`longhaul kernel --again`: a second build, faked, is held against the first."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from longhaul import cli
from longhaul.errors import LonghaulError
from longhaul.guest import kernel
from longhaul.guest.kernel import KernelError
from support import driver

PROGRAM, OTHER = Path("/usr/bin/true"), Path("/usr/bin/false")  # kernels are stripped: ELF files


@pytest.fixture
def first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the kernel in the cache, which is the program, stripped."""
    path = tmp_path / "cached" / "linux"
    path.parent.mkdir()
    shutil.copy2(PROGRAM, path)
    subprocess.run(["strip", "--strip-debug", path], check=True)
    info = kernel.KernelInfo(path, driver.KERNEL.key, "6.1.192", "6.1.192-2", {})
    monkeypatch.setattr(kernel, "ensure", lambda _progress, _own: info)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return where the second build is made, beside a file that is not its own."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "mine").write_text("mine")
    return folder


def compiles(monkeypatch: pytest.MonkeyPatch, program: Path, why: str = "") -> list[Path]:
    """Make every build from now on one of `program`, or fail; return where they are made."""
    trees: list[Path] = []

    def unpack(work: Path, own: dict[str, str], _progress: kernel.Progress) -> tuple[Path, Path]:
        assert own == {}
        (work / "tree").mkdir(parents=True)
        return work / "build.log", work / "tree"

    def compile_(tree: Path, log: Path, *, cached: bool = True) -> None:
        assert not cached, "a build out of the compiler's cache proves nothing"
        log.write_text("compiling")
        trees.append(tree)
        if why:
            raise KernelError(why)
        shutil.copy2(program, tree / "linux")

    monkeypatch.setattr(kernel, "unpack", unpack)
    monkeypatch.setattr(kernel, "compile_kernel", compile_)
    return trees


def again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["longhaul", "kernel", "--again", str(folder)])
    return cli.main()


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_equal_builds_are_told_with_their_sum(
    first: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trees = compiles(monkeypatch, PROGRAM)
    assert again(folder, monkeypatch) == 0
    assert capsys.readouterr().out == f"Two builds are the same bytes: sha256 {sha256(first)}\n"
    assert [folder in tree.parents for tree in trees] == [True]
    assert [path.name for path in folder.iterdir()] == ["mine"]


def test_differing_builds_are_an_error_with_both_sums(
    first: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiles(monkeypatch, OTHER)
    assert again(folder, monkeypatch) == LonghaulError.exit_code
    said = capsys.readouterr()
    sums = re.findall(r"\b[0-9a-f]{64}\b", said.err)
    assert len(set(sums)) == 2 and sums[0] == sha256(first)
    assert said.out == ""
    assert [path.name for path in folder.iterdir()] == ["mine"]
    assert first.exists()


@pytest.mark.usefixtures("first")
def test_a_build_that_fails_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiles(monkeypatch, PROGRAM, why="'make' failed (2)")
    assert again(folder, monkeypatch) == LonghaulError.exit_code
    assert "'make' failed (2)" in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["mine"]


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize("name", ["absent", "mine"])
def test_a_folder_that_is_not_there_is_refused_before_anything_is_built(
    name: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    trees = compiles(monkeypatch, PROGRAM)
    assert again(folder / name, monkeypatch) == 2
    assert f"{folder / name}: there is no such folder" in capsys.readouterr().err
    assert not trees
