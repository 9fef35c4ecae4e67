# SPDX-License-Identifier: Apache-2.0
"""Another processor for the simulator: all but QEMU itself, for which a script stands in."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Mapping
from pathlib import Path

import psutil
import pytest
from conftest import Cli
from longhaul.errors import LonghaulError, UsageError
from longhaul.golden import emulated_host, runs
from longhaul.golden.runs import Host
from longhaul.guest import root as guest_root

SIMULATOR = Path("/usr/bin/true")
WAIT_S = 20


def say(_line: str) -> None:
    """Nobody reads it."""


def tool(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder whose programs come before those of the system."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:{os.environ['PATH']}")
    listing = "Available CPUs:\\nx86 Haswell  Intel\\nx86 qemu64  (alias)\\n\\nRecognized CPUID\\n"
    tool(tmp_path / "tools", emulated_host.QEMU, f"#!/bin/sh\nprintf '{listing}'\n")
    return tmp_path / "tools"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a run's folder, which is the working directory, with a configuration."""
    folder = tmp_path / "run"
    (folder / "raw").mkdir(parents=True)
    monkeypatch.chdir(folder)
    (folder / "raw" / "config.json").write_text("{}")
    return folder


def archive(path: Path, files: Mapping[str, str]) -> Path:
    with tarfile.open(path, "w") as out:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            out.addfile(member, io.BytesIO(text.encode()))
    return path


# --- which processors ----------------------------------------------------------------------------


@pytest.mark.usefixtures("tools")
def test_an_unknown_processor_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refusal:
        emulated_host.simulator("Hasswell", SIMULATOR, tmp_path, say)
    assert str(refusal.value) == (
        "--host: QEMU emulates no processor 'Hasswell'; did you mean Haswell?"
        " (qemu-system-x86_64 -cpu help)"
    )


@pytest.mark.parametrize(
    ("absent", "package"),
    [(emulated_host.QEMU, "qemu-system-x86"), ("cpio", "cpio"), ("setpriv", "util-linux")],
)
def test_a_missing_tool_is_named_with_its_package(
    absent: str, package: str, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in {"cpio", "setpriv", "ldd"} - {absent}:
        tool(tools, name, "#!/bin/sh\n")
    if absent == emulated_host.QEMU:
        (tools / absent).unlink()
    monkeypatch.setenv("PATH", str(tools))
    with pytest.raises(LonghaulError) as error:
        emulated_host.simulator("qemu64", SIMULATOR, tools, say)
    assert str(error.value).startswith(f"{absent} is missing;")
    assert str(error.value).endswith(f"apt-get install {package}")
    assert "\n" not in str(error.value)


def test_each_stands_for_every_processor_worth_a_try_once() -> None:
    names = [host.processor for host in runs.hosts(["each", "qemu64", "Opteron_G1", "each"])]
    assert names == [*emulated_host.PROCESSORS, "Opteron_G1"]
    assert runs.hosts([]) == [Host()]


def test_a_host_is_told_by_its_processor_and_what_that_has() -> None:
    assert Host().title == ""
    assert Host("Nehalem").title == "On Nehalem (Intel, SSE4.2):"
    assert Host("max,-avx").title == "On max,-avx:"
    assert Host("a/b").name == "a_b"  # a folder


def test_goldens_are_not_written_from_an_emulated_host(cli: Cli) -> None:
    done = cli("golden", "--host", "qemu64", "--update")
    assert done.returncode == 2
    assert "--host only compares" in done.stderr


# --- the emulated host's files -------------------------------------------------------------------


def test_files_and_libraries_are_where_they_are_here(folder: Path, tmp_path: Path) -> None:
    places = {
        "kernel": tmp_path / "cache-1" / "linux",
        "kernel_blocks": tmp_path / "cache-1" / "blocks.bin",
        "guest_root": tmp_path / "images" / "root.erofs",
    }
    for name, path in places.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    shutil.copy2("/usr/bin/cat", places["kernel"])  # a program, with libraries
    places["kernel"].parent.chmod(0o700)
    link = tmp_path / "longhaul-sim"
    link.symlink_to(SIMULATOR)
    busybox = tmp_path / "busybox"
    busybox.write_text("busybox")
    config = folder / "raw" / "config.json"
    config.write_text(json.dumps({k: str(v) for k, v in places.items()} | {"kernel_layout": None}))
    root = tmp_path / "root"
    root.mkdir()

    emulated_host.lay_out(root, busybox, link, ["raw/config.json", "--seed", "it's 7"])

    for path in (*places.values(), link):
        assert (root / str(path).lstrip("/")).read_bytes() == path.read_bytes()
    assert not (root / str(link).lstrip("/")).is_symlink()
    listing = subprocess.run(["ldd", SIMULATOR], capture_output=True, text=True, check=True).stdout
    libraries = [word for word in listing.split() if word.startswith("/")]
    assert any("ld-linux" in library for library in libraries)
    for library in libraries:
        assert (root / library.lstrip("/")).read_bytes() == Path(library).read_bytes()
    assert (root / "bin" / "busybox").read_text() == "busybox"
    assert (root / "bin" / "setpriv").exists()
    assert (root / "home/somebody/run/raw/config.json").read_bytes() == config.read_bytes()
    init = (root / "init").read_text()
    assert f"{link} raw/config.json --seed 'it'\"'\"'s 7' >/tmp/said" in init
    assert (root / "init").stat().st_mode & 0o111


def test_whoever_owns_a_folder_here_may_enter_it_there(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    shutil.copy2(SIMULATOR, secret / "longhaul-sim")
    (tmp_path / "root").mkdir()
    old = os.umask(0o077)
    try:
        emulated_host.lay_out(
            tmp_path / "root", SIMULATOR, secret / "longhaul-sim", ["raw/config.json"]
        )
    finally:
        os.umask(old)
    folders = [path for path in (tmp_path / "root").rglob("*") if path.is_dir()]
    assert tmp_path / "root" / str(secret).lstrip("/") in folders
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o755}


# --- what comes back -----------------------------------------------------------------------------


def test_files_land_in_the_folder_and_the_simulator_is_heard(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "tmp/said": "a warning\n",
        "tmp/code": "3\n",
        "./raw/sim.json": "{1}",
        "./raw/guests/sender/console.log": "booted",
        "./tmp/said": "a file of the run",
    }
    assert emulated_host.take(archive(tmp_path / "disk", files), "console") == 3
    assert capsys.readouterr().out == "a warning\n"
    assert (folder / "raw" / "sim.json").read_text() == "{1}"
    assert (folder / "raw/guests/sender/console.log").read_text() == "booted"
    assert (folder / "tmp/said").read_text() == "a file of the run"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("content", [b"", bytes(1 << 20), b"no archive at all\n" * 100])
def test_a_disk_without_an_archive_gives_the_consoles_end(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    disk = tmp_path / "disk"
    disk.write_bytes(content)
    console = "\n\n".join(f"line {i}" for i in range(20)) + "\n"
    assert emulated_host.take(disk, console) == 1
    said = capsys.readouterr().out
    assert "left no result; its console ended with:\n  | line 12\n" in said
    assert said.endswith("  | line 19\n")


def test_an_archive_that_is_cut_off_is_a_failed_run(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"tmp/said": "all is well\n", "tmp/code": "0\n", "./raw/sim.json": "x" * 100_000}
    disk = archive(tmp_path / "disk", files)
    os.truncate(disk, 40_000)
    assert emulated_host.take(disk, "console") == 1
    said = capsys.readouterr().out
    assert said.startswith("all is well\nlonghaul: the emulated host's result cannot be read: ")
    assert folder.is_dir()


@pytest.mark.parametrize("name", ["../outside", "raw/../../outside", "{absolute}"])
def test_nothing_is_written_outside_the_folder(
    name: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = name.format(absolute=tmp_path / "outside")
    files = {"tmp/said": "", "tmp/code": "0\n", name: "x", "./later": "y"}
    assert emulated_host.take(archive(tmp_path / "disk", files), "console") == 1
    assert not (tmp_path / "outside").exists()
    assert not (folder / "later").exists()
    assert f"it names {name}, which is not in the run's folder" in capsys.readouterr().out


def test_a_link_of_the_archive_leads_nowhere(folder: Path, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "disk", "w") as out:
        link = tarfile.TarInfo("./raw/link")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path)
        out.addfile(link)
        member = tarfile.TarInfo("tmp/code")
        member.size = 2
        out.addfile(member, io.BytesIO(b"0\n"))
    assert emulated_host.take(tmp_path / "disk", "") == 0
    assert not (folder / "raw" / "link").is_symlink()


# --- the program that stands in for the simulator ------------------------------------------------


@pytest.fixture
def wrapper(
    folder: Path, tools: Path, tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return what stands in for longhaul-sim; nothing is fetched for it."""
    assert folder and tools
    kernel = own_cache / "longhaul" / "emulated-host" / "vmlinuz"
    kernel.parent.mkdir(parents=True)
    kernel.write_text("a kernel")
    root = tmp_path / "guest-root"
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / "busybox").write_text("busybox")
    monkeypatch.setattr(guest_root, "ensure", lambda _progress: root)
    (tmp_path / "host").mkdir()
    return emulated_host.simulator("Haswell,-avx2", SIMULATOR, tmp_path / "host", say)


def test_a_run_there_is_one_of_the_folder_here(wrapper: Path, folder: Path, tools: Path) -> None:
    """QEMU gets an archive with all files, and its disk has what the run left."""
    left = archive(folder.parent / "left", {"tmp/said": "hi\n", "tmp/code": "5", "./out": "there"})
    tool(
        tools,
        emulated_host.QEMU,
        f"#!{sys.executable}\n"
        "import json, shutil, subprocess, sys\n"
        f"words, seen = sys.argv[1:], {str(folder.parent / 'seen')!r}\n"
        "after = lambda word: words[words.index(word) + 1]\n"
        "files = open(after('-initrd'), 'rb')\n"
        "names = subprocess.check_output(['cpio', '-t', '--quiet'], stdin=files, text=True)\n"
        "disk = after('-drive').split(',')[0].removeprefix('file=')\n"
        f"content = open({str(left)!r}, 'rb').read()\n"
        "open(disk, 'r+b').write(content)\n"
        "json.dump([words, names.splitlines()], open(seen, 'w'))\n",
    )
    done = subprocess.run([wrapper, "raw/config.json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (5, "hi\n", "")
    assert (folder / "out").read_text() == "there"
    words, names = json.loads((folder.parent / "seen").read_text())
    assert words[words.index("-cpu") + 1] == "Haswell,-avx2"
    assert {"init", "home/somebody/run/raw/config.json", "bin/busybox"} <= set(names)
    assert str(SIMULATOR.resolve()).lstrip("/") in names
    assert sorted(path.name for path in wrapper.parent.iterdir()) == ["busybox", "longhaul-sim"]


@pytest.mark.parametrize(
    ("number", "group"),
    [(signal.SIGTERM, True), (signal.SIGINT, True), (signal.SIGTERM, False)],
)
def test_a_signal_ends_qemu_and_removes_its_files(
    number: signal.Signals, group: bool, wrapper: Path, tools: Path
) -> None:
    process, qemu = started(wrapper, tools)
    (os.killpg if group else os.kill)(process.pid, number)
    assert process.wait(WAIT_S) == 130
    assert gone(qemu)
    assert sorted(path.name for path in wrapper.parent.iterdir()) == ["busybox", "longhaul-sim"]


def test_qemu_does_not_outlive_a_killed_wrapper(wrapper: Path, tools: Path) -> None:
    process, qemu = started(wrapper, tools)
    process.kill()
    process.wait(WAIT_S)
    assert gone(qemu)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_to_golden_ends_its_runs(
    number: signal.Signals, environment: dict[str, str], tmp_path: Path
) -> None:
    """Each run is in a session of its own, so the signal does not reach it by itself."""
    pids, simulates = tmp_path / "pids", tmp_path / "sim"
    tool(tmp_path, "sim", f"#!/bin/sh\nprintf '[%d]' $$ >{pids}\nexec sleep 1000\n")
    process = subprocess.Popen(
        [
            *("env", "--default-signal=HUP"),  # also where the tests run under nohup
            *(sys.executable, "-m", "longhaul", "golden", "gnet1-modelled"),
            *("--out", str(tmp_path / "out")),
        ],
        env=environment | {"LONGHAUL_SIMULATOR": str(simulates)},
        start_new_session=True,
    )
    end = time.monotonic() + WAIT_S
    while not (pids.exists() and pids.read_text().endswith("]")):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.02)
    simulator = psutil.Process(json.loads(pids.read_text())[0])
    process.send_signal(number)
    assert process.wait(WAIT_S) == 130
    assert gone(simulator)


def started(wrapper: Path, tools: Path) -> tuple[subprocess.Popen[bytes], psutil.Process]:
    """Start a run as longhaul.process does, on a machine that never ends."""
    pid = tools / "pid"
    tool(
        tools,
        emulated_host.QEMU,
        f"#!/bin/sh\necho $$ >{pid}.partial\nmv {pid}.partial {pid}\nexec sleep 1000\n",
    )
    process = subprocess.Popen([wrapper, "raw/config.json"], start_new_session=True)
    end = time.monotonic() + WAIT_S
    while not pid.exists():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.02)
    return process, psutil.Process(int(pid.read_text()))


def gone(process: psutil.Process) -> bool:
    """Tell whether a process ends within a moment; a zombie has."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        try:
            if process.status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    process.kill()
    return False
