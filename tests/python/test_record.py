# SPDX-License-Identifier: Apache-2.0
"""record.bin read, put into words, and compared item by item and by checkpoints."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from longhaul.errors import UsageError
from longhaul.record.file import Record
from longhaul.record.parting import Marks, intervals, partings, shown
from support import records
from support.records import Maker

Change = Callable[[Maker], None]


def made(path: Path, change: Change | None = None, exchanges: int = 200) -> Record:
    maker = records.guest_and_cable(exchanges)
    if change:
        change(maker)
    return Record(maker.write(path))


def with_write(path: Path, number: int, data: int, work: int = 0) -> Record:
    """Return a record in which one write differs."""
    maker = Maker(windows=[("sender.eth0", 0xF0000000, 0x1000)])
    guest = maker.stream("exchanges", "sender.guest")
    cable = maker.stream("frames", "cable.a_to_b")
    for i in range(200):
        value, units = (data, 100 + i + work) if i == number else (i, 100 + i)
        values = (0xF0000010, value, 1000 * i + 500)
        maker.exchange(guest, 1000 * i, records.WRITE, 4, values, {1: units})
        if i < 100:
            maker.frame(cable, 1000 * i + 100, 68, 7 * i)
    return Record(maker.write(path))


def marks_of(record: Record, most: int = 100) -> dict[str, Marks]:
    found = {stream.name: Marks.of(record, stream, most) for stream in record.streams}
    return {name: marks for name, marks in found.items() if marks}


def test_an_access_is_told_with_its_register_and_the_work_before_it(tmp_path: Path) -> None:
    record = made(tmp_path / "a")
    (item,) = shown(record, "sender.guest", range(3, 4))
    assert (item.number, item.time_ps) == (3, 3000)
    assert item.fields["request"] == "write 4 B"
    assert item.fields["at"] == "sender.eth0+0x10"
    assert item.fields["data"] == "0x3"
    assert item.fields["answered"] == "0.000000003500 s"
    assert item.fields["user executed"] == "103"


def test_an_address_outside_all_windows_is_itself(tmp_path: Path) -> None:
    record = made(tmp_path / "a")
    assert record.place("sender", 0xF0001000) == "0xf0001000"
    assert record.place("receiver", 0xF0000010) == "0xf0000010"


def test_a_segment_and_a_loss_are_told(tmp_path: Path) -> None:
    maker = Maker()
    cable = maker.stream("frames", "cable.a_to_b")
    maker.tcp(cable, 5, 77)
    maker.frame(cable, 6, 68, 1, fate=2, why="no carrier")
    maker.frame(cable, 7, 68, 1, fate=0x80)
    segment, loss, damaged = shown(Record(maker.write(tmp_path / "a")), "cable.a_to_b", range(9))
    assert segment.fields["segment"] == (
        "TCP 10.10.0.1:40000>10.10.0.2:5001 seq 77 ack 7 len 1000 win 501 PSH ACK"
    )
    assert loss.fields["what"] == "dropped (no carrier)"
    assert loss.fields["segment"] == "ARP"
    assert damaged.fields["what"] == "sent, damaged"


def test_an_event_of_a_bus_names_the_register(tmp_path: Path) -> None:
    maker = Maker(windows=[("pc.eth0", 0xF0000000, 0x1000)])
    bus = maker.stream("events", "pc.pcix.tenures")
    maker.event(bus, 10, "memory write", 0xF0000018, 4)
    (event,) = shown(Record(maker.write(tmp_path / "a")), "pc.pcix.tenures", range(1))
    assert event.fields["what"] == "memory write"
    assert event.fields["arg0"] == "pc.eth0+0x18"


def test_equal_records_do_not_part(tmp_path: Path) -> None:
    assert partings(made(tmp_path / "a"), made(tmp_path / "b")) == []


def test_the_first_item_that_differs_is_found_with_both_sides(tmp_path: Path) -> None:
    a, b = made(tmp_path / "a"), with_write(tmp_path / "b", 130, 0x13, work=4)
    (parting,) = partings(a, b)
    assert (parting.stream, parting.number, parting.time_ps) == ("sender.guest", 130, 130_000)
    assert [item.number for item in parting.before] == [127, 128, 129]
    assert parting.first and parting.second
    assert parting.first.differences(parting.second) == [
        "data 0x82 | 0x13",
        "user executed 230 | 234",
    ]


def test_work_alone_parts_at_its_own_exchange(tmp_path: Path) -> None:
    a, b = made(tmp_path / "a"), with_write(tmp_path / "b", 64, 64, work=1)
    (parting,) = partings(a, b)
    assert parting.number == 64
    assert parting.first and parting.second
    assert parting.first.differences(parting.second) == ["user executed 164 | 165"]


def test_the_end_of_a_stream_is_a_parting(tmp_path: Path) -> None:
    (parting,) = partings(made(tmp_path / "a"), made(tmp_path / "b", exchanges=128))
    assert (parting.stream, parting.number) == ("sender.guest", 128)
    assert parting.first and parting.first.number == 128
    assert parting.second is None


def test_a_stream_that_only_one_has_parts_at_its_first_item(tmp_path: Path) -> None:
    def more(maker: Maker) -> None:
        maker.frame(maker.stream("drops", "box.tap"), 77, 68, 5, fate=2, why="queue full")

    (parting,) = partings(made(tmp_path / "a"), made(tmp_path / "b", more))
    assert (parting.stream, parting.number, parting.time_ps) == ("box.tap", 0, 77)
    assert parting.first is None and parting.second


def test_the_earliest_parting_comes_first(tmp_path: Path) -> None:
    def frame(digest: int, time_ps: int) -> Change:
        return lambda maker: maker.frame(1, time_ps, 68, digest)

    a = made(tmp_path / "a", frame(1, 50_000_000))
    b = made(tmp_path / "b", frame(2, 50_000_000))
    c = with_write(tmp_path / "c", 199, 5)
    assert [one.stream for one in partings(a, b)] == ["cable.a_to_b"]
    assert [one.stream for one in partings(a, c)] == ["sender.guest", "cable.a_to_b"]


def test_labels_with_other_numbers_are_the_same_labels(tmp_path: Path) -> None:
    def ahead(maker: Maker) -> Maker:
        maker.label("of something else")
        return maker

    def fill(maker: Maker) -> Path:
        bus = maker.stream("events", "pc.bus")
        maker.event(bus, 10, "read")
        maker.event(bus, 20, "write")
        return maker.write(tmp_path / f"{len(maker.labels)}")

    assert partings(Record(fill(Maker())), Record(fill(ahead(Maker())))) == []


def test_another_label_is_a_parting(tmp_path: Path) -> None:
    paths: list[Path] = []
    for what in ("read", "write"):
        maker = Maker()
        maker.event(maker.stream("events", "pc.bus"), 10, what)
        paths.append(maker.write(tmp_path / what))
    (parting,) = partings(Record(paths[0]), Record(paths[1]))
    assert parting.first and parting.second
    assert parting.first.differences(parting.second) == ["what read | write"]


def test_a_run_has_its_own_checkpoints(tmp_path: Path) -> None:
    record = made(tmp_path / "a")
    marks = marks_of(record)
    assert marks["sender.guest"].items == 200
    assert marks["sender.guest"].every == 64
    assert len(marks["sender.guest"].digests) == 3
    assert intervals(record, marks) == []


def test_checkpoints_name_the_interval(tmp_path: Path) -> None:
    marks = marks_of(made(tmp_path / "a"))
    (found,) = intervals(with_write(tmp_path / "b", 130, 0x13), marks)
    assert (found.stream, found.begin, found.end) == ("sender.guest", 128, 192)
    assert (found.from_ps, found.until_ps) == (127_000, 191_000)


def test_behind_the_last_checkpoint_the_end_tells(tmp_path: Path) -> None:
    marks = marks_of(made(tmp_path / "a"))
    (found,) = intervals(with_write(tmp_path / "b", 199, 0x13), marks)
    assert (found.begin, found.end) == (192, 200)


def test_a_changed_checkpoint_is_found(tmp_path: Path) -> None:
    record = made(tmp_path / "a")
    marks = marks_of(record)
    guest = marks["sender.guest"]
    changed = (guest.digests[0], f"{int(guest.digests[1], 16) ^ 1:08x}", guest.digests[2])
    marks["sender.guest"] = dataclasses.replace(guest, digests=changed)
    (found,) = intervals(record, marks)
    assert (found.begin, found.end) == (64, 128)


def test_streams_of_another_length_part_where_the_shorter_ends(tmp_path: Path) -> None:
    long, short = made(tmp_path / "a"), made(tmp_path / "b", exchanges=128)
    (found,) = intervals(short, marks_of(long))
    assert (found.begin, found.end, found.ours, found.golden) == (128, 128, 128, 200)
    (found,) = intervals(long, marks_of(short))
    assert (found.begin, found.end, found.ours, found.golden) == (128, 192, 200, 128)


def test_a_stream_that_the_golden_run_has_not_is_told_and_the_other_way_round(
    tmp_path: Path,
) -> None:
    def more(maker: Maker) -> None:
        maker.frame(maker.stream("drops", "box.tap"), 77, 68, 5, fate=2, why="queue full")

    plain, dropping = made(tmp_path / "a"), made(tmp_path / "b", more)
    (found,) = intervals(dropping, marks_of(plain))
    assert (found.stream, found.begin, found.end, found.golden) == ("box.tap", 0, 1, 0)
    (found,) = intervals(plain, marks_of(dropping))
    assert (found.stream, found.begin, found.end, found.ours) == ("box.tap", 0, 0, 0)


def test_long_streams_are_thinned_by_powers_of_two(tmp_path: Path) -> None:
    record = made(tmp_path / "a", exchanges=64 * 9 + 5)
    marks = marks_of(record, most=3)
    assert marks["sender.guest"].every == 256
    assert len(marks["sender.guest"].digests) == 2
    assert intervals(record, marks) == []
    other = with_write(tmp_path / "b", 130, 0x13)
    (found,) = intervals(other, marks)
    assert (found.begin, found.end) == (0, 200)


@pytest.mark.parametrize("cut", [10, 100, -3])
def test_a_record_that_is_cut_short_is_refused(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a"
    made(path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(UsageError, match="no record of a run|cut short"):
        Record(path)
