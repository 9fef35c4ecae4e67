# SPDX-License-Identifier: Apache-2.0
"""Real TCP across the delay box: round trips to 800 ms, loss, damage; what the wire shows."""

import json
from pathlib import Path

import pytest
from longhaul.boxes.delay_box import DelayBox
from longhaul.topology import Scenario
from longhaul.units import us
from rig import front_door, wire
from rig.scenarios import Run, command, host, script, simulate

DIRECT_MS = 0.5  # cables, switches and hosts: the most that they add to the box's round trip


@pytest.mark.parametrize(
    ("rtt_ms", "duration"), [(0, "20ms"), (10, "200ms"), (400, "4s"), (800, "8s")]
)
def test_tcp_crosses_every_round_trip(tmp_path: Path, rtt_ms: int, duration: str) -> None:
    sets = (f"rtt={rtt_ms}ms", f"duration={duration}", "window=1MiB")
    out = front_door.run(tmp_path / "o", "ixgb_wan", *sets)
    measured = json.loads((out / "results.json").read_text())["cases"][0]["measured"]
    assert rtt_ms < measured["rtt_ms"] < rtt_ms + DIRECT_MS
    assert measured["retransmits"] == 0
    assert measured["goodput_gbps"] > 0
    if rtt_ms >= 10:
        # Linux gives a socket twice what was asked for; no more than that is ever on the way.
        most = 2 * 2**20 * 8 / (rtt_ms / 1000) / 1e9
        assert most / 20 < measured["goodput_gbps"] < most


IMPAIRMENTS = {
    "clean": {},
    "loss": {"loss_west": 0.002, "loss_east": 0.002},
    "bit-errors": {"bit_error_rate_west": 1e-7, "bit_error_rate_east": 1e-7},
    "reorder": {"reorder_west": 0.01, "reorder_delay_west": "200us"},
    "duplicate": {"duplicate_west": 0.01, "duplicate_east": 0.01},
}
SERVE = "nc -ll -p 7001 -e sha256sum & exec iperf -s -V"


@pytest.fixture(scope="module", params=list(IMPAIRMENTS))
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def file_run(name: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Files over IPv4 and IPv6 in jumbo frames with TSO, across a box with one impairment."""
    scenario = Scenario(f"files_{name.replace('-', '_')}")
    box = scenario.add(DelayBox(name="box", one_way_delay=us(100), params=IMPAIRMENTS[name]))
    sender, receiver = (scenario.add(host(end, mtu=9000)) for end in ("sender", "receiver"))
    scenario.link(sender.port("eth0"), box.port("west"), name="west")
    scenario.link(box.port("east"), receiver.port("eth0"), name="east")
    out = tmp_path_factory.mktemp("files") / "o"
    workload = command(sender, receiver, script("files.sh"), SERVE)
    return simulate(scenario, workload, out, pcap=True)


def test_files_arrive_whole(file_run: Run) -> None:
    assert file_run.checks == {"file4": "", "file6": "", "quiet": ""}
    assert file_run.complaints() == []


def test_tshark_finds_nothing_wrong_that_was_not_done_on_purpose(file_run: Run) -> None:
    for side in ("west", "east"):
        capture = file_run.folder / f"{side}.pcapng"
        assert wire.wrong(capture) == []
        assert wire.verified(capture, "tcp") > 500
        assert wire.count(capture, "eth.fcs.status == 1") > 500


def test_the_wire_shows_what_the_box_did(file_run: Run, name: str) -> None:
    east = file_run.folder / "east.pcapng"
    damaged = 'frame.comment contains "damaged"'
    bad = wire.count(east, f"eth.fcs.status == {wire.BAD}")
    assert bad == wire.count(east, damaged)
    if name == "bit-errors":
        assert bad > 0
        assert file_run.until_end("receiver.eth0.mac.rx_bad_fcs") > 0
    else:
        assert bad == 0
    if name == "loss":
        assert file_run.until_end("box.west_to_east.lost") > 0
        assert wire.count(east, "tcp.analysis.retransmission") > 0
    if name == "reorder":
        assert wire.count(east, "tcp.analysis.out_of_order || tcp.analysis.retransmission") > 0
    if name == "duplicate":
        assert wire.count(east, "tcp.analysis.retransmission") > 0
    if name == "clean":
        assert wire.count(east, "tcp.analysis.retransmission") == 0
        assert wire.count(east, "frame.len > 9000") > 100
