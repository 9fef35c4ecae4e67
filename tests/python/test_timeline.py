# SPDX-License-Identifier: Apache-2.0
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from longhaul import timeline
from longhaul.errors import LonghaulError
from longhaul.timeline import Span, lanes
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
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
    assert children == {"pcix.bus (1)", "pcix.bus (2)", "core.irq"}
    assert len({t.uuid for t in tracks}) == len(tracks)


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
            arguments = [a.uint_value for a in event.debug_annotations]
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


SPANS = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 20)).map(
        lambda t: Span(t[0], t[0] + t[1], 0, 0, 0)
    ),
    max_size=30,
)


@given(SPANS)
def test_spans_of_one_lane_are_disjoint_or_nested_and_none_is_lost(spans: list[Span]) -> None:
    made = lanes(spans)
    assert sorted(map(repr, spans)) == sorted(repr(s) for lane in made for s in lane)
    for lane in made:
        for i, a in enumerate(lane):
            for b in lane[i + 1 :]:
                disjoint = a.end_ps <= b.start_ps or b.end_ps <= a.start_ps
                nested = a.start_ps <= b.start_ps and b.end_ps <= a.end_ps
                assert disjoint or nested
