# SPDX-License-Identifier: Apache-2.0
"""The guests' root folder: made by any user, whole, cached; nothing may be missing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError
from longhaul.guest import elf
from longhaul.guest import root as guest_root
from longhaul.guest import root_files as guest_root_files

PROGRAMS = {
    "iperf -v": "iperf version 2.1",
    "iperf3 --version": "iperf 3.",
    "ethtool --version": "ethtool version 6",
    "ping -V": "iputils",
    "ip -V": "iproute2",
    "ss -V": "iproute2",
    "nstat -V": "iproute2",
    "tc -V": "iproute2",
    "setpci --version": "setpci version",
    "lspci --version": "lspci version",
    "awk BEGIN{print(6*7)}": "42",
}


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the root of this checkout."""
    try:
        return guest_root.ensure(lambda _: None)
    except LonghaulError as error:
        if shutil.which("apt-get") is None or "download" in str(error):
            pytest.skip(str(error))
        raise


@pytest.mark.parametrize("command", PROGRAMS)
def test_every_program_starts_in_the_root(root: Path, command: str) -> None:
    inside = ["unshare", "--map-root-user", "chroot", str(root), *command.split()]
    if subprocess.run([*inside[:2], "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine lets users make no namespaces")
    done = subprocess.run(inside, capture_output=True, text=True, check=False)
    assert PROGRAMS[command] in done.stdout + done.stderr


def test_programs_stand_before_applets_of_the_same_name(root: Path) -> None:
    for name in ("usr/bin/ip", "usr/bin/ping", "usr/bin/sh", "usr/sbin/tc"):
        assert (root / name).resolve().name != "busybox"
    assert (root / "usr/bin/awk").resolve().name == "busybox"


def test_links_stay_inside_the_root(root: Path) -> None:
    for path in root.rglob("*"):
        if path.is_symlink():
            target = path.readlink()
            inside = (
                root / str(target).lstrip("/") if target.is_absolute() else path.parent / target
            )
            assert inside.exists(), f"{path} leads to {target}"


def test_the_root_names_the_versions_it_is_made_of(root: Path) -> None:
    versions = guest_root.versions(root)
    assert set(versions) == {item.package for item in guest_root.wanted()}
    assert versions["iperf"].startswith("2.1.")
    assert json.loads((root / "longhaul/packages.json").read_text()) == versions


def test_scripts_are_in_the_root_and_can_be_run(root: Path) -> None:
    for name in ("init", "role", "answer", "lh-report"):
        assert os.access(root / "longhaul" / name, os.X_OK)
    assert not (root / "longhaul/README.md").exists()


def test_the_checkouts_modes_do_not_reach_the_root(tmp_path: Path) -> None:
    def modes(folder: Path) -> dict[str, int]:
        return {
            path.relative_to(folder).as_posix(): path.stat().st_mode & 0o7777
            for path in (folder, *folder.rglob("*"))
        }

    source = tmp_path / "checkout"
    shutil.copytree(guest_root.SCRIPTS, source)
    guest_root.copy_scripts(source, tmp_path / "usual")
    for path in (source, *source.rglob("*")):
        path.chmod(path.stat().st_mode & 0o500)
    guest_root.copy_scripts(source, tmp_path / "of-a-read-only-one")
    assert modes(tmp_path / "of-a-read-only-one") == modes(tmp_path / "usual")
    assert set(modes(tmp_path / "usual").values()) == {0o755, 0o644}


def test_a_second_call_gives_the_same_folder_and_says_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(root.parent.parent))
    said: list[str] = []
    assert guest_root.ensure(said.append) == root
    assert said == []


def test_a_missing_library_is_named_with_the_program_that_needs_it(tmp_path: Path) -> None:
    (tmp_path / "usr/bin").mkdir(parents=True)
    program = Path(shutil.which("ls") or "/bin/ls").resolve()
    shutil.copy(program, tmp_path / "usr/bin/program")
    first = elf.needed(program)[0]
    with pytest.raises(LonghaulError, match=f"usr/bin/program needs {first}, which no package"):
        guest_root_files.check_libraries(tmp_path)


def test_a_pattern_that_matches_nothing_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tree/DEBIAN").mkdir(parents=True)
    fields = ("Package: tiny", "Version: 1", "Architecture: all", "Maintainer: x", "Description: x")
    (tmp_path / "tree/DEBIAN/control").write_text("\n".join(fields) + "\n")
    (tmp_path / "tree/bin").mkdir()
    (tmp_path / "tree/bin/a").write_text("#!/bin/sh\n")
    (tmp_path / "tree/bin/a").chmod(0o4755)
    deb = tmp_path / "tiny_1_all.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-b", tmp_path / "tree", deb],
        capture_output=True,
        check=True,
    )
    root = tmp_path / "root"
    guest_root_files.make_skeleton(root)
    with pytest.raises(LonghaulError, match="has no bin/b: see sw/guest/packages.txt"):
        guest_root_files.take(deb, ("bin/a", "bin/b"), root)
    assert (root / "usr/bin/a").stat().st_mode & 0o7777 == 0o755, "no set-user-id bits"


def test_needed_is_empty_for_what_is_not_dynamic_elf(root: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    assert elf.needed(tmp_path / "text") == []
    assert elf.needed(root / "usr/bin/busybox") == []
    assert "libc.so.6" in elf.needed(root / "usr/bin/iperf")
