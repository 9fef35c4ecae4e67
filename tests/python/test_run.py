# SPDX-License-Identifier: Apache-2.0
"""Whole runs of the command line with a simulator that plays a part."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from conftest import DRIVER, Cli
from longhaul import outdir, runner, space
from longhaul.errors import LonghaulError
from longhaul.registry import find
from longhaul.units import Size, Time, ms, s, us
from rich.console import Console
from support import driver


def wait_for(condition: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def no_result(folder: Path) -> bool:
    return not folder.exists() and not (outdir.partial_path(folder) / "results.json").exists()


def test_a_run_leaves_every_documented_file(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", "--pcap", "--timeline", "--seed", "5")
    assert done.returncode == 0, done.stderr
    out = tmp_path / "o"
    names = {path.name for path in out.iterdir()}
    assert names >= {
        "results.json",
        "manifest.json",
        "report.html",
        "series.parquet",
        "timeline.pftrace",
        "trunk.pcapng",
        "sender_link.pcapng",
        "guests",
    }
    assert not outdir.partial_path(out).exists()
    assert (out / "guests" / "sender" / "console.log").is_file()
    config = json.loads((out / "raw" / "config.json").read_text())
    assert (config["seed"], config["observe"]["timeline"]) == (5, True)
    assert sorted(config["observe"]["pcap"]) == ["receiver_link", "sender_link", "trunk"]


def test_the_manifest_says_what_the_run_depended_on(cli: Cli, tmp_path: Path) -> None:
    assert cli("run", "ixgb_wan", "--set", "rtt=20ms", "--out", "o").returncode == 0
    manifest = json.loads((tmp_path / "o" / "manifest.json").read_text())
    assert manifest["changed"] == {"rtt": "20ms"}
    assert manifest["checksums"]["drivers"] == {"ixgb": "ab" * 32}
    assert len(manifest["checksums"]["simulator"]) == 64
    assert manifest["versions"]["guest_kernel"]["key"] == "0123456789abcdef"
    assert "absent" not in manifest["versions"]["python_packages"].values()
    rtt = next(item for item in manifest["settings"] if item["name"] == "rtt")
    assert (rtt["value"], rtt["evidence"]) == ("20ms", "chosen")
    for item in [*manifest["settings"], *manifest["parameters"]]:
        assert item["evidence"] and item["source"]


def test_a_run_does_not_depend_on_where_it_is_stored(cli: Cli, tmp_path: Path) -> None:
    """Paths reach the guests' command lines, and Linux mixes those into its random numbers."""
    configs: list[str] = []
    for name in ("a", "somewhere/else/b"):
        assert cli("run", "ixgb_b2b", "--out", name).returncode == 0
        configs.append((tmp_path / name / "raw" / "config.json").read_text())
    assert configs[0] == configs[1]
    assert str(tmp_path) not in configs[0]


@pytest.mark.parametrize(
    ("duration", "period"),
    [(ms(1), us(100)), (ms(20), us(100)), (ms(100), us(500)), (s(1), ms(1)), (s(60), ms(6))],
)
def test_the_series_fits_the_length_of_the_run(duration: Time, period: Time) -> None:
    assert runner.series_period(duration) == period


def test_progress_off_a_terminal_is_whole_lines(cli: Cli) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o")
    assert "ixgb_b2b: " in done.stderr and " s simulated" in done.stderr
    assert "\x1b" not in done.stderr and "\r" not in done.stderr


@pytest.mark.parametrize(
    ("mode", "code", "line"),
    [
        ("fail", 1, "longhaul: receiver: guest panicked at 1.250 s: Oops"),
        ("bad-config", 2, "longhaul: sender.eth0.mtu: got 3, wants more"),
        (
            "die",
            1,
            "longhaul: the simulator was killed by SIGKILL (from outside: a user, or the kernel "
            "because memory ran out)",
        ),
        ("part", 1, "longhaul: the simulator left spans.bin.part unfinished"),
    ],
)
def test_a_failed_simulator_is_one_line_and_no_result(
    cli: Cli, tmp_path: Path, mode: str, code: int, line: str
) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode=mode)
    assert done.returncode == code
    assert done.stderr.splitlines()[-1] == line
    assert "Traceback" not in done.stderr
    assert no_result(tmp_path / "o")


def test_a_guests_last_console_lines_follow_the_message(
    cli: Cli, environment: dict[str, str]
) -> None:
    environment["FAKE_SIM_CONSOLE"] = "1"
    done = cli("run", "ixgb_b2b", "--out", "o", mode="fail")
    assert done.stderr.splitlines()[-2:] == [
        "longhaul: receiver: guest panicked at 1.250 s: Oops",
        "  Kernel panic - not syncing: Fatal exception",
    ]


def test_a_simulator_without_room_says_so(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode="full-disk")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("series.csv: No space left on device")
    assert no_result(tmp_path / "o")


def test_guests_that_never_marked_a_window_give_no_result(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode="no-window")
    assert done.returncode == 1
    assert "no traffic of iperf outlasted the warm-up" in done.stderr.splitlines()[-1]
    assert no_result(tmp_path / "o")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_ending_signal_leaves_no_process_and_no_result(
    environment: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    pids_file = tmp_path / "pids"
    command = [sys.executable, str(DRIVER), "run", "ixgb_b2b", "--out", str(tmp_path / "o")]
    process = subprocess.Popen(
        command,
        env=environment | {"FAKE_SIM": "hang", "FAKE_SIM_PIDS": str(pids_file)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: pids_file.exists() and pids_file.read_text().endswith("]"))
    pids = json.loads(pids_file.read_text())
    assert all(alive(pid) for pid in pids)
    process.send_signal(number)
    time.sleep(0.3)
    process.send_signal(number)  # the impatient second time must not leave strays
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert stderr.splitlines()[-1] == f"longhaul: interrupted by {number.name}"
    assert not any(alive(pid) for pid in pids)
    assert no_result(tmp_path / "o")


def test_a_guest_that_outlives_the_simulator_is_killed(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode="strays")
    assert done.returncode == 0, done.stderr
    pids = json.loads((tmp_path / "pids").read_text())
    assert not any(alive(pid) for pid in pids)


def test_the_simulator_dies_with_a_command_line_that_was_killed(
    environment: dict[str, str], tmp_path: Path
) -> None:
    pids_file = tmp_path / "pids"
    process = subprocess.Popen(
        [sys.executable, str(DRIVER), "run", "ixgb_b2b", "--out", str(tmp_path / "o")],
        env=environment | {"FAKE_SIM": "hang", "FAKE_SIM_PIDS": str(pids_file)},
        stderr=subprocess.DEVNULL,
    )
    wait_for(lambda: pids_file.exists() and pids_file.read_text().endswith("]"))
    simulator, *guests = json.loads(pids_file.read_text())
    process.kill()
    process.wait()
    wait_for(lambda: not alive(simulator))
    assert no_result(tmp_path / "o")
    for pid in guests:  # these stand-ins have no death signal of their own
        os.kill(pid, signal.SIGKILL)


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


def test_what_the_simulator_refuses_leaves_no_folder(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode="bad-config")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "longhaul: sender.eth0.mtu: got 3, wants more"
    assert not list(tmp_path.glob("o*"))


@pytest.mark.parametrize(
    "command",
    [
        ["run", "ixgb_b2b", "--out", "o"],
        ["run", "gnet1_table1", "--out", "o"],
        ["sweep", "ixgb_wan", "--over", "rtt=1ms,2ms", "--out", "o"],
    ],
)
def test_a_check_asks_the_simulator_and_runs_nothing(
    cli: Cli, tmp_path: Path, command: list[str]
) -> None:
    done = cli("--check-only", *command, mode="bad-config")
    assert done.returncode == 2
    assert done.stderr == "longhaul: sender.eth0.mtu: got 3, wants more\n"
    done = cli("--check-only", *command)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not list(tmp_path.glob("o*"))


def test_before_the_simulator_is_built_a_check_is_of_what_is_known(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["LONGHAUL_UNBUILT"] = "1"
    assert cli("--check-only", "run", "ixgb_b2b", mode="bad-config").returncode == 0
    assert cli("--check-only", "run", "ixgb_b2b", "--waves=rtl", mode="ok").returncode == 2


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


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("relative", "{raw}/spans.bin: cannot write: Input/output error"),
        ("banner", "the simulator failed with exit code 1"),
        ("silent", "the simulator failed with exit code 3"),
    ],
)
def test_a_simulators_last_words_have_whole_paths_and_no_banner(
    cli: Cli, tmp_path: Path, mode: str, line: str
) -> None:
    done = cli("run", "ixgb_b2b", "--out", "o", mode=mode)
    assert done.returncode == 1
    expected = line.format(raw=tmp_path / "o.partial" / "raw")
    assert done.stderr.splitlines()[-1] == f"longhaul: {expected}"


@pytest.mark.parametrize("tool", ["taskset", "setpriv"])
def test_a_missing_tool_is_one_line_with_its_package(
    environment: dict[str, str], tmp_path: Path, tool: str
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in {"bash", "taskset", "setpriv"} - {tool}:
        (tools / name).symlink_to(Path("/usr/bin", name))
    done = subprocess.run(
        [sys.executable, str(DRIVER), "run", "ixgb_b2b", "--out", "o"],
        env=environment | {"PATH": str(tools)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"longhaul: {tool} is missing; install its Debian package: sudo apt-get install util-linux"
    )


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


def test_the_root_folder_is_no_place_for_a_run(tmp_path: Path) -> None:
    with pytest.raises(LonghaulError, match=r"^--out /: a folder below it is wanted"):
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
