# SPDX-License-Identifier: Apache-2.0
"""The messages when a real guest dies, panics or hangs, and that nothing of it is left."""

import re
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from rig import front_door
from rig.front_door import Started

LONG = "duration=60s"
PANIC = "echo 2 >/proc/sys/vm/panic_on_oom; echo 4000000 >/proc/sys/vm/min_free_kbytes; sleep 1"
SPIN = "while :; do :; done"


def assert_one_clear_line(started: Started, code: int, said: str, line: str) -> None:
    """One line with guest and simulated time, the guest's last console lines, and nothing left."""
    assert code == 1, said
    lines = said.splitlines()
    start = max(i for i, text in enumerate(lines) if text.startswith("longhaul: "))
    assert re.fullmatch(line, lines[start]), lines[start]
    tail = lines[start + 1 :]
    assert tail and all(text.startswith("  | ") for text in tail), tail
    assert not started.out.exists()
    assert not list(Path(f"{started.out}.partial").rglob("results.json"))
    assert started.strays() == []


@pytest.mark.parametrize("name", ["sender", "receiver"])
def test_a_guest_killed_in_the_middle_of_a_run(tmp_path: Path, name: str) -> None:
    started = front_door.start(tmp_path / "o", "ixgb_b2b", LONG)
    started.wait_until_traffic()
    victim = started.guest(name)
    assert victim is not None
    victim.kill()
    line = (
        rf"longhaul: guest '{name}' was killed by signal 9 \(Killed\) "
        r"at simulated time [\d.]+ \w+; its console ended with:"
    )
    assert_one_clear_line(started, *started.end(), line)


@pytest.mark.parametrize("way", ["seccomp", "ptrace"])
def test_a_guest_whose_programs_are_killed(tmp_path: Path, way: str) -> None:
    """Its kernel notices that their processes are gone; the end of init is a panic."""
    started = front_door.start(
        *(tmp_path / "o", "ixgb_b2b", LONG),
        options=("--param", "*.memory.size=1GiB"),  # seccomp's stubs fit, with AMX, too
        environment={"LONGHAUL_PROGRAMS": way},
    )
    started.wait_until_traffic()
    kernel = started.guest("sender")
    assert kernel is not None
    for program in kernel.children():
        program.kill()
    line = (
        r"longhaul: guest 'sender' (panicked \(.*\)|was killed by signal \d+ \(.*\)) "
        r"at simulated time [\d.]+ \w+; its console ended with:"
    )
    assert_one_clear_line(started, *started.end(), line)


def test_a_guest_that_panics(tmp_path: Path) -> None:
    started = front_door.start(tmp_path / "o", "ixgb_b2b", f"workload={PANIC}")
    started.wait_until_traffic()
    line = (
        r"longhaul: guest 'sender' panicked \([^()]*panic_on_oom[^()]*\) at simulated time "
        r"[\d.]+ \w+; its console ended with:"
    )
    assert_one_clear_line(started, *started.end(), line)


def test_a_guest_that_hangs_in_user_space(tmp_path: Path) -> None:
    started = front_door.start(
        tmp_path / "o",
        "ixgb_b2b",
        f"workload={SPIN}",
        environment={"LONGHAUL_SILENCE_LIMIT_S": "3"},
    )
    started.wait_until_traffic()
    line = (
        r"longhaul: guest 'sender' hangs: it ran for 3 s of wall time without a request "
        r"at simulated time [\d.]+ \w+; its console ended with:"
    )
    assert_one_clear_line(started, *started.end(), line)


def test_a_guest_that_restarts_ends_as_one_that_powers_off(tmp_path: Path) -> None:
    started = front_door.start(tmp_path / "o", "ixgb_b2b", "workload=reboot -f")
    code, said = started.end(300)
    assert code == 1, said
    assert re.fullmatch(
        r"longhaul: guest 'sender' restarted, which ends it as powering off does, at simulated "
        r"time [\d.]+ s before it was done; it last said 'command', and .*/console\.log tells more",
        said.splitlines()[-1],
    )
    console = tmp_path / "o.partial" / "raw" / "guests" / "sender" / "console.log"
    assert console.read_text(errors="replace").count("Linux version") == 1
    assert started.strays() == []


def test_a_guest_that_is_stopped_is_waited_for(tmp_path: Path) -> None:
    started = front_door.start(
        tmp_path / "o",
        "ixgb_b2b",
        "duration=1s",
        environment={"LONGHAUL_SILENCE_LIMIT_S": "3"},
    )
    started.wait_until_traffic()
    stopped = [started.guest(name) for name in ("sender", "receiver")]
    processes = [p for guest in stopped if guest for p in (guest, *guest.children())]
    for process in processes:  # their programs, too: processes of the host
        process.suspend()
    time.sleep(8)
    for process in processes:
        process.resume()
    code, said = started.end(300)
    assert code == 0, said
    assert "its process is stopped from outside; the run waits until it goes on" in said


@pytest.mark.parametrize("after_s", [0, 0.1, 0.3, 0.6, 1, 1.5, 2])
def test_ctrl_c_at_the_start_is_told(tmp_path: Path, after_s: float) -> None:
    """In the script of the front door, while Python starts, and in it.

    Before a shell has read its script's first lines it dies of SIGINT without a word.
    """
    started = front_door.start(
        tmp_path / "o", "ixgb_b2b", LONG, before=("env", "--default-signal=INT")
    )
    script = psutil.Process(started.process.pid)
    front_door.wait_for(script.children, "the script's first command")
    time.sleep(after_s)
    started.look()
    started.interrupt()
    code, said = started.end(60)
    assert code == 130, said
    told = [line for line in said.splitlines() if "interrupted" in line]
    assert told in (["longhaul: interrupted"], ["longhaul: interrupted by SIGINT"])
    assert not started.out.exists()
    assert started.strays() == []


def test_a_way_of_programs_that_cannot_be(tmp_path: Path) -> None:
    started = front_door.start(
        tmp_path / "o", "ixgb_b2b", environment={"LONGHAUL_PROGRAMS": "fork"}
    )
    code, said = started.end()
    assert code == 2
    assert "LONGHAUL_PROGRAMS=fork: wants ptrace or seccomp" in said


def test_a_limit_of_silence_that_cannot_be(tmp_path: Path) -> None:
    started = front_door.start(
        tmp_path / "o", "ixgb_b2b", environment={"LONGHAUL_SILENCE_LIMIT_S": "3s"}
    )
    code, said = started.end()
    assert code == 2
    assert "LONGHAUL_SILENCE_LIMIT_S=3s: wants whole seconds from 1 to 86400" in said


def test_a_command_that_fails_in_the_guest(tmp_path: Path) -> None:
    started = front_door.start(tmp_path / "o", "ixgb_b2b", "workload=seq 20; echo so it is; exit 3")
    line = (
        r"longhaul: guest 'sender' says that its workload failed at simulated time [\d.]+ s: the "
        r"command ended with status 3: so it is; .*/report/command\.txt ended with:"
    )
    code, said = started.end()
    assert_one_clear_line(started, code, said, line)
    assert said.splitlines()[-3:] == ["  | 19", "  | 20", "  | so it is"]
    reports = tmp_path / "o.partial" / "raw" / "guests" / "sender" / "report"
    whole = (reports / "command.txt").read_text()
    assert whole == "".join(f"{i}\n" for i in range(1, 21)) + "so it is\n"


def test_ctrl_c_in_the_middle_of_traffic(tmp_path: Path) -> None:
    slow = ("workload=udp", "rate=100Mb/s")  # or the capture might take more than the disk has
    started = front_door.start(tmp_path / "o", "ixgb_b2b", LONG, *slow, options=("--pcap",))
    started.wait_until_traffic()
    assert len(started.strays()) > 3  # simulator, two kernels, their processes
    started.interrupt()
    code, said = started.end(30)
    assert code == 130, said
    assert not started.out.exists()
    assert started.strays() == []


@pytest.mark.parametrize("what", [LONG, f"workload=({SPIN})"], ids=["sends", "spins"])
def test_a_killed_command_line_takes_all_with_it(tmp_path: Path, what: str) -> None:
    """A guest's process, too, which is one of the host's and would go on by itself."""
    started = front_door.start(tmp_path / "o", "ixgb_b2b", what)
    started.wait_until_traffic()
    started.process.kill()
    started.end(30)
    front_door.wait_for(lambda: not started.strays(), "all processes to end", 60)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (
            ("gnet1_storm", "--set", "red_min=9ms"),
            "gnet1.red_max_p0: 6ms is not above red_min_p0 (9ms)",
        ),
        (
            ("gnet1_storm", "--param", "gnet1.red_wight_p0=3"),
            "gnet1: no parameter 'red_wight_p0'; nearest is 'red_weight_p0'",
        ),
        (
            ("gnet1_discard", "--set", "adapter=sk-9843", "--param", "*.pcix.protocol=pcix"),
            "sender.eth0: a conventional PCI device holds its bus to PCI: wants pcix.protocol "
            "'pci' and a clock of 66.67 MHz at most",
        ),
        (
            ("gnet1_storm", "--waves=box", "--waves-trigger", "register:gnet2+p0.DELAY"),
            "--waves-trigger: no box 'gnet2' has registers; nearest is 'gnet1'",
        ),
        (("gnet1_storm", "--waves=tcp,box", "--waves-trigger", "retransmit"), ""),
    ],
)
def test_what_only_the_simulator_knows_is_refused_by_a_check(
    tmp_path: Path, options: tuple[str, ...], line: str
) -> None:
    command = [str(front_door.ROOT / "longhaul"), "--check-only", "run", *options]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "o")], capture_output=True, text=True, check=False
    )
    assert done.returncode == (2 if line else 0)
    assert front_door.said(done.stderr)[-1:] == ([f"longhaul: {line}"] if line else [])
    assert not list(tmp_path.iterdir())
