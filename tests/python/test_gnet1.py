# SPDX-License-Identifier: Apache-2.0
"""Registers of GNET-1 by name, and talking to a run: against a simulator's side made here."""

from __future__ import annotations

import json
import os
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from longhaul import cli
from longhaul.cli import app
from longhaul.errors import LonghaulError, UsageError
from longhaul.gnet1 import control, registers
from longhaul.gnet1.control import Gnet1
from longhaul.paths import ROOT
from longhaul.units import Time, ms, ps, us
from typer.testing import CliRunner

ROW = re.compile(r"^\| ([A-Z0-9_]+) \| 0x([0-9A-F]+) \|", re.MULTILINE)


def test_names_and_offsets_are_those_of_the_readme() -> None:
    text = (ROOT / "rtl/gnet1/README.md").read_text().split("## Registers")[1]
    box, port = text.split("## Timing")[0].split("Port n, at 0x100")
    for part, listed in ((box, registers.BOX), (port, registers.PORT)):
        rows = {name: int(offset, 16) for name, offset in ROW.findall(part)}
        assert rows == {name: offset for name, (offset, _) in listed.items()}


def test_ports_lie_behind_one_another() -> None:
    assert registers.find("TIME").address == 0x0C
    assert registers.find("p0.DELAY").address == 0x108
    assert registers.find("p3.NO_ROUTE").address == 0x4BC


@pytest.mark.parametrize("name", ["DELAY", "p4.DELAY", "p0.ID", "p0.DELAI", ""])
def test_unknown_registers_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no register"):
        registers.find(name)


def test_times_are_written_as_the_box_counts_them() -> None:
    assert registers.write("p0.DELAY", ms(4)).value == 40_000 << 5
    assert registers.write("p0.DELAY", Time(96_000)).value == 24
    assert registers.write("p1.QUEUE_LIMIT", us(3)).value == 30
    assert registers.write("SAMPLE_PERIOD", us(20)).value == 625
    assert registers.decode(registers.find("TIME"), 7 << 5 | 3) == ps(712_000)
    assert registers.decode(registers.find("p0.FRAMES"), 7) == 7


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("p0.DELAY", "wants REGISTER=VALUE"),
        ("p0.DELAY=3ns", "steps of 4 ns"),
        ("SAMPLE_PERIOD=1us", "steps of 32 ns"),
        ("p0.IFG=1us", "is no time"),
        ("p0.IFG=-1", r"wants 8 to 63 \(0x3f\)"),
        ("p0.IFG=64", r"wants 8 to 63 \(0x3f\)"),
        ("MAGIC=0x100000000", "wants 0 to 4294967295"),
        ("p0.DELAY=10s", "p0.DELAY=10s: wants 0s to 3355443224ns"),
        ("p0.FRAMES=3", "p0.FRAMES can only be read"),
        ("SAMPLE_PERIOD=0", "wants 32ns to"),
        ("p0.DELAY=4", None),
    ],
)
def test_values_that_no_register_takes_are_refused(text: str, why: str | None) -> None:
    if why is None:
        assert registers.parse(text).value == 4  # a bare number is the word itself
        return
    with pytest.raises(UsageError, match=why):
        registers.parse(text)


def test_a_discard_is_armed_last() -> None:
    assert [a.pair() for a in control.discard(1)] == [[0x21C, 1]]
    assert [a.pair() for a in control.discard(0, after=9)] == [[0x120, 9], [0x11C, 5]]
    assert [a.pair() for a in control.discard(0, at=us(1))] == [[0x120, 10 << 5], [0x11C, 9]]
    with pytest.raises(UsageError, match="not both"):
        control.discard(0, after=1, at=us(1))


class FakeRun:
    """A simulator's side of the socket in the folder of a run that goes on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        raw = folder.parent / f"{folder.name}.partial" / "raw"
        raw.mkdir(parents=True)
        self.asked: list[dict[str, Any]] = []
        self.words: dict[int, int] = {}
        self.answer: Callable[[dict[str, Any]], dict[str, Any] | None] = self.perform
        self._server = socket.socket(socket.AF_UNIX)
        here = os.open(raw, os.O_PATH | os.O_DIRECTORY)
        self._server.bind(f"/proc/self/fd/{here}/{control.SOCKET}")
        os.close(here)
        self._server.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def perform(self, request: dict[str, Any]) -> dict[str, Any]:
        values: list[int | None] = []
        for address, *value in request["accesses"]:
            if value:
                self.words[address] = value[0]
            values.append(self.words.get(address, 0))
        return {"time_ps": 1_500_000_000_000, "values": values}

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            with client, client.makefile("rw") as stream:
                for line in stream:
                    self.asked.append(json.loads(line))
                    answer = self.answer(self.asked[-1])
                    if answer is None:
                        break
                    stream.write(json.dumps(answer) + "\n")
                    stream.flush()

    def close(self) -> None:
        self._server.close()


@pytest.fixture
def going(tmp_path: Path) -> Iterator[FakeRun]:
    run = FakeRun(tmp_path / ("x" * 90))
    yield run
    run.close()


def test_reads_and_writes_by_name(going: FakeRun) -> None:
    with Gnet1(going.folder, "box") as gnet1:
        gnet1.write("p0.DELAY", ms(4))
        assert gnet1.read("p0.DELAY") == ms(4)
    assert going.asked[0] == {"box": "box", "accesses": [[0x108, 40_000 << 5]]}


def test_counters_are_latched_before_they_are_read_and_settings_stay(going: FakeRun) -> None:
    going.words = {0x08: 6, 0x280: 11, 0x2BC: 12}
    with Gnet1(going.folder) as gnet1:
        counters = gnet1.counters(1)
    assert (counters["RX_FRAMES"], counters["NO_ROUTE"]) == (11, 12)
    assert going.asked[1]["accesses"][0] == [0x08, 7]


def test_samples_come_in_pairs(going: FakeRun) -> None:
    going.words = {0x28: 2, 0x30: 50, 0x34: 3}
    with Gnet1(going.folder) as gnet1:
        assert gnet1.samples() == [(50, 3), (50, 3)]
    assert going.asked[1]["accesses"] == [[0x2C, 0], *[[0x30], [0x34]] * 2]


def test_what_the_run_refuses_is_told(going: FakeRun) -> None:
    with Gnet1(going.folder) as gnet1:
        going.answer = lambda _: {"error": "no box 'gnet1' has registers; nearest is 'g'"}
        with pytest.raises(LonghaulError, match="nearest is 'g'"):
            gnet1.read("ID")
        going.answer = lambda _: {"time_ps": 1, "values": [None]}
        with pytest.raises(LonghaulError, match="ID was refused"):
            gnet1.read("ID")
        going.answer = lambda _: None
        with pytest.raises(LonghaulError, match="ended before it answered"):
            gnet1.read("ID")


def test_a_run_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LonghaulError, match="does not go on"):
        Gnet1(tmp_path / "none")
    done = tmp_path / "done"
    done.mkdir()
    (done / "results.json").touch()
    (done / "manifest.json").touch()
    with pytest.raises(LonghaulError, match="has ended"):
        Gnet1(done)


def test_the_command_line_writes_reads_and_arms(going: FakeRun) -> None:
    run, runner = str(going.folder), CliRunner()
    assert runner.invoke(app, ["gnet1", "write", run, "p0.DELAY=4ms", "p0.IFG=0x10"]).exit_code == 0
    read = runner.invoke(app, ["gnet1", "read", run, "p0.DELAY", "p0.IFG"])
    assert read.output == "at 1.500000000 s\np0.DELAY 4ms\np0.IFG 16 (0x10)\n"
    armed = runner.invoke(app, ["gnet1", "discard", run, "0", "--after", "3"])
    assert armed.output == "armed at 1.500000000 s\n"
    assert going.words[0x11C] == 5
    listed = runner.invoke(app, ["gnet1", "registers"])
    assert "RED_WEIGHT" in listed.output


def test_a_discard_at_a_time_that_the_box_has_passed_is_refused(
    going: FakeRun, capsys: pytest.CaptureFixture[str]
) -> None:
    def at(time: str) -> int:
        return cli.main(["gnet1", "discard", str(going.folder), "0", "--at", time])

    going.words = {0x0C: registers.time_word(ms(2413))}
    for passed in ("300ms", "2413ms", "9500ms"):  # the last is more than half of TIME's range ahead
        assert at(passed) == 2
        assert capsys.readouterr().err == (
            f"longhaul: --at {passed}: the time of gnet1 is 2.413000 s (register TIME); wants a "
            "later time, less than 6.71 s ahead\n"
        )
    assert 0x11C not in going.words
    assert at("2414ms") == 0
    assert capsys.readouterr().out == "armed at 1.500000000 s\n"
    assert (going.words[0x120], going.words[0x11C]) == (registers.time_word(ms(2414)), 9)


def test_a_time_that_comes_while_the_box_is_told_is_not_armed(going: FakeRun) -> None:
    times = iter((ms(1), ms(3), ms(3)))

    def moves_on(request: dict[str, Any]) -> dict[str, Any]:
        going.words[0x0C] = registers.time_word(next(times))
        return going.perform(request)

    going.answer = moves_on
    with (
        Gnet1(going.folder) as gnet1,
        pytest.raises(UsageError, match=r"is 0.003000 s \(register TIME\)"),
    ):
        gnet1.discard(0, at=ms(2))
    assert going.words[0x11C] == control.CANCEL


def test_times_are_ahead_across_the_end_of_the_boxs_range() -> None:
    assert registers.ahead(ms(13_400), ms(10)) == ps(2**27 * 100_000 - 13_390 * 10**9)
    assert registers.ahead(ms(10), ms(13_400)) is None


def test_the_readme_says_which_registers_can_only_be_read() -> None:
    readme = (ROOT / "rtl" / "gnet1" / "README.md").read_text()
    rows = re.findall(r"^\| (\w+) \| 0x\w+ \| \S+ \| (\w+) \|", readme, re.M)
    assert {name for name, access in rows if access == "RO"} == registers.READ_ONLY
    assert {name for name, _ in rows} == set(registers.BOX) | set(registers.PORT)
