# SPDX-License-Identifier: Apache-2.0
"""Ports to the wire by port maps: AXI4-Streams and MII, in boxes between modelled hosts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from longhaul.paths import ROOT
from rig.depth import depth
from rig.scripts import HEAD, script, start

SAMPLES = ROOT / "tests" / "python" / "samples" / "portmap"
BODY = """
api.use_plugins("{map}")
def stream(a, b):
    return Iperf(sender=a, receiver=b, duration=ms(20), warmup=ms(10), window=Size({window}))
box = Box(name="box", type="{type}", one_way_delay=Time(0), params={params})
simulation = api.open(line(box, stream, nic=lambda: nics.e1000(), phy="{phy}"))
simulation.run_until(lambda: False, limit=s(5))
counts = {{name: simulation.probe("box." + name).number for name in {counters}}}
tell(counts=counts, goodput=simulation.finish().measured["goodput_gbps"])
"""
WIDTHS = [(width, fcs) for width in (1, 8, 64) for fcs in (False, True)]
SOME_WIDTHS = [(1, True), (8, False)]
STREAM = [
    f"{port}.stream.{name}"
    for port in ("west", "east")
    for name in ("rx_frames", "rx_overruns", "rx_stalls", "tx_frames", "tx_overruns", "tx_stalls")
]


def run(map_: Path, type_: str, phy: str, counters: list[str], window: int = 65536) -> Any:
    values = {"map": map_, "type": type_, "phy": phy, "counters": counters, "window": window}
    return script(BODY.format(params="{}", **values))


def edited(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """Write the streams' map with some of its text replaced, with its RTL beside it."""
    text = (SAMPLES / "stream_box.toml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "stream_box.sv").write_text((SAMPLES / "stream_box.sv").read_text())
    file = tmp_path / "stream_box.toml"
    file.write_text(text)
    return file


def lost(counts: Mapping[str, int]) -> int:
    return sum(value for name, value in counts.items() if "overruns" in name)


@pytest.mark.parametrize(("width", "fcs"), depth(SOME_WIDTHS, WIDTHS))
def test_streams_of_any_width_carry_what_the_wire_brings(
    width: int, fcs: bool, tmp_path: Path
) -> None:
    changes = [('top = "stream_box"', f'top = "stream_box"\nparameters = {{Bytes = {width}}}')]
    if fcs:
        changes.append(('rate = "1Gb/s"', 'rate = "1Gb/s"\nfcs = true'))
    told = run(edited(tmp_path, *changes), "streams", "1000base-x", STREAM)
    counts = told["counts"]
    assert told["goodput"] > 0.9
    assert lost(counts) == 0
    assert counts["west.stream.rx_frames"] - counts["east.stream.tx_frames"] in (0, 1)
    assert counts["west.stream.rx_frames"] > 1000


def test_a_block_that_stalls_loses_frames_and_each_is_counted(tmp_path: Path) -> None:
    """A beat in 16 clocks is 0.625 Gb/s: TCP that sends more loses what the buffer cannot hold."""
    changes = [
        ('top = "stream_box"', 'top = "stream_box"\nparameters = {Every = 16}'),
        ('rate = "1Gb/s"', 'rate = "1Gb/s"\nbuffer = "16KiB"'),
    ]
    told = run(edited(tmp_path, *changes), "streams", "1000base-x", STREAM, window=1 << 20)
    counts = told["counts"]
    assert counts["west.stream.rx_overruns"] > 0
    assert lost(counts) == counts["west.stream.rx_overruns"]
    passed = counts["west.stream.rx_frames"] - counts["west.stream.rx_overruns"]
    inside = passed - counts["east.stream.tx_frames"]
    assert 0 <= inside <= 16384 / 1500 + 2
    assert counts["west.stream.rx_stalls"] > 15 * 180 * counts["east.stream.tx_frames"] / 10
    assert told["goodput"] < 0.625


def test_a_block_without_tready_loses_what_the_wire_cannot_take(tmp_path: Path) -> None:
    """East is a tenth as fast as west, and the block cannot be held."""
    rtl = (SAMPLES / "stream_box.sv").read_text()
    text = rtl.replace(".m_tready_i(east_tx_tready)", ".m_tready_i(1'b1)")
    text = text.replace("  output logic               east_tx_tvalid,\n", "").replace(
        "  input  logic               east_tx_tready\n",
        "  output logic               east_tx_tvalid\n",
    )
    file = edited(tmp_path, ('rate = "1Gb/s"\n\n[box]', 'rate = "100Mb/s"\n\n[box]'))
    (tmp_path / "stream_box.sv").write_text(text)
    body = BODY.replace("line(box,", "slow(box,").replace(
        "def stream", SLOW_EAST + "\ndef stream", 1
    )
    values = {"map": file, "type": "streams", "phy": "1000base-x", "counters": STREAM}
    told = script(body.format(window=1 << 18, params="{}", **values))
    counts = told["counts"]
    assert counts["east.stream.tx_overruns"] > 0
    assert lost(counts) == counts["east.stream.tx_overruns"]
    assert told["goodput"] < 0.1


SLOW_EAST = """
def slow(box, workload, *, nic, phy):
    scenario = Scenario("script", seed=1)
    a, b = (scenario.add(machines.opteron_hdama(name, nic=nic(), system=LINUX)) for name in "ab")
    middle = scenario.add(box)
    scenario.link(a.port("eth0"), middle.port("west"), name="near", phy="1000base-x")
    scenario.link(middle.port("east"), b.port("eth0"), name="far", phy="100base-tx")
    scenario.run_workload(workload(a, b))
    return scenario
"""


@pytest.mark.parametrize("seed", ["0", "68719476735"])
def test_a_zbt_sram_stands_beside_the_block(seed: str) -> None:
    """The block fills and reads it all the time, and asserts that it finds what it wrote."""
    told = memories(f'{{"seed": {seed}}}', expect=0)
    assert told["goodput"] > 0.9
    assert told["counts"]["block.failures"] == 0


def test_an_input_is_a_parameter() -> None:
    """The input spoils a word: the block's own assertion says so."""
    told = memories('{"spoil": 1, "rules": "count"}', expect=0)
    assert told["counts"]["block.failures"] > 0
    assert "box.spoil: 2 is out of range" in memories('{"spoil": 2}', expect=1)


def test_a_block_that_takes_data_a_clock_late_is_found_out(tmp_path: Path) -> None:
    for name in ("memory_box.sv", "stream_box.sv"):
        (tmp_path / name).write_text((SAMPLES / name).read_text())
    text = (SAMPLES / "memory_box.toml").read_text()
    late = text.replace('top = "memory_box"', 'top = "memory_box"\nparameters = {Late = 1}')
    (tmp_path / "memory_box.toml").write_text(late)
    said = memories("{}", expect=1, map_=tmp_path / "memory_box.toml")
    assert re.search(r"box.block: .* ms: .*WhatWasWrittenIsRead.*read [0-9a-f]+ at", said), said


def memories(params: str, *, expect: int, map_: Path = SAMPLES / "memory_box.toml") -> Any:
    """Run the box with a memory; return what it tells, or what it says if that is expected."""
    values = {"map": map_, "type": "memories", "phy": "1000base-x", "window": 65536}
    text = HEAD + BODY.format(counters=["block.failures"], params=params, **values)
    done = start(["-c", text])
    assert done.returncode == expect, done.stderr
    return json.loads(done.stdout.splitlines()[-1]) if expect == 0 else done.stderr


def test_mii_carries_frames_at_100_megabits(tmp_path: Path) -> None:
    counters = ["west.mii.rx_frames", "east.mii.tx_frames", "east.mii.tx_bad_fcs"]
    told = run(SAMPLES / "mii_box.toml", "mii_lines", "100base-tx", counters)
    counts = told["counts"]
    assert 0.08 < told["goodput"] < 0.1
    assert counts["west.mii.rx_frames"] - counts["east.mii.tx_frames"] in (0, 1)
    assert counts["west.mii.rx_frames"] > 100
    assert counts["east.mii.tx_bad_fcs"] == 0
