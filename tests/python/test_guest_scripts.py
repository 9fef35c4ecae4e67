# SPDX-License-Identifier: Apache-2.0
"""The guests' scripts: sender and receiver play against each other in two network namespaces."""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError
from longhaul.guest import root as guest_root
from longhaul.results.workload_reports import iperf, iperf3, ping_rtt_ms, retransmits, ss_rtt_ms

PAIR = Path(__file__).parent / "guest" / "pair.sh"
SCRIPTS = guest_root.SCRIPTS
UNSHARE = ["unshare", "--map-root-user", "--net", "--mount", "--uts", "--pid", "--fork",
           "--kill-child"]  # fmt: skip

# In a namespace these belong to the machine outside.
SYSCTL = """#!/bin/sh
for word; do
  shift
  case $word in
    net.core.* | *congestion* | *tcp_mem*) ;;
    *) set -- "$@" "$word" ;;
  esac
done
[ $# -le 2 ] || exec /usr/sbin/sysctl "$@"
"""

BASE = {
    "LH_IFACE": "eth0", "LH_MTU": "9000", "LH_IP": "v4", "LH_DURATION": "0.5",
    "LH_WINDOW": "65536", "LH_STREAMS": "1", "LH_CONGESTION": "cubic",
    "LH_OFFLOADS": "tso on gso on gro on",
}  # fmt: skip
ADDRESSES = {"sender": "1", "receiver": "2"}
COMMON_REPORTS = {
    "uname.txt", "ethtool-i.txt", "ethtool-S.txt", "ethtool-k.txt", "ethtool-a.txt",
    "ethtool-g.txt", "ethtool-c.txt", "nstat.json", "proc-net-dev.txt", "proc-net-dev-before.txt",
    "interrupts-before.txt", "interrupts-after.txt", "stat-before.txt", "stat-after.txt",
}  # fmt: skip


@dataclass
class Machine:
    """What a machine wrote."""

    phases: list[str]
    reports: dict[str, str]

    def steps(self) -> list[str]:
        """Return the phases that are not for display."""
        return [line for line in self.phases if not line.startswith("status ")]


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a guest's root, made as the command line makes it."""
    if subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine lets users make no namespaces")
    try:
        return guest_root.ensure(lambda _: None)
    except LonghaulError as error:
        pytest.skip(str(error))


class Drain:
    """Reads a named pipe of its own making; held open, so that no writer waits."""

    def __init__(self, pipe: Path) -> None:
        os.mkfifo(pipe)
        self._descriptor = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        self._pieces: list[bytes] = []
        self._writers_ended = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        while True:
            ended = self._writers_ended.is_set()
            if select.select([self._descriptor], [], [], 0.05)[0]:
                self._pieces.append(os.read(self._descriptor, 1 << 16))
            elif ended:
                return

    def end(self) -> bytes:
        """Return all that was written; call it when the writers have ended."""
        self._writers_ended.set()
        self._thread.join()
        os.close(self._descriptor)
        return b"".join(self._pieces)


def split_reports(stream: bytes) -> dict[str, str]:
    """Join the pieces of each report."""
    reports: dict[str, str] = {}
    parts = re.split(rb"@([a-z0-9A-Z.-]+\.(?:txt|json))\n", stream)
    for name, piece in zip(parts[1::2], parts[2::2], strict=True):
        reports[name.decode()] = reports.get(name.decode(), "") + piece.decode(errors="replace")
    return reports


def play(root: Path, folder: Path, **settings: str) -> dict[str, Machine]:
    """Let the two machines play; what they wrote, by name."""
    (folder / "mnt").mkdir()
    drains: dict[Path, Drain] = {}
    for name, host in ADDRESSES.items():
        files = folder / name
        (files / "proc").mkdir(parents=True)
        (files / "shim").mkdir()
        (files / "shim" / "sysctl").write_text(SYSCTL)
        (files / "shim" / "sysctl").chmod(0o755)
        other = "2" if host == "1" else "1"
        own = BASE | settings
        peer = f"fd10::{other}" if own["LH_IP"] == "v6" else f"10.10.0.{other}"
        own |= {"LH_NAME": name, "LH_ROLE": name, "LH_ADDRESS4": f"10.10.0.{host}/24",
                "LH_ADDRESS6": f"fd10::{host}/64", "LH_PEER": peer}  # fmt: skip
        text = "".join(f"{key}={shlex.quote(value)}\n" for key, value in own.items())
        (files / "settings").write_text(text)
        for pipe in (files / "proc" / "phase", files / "proc" / "report"):
            drains[pipe] = Drain(pipe)
    try:
        subprocess.run([*UNSHARE, "sh", PAIR, root, folder], timeout=60, check=False,
                       capture_output=True)  # fmt: skip
    finally:
        streams = {pipe: drain.end() for pipe, drain in drains.items()}
    return {
        name: Machine(
            streams[folder / name / "proc" / "phase"].decode().splitlines(),
            split_reports(streams[folder / name / "proc" / "report"]),
        )
        for name in ADDRESSES
    }


def check_common(machines: dict[str, Machine], own: dict[str, set[str]]) -> None:
    assert machines["sender"].steps() == ["measure-begin", "measure-end", "done"]
    assert machines["receiver"].steps() == ["done"]
    for name, machine in machines.items():
        assert set(machine.reports) == COMMON_REPORTS | own[name]
        assert "driver: veth" in machine.reports["ethtool-i.txt"]
        assert retransmits(machine.reports["nstat.json"]) is not None


@pytest.mark.parametrize("ip", ["v4", "v6"])
def test_iperf_reports_what_arrived_at_both_ends(root: Path, tmp_path: Path, ip: str) -> None:
    machines = play(root, tmp_path, LH_WORKLOAD="iperf", LH_IP=ip, LH_STREAMS="2", LH_DURATION="2")
    check_common(machines, {"sender": {"iperf.txt", "ping.txt", "ss.txt"},
                            "receiver": {"iperf.txt"}})  # fmt: skip
    sent = iperf(machines["sender"].reports["iperf.txt"])
    received = iperf(machines["receiver"].reports["iperf.txt"])
    assert sent and received and 0 < received.bytes == sent.bytes
    assert ss_rtt_ms(machines["sender"].reports["ss.txt"]) is not None
    assert ping_rtt_ms(machines["sender"].reports["ping.txt"]) is not None
    sent_segments = json.loads(machines["sender"].reports["nstat.json"])["kernel"]["TcpOutSegs"]
    assert sent_segments >= sent.bytes / 65536


def test_iperf3_reports_json_at_both_ends(root: Path, tmp_path: Path) -> None:
    machines = play(root, tmp_path, LH_WORKLOAD="iperf3", LH_DURATION="1")
    check_common(machines, {"sender": {"iperf3.json", "ping.txt", "ss.txt"},
                            "receiver": {"iperf3.json"}})  # fmt: skip
    received = iperf3(machines["receiver"].reports["iperf3.json"])
    assert received and received.bytes > 0


@pytest.mark.parametrize(
    ("duration", "step", "steps"),
    [("1", "1", "1"), ("1.001", "1", "2"), ("0.5", "1", "1"), ("0.005", "0.01", "1"),
     ("0.1", "0.01", "10"), ("0.29", "0.01", "29"), ("0.291", "0.01", "30")],
)  # fmt: skip
def test_a_program_that_counts_in_steps_sends_for_the_last_one_whole(
    duration: str, step: str, steps: str
) -> None:
    script = f". {SCRIPTS}/lib.sh; LH_DURATION={duration}; in_steps_of {step}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == steps


def test_udp_fills_the_frame(root: Path, tmp_path: Path) -> None:
    machines = play(root, tmp_path, LH_WORKLOAD="udp", LH_RATE="10000000")
    check_common(machines, {"sender": {"iperf.txt", "ping.txt", "ss.txt"},
                            "receiver": {"iperf.txt"}})  # fmt: skip
    received = iperf(machines["receiver"].reports["iperf.txt"])
    assert received and received.bytes > 0 and received.bytes % 8972 == 0


def test_ping_goes_on_for_the_duration(root: Path, tmp_path: Path) -> None:
    machines = play(root, tmp_path, LH_WORKLOAD="ping", LH_DURATION="0.3")
    check_common(machines, {"sender": {"ping.txt"}, "receiver": set()})
    assert "6 packets transmitted, 6 received" in machines["sender"].reports["ping.txt"]


def test_a_command_sees_the_settings(root: Path, tmp_path: Path) -> None:
    command = 'echo "$LH_MTU $PEER"; iperf -c "$PEER" -n 100K | tail -n 2'
    machines = play(root, tmp_path, LH_WORKLOAD="command", LH_COMMAND=command)
    check_common(machines, {"sender": {"command.txt", "ping.txt"}, "receiver": {"serve.txt"}})
    assert machines["sender"].reports["command.txt"].startswith("9000 10.10.0.2\n")
    assert "bits/sec" in machines["sender"].reports["command.txt"]


def test_a_command_that_fails_ends_the_run_with_its_last_words(root: Path, tmp_path: Path) -> None:
    machines = play(root, tmp_path, LH_WORKLOAD="command", LH_SERVE="true",
                    LH_COMMAND="seq 200; echo no luck; exit 3")  # fmt: skip
    assert machines["sender"].steps()[-1] == "failed the command ended with status 3: no luck"
    said = "".join(f"{i}\n" for i in range(1, 201)) + "no luck\n"
    assert machines["sender"].reports == {"command.txt": said}


def test_a_wrong_setting_is_named(root: Path, tmp_path: Path) -> None:
    machines = play(root, tmp_path, LH_WORKLOAD="iperf", LH_OFFLOADS="tsp on")
    assert machines["sender"].steps()[0].startswith("failed ethtool -K eth0 tsp on: ")


@pytest.mark.parametrize(
    ("delay", "least_s", "said"),
    [("", 0, "there is no workload 'none'"), ("0.4", 0.4, "there is no workload 'none'"),
     ("soon", 0, "sleep soon: ")],
)  # fmt: skip
def test_a_role_begins_after_its_delay(
    tmp_path: Path, delay: str, least_s: float, said: str
) -> None:
    (tmp_path / "settings").write_text(f"LH_WORKLOAD=none\nLH_START_DELAY={delay}\n")
    begin = time.monotonic()
    subprocess.run(["sh", SCRIPTS / "role", tmp_path / "settings"], timeout=60, check=False,
                   env={"LH_PROC": str(tmp_path), "LH_LIB": str(SCRIPTS),
                        "PATH": os.defpath})  # fmt: skip
    assert time.monotonic() - begin >= least_s
    assert (tmp_path / "phase").read_text().startswith(f"failed {said}")


@pytest.mark.parametrize("size", [0, 1, 3900, 3901, 10_000])
def test_reports_are_cut_into_writes_of_at_most_4096_bytes(tmp_path: Path, size: int) -> None:
    payload = os.urandom(size)
    (tmp_path / "in").write_bytes(payload)
    drain = Drain(tmp_path / "report")
    with (tmp_path / "in").open("rb") as file:
        subprocess.run([SCRIPTS / "lh-report", "a.bin"], stdin=file, check=True,
                       env={"LH_PROC": str(tmp_path), "LH_TMP": str(tmp_path),
                            "PATH": os.environ["PATH"]})  # fmt: skip
    pieces = [payload[at : at + 3900] for at in range(0, max(size, 1), 3900)]
    assert drain.end() == b"".join(b"@a.bin\n" + piece for piece in pieces)


def sh(root: Path, folder: Path, script: str) -> bytes:
    """Let the guests' shell and tools run a script; return what it reported."""
    drain = Drain(folder / "report")
    try:
        subprocess.run(
            [root / "bin" / "busybox", "ash", "-c", f". {SCRIPTS}/reports.sh; {script}"],
            check=True, cwd=folder,
            env={"LH_PROC": str(folder), "LH_TMP": str(folder), "LH_LIB": str(SCRIPTS),
                 "PATH": os.environ["PATH"]},
        )  # fmt: skip
    finally:
        said = drain.end()
    return said


def test_texts_are_cut_into_writes_of_at_most_a_kilobyte(root: Path, tmp_path: Path) -> None:
    texts = {
        "a.txt": "no newline at the end",
        "b.txt": "",
        "c.json": '{"a": "\\n %s"}\n',
        "d.txt": "x" * 900,
        "e.txt": "\n".join(f"line {i}: \N{GREEK SMALL LETTER MU}s" for i in range(500)) + "\n\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    said = sh(root, tmp_path, f"send_texts {' '.join(str(tmp_path / name) for name in texts)}")
    expected = b""
    for name, text in texts.items():
        whole = text.encode()
        for at in range(0, max(len(whole), 1), 900):
            expected += f"@{name}\n".encode() + whole[at : at + 900]
    assert said == expected


@pytest.mark.parametrize(
    ("content", "text"),
    [(b"", True), (b"a\nb", True), ("\N{GREEK SMALL LETTER MU}s\n".encode(), True),
     (b"a\0b\n", False), (b"a\1b\n", False)],
)  # fmt: skip
def test_what_awk_would_change_is_no_text(
    root: Path, tmp_path: Path, content: bytes, text: bool
) -> None:
    (tmp_path / "in").write_bytes(content)
    told = sh(root, tmp_path, "if is_text in; then echo yes >report; else echo no >report; fi")
    assert told == (b"yes\n" if text else b"no\n")


def test_what_a_command_said_arrives_whole_whatever_its_bytes(root: Path, tmp_path: Path) -> None:
    command = r"printf 'a\0b\001c'; iperf -c $PEER -n 100K >/dev/null"
    machines = play(root, tmp_path, LH_WORKLOAD="command", LH_COMMAND=command)
    assert machines["sender"].steps()[-1] == "done", machines["sender"].steps()
    assert machines["sender"].reports["command.txt"] == "a\0b\1c"


def test_every_script_is_a_posix_shell_script() -> None:
    scripts = [p for p in SCRIPTS.rglob("*") if p.is_file() and p.suffix not in (".md", ".txt")]
    assert len(scripts) >= 13
    for script in scripts:
        subprocess.run(["sh", "-n", script], check=True)
    if shutil.which("shellcheck"):
        # A pipe that only reads a file twice; a variable of host.conf, which the runner writes.
        apart = "--exclude=SC2094,SC2153"
        subprocess.run(["shellcheck", "-s", "sh", "-x", apart, *scripts], check=True, cwd=SCRIPTS)


def test_sockets_get_what_the_settings_say_of_another_kernel(root: Path, tmp_path: Path) -> None:
    look = (
        "ip route show 10.10.0.2; sysctl -n net.ipv4.tcp_rmem net.ipv4.tcp_wmem "
        "net.ipv4.tcp_moderate_rcvbuf net.ipv4.tcp_no_ssthresh_metrics_save"
    )
    settings = {
        "LH_WORKLOAD": "command", "LH_COMMAND": look, "LH_PEER4": "10.10.0.2",
        "LH_TCP_RMEM": "4096 87380 174760", "LH_TCP_WMEM": "4096 16384 131072",
        "LH_TCP_MODERATE_RCVBUF": "0", "LH_INITCWND": "3", "LH_SSTHRESH": "22",
    }  # fmt: skip
    sender = play(root, tmp_path, **settings)["sender"]
    assert sender.steps()[-1] == "done", sender.steps()
    said = sender.reports["command.txt"].split()
    assert (
        said
        == (
            "10.10.0.2 dev eth0 scope link ssthresh 22 initcwnd 3 "
            "4096 87380 174760 4096 16384 131072 0 0"
        ).split()
    )


def test_the_devices_queue_is_as_long_as_another_kernels(root: Path, tmp_path: Path) -> None:
    look = (
        "ip -o link show eth0 | grep -o 'qlen [0-9]*'; sysctl -n net.ipv4.tcp_pacing_ss_ratio "
        "net.ipv4.tcp_pacing_ca_ratio net.ipv4.tcp_limit_output_bytes"
    )
    settings = {"LH_WORKLOAD": "command", "LH_COMMAND": look}
    full = {"LH_TXQUEUELEN": "100", "LH_TCP_SMALL_QUEUES": "0"}
    for name in ("full", "own"):
        (tmp_path / name).mkdir()
    said = play(root, tmp_path / "full", **settings, **full)["sender"].reports["command.txt"]
    assert said.split() == ["qlen", "100", "1000", "1000", "1000000000"]
    own = play(root, tmp_path / "own", **settings)["sender"].reports["command.txt"]
    assert own.split()[2:4] == ["200", "120"]


def test_iperf_without_a_window_asks_for_none(root: Path, tmp_path: Path) -> None:
    machines = play(root, tmp_path, LH_WORKLOAD="iperf", LH_WINDOW="")
    assert machines["sender"].steps()[-1] == "done", machines["sender"].steps()
    assert "(default)" in machines["receiver"].reports["iperf.txt"]


def send_cost(folder: Path, size: int) -> float:
    """Return the CPU time of a process that sends a report of so many bytes, in seconds."""
    folder.mkdir()
    (folder / "proc").mkdir()
    (folder / "proc" / "report").touch()
    (folder / "command.txt").write_bytes(b"x" * size)
    script = f'. {SCRIPTS}/reports.sh; send_texts "$1"/command.txt; times'
    done = subprocess.run(
        ["bash", "-c", script, "send", folder],
        env=os.environ | {"LH_PROC": str(folder / "proc")},
        capture_output=True,
        text=True,
        check=True,
    )
    children = done.stdout.splitlines()[1]  # user and system, as 0m1.234s
    parts = (text.rstrip("s").split("m") for text in children.split())
    return sum(60 * float(minutes) + float(seconds) for minutes, seconds in parts)


def test_a_reports_cost_grows_with_its_size_and_not_with_its_square(tmp_path: Path) -> None:
    few, many = send_cost(tmp_path / "few", 1 << 20), send_cost(tmp_path / "many", 8 << 20)
    assert many < 20 * few  # 8 times the bytes; by the square it would be 64
