# SPDX-License-Identifier: Apache-2.0
"""A workspace's plug-ins: shared objects, and folders that CMake builds where they are stale."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError
from longhaul.types import plugins as given
from longhaul.types import prefix
from longhaul.types import workspace_plugins as plugins
from longhaul.workspace import folder
from support.workspaces import make

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES C)
add_library({name} MODULE mine.c)
set_target_properties({name} PROPERTIES PREFIX "")
"""


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Stand in a workspace with a folder of plug-ins; returns what was said."""
    folder.load.cache_clear()
    monkeypatch.setenv(given.VARIABLE, "")
    monkeypatch.setattr(prefix, "ensure", lambda say: tmp_path / "prefix")
    place = make(tmp_path / "ws", more='plugins = ["lib/mine"]\n')
    source = place / "lib" / "mine"
    source.mkdir(parents=True)
    (source / "CMakeLists.txt").write_text(CMAKE.format(name="mine"))
    (source / "mine.c").write_text("int mine = 1;\n")
    monkeypatch.chdir(place)
    return []


def built(said: list[str]) -> list[str]:
    said.clear()
    assert plugins.ensure(said.append)
    return [path.name for path in given.given()]


def test_a_folder_is_built_once_and_again_when_a_source_changes(
    said: list[str], tmp_path: Path
) -> None:
    source, made = tmp_path / "ws" / "lib" / "mine", tmp_path / "ws" / "build" / "lib-mine"
    assert built(said) == ["mine.so"]
    assert said == [f"{verb} the plug-in {source}" for verb in ("configuring", "building")]
    before = (made / "mine.so").read_bytes()
    assert built(said) == ["mine.so"] and said == []
    (source / "mine.c").write_text("int mine = 1, yours = 2;\n")
    assert built(said) == ["mine.so"] and said == [f"building the plug-in {source}"]
    assert (made / "mine.so").read_bytes() != before
    assert not (source / "build").exists()


def test_what_a_folder_no_longer_makes_is_not_loaded(
    said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(said)
    (tmp_path / "ws/lib/mine/CMakeLists.txt").write_text(CMAKE.format(name="other"))
    monkeypatch.setenv(given.VARIABLE, "")
    assert built(said) == ["other.so"]


def test_the_compilers_messages_reach_the_user(said: list[str], tmp_path: Path) -> None:
    source = tmp_path / "ws" / "lib" / "mine"
    (source / "mine.c").write_text("int mine = nothing;\n")
    with pytest.raises(LonghaulError, match=f"the plug-in {source} cannot be built"):
        plugins.ensure(said.append)
    assert any("mine.c:1:12: error:" in line for line in said)


def test_a_folder_without_a_plug_in_is_told(said: list[str], tmp_path: Path) -> None:
    (tmp_path / "ws/lib/mine/CMakeLists.txt").write_text(
        CMAKE.format(name="mine").replace("MODULE", "STATIC")
    )
    with pytest.raises(LonghaulError, match="makes no plug-in; it wants longhaul_plugin"):
        plugins.ensure(said.append)


def test_before_there_is_a_simulator_nothing_is_built(
    said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(plugins.UNBUILT, "1")
    assert not plugins.ensure(said.append)
    assert not (tmp_path / "ws" / "build").exists()


@pytest.mark.parametrize("kind", ["rtl-nic", "tlm-adapter", "driver", "study"])
def test_a_new_workspaces_first_run_may_find_no_simulator(kind: str, tmp_path: Path) -> None:
    environment = os.environ | {"LONGHAUL_SIMULATOR": str(tmp_path / "none"), given.VARIABLE: ""}

    def longhaul(*words: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "longhaul", *words]
        return subprocess.run(
            command, cwd=cwd, env=environment | more, capture_output=True, text=True, check=False
        )

    assert longhaul("new", "first", "--kind", kind, cwd=tmp_path).returncode == 0
    checked = longhaul(
        "--check-only",
        "run",
        cwd=tmp_path / "first",
        LONGHAUL_BUILD=str(tmp_path),
        LONGHAUL_UNBUILT="1",
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_shared_object_is_loaded_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.load.cache_clear()
    monkeypatch.setenv(given.VARIABLE, "")
    place = make(tmp_path / "ws", more='plugins = ["a.so", "../b.so"]\n')
    for file in (place / "a.so", tmp_path / "b.so"):
        file.touch()
    monkeypatch.chdir(place)
    assert plugins.ensure(print)
    expected = f"{place}/a.so{os.pathsep}{tmp_path}/b.so"
    assert os.environ[given.VARIABLE] == expected


def test_the_library_wants_a_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LONGHAUL_BUILD", str(tmp_path))
    with pytest.raises(LonghaulError, match=r"is not built; start this through \./longhaul"):
        prefix.ensure(print)
