# SPDX-License-Identifier: Apache-2.0
"""A console in a guest: lines from a pipe, and a user at a terminal (docs/console.md)."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

PAIR = ("run", "ixgb_b2b", "--set", "duration=1ms")
PATIENCE_S = 300.0  # of wall time, for a run to come so far on a busy machine


def longhaul(*words: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "longhaul", *words]
    return subprocess.run(
        command, input=lines, capture_output=True, text=True, check=False, timeout=2 * PATIENCE_S
    )


@pytest.fixture(scope="module")
def piped(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return what a sender's console printed, and the run's folder."""
    out = tmp_path_factory.mktemp("piped") / "out"
    lines = (
        "hostname; pwd; tty\nping -q -c 1 $PEER | tail -n 2\nseq 1 100000; echo over\n"
        "cat\nfor the cat\n"
    )
    done = longhaul(*PAIR, "--console", "sender", "--out", str(out), lines=lines)
    assert done.returncode == 0, done.stderr
    return done.stdout, out


def test_piped_lines_are_the_shells_and_what_it_prints_comes_out(piped: tuple[str, Path]) -> None:
    assert piped[0].startswith("sender\n/root\n/dev/ttyLH0\n1 packets transmitted, 1 received,")
    assert "\nfor the cat\n" in piped[0]
    assert "sender#" not in piped[0]


def test_the_run_goes_on_and_says_that_a_console_was_open(piped: tuple[str, Path]) -> None:
    results = json.loads((piped[1] / "results.json").read_text())
    manifest = json.loads((piped[1] / "manifest.json").read_text())
    assert results["cases"][0]["measured"]["goodput_gbps"] > 0
    note = "a console was open; figures are not reproducible"
    wanted = {"host": "sender", "when": "before", "note": note}
    assert results["console"] == manifest["console"] == wanted
    assert f"Note: {note}." in piped[0]
    assert note in (piped[1] / "report.html").read_text()


def test_a_receivers_console_may_take_longer_than_the_sender_would_wait(tmp_path: Path) -> None:
    done = longhaul(
        *(*PAIR, "--console", "receiver", "--out", str(tmp_path / "out")),
        lines="hostname; sleep 100; read -r up rest </proc/uptime; echo ${up%.*}\n",
    )
    assert done.returncode == 0, done.stderr
    name, uptime, *_ = done.stdout.splitlines()
    assert (name, uptime) == ("receiver", "100")


def test_a_console_after_the_workload_finds_its_traffic(tmp_path: Path) -> None:
    done = longhaul(
        *(*PAIR, "--console", "sender", "--console-at", "after", "--out", str(tmp_path / "out")),
        lines="nstat -asz IpExtOutOctets | awk '/Octets/ { print $2 }'\n",
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.splitlines()[0]) > 1_000


def test_a_console_at_failure_opens_where_a_command_fails(tmp_path: Path) -> None:
    done = longhaul(
        *(*PAIR, "--console", "receiver", "--console-at", "failure", "--out", str(tmp_path / "o")),
        *("--before", "receiver=echo for what; exit 7"),
        lines="cat /tmp/failure\n",
    )
    assert done.returncode == 1
    words = "a command before the workload ended with status 7"
    assert done.stdout.startswith(f"receiver: {words}")
    assert words in done.stderr


def test_a_flood_ends_with_its_last_line(piped: tuple[str, Path]) -> None:
    printed = piped[0].splitlines()
    first = printed.index("1")
    assert printed[first : first + 100000] == [str(n) for n in range(1, 100001)]
    assert printed[first + 100000] == "over"


@dataclass
class User:
    """Somebody at a terminal, and the run that has it."""

    process: subprocess.Popen[bytes]
    terminal: int
    seen: str = ""

    def see(self, pattern: str) -> re.Match[str]:
        """Wait for a pattern on the terminal; what was before it is not looked at again."""
        end = time.monotonic() + PATIENCE_S
        while not (found := re.search(pattern, self.seen)):
            assert time.monotonic() < end, f"no {pattern} in {self.seen!r}"
            if select.select([self.terminal], [], [], 1.0)[0]:
                try:
                    self.seen += os.read(self.terminal, 65536).decode(errors="replace")
                except OSError:  # the run has ended
                    pytest.fail(f"no {pattern} in {self.seen!r}")
        self.seen = self.seen[found.end() :]
        return found

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def rest(self) -> str:
        """Read the terminal until the run has ended."""
        with contextlib.suppress(OSError):
            while data := os.read(self.terminal, 65536):
                self.seen += data.decode(errors="replace")
        return self.seen


@contextlib.contextmanager
def at_terminal(words: Sequence[str]) -> Generator[User]:
    ours, theirs = pty.openpty()
    longhaul_run = [sys.executable, "-m", "longhaul", *words]
    process = subprocess.Popen(
        ["env", "--default-signal=HUP", *longhaul_run],  # also where the tests run under nohup
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "300"},
    )
    os.close(theirs)
    try:
        yield User(process, ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_a_user_sees_the_echo_and_interrupts_a_program(tmp_path: Path) -> None:
    with at_terminal([*PAIR, "--console", "sender", "--out", str(tmp_path / "out")]) as user:
        user.see(r"console of sender; `exit` or Ctrl-D ends its shell")
        user.see("sender# ")
        user.type("echo $((6 * 7)) $TERM\r")
        user.see(r"^echo \$\(\(6 \* 7\)\) \$TERM\r\n42 xterm\r\nsender# ")
        user.type("cut -d. -f1 /proc/uptime\r")
        before = int(user.see(r"\n(\d+)\r\nsender# ")[1])
        user.type("sleep 3000\r")
        user.see("3000\r\n")
        time.sleep(0.5)
        user.type("\x03")
        user.see(r"\^C\r\nsender# ")
        user.type("cut -d. -f1 /proc/uptime\r")
        assert before < int(user.see(r"\n(\d+)\r\nsender# ")[1]) < before + 3000
        user.type("exit\r")
        user.see("console of sender is closed; the run goes on")
        assert "goodput" in user.rest()
        assert user.process.wait(PATIENCE_S) == 0


def test_time_stands_while_the_shell_waits(tmp_path: Path) -> None:
    with at_terminal([*PAIR, "--console", "sender", "--out", str(tmp_path / "out")]) as user:
        user.see("sender# ")
        readings: list[float] = []
        for _ in range(2):
            time.sleep(2)  # an idle simulation would pass many seconds
            user.type("cut -d' ' -f1 /proc/uptime\r")
            readings.append(float(user.see(r"\n(\d+\.\d+)\r\nsender# ")[1]))
        assert readings[1] - readings[0] < 0.5
        user.type("\x1d")
        user.see("console of sender is closed; the run goes on")
        user.rest()
        assert user.process.wait(PATIENCE_S) == 0


@pytest.mark.parametrize("how", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_a_terminal_that_is_killed_leaves_no_process(how: signal.Signals, tmp_path: Path) -> None:
    with at_terminal([*PAIR, "--console", "receiver", "--out", str(tmp_path / "out")]) as user:
        user.see("receiver# ")
        family = psutil.Process(user.process.pid).children(recursive=True)
        assert len(family) >= 3  # the simulator and two guests
        user.process.send_signal(how)
        user.process.wait(PATIENCE_S)
        _, alive = psutil.wait_procs(family, timeout=PATIENCE_S)
        assert not alive


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--console", "sendr"), "--console sendr: no real guest is called 'sendr'; did you mean"),
        (
            ("--console", "sender", "--console-at", "never"),
            "--console-at never: wants before, after",
        ),
        (("--console-at", "after"), "--console-at after: wants --console HOST, too"),
        (("--set", "system=linux-2.6.6", "--console", "sender"), "ixgb_b2b has no real guest"),
        (("--repeat", "2", "--console", "sender"), "--console is for one run, and --repeat 2"),
    ],
)
def test_what_cannot_have_a_console_is_refused_in_a_line(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = longhaul("--check-only", *PAIR, *words, "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
