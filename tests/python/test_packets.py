# SPDX-License-Identifier: Apache-2.0
"""packets.bin: read, shown as a table, and written as FTR, which CBOR's own decoder reads."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import cbor2
import pytest
from longhaul.cli import main
from longhaul.errors import LonghaulError, UsageError
from longhaul.packets import cbor, ftr, table
from longhaul.packets.file import Packets, Stage
from longhaul.results import captures, simdata, timeline
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace
from support import fake_sim

PLACES = ["a.eth0.bus", "a.eth0.tx", "link.l0.from_a_eth0"]
ADAPTERS: dict[str, Any] = {"a.eth0": {"transmitted": 2, "transmit_faults": 1}, "b.eth0": None}
# packet, start, end, address, bytes, fault at, place, kind, fault
STAGES = (
    (12, 5_000_000, 6_214_400, 0, 1518, 0, 2, Stage.WIRE, 0),
    (12, 1_000_000, 1_037_500, 0xF0000620, 4, 0, 0, Stage.DOORBELL, 0),
    (12, 2_000_000, 3_000_000, 0x7000, 1514, 0, 0, Stage.DATA_READ, 0),
    (12, 3_000_000, 5_000_000, 0, 1514, 77, 1, Stage.BUFFER, 1),
    (300, 9_000_000, 9_100_000, 0, 64, 0, 2, Stage.WIRE, 0),
)
TEXT = "TCP seq 1 len 1448 ack 1 win 501 ACK 10.10.0.1:40000>10.10.0.2:5001 raw seq 1 ack 2"


def written(folder: Path, left_out: int = 0) -> Packets:
    """Write a file of the simulator's format, and read it."""
    records = [struct.pack("<QQQQIIHBB20x", *stage) for stage in STAGES]
    text = TEXT.encode()
    for piece in (text[:54], text[54:]):
        records.append(struct.pack("<Q34sBB20s", 12, piece[:34], 0xFF, len(piece), piece[34:]))
    tables = {
        "places": PLACES,
        "adapters": ADAPTERS,
        "left_out": left_out,
        "left_out_from_ps": 7_000_000_000,
    }
    end = json.dumps(tables).encode()
    at = 64 + 64 * len(records)
    head = struct.pack("<8sIIQQQ24x", b"LHPACKT1", 64, 64, len(records), at, len(end))
    (folder / "packets.bin").write_bytes(head + b"".join(records) + end)
    return Packets.read(folder)


def test_a_packets_stages_are_in_the_order_of_time(tmp_path: Path) -> None:
    found = written(tmp_path)
    steps = found.steps(12)
    assert [step.stage for step in steps] == [
        *(Stage.DOORBELL, Stage.DATA_READ, Stage.BUFFER, Stage.WIRE),
    ]
    assert [step.place for step in steps] == [PLACES[0], PLACES[0], PLACES[1], PLACES[2]]
    assert steps[2].fault == "differs from byte 77 on"
    assert found.text(12) == found.texts[12] == TEXT
    assert found.text(300) == ""
    assert found.faulty() == [12]


def test_the_command_shows_a_packet_and_what_the_run_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, left_out=5)
    assert main(["packets", str(tmp_path), "12"]) == 0
    shown = capsys.readouterr().out
    assert "packet 12: TCP seq 1 len 1448" in shown
    assert "fault" in shown
    row = next(line for line in shown.splitlines() if "doorbell" in line)
    assert row.split() == ["doorbell", "a.eth0.bus", "1.000000", "1.037500", "0xf0000620", "4"]
    assert main(["packets", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("2 packets, 12 to 300, 5 stages")
    assert "a.eth0: 2 frames left, each with its packet in memory" in lines
    assert lines[-2].startswith("packets.bin is full: 5 stages from 7.000000 ms")
    assert lines[-1] == "with a fault: 12"


def test_a_number_that_is_not_there_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"packet 250: not in packets\.bin; the nearest is 300"):
        table.life(written(tmp_path), 250)


def test_a_run_without_packets_is_refused_with_what_makes_some(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no packets.bin; longhaul run NAME --packets makes one"):
        Packets.read(tmp_path)
    with pytest.raises(UsageError, match="out: there is no such folder$"):
        Packets.read(tmp_path / "out")


@pytest.mark.parametrize("kept", [10, 63, 200, -1])
def test_a_file_that_is_cut_short_is_refused(tmp_path: Path, kept: int) -> None:
    written(tmp_path)
    path = tmp_path / "packets.bin"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(LonghaulError, match="not a file of packets|cut short"):
        Packets.read(tmp_path)


def test_a_run_tells_of_faults_and_of_adapters_that_are_not_followed() -> None:
    sim = simdata.SimData(
        window=simdata.Window(begin_ps=0, end_ps=1),
        probes={},
        wall_s=1,
        simulated_s=1,
        packets=simdata.Packets(adapters=ADAPTERS, left_out=0, left_out_from_ps=0),
    )
    first, second = captures.outcome(sim)
    assert first.startswith("a.eth0: 1 frames that left are not as the packet in memory")
    assert second.startswith("b.eth0: its descriptor rings are not known")


@pytest.mark.parametrize("value", [0, 23, 24, 255, 256, 65535, 65536, 2**32, 2**64 - 1, -1, -500])
def test_whole_numbers_are_encoded_as_cbor_has_them(value: int) -> None:
    assert cbor2.loads(cbor.integer(value)) == value
    assert cbor.integer(value) == cbor2.dumps(value)


def decoded(path: Path) -> list[Any]:
    """Return the chunks of an FTR file as tag and value, decoded by CBOR's own decoder."""
    whole = path.read_bytes()
    assert whole[:3] == bytes.fromhex("d9d9f7")  # tag 55799
    chunks = cbor2.loads(whole)
    return [(chunk.tag, chunk.value) for chunk in chunks]


def test_the_trace_has_each_stage_as_a_transaction_with_its_attributes(tmp_path: Path) -> None:
    found = written(tmp_path)
    assert ftr.write(found, tmp_path / "packets.ftr") == len(STAGES)
    assert not list(tmp_path.glob("*.part"))
    chunks = decoded(tmp_path / "packets.ftr")
    assert chunks[0][0] == 6
    scale, _ = cbor2.loads(chunks[0][1])
    assert scale == -12
    strings: dict[int, str] = {}
    streams: dict[int, str] = {}
    generators: dict[int, tuple[str, int]] = {}
    transactions: dict[int, tuple[str, str, int, int, dict[str, Any]]] = {}
    relations: list[tuple[int, int]] = []
    for tag, value in chunks[1:]:
        if tag == 8:
            strings |= cbor2.loads(value)
        elif tag == 10:
            for item in cbor2.loads(value):
                if item.tag == 16:
                    streams[item.value[0]] = strings[item.value[1]]
                else:
                    assert item.tag == 17
                    generators[item.value[0]] = (strings[item.value[1]], item.value[2])
        elif tag == 12:
            stream, begin, end, content = value
            for event, *attributes in cbor2.loads(content):
                number, generator, start, stop = event.value
                name, of_stream = generators[generator]
                assert of_stream == stream
                assert begin <= start <= stop <= end
                told = {
                    strings[each.value[0]]: strings[each.value[2]]
                    if each.value[1] == 10
                    else each.value[2]
                    for each in attributes
                }
                transactions[number] = (streams[stream], name, start, stop, told)
        else:
            assert tag == 14
            for name, source, sink, _, _ in cbor2.loads(value):
                assert strings[name] == "next stage"
                relations.append((source, sink))
    wanted = {
        (PLACES[place], Stage(kind).text, start, end, packet)
        for packet, start, end, _, _, _, place, kind, _ in STAGES
    }
    assert {(*each[:4], each[4]["packet"]) for each in transactions.values()} == wanted
    buffer = next(each for each in transactions.values() if each[1] == "buffer")
    assert buffer[4] == {
        "packet": 12,
        "bytes": 1514,
        "frame": TEXT,
        "fault": "differs from byte 77 on",
    }
    names = [(transactions[a][1], transactions[b][1]) for a, b in relations]
    assert names == [("doorbell", "data read"), ("data read", "buffer"), ("buffer", "wire")]


def test_a_timeline_has_the_stages_of_a_packet_as_one_flow(tmp_path: Path) -> None:
    fake_sim.write_spans(tmp_path / "spans.bin")
    timeline.convert(tmp_path / "spans.bin", tmp_path / "t", packets=written(tmp_path))
    trace = Trace()
    trace.ParseFromString((tmp_path / "t").read_bytes())
    tracks = {
        packet.track_descriptor.uuid: packet.track_descriptor
        for packet in trace.packet
        if packet.HasField("track_descriptor")
    }
    flow = [packet for packet in trace.packet if list(packet.track_event.flow_ids) == [12]]
    shown = [
        (tracks[each.track_event.track_uuid].name, each.track_event.name)
        for each in sorted(flow, key=lambda each: each.timestamp)
    ]
    assert shown == [
        ("eth0: packets on the bus", "#12 doorbell"),
        ("eth0: packets on the bus", "#12 data read"),
        ("eth0: packets in the transmit buffer", "#12 buffer"),
        ("link.l0.from_a_eth0", "#12 wire"),
    ]
    machine = next(track.uuid for track in tracks.values() if track.name == "a")
    parents = [tracks[each.track_event.track_uuid].parent_uuid for each in flow]
    assert sorted(parents) == sorted([machine] * 3 + [0])
    (buffer,) = (each.track_event for each in flow if each.track_event.name == "#12 buffer")
    told = {each.name: each.uint_value or each.string_value for each in buffer.debug_annotations}
    assert told == {"packet id": 12, "bytes": 1514, "fault": "differs from byte 77 on"}
