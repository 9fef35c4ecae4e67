# SPDX-License-Identifier: Apache-2.0
"""The messages about an RTL block that breaks a rule, hangs, or that no driver claims."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from longhaul.units import ms
from rig.fst import Waves
from rtl_mutants import trial

VIOLATION = ("--waves", "rtl", "--waves-trigger", "violation")


def workspace(folder: Path, name: str = trial.UNMUTATED) -> Path:
    return trial.made(trial.mutants()[name], folder)


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {file.name}"
    file.write_text(text.replace(old, new))


def failed(folder: Path, *words: str) -> list[str]:
    """Run a command that must fail in a workspace; return the lines from the message on."""
    code, said = trial.longhaul(folder, "run", *words)
    assert code == 1, said
    lines = said.splitlines()
    return lines[max(i for i, line in enumerate(lines) if line.startswith("longhaul: ")) :]


@pytest.fixture(scope="module")
def wlast(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A NIC whose WLAST is never high: the first received frame breaks a rule."""
    return workspace(tmp_path_factory.mktemp("wlast"), "wlast_missing")


def test_a_broken_rule_tells_the_command_that_shows_it(wlast: Path) -> None:
    """The run with waves fails at the same picosecond, which is marked; the pins are there."""
    message, repeat = failed(wlast, "--out", "out/first")
    assert "host_memory.wlast breaks the rule axi.write_last" in message
    words = shlex.split(repeat.removeprefix("waves of it: "))
    assert words == ["longhaul", "run", "--out", "out/first", *VIOLATION]
    again, where = failed(wlast, *words[2:])
    assert again == message
    assert where == (
        "waves of the 5ms before are kept, with axi.write_last at the marker; "
        "longhaul waves out/first.partial shows them"
    )
    folder = wlast / "out" / "first.partial"
    at = round(float(message.split()[2]) * 1e9)
    waves = Waves(folder)
    assert waves.row("own.eth0.violation").times == [at]
    assert waves.row("own.eth0.last_violation").at(at) == "axi.write_last (host_memory.wlast)"
    valid, last = (waves.row(f"own.eth0.rtl.m_axi_w{name}") for name in ("valid", "last"))
    assert valid.number(at - 1) == 1 and last.number(at - 1) == 0
    assert valid.times[0] == at - ms(5).ps  # as it stood when the history begins
    layout = (folder / "waves.gtkw").read_text()
    cause = layout.split("-trigger: own.eth0 breaks axi.write_last (host_memory.wlast)")[1]
    assert "own.eth0.rtl.m_axi_wlast" in cause and "rx_clk" not in cause
    assert f" {at}\n" in layout.split("@")[0]  # the marker


def test_counted_rules_trigger_and_are_in_every_result(wlast: Path) -> None:
    words = ("run", *VIOLATION, "--param", "own.eth0.rules=count", "--out", "out/count")
    code, said = trial.longhaul(wlast, *words)
    assert code == 0, said
    out = wlast / "out" / "count"
    broken = json.loads((out / "results.json").read_text())["cases"][0]["violations"]
    found = broken["own.eth0"]["axi.write_last"]
    assert found["count"] > 20 and not found["assertion"]
    assert f"own.eth0 broke axi.write_last {found['count']} times, first at " in said
    assert "axi.write_last</td>" in (out / "report.html").read_text()
    pulses = Waves(out).row("own.eth0.violation").times
    assert pulses[0] == round(found["first_s"] * 1e12)
    assert len(pulses) < found["count"]  # 5 ms of the run


def test_an_interface_that_hangs_ends_the_run_by_a_rule(tmp_path: Path) -> None:
    """BREADY is never high: the NIC's first write has no end, and its driver no frame."""
    message, *_ = failed(workspace(tmp_path, "bready_never"), "--out", "out/run")
    assert "host_memory.bready breaks the rule memory.taken" in message
    assert "has waited for 8388608 clocks" in message


def test_a_nic_without_a_frame_ends_the_run_with_what_everybody_waits_for(tmp_path: Path) -> None:
    """No frame passes the NIC's filter: the sender never finds the receiver."""
    folder = workspace(tmp_path)
    edit(folder / "rtl" / "mynic_rx_buffer.sv", "dest == mac_i || dest == '1", "dest == '0")
    message, block = failed(folder, "--out", "out/run")
    assert "was given up at simulated time" in message and "no host has said anything" in message
    assert "'own' last said 'looks for the receiver' at 0." in message
    assert "'peer' last said 'serves ping' at" in message
    assert block.startswith("own.eth0: last register access: ")
    assert "it sent " in block and "it was sent " in block


def test_a_driver_for_another_device_is_refused_with_both_ids(tmp_path: Path) -> None:
    folder = workspace(tmp_path)
    edit(folder / "mynic.toml", 'device = "0x4e43"', 'device = "0x4e44"')
    code, said = trial.longhaul(folder, "run", "--out", "out/run")
    assert code == 2, said
    assert "own.eth0: no driver claims PCI device 1234:4e44" in said
    assert "mynic claims 1234:4e43" in said
    assert not (folder / "out" / "run.partial").exists()
