# SPDX-License-Identifier: Apache-2.0
"""`longhaul link`: starts this checkout from anywhere, and never replaces somebody else's file."""

import shutil
import subprocess
from pathlib import Path

import pytest
from longhaul.cli import main
from longhaul.paths import ROOT

SCRIPT = ROOT / "longhaul"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return tmp_path / "home"


def test_it_goes_to_the_users_programs_and_says_what_path_lacks(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = home / ".local" / "bin"
    assert main(["link"]) == 0
    assert (folder / "longhaul").readlink() == SCRIPT
    assert capsys.readouterr().out == (
        f"{folder}/longhaul starts {SCRIPT}\n"
        f'{folder} is not in PATH; put this into ~/.profile: export PATH="{folder}:$PATH"\n'
    )
    monkeypatch.setenv("PATH", f"/usr/bin:{folder}")
    assert main(["link"]) == 0  # once more
    assert capsys.readouterr().out == f"{folder}/longhaul starts {SCRIPT}\n"


def test_another_longhaul_that_comes_first_in_path_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = tmp_path / "first"
    first.mkdir()
    shutil.copy("/bin/true", first / "longhaul")
    monkeypatch.setenv("PATH", f"{first}:{tmp_path / 'bin'}")
    assert main(["link", str(tmp_path / "bin")]) == 0
    assert f"{first}/longhaul comes first in PATH, and is another\n" in capsys.readouterr().out


@pytest.mark.parametrize("what", ["file", "folder", "link"])
def test_what_is_not_longhauls_is_not_replaced(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "longhaul"
    if what == "file":
        place.write_text("mine")
    elif what == "folder":
        place.mkdir()
    else:
        place.symlink_to("/bin/true")
    assert main(["link", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "is not replaced; move it away, or give another folder: longhaul link DIR\n" in said
    assert not place.is_symlink() or place.readlink() == Path("/bin/true")
    assert what != "file" or place.read_text() == "mine"


def test_a_link_to_another_checkout_is_replaced_and_that_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other" / "longhaul"
    other.parent.mkdir()
    shutil.copy(SCRIPT, other)
    (tmp_path / "longhaul").symlink_to(other)
    assert main(["link", str(tmp_path)]) == 0
    assert f"it was a link to {other} before\n" in capsys.readouterr().out
    assert (tmp_path / "longhaul").readlink() == SCRIPT


def test_the_script_finds_its_checkout_through_a_link(tmp_path: Path) -> None:
    script = tmp_path / "tree" / "longhaul"
    script.parent.mkdir()
    until_root = SCRIPT.read_text().partition("\ncache=")[0]
    script.write_text(until_root + '\necho "$root"\n')
    (tmp_path / "longhaul").symlink_to(script)
    done = subprocess.run(
        ["bash", tmp_path / "longhaul"], cwd="/", capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{script.parent.resolve()}\n"
