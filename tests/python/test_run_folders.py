# SPDX-License-Identifier: Apache-2.0
"""Where a run may write: folders that are there, and disks without room."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from conftest import DRIVER, Cli
from longhaul import outdir
from longhaul.errors import LonghaulError
from longhaul.registry import find
from longhaul.runs import runner, space
from longhaul.units import Size
from rich.console import Console
from support import driver
from support.runs import no_result


def test_a_finished_run_is_kept_unless_forced(cli: Cli, tmp_path: Path) -> None:
    assert cli("run", "ixgb_b2b", "--out", "o").returncode == 0
    before = (tmp_path / "o" / "results.json").stat().st_ino
    done = cli("run", "ixgb_b2b", "--out", "o")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "longhaul: o exists (a finished run); choose another --out or add --force"
    )
    assert (tmp_path / "o" / "results.json").stat().st_ino == before
    assert cli("run", "ixgb_b2b", "--out", "o", "--force", mode="fail").returncode == 1
    assert (tmp_path / "o" / "results.json").stat().st_ino == before
    assert cli("run", "ixgb_b2b", "--out", "o", "--force").returncode == 0
    assert (tmp_path / "o" / "results.json").stat().st_ino != before
    assert not list(tmp_path.glob(".o*")) and not list(tmp_path.glob("o.*"))


def test_a_run_goes_ahead_over_what_an_interrupted_one_left(cli: Cli, tmp_path: Path) -> None:
    assert cli("run", "ixgb_b2b", "--out", "o", mode="die").returncode == 1
    assert (tmp_path / "o.partial").is_dir()
    assert cli("run", "ixgb_b2b", "--out", "o").returncode == 0
    assert not (tmp_path / "o.partial").exists()


def test_a_folder_that_is_no_run_is_never_replaced(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "thesis.tex").write_text("years of work")
    done = cli("run", "ixgb_b2b", "--out", "o", "--force")
    assert done.returncode == 2
    assert (tmp_path / "o" / "thesis.tex").read_text() == "years of work"


def test_what_stands_in_the_way_of_the_partial_folder_is_never_removed(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "o.partial").mkdir()
    (tmp_path / "o.partial" / "thesis.tex").write_text("years of work")
    done = cli("run", "ixgb_b2b", "--out", "o")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"longhaul: {tmp_path}/o.partial exists and is no unfinished run of longhaul; "
        "move it away or choose another --out"
    )
    assert (tmp_path / "o.partial" / "thesis.tex").read_text() == "years of work"


def test_a_folder_with_results_of_something_else_is_never_replaced(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "results.json").write_text("{}")
    assert cli("run", "ixgb_b2b", "--out", "o", "--force").returncode == 2
    assert (tmp_path / "o" / "results.json").read_text() == "{}"


def request(folder: Path) -> runner.RunRequest:
    entry = find("ixgb_b2b")
    return runner.RunRequest(entry, entry.parse([]), folder)


def tools() -> runner.Tools:
    return runner.Tools(
        simulator=lambda: driver.FAKE_SIM, guests=driver.parts, console=Console(quiet=True)
    )


def test_two_runs_cannot_write_one_folder(tmp_path: Path) -> None:
    holder = outdir.OutDir(tmp_path / "o")
    try:
        with pytest.raises(LonghaulError, match="another longhaul is writing"):
            runner.run(request(tmp_path / "o"), tools())
    finally:
        holder.close()


def test_a_disk_without_room_is_refused_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space, "BASE", Size(2**62))
    with pytest.raises(LonghaulError, match=r"MB free, this run may take \d+ MB$"):
        runner.run(request(tmp_path / "o"), tools())
    assert list(tmp_path.glob("o*")) == []


@pytest.mark.parametrize(
    ("scenario", "sets", "gigabytes"),
    [
        ("ixgb_b2b", ["duration=2s"], 1.15 * 3 * (2.5 + 0.02)),  # three links at 10 Gb/s
        ("ixgb_b2b", ["workload=udp", "rate=800Mb/s", "duration=2s"], 1.15 * 3 * 0.2),
        # Four links, 2 x 10 MB each 100 ms, and what the socket holds at the end.
        ("ixgb_wan", ["rtt=100ms", "window=10MB", "duration=10s"], 1.15 * 4 * (2.0 + 0.02)),
        ("ixgb_b2b", ["workload=ping", "duration=60s"], 0),
        ("ixgb_b2b", ["workload=iperf -c $LH_PEER"], 0),
    ],
)
def test_captures_count_in_the_room_that_a_run_may_take(
    scenario: str, sets: list[str], gigabytes: float
) -> None:
    entry = find(scenario)
    built = entry.build(entry.parse(sets), 1)
    plain = space.needed(built, pcap=False, timeline=False)
    extra = space.needed(built, pcap=True, timeline=False).bytes - plain.bytes
    assert extra == pytest.approx(gigabytes * 1e9, rel=1e-6)
    timeline = space.needed(built, pcap=False, timeline=True).bytes - plain.bytes
    seconds = built.check().traffic.seconds
    assert timeline == pytest.approx(space.TIMELINE_PER_S.bytes * seconds)
    record = space.needed(built, pcap=False, timeline=False, record=True).bytes - plain.bytes
    assert record == pytest.approx(2 * space.RECORD_PER_S.bytes * (seconds + space.BOOT_S))


def test_a_disk_that_a_capture_would_fill_is_refused_before_anything_runs(
    cli: Cli, tmp_path: Path
) -> None:
    done = cli("run", "ixgb_b2b", "--pcap", "--set", "duration=3600s", "--out", "o")
    assert done.returncode == 1
    assert re.fullmatch(
        r"longhaul: .*: \d+ MB free, this run may take 15525\d+ MB", done.stderr.splitlines()[-1]
    )
    assert not list(tmp_path.glob("o*"))


@pytest.mark.skipif(os.geteuid() != 0, reason="a small file system of its own takes root")
def test_a_disk_that_fills_up_leaves_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        monkeypatch.setattr(space, "BASE", Size(0))
        with pytest.raises(LonghaulError) as caught:
            runner.run(request(small / "o"), tools())
        assert str(caught.value) == f"{small}: no space left on the disk"
        assert no_result(small / "o")
    finally:
        subprocess.run(["umount", str(small)], check=True)


@pytest.mark.parametrize("what", ["o.partial", "o.partial/raw"])
def test_a_folder_that_vanishes_ends_the_run_at_once(
    environment: dict[str, str], tmp_path: Path, what: str
) -> None:
    pids = tmp_path / "pids"
    process = subprocess.Popen(
        [sys.executable, str(DRIVER), "run", "ixgb_b2b", "--out", "o"],
        env=environment | {"FAKE_SIM": "hang", "FAKE_SIM_PIDS": str(pids)},
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (pids.exists() and pids.read_text().endswith("]")):
        time.sleep(0.02)
    shutil.rmtree(tmp_path / what)
    _, stderr = process.communicate(timeout=20)  # a simulator that hangs would never end
    assert process.returncode == 1
    assert stderr.splitlines()[-1] == (
        f"longhaul: {tmp_path}/{what} was removed or replaced while the run was writing to it; "
        "the run was ended, and has no result"
    )
    assert not any(psutil.pid_exists(pid) for pid in json.loads(pids.read_text()))
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize("name", ["raw/sim.json", "raw/config.json", "manifest.json"])
def test_a_file_that_vanishes_while_the_run_is_completed_leaves_no_result(
    tmp_path: Path, name: str
) -> None:
    out = outdir.OutDir(tmp_path / "o")
    for path in ("raw/sim.json", "raw/config.json", "manifest.json"):
        (out.partial / path).write_text("{}")
    out.check_whole()
    (out.partial / name).unlink()
    with pytest.raises(LonghaulError, match=rf"{name} was removed while the run was writing"):
        out.check_whole()
    out.close()


def test_a_signal_while_the_folder_is_published_comes_too_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = outdir.write_json

    def write_under_fire(path: Path, value: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        whole(path, value)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(outdir, "write_json", write_under_fire)
    heard = signal.getsignal(signal.SIGTERM)
    out = outdir.OutDir(tmp_path / "x")
    try:
        out.publish({})
    finally:
        out.close()
    assert sorted(path.name for path in (tmp_path / "x").iterdir()) == ["raw", "results.json"]
    assert signal.getsignal(signal.SIGTERM) == heard


def test_the_root_folder_is_no_place_for_a_run(tmp_path: Path) -> None:
    with pytest.raises(LonghaulError, match=r"^--out /: wants a folder below it"):
        runner.run(request(Path("/")), tools())


def test_an_unwritable_place_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        LonghaulError, match=r"^cannot write to .*file/o: Not a directory; choose another --out$"
    ):
        runner.run(request(tmp_path / "file" / "o"), tools())
    with pytest.raises(
        LonghaulError, match=r"^cannot write to /proc/o: nothing can be made there; choose"
    ):
        runner.run(request(Path("/proc/o")), tools())
