# SPDX-License-Identifier: Apache-2.0
"""Messages for wrong configurations: the documented codes, few words, no trace."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from longhaul.attack.mutants import mutants
from longhaul.paths import simulator
from longhaul.process import QUIET_SYSTEMC
from rig.depth import depth

SEED, MUTANTS = 25, depth(120, 400)
MOST_LINES, MOST_BYTES = 3, 500
PATIENCE_S = 120  # a check takes a tenth of a second, on a busy machine more
DONE, REFUSED = 0, 2


def host(name: str, address: int, programs: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": name,
        "cpu": {"clock": "2.2GHz"},
        "memory": {"size": "256MiB", "preset": "opteron_hdama"},
        "pcix": {"clock": "133.333333MHz"},
        "bridge": {"type": "amd8131"},
        "host": {
            "system": "linux-2.6.6",
            "processors": 1,
            "tcp": {"congestion_control": "cubic"},
            "net": {},
            "interfaces": [
                {
                    "device": "eth0",
                    "ipv4": f"10.10.0.{address}/24",
                    "ipv6": f"fd10:10::{address}/64",
                    "mtu": 1500,
                    "driver": {},
                }
            ],
            "programs": programs,
        },
        "devices": [
            {
                "type": "ixgb",
                "name": "eth0",
                "slot": 1,
                "params": {"mac": f"00:07:e9:00:00:0{address}"},
                "firmware": {"mmrbc": 512, "outstanding": 3, "latency_timer": 64},
            }
        ],
    }


@pytest.fixture
def good(tmp_path: Path) -> dict[str, Any]:
    """A configuration that has a part of every kind; the guest's files only stand there."""
    parts = {name: tmp_path / "parts" / name for name in ("linux", "root", "files")}
    (tmp_path / "parts").mkdir()
    for file in parts.values():
        file.touch(0o755)
    (tmp_path / "out").mkdir()
    client = {"peer": "10.10.0.2", "port": 5001, "duration": "10ms", "cpu": 0}
    guest = host("third", 3, []) | {"guest": {"files": str(parts["files"]), "args": ["a=b"]}}
    del guest["host"]
    return {
        "name": "good",
        "seed": 1,
        "layout": 0,
        "out": str(tmp_path / "out"),
        "limit": "1s",
        "kernel": str(parts["linux"]),
        "guest_root": str(parts["root"]),
        "machines": [
            host("sender", 1, [{"type": "iperf_client", "params": client}]),
            host("receiver", 2, [{"type": "iperf_server", "params": {"port": 5001}}]),
            guest,
        ],
        "switches": [{"name": "mg8", "ports": 4, "params": {"latency": "1us"}}],
        "boxes": [
            {"type": "delay_box", "name": "anue", "params": {"delay_west": "5ms"}},
            {"type": "gnet1", "name": "gnet1", "params": {"model": "tlm"}},
        ],
        "links": [
            {"name": "l0", "a": "sender.eth0", "b": "mg8.p0", "params": {"phy": "10gbase-r"}},
            {"name": "l1", "a": "receiver.eth0", "b": "anue.west", "params": {}},
            {"name": "l2", "a": "anue.east", "b": "mg8.p1"},
            {"name": "l3", "a": "third.eth0", "b": "mg8.p2"},
        ],
        "window": {
            "opens_at": "receiver.eth0",
            "greeting": "0B",
            "warmup": "0s",
            "length": "10ms",
        },
        "control": [
            {
                "at": "1ms",
                "box": "gnet1",
                "accesses": [[264, 1280], [264]],
                "times": 2,
                "every": "1us",
            }
        ],
        "observe": {
            "series_period": "1ms",
            "pcap": ["l0"],
            "snaplen": 0,
            "timeline": True,
            "record": True,
            "profile_period": "20us",
            "waves": ["link", "core", "box", "nic", "pcix"],
            "waves_from": "0s",
            "waves_length": "1ms",
            "waves_trigger": "drop:1",
            "waves_history": "5ms",
        },
    }


def simulate(folder: Path, text: str, *options: str) -> tuple[int, str]:
    file = folder / "config.json"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [str(simulator()), *options, str(file)],
        cwd=folder / "out",
        env=os.environ | QUIET_SYSTEMC,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stderr.decode(errors="replace")


def tree(folder: Path) -> set[tuple[str, int]]:
    return {(str(p), p.stat().st_mtime_ns) for p in folder.rglob("*") if p.name != "config.json"}


def wrongs(code: int, said: str) -> Iterator[str]:
    """Yield what is wrong with an answer."""
    lines = said.splitlines()
    if code not in (DONE, REFUSED):
        yield f"exit code {code}"
    if (code == DONE) != (not lines):
        yield "a message of a good one, or none of a wrong one"
    if len(lines) > MOST_LINES or any(len(line.encode()) > MOST_BYTES for line in lines):
        yield f"{len(lines)} lines, {len(said)} bytes"
    if code == REFUSED and not re.fullmatch(r"longhaul: [^:\s][^:]*: \S.*\n", said, re.DOTALL):
        if not re.fullmatch(r"longhaul: '\S+' is the name of two parts; .*\n", said):
            yield "no place"
    if "json.exception" in said or "is ''" in said or any(not c.isprintable() for c in said[:-1]):
        yield "words of another, a place that is empty, or control characters"


def test_the_good_one_is_accepted_and_a_check_leaves_no_trace(
    good: dict[str, Any], tmp_path: Path
) -> None:
    before = tree(tmp_path)
    assert simulate(tmp_path, json.dumps(good), "--check") == (DONE, "")
    assert tree(tmp_path) == before


def test_mutants_are_answered_in_few_words_and_leave_no_trace(
    good: dict[str, Any], tmp_path: Path
) -> None:
    before = tree(tmp_path)
    faults: list[str] = []
    refused = 0
    for number, mutant in enumerate(mutants(good, SEED, MUTANTS)):
        try:
            code, said = simulate(tmp_path, mutant, "--check")
        except subprocess.TimeoutExpired:
            faults.append(f"{number} ({mutant.label}): hangs")
            continue
        refused += code == REFUSED
        faults += [f"{number} ({mutant.label}): {why}: {said[:300]}" for why in wrongs(code, said)]
        if tree(tmp_path) != before:
            faults.append(f"{number} ({mutant.label}): files are left")
            before = tree(tmp_path)
    assert faults == []
    assert MUTANTS / 2 < refused < MUTANTS


def test_a_run_refuses_what_a_check_refuses_in_the_same_words(
    good: dict[str, Any], tmp_path: Path
) -> None:
    compared = 0
    for mutant in mutants(good, SEED + 1, 60):
        checked = simulate(tmp_path, mutant, "--check")
        if checked[0] == REFUSED:
            assert simulate(tmp_path, mutant) == checked, mutant.label
            compared += 1
    assert compared > 20


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--check",), "config is required; see --help"),
        (("--chek", "x"), "The following argument was not expected: --chek; see --help"),
        (("none.json",), "none.json: cannot be read, wants a configuration file"),
    ],
)
def test_a_wrong_command_line_has_the_documented_code(
    tmp_path: Path, options: tuple[str, ...], line: str
) -> None:
    done = subprocess.run(
        [str(simulator()), *options],
        cwd=tmp_path,
        env=os.environ | QUIET_SYSTEMC,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (REFUSED, f"longhaul: {line}\n")
