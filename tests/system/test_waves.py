# SPDX-License-Identifier: Apache-2.0
"""--waves: TCP's state is the system's own at its time, and looking changes nothing."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest
from rig import front_door, waves_picture, wire
from rig.fst import Row, Waves, layout_rows

SETS = ("duration=60ms", "loss=0.5%", "rtt=1ms", "window=4MiB")
OPTIONS = ("--pcap", "--seed", "7")
MS = 10**9  # picoseconds
CONNECTION = re.compile(r"sender\.tcp\.(c\d+_10_\d+_\d+_\d+_5001)\.cwnd")
# An ACK reaches the adapter, its interrupt waits, softirq takes it: never so long.
PROCESSING_PS = MS
TAIL = 0x620  # TDT of the 82597EX


@pytest.fixture(scope="module", params=["guest", "linux-2.6.6"])
def sets(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Return the run's settings with a real guest, and with a modelled system."""
    return (*SETS, f"system={request.param}")


@pytest.fixture(scope="module")
def plain(sets: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("plain") / "o"
    return front_door.run(out, "ixgb_wan", *sets, options=OPTIONS)


@pytest.fixture(scope="module")
def run(sets: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("waves") / "o"
    traced = ("--waves", "link,tcp,core,box,nic", "--waves-until", "60ms")
    return front_door.run(out, "ixgb_wan", *sets, options=(*OPTIONS, *traced))


@pytest.fixture(scope="module")
def traced(run: Path) -> Waves:
    return Waves(run)


@pytest.fixture(scope="module")
def connection(traced: Waves) -> dict[str, Row]:
    """Return the sender's connection that carries the data."""
    found = [match[1] for name in traced.names if (match := CONNECTION.fullmatch(name))]
    assert len(found) == 1, found
    return traced.below(f"sender.tcp.{found[0]}.")


def window(run: Path) -> tuple[int, int]:
    told = json.loads((run / "raw" / "sim.json").read_text())["waves"]
    return told["from_ps"], told["until_ps"]


def frames(run: Path, where: str, *fields: str) -> list[tuple[int, list[str]]]:
    """Return time in ps and fields of frames on the sender's cable."""
    capture = run / "sender_link.pcapng"
    found = wire.rows(capture, where, "frame.time_epoch", *fields)
    return [(int(row[0].replace(".", "")) * 1000, row[1:]) for row in found]


def test_looking_changes_neither_packets_nor_counters(run: Path, plain: Path) -> None:
    captures = sorted(path.name for path in plain.glob("*.pcapng"))
    assert len(captures) == 4
    for name in captures:
        digests = {hashlib.sha256((r / name).read_bytes()).hexdigest() for r in (run, plain)}
        assert len(digests) == 1, name
    probes = [json.loads((r / "raw" / "sim.json").read_text())["probes"] for r in (run, plain)]
    assert probes[0] == probes[1]


def test_the_documented_signals_are_there(
    sets: tuple[str, ...], traced: Waves, connection: dict[str, Row]
) -> None:
    assert set(connection) == {
        *("state", "ca_state", "retransmit", "dup_ack", "cwnd", "ssthresh", "snd_una", "snd_nxt"),
        *("rcv_nxt", "snd_wnd", "rcv_wnd", "srtt_us", "rto_us", "backoff", "packets_out"),
        *("sacked_out", "lost_out", "retrans_out", "total_retrans", "iss", "irs"),
    }
    for machine in ("sender", "receiver"):
        for name in (
            "core.state",
            "interrupts.msi" if "system=guest" in sets else "interrupts.intx",
            "eth0.tx.ring.head",
            "eth0.tx.ring.tail",
            "eth0.rx.ring.head",
            "eth0.rx.ring.tail",
            "eth0.moderator.request",
        ):
            assert len(traced.row(f"{machine}.{name}").times) > 20, name
    assert "link.sender_link.from_sender_eth0" in traced.names
    assert len(traced.row("anue.west_to_east.stored").times) > 20


def test_snd_una_is_what_the_wire_acknowledged_when_it_did(
    run: Path, connection: dict[str, Row]
) -> None:
    begin, end = window(run)
    data = "tcp.srcport == 5001 && tcp.flags.ack == 1"
    acks = [(at, int(row[0])) for at, row in frames(run, data, "tcp.ack")]
    changes = connection["snd_una"].changes[1:]  # the first stood before the window
    assert len(changes) > 200
    for at, value in changes:
        carried = [t for t, ack in acks if ack == value and t <= at]
        assert carried, f"snd_una {value} at {at} was never acknowledged on the wire"
        assert at - carried[0] < PROCESSING_PS
    # And the other way round: what was acknowledged, the kernel came to know.
    times, values = [at for at, _ in changes], [value for _, value in changes]
    start = values[0]
    known = [(value - start) % 2**32 for value in values]
    assert known == sorted(known)
    for at, ack in acks:
        ahead = (ack - start) % 2**32
        if not begin < at < end - PROCESSING_PS or ahead > 2**31:
            continue
        soon = [v for t, v in zip(times, known, strict=True) if t <= at + PROCESSING_PS]
        assert soon and soon[-1] >= ahead, f"ack {ack} at {at}"


def true_retransmissions(run: Path) -> list[tuple[int, str]]:
    """Return time and number of the data segments whose first byte had been sent before."""
    sent = frames(run, "tcp.dstport == 5001 && tcp.len > 0", "tcp.seq_raw", "tcp.len")
    highest, again = int(sent[0][1][0]), list[tuple[int, str]]()
    for at, (seq, size) in sent:
        if (int(seq) - highest) % 2**32 >= 2**31:
            again.append((at, seq))
        elif (int(seq) + int(size) - highest) % 2**32 < 2**31:
            highest = int(seq) + int(size)
    return again


def test_a_retransmission_in_the_kernel_is_one_on_the_wire(
    run: Path, connection: dict[str, Row]
) -> None:
    begin, end = window(run)
    again = [at for at, _ in true_retransmissions(run)]
    inside = [at for at in again if begin < at < end]
    counts = connection["total_retrans"].changes
    assert len(inside) > 3
    assert abs(counts[-1][1] - counts[0][1] - len(inside)) <= 1  # one may cross the end
    pulses = connection["retransmit"].times
    assert len(pulses) > 3
    for pulse in pulses:
        # What was queued before it leaves first: socket's burst, qdisc, ring.
        assert any(0 < at - pulse < 5 * MS for at in again), pulse


def test_duplicate_acks_are_those_that_tshark_sees(run: Path, connection: dict[str, Row]) -> None:
    begin, end = window(run)
    seen = [at for at, _ in frames(run, "tcp.srcport == 5001 && tcp.analysis.duplicate_ack")]
    pulses = connection["dup_ack"].times
    inside = [at for at in seen if begin < at < end - MS]
    assert len(inside) > 10
    for at in inside:
        assert any(0 <= pulse - at < MS // 10 for pulse in pulses), at
    # tshark counts none whose window differs; the adapter's pulses do if they bring SACK blocks.
    sack = [at for at, _ in frames(run, "tcp.srcport == 5001 && tcp.options.sack.count > 0")]
    for pulse in pulses:
        assert any(0 <= pulse - at < MS // 10 for at in (*seen, *sack)), pulse


def test_loss_recovery_shows_in_cwnd_and_its_state(connection: dict[str, Row]) -> None:
    """In Recovery (3) cwnd falls, and ssthresh has its first value."""
    states = connection["ca_state"].changes
    assert 3 in {value for _, value in states}
    first = next(at for at, value in states if value == 3)
    cwnd = connection["cwnd"]
    before = int(cwnd.at(first - 1))
    lowest = min(value for at, value in cwnd.changes if first <= at < first + 10 * MS)
    assert lowest < before
    assert connection["ssthresh"].changes[0][1] == 0x7FFFFFFF  # slow start until then
    assert int(connection["ssthresh"].at(first)) < before
    srtt = [value for _, value in connection["srtt_us"].changes]
    assert all(1000 <= value < 20_000 for value in srtt)


def test_packets_on_the_link_row_are_those_of_the_capture(run: Path, traced: Waves) -> None:
    begin, end = window(run)
    row = traced.row("link.sender_link.from_sender_eth0")
    traced_at = [
        (at, str(text))
        for at, text in zip(row.times, row.values, strict=True)
        if str(text) and at > begin
    ]
    where = 'frame.interface_name == "sender.eth0 to xg1200.p0"'
    numbers = frames(run, where, "tcp.seq", "tcp.ack", "tcp.seq_raw", "tcp.ack_raw")
    captured = [(at, row) for at, row in numbers if begin < at < end]
    assert len(traced_at) == len(captured) > 1000
    for (at, text), (stamp, (seq, ack, raw_seq, raw_ack)) in zip(traced_at, captured, strict=True):
        assert 0 <= at - stamp < 1000  # the capture rounds down to nanoseconds
        assert f" seq {seq} len " in text and f" ack {ack} " in text
        assert text.endswith(f" raw seq {raw_seq} ack {raw_ack}")


def test_iss_and_irs_make_numbers_of_the_wire(run: Path, connection: dict[str, Row]) -> None:
    (first,) = frames(run, "tcp.dstport == 5001 && tcp.flags.syn == 1", "tcp.seq_raw")[:1]
    (answer,) = frames(run, "tcp.srcport == 5001 && tcp.flags.syn == 1", "tcp.seq_raw")[:1]
    begin = connection["state"].times[0]  # the system's first step in the window
    assert begin - window(run)[0] < 5 * MS
    assert connection["iss"].changes == [(begin, int(first[1][0]))]
    assert connection["irs"].changes == [(begin, int(answer[1][0]))]


def test_the_capture_says_which_frames_are_retransmissions_and_of_what(run: Path) -> None:
    """tshark alone guesses, and calls most of them out of order."""
    again = true_retransmissions(run)
    said = frames(run, 'frame.comment contains "retransmission"', "tcp.seq_raw", "frame.comment")
    assert [(at, row[0]) for at, row in said] == again
    assert len(again) > 3
    for _, (_, text) in said:
        assert "retransmission: of bytes dropped by anue.west_to_east at " in text


def test_each_dropped_frame_says_so_where_it_was_captured(run: Path) -> None:
    told = json.loads((run / "raw" / "sim.json").read_text())
    for link, way in (("sender_link", "west_to_east"), ("receiver_link", "east_to_west")):
        text = f'frame.comment contains "dropped later: anue.{way} at "'
        found = wire.rows(run / f"{link}.pcapng", text, "frame.time_epoch", "frame.comment")
        in_time = 0  # until the window's end, where the counter is read; the run goes on
        for stamp, comment in found:
            when = re.search(rf"anue.{way} at (\d+\.\d{{9}}) s \(random loss\)", comment)
            assert when and float(when[1]) >= float(stamp)
            in_time += round(float(when[1]) * 1e12) < told["window"]["end_ps"]
        assert in_time == told["probes"][f"anue.{way}.lost"]["end"]


def test_every_loss_is_a_pulse_with_the_frames_name(run: Path, traced: Waves) -> None:
    begin, end = window(run)
    text = 'frame.comment contains "dropped later: anue.west_to_east"'
    lost = frames(run, text, "tcp.seq", "frame.comment")
    times = [(round(float(c.split(" at ")[1].split()[0]) * 1e9), seq) for _, (seq, c) in lost]
    inside = [(ns, seq) for ns, seq in times if begin < ns * 1000 < end]
    assert len(inside) > 3
    pulses = traced.row("anue.west_to_east.lost").times
    assert [at // 1000 for at in pulses] == [ns for ns, _ in inside]
    names = traced.row("anue.west_to_east.last_lost")
    for at, (_, seq) in zip(pulses, inside, strict=True):
        assert names.at(at).startswith(f"random loss: TCP seq {seq} len ")


def test_the_layout_shows_every_row_once(run: Path, traced: Waves) -> None:
    shown = layout_rows(run)
    assert len(shown) == len(set(shown))
    assert set(shown) == traced.names


def test_a_trigger_keeps_what_led_to_the_first_retransmission(
    tmp_path: Path, sets: tuple[str, ...], run: Path, connection: dict[str, Row]
) -> None:
    options = ("--seed", "7", "--waves", "tcp,link", "--waves-trigger", "retransmit")
    options = (*options, "--waves-history", "2ms", "--waves-length", "1ms")
    out = front_door.run(tmp_path / "o", "ixgb_wan", *sets, options=options)
    told = json.loads((out / "raw" / "sim.json").read_text())["waves"]
    first = connection["retransmit"].times[0]
    assert told["trigger_ps"] == first
    assert (told["from_ps"], told["until_ps"]) == (first - 2 * MS, first + MS)
    part = Waves(out)
    name = next(match[1] for n in part.names if (match := CONNECTION.fullmatch(n)))
    for row in ("snd_una", "cwnd", "ca_state"):
        whole = [c for c in connection[row].changes if told["from_ps"] < c[0] < told["until_ps"]]
        kept = [c for c in part.row(f"sender.tcp.{name}.{row}").changes if c[0] > told["from_ps"]]
        assert kept == whole, row
    assert (out / "waves.fst").stat().st_size < (run / "waves.fst").stat().st_size / 4


def test_a_register_write_and_a_dropped_frame_trigger(tmp_path: Path) -> None:
    """Both are the models' own: modelled hosts cause them as real guests do."""
    sets = (*SETS, "system=linux-2.6.6")
    options = ("--seed", "7", "--waves", "nic", "--waves-length", "100us")
    history = ("--waves-history", "100us", "--waves-trigger")
    write = (*options, "--waves-from", "5ms", *history, f"register:sender.eth0+{TAIL:#x}")
    out = front_door.run(tmp_path / "write", "ixgb_wan", *sets, options=write)
    told = json.loads((out / "raw" / "sim.json").read_text())
    assert told["waves"]["trigger"].startswith("sender writes 0xf")
    trigger = told["waves"]["trigger_ps"]
    assert trigger >= told["window"]["begin_ps"] + 5 * MS
    moved = Waves(out).row("sender.eth0.tx.ring.tail").times
    # The write is posted; the bridge and the bus bring it to the adapter.
    assert any(0 < at - trigger < MS // 100 for at in moved)
    drop = (*options, *history, "drop:2")
    out = front_door.run(tmp_path / "drop", "ixgb_wan", *sets, options=drop)
    told = json.loads((out / "raw" / "sim.json").read_text())
    assert re.fullmatch(
        r"anue\.(west_to_east|east_to_west) drops a frame: random loss \(number 2 of all parts\)",
        told["waves"]["trigger"],
    )
    assert told["waves"]["until_ps"] - told["waves"]["trigger_ps"] == MS // 10


@pytest.fixture
def display() -> Generator[str]:
    """Return a virtual screen of 1600 x 900."""
    for tool in ("Xvfb", "gtkwave", "import"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    with waves_picture.screen() as name:
        yield name


def test_gtkwave_opens_the_layout(run: Path, display: str) -> None:
    viewer = subprocess.Popen(
        [str(front_door.ROOT / "longhaul"), "waves", str(run)],
        env=os.environ | {"DISPLAY": display},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        waves_picture.wait_until_drawn(display, viewer)
    finally:
        os.killpg(viewer.pid, signal.SIGKILL)
        viewer.wait()
