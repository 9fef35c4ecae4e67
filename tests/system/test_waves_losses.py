# SPDX-License-Identifier: Apache-2.0
"""Every kind of part that can lose a frame traces it, names it, and comments on it.

Each run makes another part lose frames. The part's own counter says how many it lost in the
measured window. pywellen reads the pulses, tshark the comments.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from rig import front_door, timeline, wire
from rig.fst import Waves

OPTERON = ("system=linux-2.6.6", "duration=20ms", "warmup=1ms")
PC = ("system=linux-2.4.20", "duration=40ms")
OPTIONS = ("--seed", "7", "--pcap", "--timeline", "--waves=link,tcp")


@dataclass(frozen=True)
class Case:
    """A run that loses frames: in which part, and why; `counter` has how many in the window."""

    scenario: str
    sets: tuple[str, ...]
    params: tuple[str, ...]
    part: str
    why: str
    counter: str
    repaired: bool = True


CASES = {
    "delay box, at random": Case(
        "ixgb_wan",
        (*OPTERON, "rtt=1ms", "loss=0.3%"),
        (),
        *("anue.west_to_east", "random loss", "anue.west_to_east.lost"),
    ),
    "delay box, rate": Case(
        "ixgb_wan",
        (*OPTERON, "rtt=1ms"),
        ("anue.rate_west=2Gb/s",),
        *("anue.west_to_east", "rate limit", "anue.west_to_east.rate_dropped"),
        repaired=False,
    ),
    "bad FCS on a link": Case(
        "ixgb_wan",
        (*OPTERON, "rtt=1ms"),
        ("anue.bit_error_rate_west=1e-7",),
        *("mg8.p0.mac", "bad FCS", "mg8.p0.mac.rx_bad_fcs"),
    ),
    "switch": Case(
        "pairs",
        (*OPTERON, "pairs=3", "path=delay", "rtt=1ms"),
        ("west.buffer=64KiB",),
        *("west.p0", "shared buffer full", "west.p0.dropped"),
        repaired=False,
    ),
    "NIST Net": Case(
        "gnet1_table1_modelled",
        (*PC, "box=nistnet", "delay=1ms"),
        ("nistnet.netdev_max_backlog=3",),
        *("nistnet.path", "backlog full", "nistnet.path.backlog_dropped"),
        repaired=False,  # ACKs
    ),
    "GNET-1": Case(
        "gnet1_fig5",
        (*PC, "delay=1ms", "discard_at=10ms", "warmup=20ms"),
        (),
        *("gnet1.p0", "discarded", "gnet1.discards_p0"),
    ),
    "82597EX": Case(
        "ixgb_b2b",
        (*OPTERON[:1], "duration=10ms", "warmup=5ms"),
        ("*.host.eth0.flow_control=false", "receiver.eth0.engine_clock=66MHz")
        + ("receiver.eth0.rx_kib_clocks=200",),
        *("receiver.eth0.rx", "receive buffer full", "receiver.eth0.rx.missed"),
    ),
    "82545EM without descriptors": Case(
        "gnet1_fig5",
        (*PC, "delay=0s", "discard_at=39ms", "warmup=10ms"),
        ("receiver.host.eth0.throttle=200",),  # 5 ms without an interrupt
        *("receiver.eth0.rx", "receive buffer full", "receiver.eth0.rx.missed"),
    ),
}


@pytest.fixture(scope="module", params=CASES.values(), ids=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture(scope="module")
def run(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("losses") / "o"
    params = tuple(word for text in case.params for word in ("--param", text))
    return front_door.run(out, case.scenario, *case.sets, options=(*OPTIONS, *params))


@pytest.fixture(scope="module")
def sim(run: Path) -> dict[str, Any]:
    return json.loads((run / "raw" / "sim.json").read_text())


def pulses(run: Path, case: Case) -> list[int]:
    """Return when the part has lost frames in what is traced: the measured window."""
    return Waves(run).row(f"{case.part}.lost").times


def test_each_frame_that_the_part_counts_is_a_pulse_with_its_name(
    case: Case, run: Path, sim: dict[str, Any]
) -> None:
    lost = pulses(run, case)
    assert len(lost) == sim["probes"][case.counter]["delta"] > 0
    names = Waves(run).row(f"{case.part}.last_lost")
    for at in lost:
        assert re.match(rf"{case.why}: TCP (ack|seq) \d+ ", names.at(at))


def test_each_is_a_comment_in_the_capture_of_a_cable_that_it_passed(case: Case, run: Path) -> None:
    dropped = f"dropped later: {case.part} at "
    when = re.compile(rf"{re.escape(dropped)}(\d+\.\d{{9}}) s \({re.escape(case.why)}\)")
    said = set[int]()
    for capture in sorted(run.glob("*.pcapng")):
        found = wire.rows(capture, f'frame.comment contains "{dropped}"', "frame.comment")
        times = [match[1] for (comment,) in found if (match := when.search(comment))]
        assert len(times) == len(found)
        said.update(int(time.replace(".", "")) for time in times)
    assert {at // 1000 for at in pulses(run, case)} <= said


def test_each_is_a_mark_in_the_timeline(case: Case, run: Path, sim: dict[str, Any]) -> None:
    (row,) = (r for r in timeline.read(run / "timeline.pftrace") if r.name == "lost frames")
    label = f"{case.part}: {case.why}"
    window = range(sim["waves"]["from_ps"], sim["waves"]["until_ps"])
    marks = [m.begin_ns for m in row.instants if m.label == label]
    inside = [ns for ns in marks if ns * 1000 in window]
    assert inside == [at // 1000 for at in pulses(run, case)]


def test_a_retransmission_says_which_loss_it_repairs(case: Case, run: Path) -> None:
    if not case.repaired:
        pytest.skip("nothing that this part lost is sent again before the run's end")
    again = f'frame.comment contains "retransmission: of bytes dropped by {case.part} at "'
    assert wire.rows(run / "sender_link.pcapng", again)
