# SPDX-License-Identifier: Apache-2.0
"""RTL by a port map in whole runs: the workspace's NIC under its driver, and a box of the tree."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from longhaul.coverage import figures, merge
from longhaul.packets.file import Packets, Stage
from longhaul.paths import ROOT
from rig.depth import deep_only
from rig.fst import Waves
from rig.scripts import longhaul
from rig.wire import rows

# rtl/regenerator has a port map in C++ of its own (rtl/regenerator/box).
REGENERATOR = """
[block]
name = "mapped"
top = "regenerator_top"
sources = ["{rtl}/common/*_pkg.sv", "{rtl}/regenerator/*.sv", "{rtl}/common/*.sv"]
[clocks.clk_125m]
frequency = "125MHz"
[clocks.west_rx]
pin = "rx_clk[0]"
frequency = "125MHz"
gating = true
settle = 128
[clocks.east_rx]
pin = "rx_clk[1]"
frequency = "125MHz"
gating = true
settle = 128
[resets.arst_n]
clock = "clk_125m"
[interfaces.west]
kind = "gmii"
tx_clock = "clk_125m"
rx_clock = "west_rx"
[interfaces.west.pins]
txd = "txd[7:0]"
tx_en = "tx_en[0]"
tx_er = "tx_er[0]"
rxd = "rxd[7:0]"
rx_dv = "rx_dv[0]"
rx_er = "rx_er[0]"
[interfaces.east]
kind = "gmii"
tx_clock = "clk_125m"
rx_clock = "east_rx"
[interfaces.east.pins]
txd = "txd[15:8]"
tx_en = "tx_en[1]"
tx_er = "tx_er[1]"
rxd = "rxd[15:8]"
rx_dv = "rx_dv[1]"
rx_er = "rx_er[1]"
[box]
ports = {{west = "west", east = "east"}}
"""
LINE = '''# SPDX-License-Identifier: Apache-2.0
"""Two modelled hosts with a box between them."""

from dataclasses import dataclass

from longhaul.settings import Text, setting
from longhaul.topology import Box, Iperf, Scenario, System, machines, nics
from longhaul.units import Size, Time, ms


@dataclass(frozen=True, kw_only=True)
class LineSettings:
    box: str = setting(Text(), "regenerator", help="the box", source="one of two")


SETTINGS = LineSettings


def build(settings: LineSettings, seed: int) -> Scenario:
    scenario = Scenario("line", seed=seed)
    system = System(profile="linux-2.6.6")
    left, right = (
        scenario.add(machines.xeon_533(name, nic=nics.e1000(), system=system))
        for name in ("left", "right")
    )
    box = scenario.add(Box(name="box", type=settings.box, one_way_delay=Time(0)))
    scenario.link(left.port("eth0"), box.port("west"), name="a", phy="1000base-x")
    scenario.link(box.port("east"), right.port("eth0"), name="b", phy="1000base-x")
    scenario.run_workload(
        Iperf(sender=left, receiver=right, duration=ms(2), warmup=ms(1), window=Size(65536))
    )
    return scenario
'''


def measured(run: Path) -> Mapping[str, object]:
    return json.loads((run / "results.json").read_text())["cases"][0]["measured"]


@pytest.fixture(scope="module")
def nic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a NIC of one's own, in which the driver has had its first pings."""
    folder = tmp_path_factory.mktemp("rtl")
    longhaul(folder, "new", "mynic", "--kind", "rtl-nic")
    longhaul(folder / "mynic", "run", "--pcap", "--out", "out/ping")
    return folder / "mynic"


def test_the_driver_pings_through_the_rtl(nic: Path) -> None:
    report = (nic / "out" / "ping" / "guests" / "own" / "report" / "ping.txt").read_text()
    assert " 0% packet loss" in report
    manifest = json.loads((nic / "out" / "ping" / "manifest.json").read_text())
    assert "mynic" in json.dumps(manifest["checksums"])


def test_packets_are_followed_through_rings_that_the_map_names(nic: Path) -> None:
    """Each frame of the RTL has its descriptors, its tenures and its bytes in memory."""
    longhaul(nic, "run", "--packets", "--out", "out/packets")
    found = Packets.read(nic / "out" / "packets")
    own = found.adapters["own.eth0"]
    assert own
    assert own["transmitted"] > 10 and own["received"] > 10
    assert own["frames_without_packet"] == own["packets_without_frame"] == 0
    assert own["packets_without_arrival"] == 0
    assert found.faulty() == []
    seen = {step.stage for step in map(found.step, found.stages)}
    assert {Stage.DOORBELL, Stage.DESCRIPTOR_FETCH, Stage.INTERRUPT} <= seen


@deep_only
def test_a_clock_that_stands_still_moves_nothing(nic: Path) -> None:
    """With clocks that never stand still, frames leave at the same picoseconds."""
    words = ("--param", "own.eth0.gating=false", "--out", "out/running")
    longhaul(nic, "run", "--pcap", *words)
    for link in ("line", "uplink"):
        ours, theirs = (
            (nic / "out" / run / f"{link}.pcapng").read_bytes() for run in ("ping", "running")
        )
        assert ours == theirs
    assert measured(nic / "out" / "ping") == measured(nic / "out" / "running")


def test_the_nic_is_the_same_with_coverage(nic: Path) -> None:
    longhaul(nic, "run", "--pcap", "--coverage", "--out", "out/covered")
    ours, theirs = nic / "out" / "covered", nic / "out" / "ping"
    assert measured(ours) == measured(theirs)
    assert (ours / "line.pcapng").read_bytes() == (theirs / "line.pcapng").read_bytes()
    (merged,) = merge.of([ours])
    counts = {(each.instance.removeprefix("mynic_top."), each.name): each.count
              for file in figures.files(merged) for each in file.covers}  # fmt: skip
    assert counts["u_tx_dma", "Unaligned"] > 0
    assert counts["u_write", "Fault"] == 0
    registers = merged.buses["registers"].registers
    assert registers["0x8"][1].count > 0  # CTRL is written
    memory = merged.buses["host_memory"].bins
    assert memory["read answered OKAY"].count > 0
    assert memory["read answered DECERR"].count == 0


def test_waves_show_the_pins_of_the_rtl(nic: Path) -> None:
    """TX_EN rises a preamble and a delimiter, 64 ns, ahead of each frame of the capture."""
    iperf = ("--set", "workload=iperf", "--set", "duration=2ms", "--set", "warmup=1ms")
    longhaul(nic, "run", *iperf, "--pcap", "--waves", "rtl", "--out", "out/iperf")
    run = nic / "out" / "iperf"
    assert float(str(measured(run)["goodput_gbps"])) > 0.5
    enable = Waves(run).row("own.eth0.rtl.gmii_tx_en")
    changes = list(zip(enable.times, enable.values, strict=True))[1:]  # the first: as it stood
    rises = [round(at / 1000) for at, value in changes if int(value) == 1]
    listed = rows(run / "line.pcapng", "tcp.dstport == 5001", "frame.time_epoch")
    begins = [round(float(seconds) * 1e9) - 64 for (seconds,) in listed]
    assert len(rises) > 50
    assert rises == [begin for begin in begins if rises[0] <= begin <= rises[-1]]


def test_a_box_is_the_same_by_a_map_as_by_cpp(tmp_path: Path) -> None:
    """The regenerator by this port map and by the tree's: every frame at the same picosecond."""
    (tmp_path / "regenerator.toml").write_text(REGENERATOR.format(rtl=ROOT / "rtl"))
    (tmp_path / "line").mkdir()
    (tmp_path / "line" / "scenario.py").write_text(LINE)
    common = ("run", "./line", "--pcap", "--plugin", "regenerator.toml")
    for box in ("regenerator", "mapped"):
        longhaul(tmp_path, *common, "--set", f"box={box}", "--out", box)
    # Not the files: the numbers of two frames that begin at one instant may be the other way round.
    fields = ("frame.time_epoch", "frame.len", "eth.src", "tcp.seq_raw", "tcp.ack_raw")
    for link in ("a", "b"):
        ours, theirs = (
            rows(tmp_path / box / f"{link}.pcapng", "frame", *fields)
            for box in ("regenerator", "mapped")
        )
        assert ours == theirs
        assert len(ours) > 300
    assert measured(tmp_path / "mapped") == measured(tmp_path / "regenerator")
