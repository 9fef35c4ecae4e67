# SPDX-License-Identifier: Apache-2.0
"""The RTL of GNET-1 between hosts: what the twin does to the picosecond, and its signals.

One run with the RTL and its signals traced, one with the twin. That they agree shows three
things at once: the two models are one box, tracing it changes nothing, and the RTL's run is
repeatable.
A simulated second of RTL takes minutes of CPU, and real guests boot for two: these hosts are
modelled. `./longhaul test --deep` has real guests.
"""

import json
import subprocess
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from rig import front_door
from rig.depth import DEEP
from rig.fst import Row, Waves, layout_rows
from rig.wire import on_the_wire, rows

NS, US = 1000, 10**6  # picoseconds
if DEEP:
    SCENARIO = "gnet1_discard"
    # With an ACK for every second frame and Reno the path is full after the 60 ms.
    HOSTS = ("duration=20ms", "warmup=60ms", "congestion=reno", "frames_per_ack=2")
else:
    SCENARIO = "gnet1_fig5"
    HOSTS = ("duration=15ms", "warmup=20ms", "system=linux-2.4.20")
SETS = ("delay=1ms", "discard_at=10ms", *HOSTS)
OPTIONS = ("--seed", "7", "--pcap")
TRACED = {"tlm": "--waves=link,tcp,box", "rtl": "--waves=link,tcp,box,rtl"}
TRIGGER = ("--waves-trigger", "register:gnet1+p0.DISCARD_CTRL")
WINDOW = ("--waves-history", "100us", "--waves-length", "300us")
LINKS = ("sender_link", "receiver_link")
TICK = 8 * NS  # a byte at 1 Gb/s
CLOCK = 32 * NS
PREAMBLE = 8 * TICK  # pins bring it; a frame's row begins behind it
CABLE = 50 * NS  # 10 m (models/net/link/README.md)
HOLD = 4 * NS  # after the edge at which an input is taken from outside, its row changes
DISCARD_CTRL, DISCARDS = 0x11C, 11  # rtl/gnet1/README.md


def run(out: Path, model: str) -> Path:
    started = front_door.start(
        out,
        SCENARIO,
        f"model={model}",
        *SETS,
        options=(*OPTIONS, TRACED[model], *TRIGGER, *WINDOW),
    )
    code, said = started.end(1800)
    assert code == 0, said
    return out


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("twin") / "o", "tlm")


@pytest.fixture(scope="module")
def rtl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("rtl") / "o", "rtl")


@pytest.fixture(scope="module")
def traced(rtl: Path) -> Waves:
    return Waves(rtl)


def told(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "raw" / "sim.json").read_text())


def bit(row: Row, number: int) -> list[tuple[int, int]]:
    """Return the changes of one bit of a row."""
    bits = [(at, value >> number & 1) for at, value in row.changes]
    return [bits[0], *(now for before, now in pairwise(bits) if before[1] != now[1])]


def rises(row: Row, number: int, since: int) -> list[int]:
    return [at for at, value in bit(row, number) if value and at > since]


def test_every_frame_is_the_twins_to_the_picosecond(rtl: Path, twin: Path) -> None:
    for link in LINKS:
        # The RTL makes a frame of its pins' bytes, so what is known of one ends there.
        made, modelled = (on_the_wire(folder / f"{link}.pcapng") for folder in (rtl, twin))
        assert made == modelled, link
        assert (rtl / f"{link}.pcapng").stat().st_size > 10**6


def test_both_name_the_frame_that_they_discard(rtl: Path, twin: Path) -> None:
    said: list[list[str]] = []
    for folder in (rtl, twin):
        lost = 'frame.comment contains "dropped later: gnet1.p0 at "'
        (packet,) = rows(folder / "sender_link.pcapng", lost, "tcp.seq", "frame.comment")
        assert packet[1].endswith(" s (discarded)")
        again = 'frame.comment contains "retransmission: of bytes dropped by gnet1.p0 at "'
        (second,) = rows(folder / "sender_link.pcapng", again, "tcp.seq")
        assert second[0] == packet[0]
        row = Waves(folder).row("gnet1.p0.last_lost")
        names = [str(text).split(" len ")[0] for text in row.values if str(text) not in ("", "x")]
        assert names == [f"discarded: TCP seq {packet[0]}"]
        said.append(packet[:1])
    assert said[0] == said[1]


def test_hosts_adapters_and_buses_saw_no_difference(rtl: Path, twin: Path) -> None:
    one, other = told(rtl), told(twin)
    for what in ("window", "simulated_s", "waves"):
        assert one[what] == other[what], what
    shared = set(other["probes"]) - {name for name in other["probes"] if name.startswith("gnet1.")}
    assert len(shared) > 100
    assert {name: one["probes"][name] for name in shared} == {
        name: other["probes"][name] for name in shared
    }
    measured = [
        json.loads((folder / "results.json").read_text())["cases"][0]["measured"]
        for folder in (rtl, twin)
    ]
    assert measured[0] == measured[1]
    assert measured[0]["retransmits"] == 1
    assert measured[0]["drops"] == {"gnet1.discards_p0": 1}
    assert one["probes"]["sender_link.a_to_b.frames"]["delta"] > 500


def test_registers_hold_the_same_though_reading_takes_the_rtl_its_clocks(
    rtl: Path, twin: Path
) -> None:
    logs = [
        [line.split(",") for line in (folder / "raw" / "control.csv").read_text().splitlines()[1:]]
        for folder in (rtl, twin)
    ]
    free = 0  # when the access before was done: the bus takes one at a time
    for here, there in zip(*logs, strict=True):
        at, *access, value, by = here
        later = int(at) - int(there[0])
        assert [*access, by] == [*there[1:4], there[5]]
        took, free = int(at) - max(int(there[0]), free), int(at)
        if access[-1] == "read":
            # Meanwhile a word a clock is counted, and three more where a frame begins.
            assert 0 < took < 10 * CLOCK
            assert 0 <= int(value) - int(there[4]) <= later // CLOCK + 1 + 3
        else:
            assert later == 0
            assert value == there[4]


def test_a_write_to_the_box_triggers_with_either_model(rtl: Path, twin: Path) -> None:
    for folder in (rtl, twin):
        waves, window = told(folder)["waves"], told(folder)["window"]
        assert waves["trigger"] == "scenario writes 0x11c of gnet1"
        assert waves["trigger_ps"] == window["begin_ps"] + 10_000 * US  # discard_at
        assert waves["trigger_ps"] - waves["from_ps"] == 100 * US
        assert waves["until_ps"] - waves["trigger_ps"] == 300 * US
    assert not any(".rtl." in name for name in Waves(twin).names)


def test_a_write_by_the_command_triggers_too(tmp_path: Path) -> None:
    """The least gap is written as it is, again and again: one write falls into the window."""
    out = tmp_path / "o"
    trigger = ("--waves", "box", "--waves-trigger", "register:gnet1+p1.IFG")
    sets = ("box=gnet1", "model=tlm", "delay=0s", "duration=1s")
    started = front_door.start(out, "gnet1_table1_modelled", *sets, options=trigger)
    command = [str(front_door.ROOT / "longhaul"), "gnet1", "write", str(out), "p1.IFG=12"]
    written = 0
    while started.process.poll() is None:
        written += subprocess.run(command, capture_output=True, check=False).returncode == 0
        time.sleep(0.5)  # the window takes seconds
    code, said = started.end()
    assert code == 0, said
    assert written > 0
    assert told(out)["waves"]["trigger"] == "socket writes 0x20c of gnet1"
    assert told(out)["waves"]["trigger_ps"] >= told(out)["window"]["begin_ps"]


def test_the_write_is_on_the_bus_and_discards_one_frame(rtl: Path, traced: Waves) -> None:
    trigger = told(rtl)["waves"]["trigger_ps"]
    selected = rises(traced.row("gnet1.rtl.bus_sel"), 0, trigger - 1)
    assert HOLD < selected[0] - trigger <= CLOCK + HOLD
    assert int(traced.row("gnet1.rtl.bus_addr").at(selected[0])) == DISCARD_CTRL
    channel = "gnet1.rtl.gen_port_0.u_channel."
    armed = bit(traced.row(channel + "u_discard.armed_o"), 0)
    (arm, _), (disarm, _) = armed[1:]
    assert 0 < arm - selected[0] <= 4 * CLOCK
    assert traced.row(channel + "u_discard.armed_o").at(arm) == "1"
    assert rises(traced.row(channel + "discarded"), 0, trigger)[0] >= disarm - CLOCK
    counted = [value for at, value in traced.row(f"gnet1.rtl.count_0_{DISCARDS}").changes]
    assert counted == [0, 1]


def test_pins_show_each_frame_when_it_is_on_its_cable(rtl: Path, traced: Waves) -> None:
    begin = told(rtl)["waves"]["from_ps"]
    cable = traced.row("link.sender_link.from_sender_eth0")
    sent = [at for at, text in zip(cable.times, cable.values, strict=True) if text and at > begin]
    seen = rises(traced.row("gnet1.rtl.rx_dv"), 0, begin)
    assert len(sent) > 20
    assert abs(len(sent) - len(seen)) <= 1  # one may cross the end
    for first, pin in zip(sent, seen, strict=False):
        assert HOLD < pin - (first - PREAMBLE + CABLE) <= TICK + HOLD
    cable = traced.row("link.receiver_link.from_gnet1_p1")
    since = begin + PREAMBLE
    left = [at for at, text in zip(cable.times, cable.values, strict=True) if text and at > since]
    leaving = [at + PREAMBLE for at in rises(traced.row("gnet1.rtl.tx_en"), 1, begin)]
    assert left == leaving[: len(left)]
    assert len(leaving) - len(left) <= 1
    # One frame is missing in it.
    gaps = [later - earlier for earlier, later in pairwise(left)]
    assert max(gaps) > 1.9 * min(gaps)


def test_the_documented_signals_are_there_and_all_in_the_layout(rtl: Path, traced: Waves) -> None:
    for name in (
        *("clk_125m", "rxd_0", "txd_1", "sram_addr_0", "bus_wdata", "count_0_0", "path_mask_0"),
        *("cfg_0.delay.tenths_us", "cmd_0.discard_arm", "status_0.level_words", "now.tenths_us"),
        "u_crossbar.busy",
    ):
        assert f"gnet1.rtl.{name}" in traced.names, name
    for name in (
        *("rx_valid", "rx_word.tv", "shaped_word.data", "delay_word.eop", "tail_drop", "flip"),
        *("u_rx.u_mac.state_q", "u_shaper.backlog", "u_sram_fifo.level", "u_error.hit"),
        *("u_discard.masking_q", "u_delay.due.tenths_us", "u_delay.late"),
    ):
        assert f"gnet1.rtl.gen_port_3.u_channel.{name}" in traced.names, name
    shown = layout_rows(rtl)
    assert set(shown) == traced.names
    assert len(shown) == len(set(shown))
    assert (rtl / "waves.fst").stat().st_size < 5 * 10**6


def test_a_frame_is_let_go_in_the_clock_in_which_it_is_due(rtl: Path, traced: Waves) -> None:
    delay = "gnet1.rtl.gen_port_0.u_channel.u_delay."
    begin = told(rtl)["waves"]["from_ps"]
    stamps = rises(traced.row(delay + "begins"), 0, begin)
    passes = rises(traced.row(delay + "pass"), 0, begin)

    def stamp_ns(scope: str, at: int) -> int:
        parts = (traced.row(f"{scope}.{part}").at(at) for part in ("tenths_us", "quads_ns"))
        tenths, quads = (int(part) for part in parts)
        return 100 * tenths + 4 * quads

    assert stamp_ns("gnet1.rtl.cfg_0.delay", begin + 1) == 10**6  # delay=1ms
    assert len(stamps) > 20
    for at in stamps[:-1]:
        passed = next(pulse for pulse in passes if pulse >= at)
        late = stamp_ns("gnet1.rtl.now", passed) - stamp_ns(delay + "due", passed)
        assert 0 <= late < CLOCK // NS
