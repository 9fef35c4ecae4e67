# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from longhaul.errors import LonghaulError
from longhaul.results import timeline
from longhaul.results.timeline import Lanes
from longhaul.results.timeline_tracks import row
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackDescriptor, TrackEvent
from support import fake_sim


def converted(tmp_path: Path) -> Trace:
    fake_sim.write_spans(tmp_path / "spans.bin")
    assert timeline.convert(tmp_path / "spans.bin", tmp_path / "t.pftrace") == 5
    trace = Trace()
    trace.ParseFromString((tmp_path / "t.pftrace").read_bytes())
    return trace


def test_tracks_are_grouped_by_machine(tmp_path: Path) -> None:
    tracks = [
        p.track_descriptor for p in converted(tmp_path).packet if p.HasField("track_descriptor")
    ]
    machine = next(t for t in tracks if t.name == "sender")
    children = {t.name for t in tracks if t.parent_uuid == machine.uuid}
    assert children == {"PCI-X bus", "PCI-X bus (2)", "core.irq"}
    assert len({t.uuid for t in tracks}) == len(tracks)


def test_rows_stand_in_the_order_of_an_interrupts_way() -> None:
    paths = ["s.pcix.tenures", "s.eth0.rx.starved", "s.core.spans", "s.eth0.tx.room_waits",
             "s.lan-1.moderator.spans", "s.some.thing"]  # fmt: skip
    rows = sorted((row(path) for path in paths), key=lambda r: r.rank)
    assert [r.name for r in rows] == [
        "lan-1: interrupt request", "core: state", "PCI-X bus",
        "eth0: transmit waits for buffer room", "eth0: receive waits for descriptors", "some.thing",
    ]  # fmt: skip
    assert {r.machine for r in rows} == {"s"}


def test_lost_frames_are_a_row_of_the_run_that_only_a_loss_brings(tmp_path: Path) -> None:
    fake_sim.write_spans(tmp_path / "spans.bin", lost=((7_000_000, 42, 8949),))
    timeline.convert(tmp_path / "spans.bin", tmp_path / "t")
    trace = Trace()
    trace.ParseFromString((tmp_path / "t").read_bytes())
    tracks = [p.track_descriptor for p in trace.packet if p.HasField("track_descriptor")]
    (lost,) = (t for t in tracks if t.name == "lost frames")
    assert not lost.parent_uuid and "packet id" in lost.description
    (mark,) = (p for p in trace.packet if p.track_event.track_uuid == lost.uuid)
    assert (mark.timestamp, mark.track_event.type) == (7000, TrackEvent.TYPE_INSTANT)
    assert [a.uint_value for a in mark.track_event.debug_annotations] == [42, 8949]
    without = [
        p.track_descriptor.name
        for p in converted(tmp_path).packet
        if p.HasField("track_descriptor")
    ]
    assert "lost frames" not in without


def test_machines_are_in_the_order_of_their_tracks_below_the_window(tmp_path: Path) -> None:
    fake_sim.write_spans(tmp_path / "spans.bin")
    timeline.convert(tmp_path / "spans.bin", tmp_path / "t", window=(2_000_999, 5_000_000))
    trace = Trace()
    trace.ParseFromString((tmp_path / "t").read_bytes())
    tracks = [p.track_descriptor for p in trace.packet if p.HasField("track_descriptor")]
    explicit = [t.child_ordering == TrackDescriptor.EXPLICIT for t in tracks if not t.parent_uuid]
    assert all(explicit)
    top = sorted((t.sibling_order_rank, t.name) for t in tracks if t.name and not t.parent_uuid)
    assert top == [(0, "measured window"), (1, "sender")]
    window = next(t.uuid for t in tracks if t.name == "measured window")
    ends = [p.timestamp for p in trace.packet if p.track_event.track_uuid == window]
    assert ends == [2000, 5000]


def test_numbers_carry_the_names_of_their_row(tmp_path: Path) -> None:
    trace = converted(tmp_path)
    names = {
        name.iid: name.name for p in trace.packet for name in p.interned_data.debug_annotation_names
    }
    read = next(
        p.track_event for p in trace.packet
        if p.track_event.debug_annotations and p.timestamp == 1000
    )  # fmt: skip
    assert [names[a.name_iid] for a in read.debug_annotations] == ["address", "bytes"]
    assert read.debug_annotations[0].pointer_value == 0x1000


def test_slices_nest_and_carry_label_time_and_arguments(tmp_path: Path) -> None:
    trace = converted(tmp_path)
    names = {name.iid: name.name for p in trace.packet for name in p.interned_data.event_names}
    stacks: dict[int, list[int]] = defaultdict(list)
    seen = []
    for packet in trace.packet:
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            stacks[event.track_uuid].append(packet.timestamp)
            arguments = [a.pointer_value or a.uint_value for a in event.debug_annotations]
            seen.append((packet.timestamp, names[event.name_iid], arguments))
        elif event.type == TrackEvent.TYPE_SLICE_END:
            assert stacks[event.track_uuid].pop() <= packet.timestamp
    assert not any(stacks.values())
    assert (1000, "memory read", [0x1000, 512]) in seen
    assert (500, "interrupt", [33, 0]) in seen
    assert len(seen) == 4  # the fifth is an instant


def test_a_file_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    fake_sim.write_spans(tmp_path / "spans.bin")
    whole = (tmp_path / "spans.bin").read_bytes()
    (tmp_path / "spans.bin").write_bytes(whole[:150])
    with pytest.raises(LonghaulError, match="cut short"):
        timeline.convert(tmp_path / "spans.bin", tmp_path / "t.pftrace")
    (tmp_path / "spans.bin").write_bytes(b"something else")
    with pytest.raises(LonghaulError, match="not a span file"):
        timeline.convert(tmp_path / "spans.bin", tmp_path / "t.pftrace")
    assert not (tmp_path / "t.pftrace").exists()


SPANS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20)), max_size=30)


@given(SPANS)
def test_spans_of_one_lane_are_disjoint_or_nested_and_each_ends_once(
    drawn: list[tuple[int, int]],
) -> None:
    spans = sorted(
        ((start, start + length) for start, length in drawn), key=lambda s: (s[0], -s[1])
    )
    lanes = Lanes()
    made: dict[int, list[tuple[int, int]]] = defaultdict(list)
    ended: list[tuple[int, int]] = []
    for start, end in spans:
        lane, before = lanes.take(start, end)
        assert all(at <= start for _, at in before)
        ended += before
        made[lane].append((start, end))
    ended += lanes.close()
    assert sorted(ended) == sorted(
        (lane, end) for lane, of_lane in made.items() for start, end in of_lane if end > start
    )
    for of_lane in made.values():
        for i, a in enumerate(of_lane):
            for b in of_lane[i + 1 :]:
                assert a[1] <= b[0] or (a[0] <= b[0] and b[1] <= a[1])


def many_spans(path: Path, count: int) -> None:
    """Write spans of two tracks in order of their ends, some of them long."""
    spans = [
        (i * 1000, i * 1000 + (900_000 if i % 1000 == 0 else 500), i, 64, i % 2, 0)
        for i in range(count)
    ]
    spans.sort(key=lambda span: span[1])
    fake_sim.write_spans(path, spans)


def test_chunks_are_merged_into_the_order_of_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeline, "CHUNK", 128)
    many_spans(tmp_path / "spans.bin", 5000)
    with (tmp_path / "spans.bin").open("rb") as stream:
        index = timeline.Index.read(stream, tmp_path / "spans.bin")
        found = list(timeline.sorted_spans(stream, index, tmp_path))
    assert [(span[0], span[3]) for span in found] == [
        *((0, i) for i in range(0, 5000, 2)),
        *((1, i) for i in range(1, 5000, 2)),
    ]


PEAK = """
import re, sys
from pathlib import Path
from longhaul.results import timeline
timeline.CHUNK = 4096
timeline.convert(Path(sys.argv[1]), Path(sys.argv[2]))
print(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def test_memory_does_not_grow_with_the_number_of_spans(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    peaks_kb: list[int] = []
    for count in (20_000, 200_000):
        many_spans(tmp_path / "spans.bin", count)
        command = [sys.executable, "-c", PEAK, tmp_path / "spans.bin", tmp_path / "t.pftrace"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        peaks_kb.append(int(done.stdout))
    # 180,000 more spans take 7.2 MB in the file and some 40 MB as Python's numbers.
    assert peaks_kb[1] - peaks_kb[0] < 4000
