# SPDX-License-Identifier: Apache-2.0
"""The longhaul script up to its hand-over, on a machine that its tools describe."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from longhaul.paths import ROOT, build_folder

SCRIPT = ROOT / "longhaul"
BUILD = build_folder() / "release"
PACKAGES = ROOT / "platform" / "config" / "debian-packages.txt"
VENV = Path(sys.prefix)


def rows() -> list[list[str]]:
    lines = PACKAGES.read_text().splitlines()
    return [
        [cell.strip() for cell in line.split("|")] for line in lines if line[:1] not in ("", "#")
    ]


@pytest.fixture
def machine() -> Iterator[Path]:
    """A folder of tools that come first in PATH; they note how they were called."""
    with tempfile.TemporaryDirectory() as folder:  # unlike tmp_path, another user can reach it
        tools = Path(folder)
        tools.chmod(0o755)
        tool(tools, "apt-get", 'echo "apt-get $*" >>"$NOTES"')
        tool(tools, "sudo", "exit 1")
        dpkg(tools, {})
        yield tools


def tool(tools: Path, name: str, body: str) -> None:
    path = tools / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def dpkg(tools: Path, installed: dict[str, str]) -> None:
    listing = "".join(f"{name}\\tii \\t{version}\\n" for name, version in installed.items())
    tool(tools, "dpkg-query", f"printf '{listing}'")


def start(tools: Path, *args: str, as_nobody: bool = False) -> "subprocess.CompletedProcess[str]":
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if as_nobody else []
    return subprocess.run(
        [*drop, "bash", str(SCRIPT), *args],
        env=os.environ
        | {"PATH": f"{tools}:{os.environ['PATH']}", "NOTES": str(tools / "notes"), "CI": "true"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user, which takes root")


def test_every_package_has_one_reason_and_a_known_group() -> None:
    names = [row[0] for row in rows()]
    assert len(set(names)) == len(names)
    for row in rows():
        assert len(row) == 4 and row[3], row
        groups = {"base", "run", "validate", "test", "hosts", "container"}
        assert row[2] and set(row[2].split()) <= groups, row


@needs_root
def test_without_root_the_exact_command_is_printed_and_nothing_is_done(machine: Path) -> None:
    done = start(machine, "list", as_nobody=True)
    assert done.returncode == 1
    assert done.stderr == (
        "longhaul: needs root to install packages; run this, then start again: "
        "sudo apt-get install -y --no-install-recommends python3-venv\n"
    )
    assert not (machine / "notes").exists()


@needs_root
def test_as_root_what_is_missing_is_installed_and_checked(machine: Path) -> None:
    done = start(machine, "list")
    notes = (machine / "notes").read_text()
    assert "install -q -y --no-install-recommends python3-venv\n" in notes
    assert done.returncode == 1
    assert (
        done.stderr.splitlines()[-1] == "longhaul: still missing after installation: python3-venv"
    )


def test_a_wrong_version_is_named_with_the_right_one(machine: Path) -> None:
    installed = {row[0]: f"{row[1]}1" for row in rows()}
    dpkg(machine, installed | {"libsystemc-dev": "3.0.1-1"})
    done = start(machine, "kernel")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "longhaul: wrong package version: libsystemc-dev is 3.0.1-1, Longhaul needs 2.3.4*; "
        "'longhaul container' has all of Debian 12"
    )


def test_a_cache_that_cannot_be_written_is_one_line() -> None:
    done = subprocess.run(
        ["bash", str(SCRIPT), "list"],
        env=os.environ | {"XDG_CACHE_HOME": "/proc/cache"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "longhaul: cannot write to the cache, /proc/cache/longhaul; XDG_CACHE_HOME=DIR moves it\n"
    )


CONTAINER = ROOT / "platform" / "container"
COMMON = ROOT / "platform" / "python" / "longhaul" / "workspace" / "templates" / "common"
SCRIPTS = (SCRIPT, CONTAINER / "container.sh", CONTAINER / "install.sh", COMMON / "ci.sh")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_are_clean_bash(script: Path) -> None:
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
    check = ["shellcheck", "--external-sources", script]
    assert subprocess.run(check, cwd=ROOT, check=False).returncode == 0


@pytest.mark.skipif(not (BUILD / "build.ninja").exists(), reason="the tree is not built")
def test_pythons_module_compiles_no_model_a_second_time() -> None:
    def commands(target: str) -> set[str]:
        command = ["ninja", "-C", BUILD, "-t", "commands", target]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return set(done.stdout.splitlines())

    own = commands("longhaul_native") - commands("longhaul-sim")
    compiled = [line for line in own if " -c " in line]
    assert compiled and all("platform/python/bindings" in line for line in compiled)
    (linked,) = (line for line in own if "-o python/longhaul_native" in line)
    assert "-fno-lto" in linked and "-flto" not in linked  # with it the models are optimised again


def test_packages_are_listed_once_until_something_of_dpkg_changes(
    machine: Path, own_cache: Path
) -> None:
    (own_cache / "longhaul" / VENV.name).symlink_to(VENV)  # which takes half a minute to make
    installed = {row[0]: row[1] or "1" for row in rows() if row[2] == "base"}
    listing = "".join(f"{name}\\tii \\t{version}\\n" for name, version in installed.items())

    def listed() -> int:
        done = start(machine, "list", "ixgb_b2b")
        assert done.returncode == 0, done.stderr
        return (machine / "notes").read_text().count("listed")

    tool(machine, "dpkg-query", f"echo listed >>\"$NOTES\"\nprintf '{listing}'")
    assert [listed(), listed()] == [1, 1]
    tool(machine, "dpkg-query", f"echo listed >>\"$NOTES\" \nprintf '{listing}'")
    assert [listed(), listed()] == [2, 2]
    dpkg(machine, {})
    assert "python3-venv" in start(machine, "list", "ixgb_b2b", as_nobody=os.geteuid() == 0).stderr


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of one source, settled: nothing of it has changed a moment ago."""
    source = tmp_path / "tree" / "models" / "a.cc"
    source.parent.mkdir(parents=True)
    source.write_text("int a;\n")
    (tmp_path / "tree" / "build").mkdir()
    return tmp_path / "tree"


def source_key(tree: Path, *, later_s: int = 10) -> str:
    """Call the script's own function on a tree, some seconds later than it is."""
    text = SCRIPT.read_text()
    functions = "".join(
        text[(at := text.index(f"\n{name}() {{")) : text.index("\n}\n", at) + 3]
        for name in ("sources", "source_key")
    )
    keep = next(line for line in text.splitlines() if line.startswith("keep()"))
    clock = f"unset EPOCHSECONDS; EPOCHSECONDS=$(($(date +%s) + {later_s}))"
    done = subprocess.run(
        [
            *("bash", "-euo", "pipefail", "-c"),
            f"root={tree} builds={tree}/build\n{clock}\n{keep}\n{functions}\nsource_key models",
        ],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_the_key_of_sources_follows_contents_and_names(tree: Path) -> None:
    first = source_key(tree)
    assert first == source_key(tree)
    source = tree / "models" / "a.cc"
    before = source.stat()
    source.write_text("int b;\n")
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    second = source_key(tree)
    assert second != first
    source.rename(source.with_name("b.cc"))
    assert source_key(tree) not in (first, second)
    source.write_text("int a;\n")
    source.with_name("b.cc").unlink()
    assert source_key(tree) == first


def test_unchanged_sources_are_not_read_again(tree: Path) -> None:
    assert source_key(tree, later_s=0)
    assert not list((tree / "build").iterdir())  # they had just changed
    source_key(tree)
    (note,) = (tree / "build").iterdir()
    seen, _ = note.read_text().split()
    note.write_text(f"{seen} the-key-of-the-note\n")
    assert source_key(tree) == "the-key-of-the-note"


def test_what_python_compiles_lies_in_the_cache_and_not_in_the_tree(
    machine: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (own_cache / "longhaul" / VENV.name).symlink_to(VENV)  # which takes half a minute to make
    dpkg(machine, {row[0]: row[1] or "1" for row in rows() if row[2] == "base"})
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))
    in_tree = ROOT / "platform" / "python" / "longhaul" / "__pycache__"
    before = in_tree.exists()
    done = start(machine, "--version")
    assert done.returncode == 0, done.stderr
    compiled = {path.name.partition(".")[0] for path in tmp_path.rglob("*.pyc")}
    assert {"paths", "manifest"} <= compiled
    assert in_tree.exists() == before


def test_the_documentations_tools_are_added_when_their_list_is_new(
    machine: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Into an environment that is there, by `docs` and by no command that can do without them."""
    venv = own_cache / "longhaul" / VENV.name
    (venv / "bin").mkdir(parents=True)
    (venv / ".ready").touch()
    tool(venv / "bin", "python", 'echo "python $*" >>"$NOTES"')
    tool(machine, "cmake", "exit 0")
    monkeypatch.setenv("LONGHAUL_BUILD", str(tmp_path / "build"))
    (tmp_path / "build" / "release").mkdir(parents=True)
    dpkg(machine, {row[0]: f"{row[1]}1" for row in rows()})

    def added() -> int:
        notes = (machine / "notes").read_text()
        assert "requirements-dev.txt" not in notes
        return notes.count("requirements-docs.txt")

    for command, times in (("list", 0), ("docs", 1), ("docs", 1), ("list", 1)):
        done = start(machine, command)
        assert done.returncode == 0, done.stderr
        assert added() == times
    assert (machine / "notes").read_text().count("-m longhaul docs") == 2
    (venv / ".ready-docs").write_text("of another list\n")
    start(machine, "docs")
    assert added() == 2
