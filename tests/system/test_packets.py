# SPDX-License-Identifier: Apache-2.0
"""`--packets`: one packet has the same number in packets.bin, capture, waves, timeline and FTR."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from longhaul.packets.file import Packets, Stage
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace
from rig import wire
from rig.fst import Waves
from rig.scripts import longhaul

SETTINGS = ("ixgb_b2b", "--set", "system=linux-2.6.6", "--set", "mtu=1500", "--set", "duration=1ms")
WATCHED = ("--packets", "--pcap", "--timeline", "--waves=link,nic")
OF_TRANSMIT = {Stage.DOORBELL, Stage.DESCRIPTOR_FETCH, Stage.DATA_READ, Stage.BUFFER}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packets")
    longhaul(folder, "run", *SETTINGS, *WATCHED, "--out", "run")
    return folder / "run"


def measured(run: Path) -> Any:
    return json.loads((run / "results.json").read_text())["cases"][0]["measured"]


def assert_followed(run: Path) -> None:
    """Each frame that an adapter sent has its packet in memory, bytes and sums are right."""
    found = Packets.read(run)
    assert set(found.adapters) == {"sender.eth0", "receiver.eth0"}
    for counts in found.adapters.values():
        assert counts and counts["transmitted"] > 50 and counts["received"] > 40
        told = {"transmitted", "received"}
        assert not {name: count for name, count in counts.items() if count and name not in told}
    assert found.faulty() == []
    assert found.left_out == 0


def test_each_frame_has_its_packet_of_a_tlm_adapter(run: Path) -> None:
    """TSO is among them: a packet that is cut into segments."""
    assert_followed(run)


def test_each_frame_has_its_packet_of_rtl(tmp_path: Path) -> None:
    longhaul(
        *(tmp_path, "run", *SETTINGS, "--param", "*.eth0.model=rtl", "--packets", "--out", "run")
    )
    assert_followed(tmp_path / "run")


def test_each_frame_has_its_packet_of_generation_rings(tmp_path: Path) -> None:
    """An N110: queues without head and tail, messages in front of frames, responses."""
    longhaul(*(tmp_path, "run", *SETTINGS, "--set", "card=n110", "--packets", "--out", "run"))
    assert_followed(tmp_path / "run")
    found = Packets.read(tmp_path / "run")
    wanted = {*OF_TRANSMIT, Stage.WIRE, Stage.DATA_WRITE, Stage.WRITE_BACK, Stage.INTERRUPT}
    assert {found.step(record).stage for record in found.stages} == wanted
    # Bytes over the bus are those of the frame without FCS, and of a CPL message on each side.
    data = [step for step in map(found.step, found.stages) if step.stage is Stage.DATA_WRITE]
    number = max(data, key=lambda step: step.bytes).packet
    steps = found.steps(number)
    size = next(step.bytes for step in steps if step.stage is Stage.WIRE) - 4
    for stage in (Stage.DATA_READ, Stage.DATA_WRITE):
        assert sum(step.bytes for step in steps if step.stage is stage) == size + 8


def test_each_frame_has_its_packet_of_an_unmodified_cxgb(tmp_path: Path) -> None:
    words = ("--set", "adapter=n110", "--set", "duration=2ms", "--packets", "--out", "run")
    longhaul(tmp_path, "run", "adapter_b2b", *words)
    found = Packets.read(tmp_path / "run")
    for counts in found.adapters.values():
        # Groups that the host has not joined do not come to memory.
        assert counts and counts["transmitted"] > 100 and counts["received"] > 100
        assert counts["frames_without_packet"] == counts["packets_without_frame"] == 0
        assert counts["packets_without_arrival"] == 0
    assert found.faulty() == []


def test_the_capture_has_the_numbers(run: Path) -> None:
    """Of each frame on the sender's cable the number, and the first bit's time in nanoseconds."""
    found = Packets.read(run)
    rows = wire.rows(run / "sender_link.pcapng", "frame", "frame.packet_id", "frame.time_epoch")
    assert len(rows) > 100
    for number, seconds in rows:
        whole, _, fraction = seconds.partition(".")
        ns = int(whole) * 10**9 + int(fraction)
        steps = found.steps(int(number))
        assert ns in {
            step.start_ps // 1000 for step in steps if step.place.startswith("link.sender_link.")
        }


def test_a_packet_has_its_stages_in_their_order(run: Path) -> None:
    found = Packets.read(run)
    (number,) = wire.rows(
        run / "sender_link.pcapng", "tcp.len > 0 && tcp.seq == 1", "frame.packet_id"
    )[0]
    steps = found.steps(int(number))
    sent = [
        step for step in steps if step.place.startswith("sender.") and step.stage in OF_TRANSMIT
    ]
    assert {step.stage for step in sent} == OF_TRANSMIT
    wires = [step for step in steps if step.stage is Stage.WIRE]
    assert [step.place.split(".")[1] for step in wires] == ["sender_link", "trunk", "receiver_link"]
    buffer = next(step for step in sent if step.stage is Stage.BUFFER)
    assert buffer.end_ps == wires[0].start_ps
    reads = [step for step in sent if step.stage is Stage.DATA_READ]
    assert buffer.start_ps == max(step.end_ps for step in reads)
    written = sum(step.bytes for step in steps if step.stage is Stage.DATA_WRITE)
    assert written == wires[0].bytes - 4  # without FCS


def test_the_waves_have_the_numbers(run: Path) -> None:
    """A tenure has its packet in the adapter's row, and the cable the same number."""
    found, waves = Packets.read(run), Waves(run)
    told = json.loads((run / "raw" / "sim.json").read_text())["waves"]
    cable = waves.row("link.sender_link.from_sender_eth0")
    bus, buffer = waves.row("sender.eth0.tx.packet"), waves.row("sender.eth0.tx.buffer")
    seen = 0
    for record in found.stages:
        step = found.step(record)
        if not told["from_ps"] < step.start_ps <= step.end_ps < told["until_ps"]:
            continue
        if step.place == "sender.eth0.bus" and step.stage is Stage.DATA_READ:
            assert f"#{step.packet}" in bus.at(step.start_ps).split()
            seen += 1
        elif step.place == "sender.eth0.tx":
            assert buffer.at(step.start_ps)
        elif step.place == "link.sender_link.from_sender_eth0":
            assert cable.at(step.start_ps).startswith(f"#{step.packet} TCP ")
            seen += 1
    assert seen > 10


def test_the_timeline_has_a_flow_for_each_packet(run: Path) -> None:
    trace = Trace()
    trace.ParseFromString((run / "timeline.pftrace").read_bytes())
    flows = [flow for packet in trace.packet for flow in packet.track_event.flow_ids]
    stages = Packets.read(run).stages
    assert sorted(flows) == sorted(stages["packet"].tolist())


def test_who_follows_packets_gets_the_same_results(run: Path, tmp_path: Path) -> None:
    longhaul(tmp_path, "run", *SETTINGS, "--out", "run")
    assert measured(tmp_path / "run") == measured(run)
    assert not (tmp_path / "run" / "packets.bin").exists()
