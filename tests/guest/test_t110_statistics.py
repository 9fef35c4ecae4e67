# SPDX-License-Identifier: Apache-2.0
"""TP's statistics of a T110, beside what tshark counts on its cable."""

import pytest
from longhaul.topology import DelayBox, Scenario
from longhaul.units import us
from rig import wire
from rig.scenarios import Run, command, counted, host, script, simulate

LOSS = {f"loss_{port}": 0.005 for port in ("west", "east")}
CHECKS = ("there", "back", "refused", "quiet")
SERVE = (
    "head -c 4000000 /dev/urandom >/tmp/f; (sha256sum </tmp/f; cat /tmp/f) >/tmp/g;"
    " nc -ll -p 7003 -e cat /tmp/g & exec nc -ll -p 7001 -e sha256sum"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario = Scenario("statistics")
    near, far = (
        scenario.add(
            host(end, adapter="n110", params={"board": "t110"}, kernel_args=("t110.offload=2",))
        )
        for end in ("sender", "receiver")
    )
    box = scenario.add(DelayBox(name="box", one_way_delay=us(100), params=LOSS))
    scenario.link(near.port("eth0"), box.port("west"), name="near")
    scenario.link(box.port("east"), far.port("eth0"), name="far")
    out = tmp_path_factory.mktemp("statistics") / "out"
    work = command(near, far, script("t110_statistics.sh"), SERVE)
    return simulate(scenario, work, out, pcap=True)


@pytest.fixture(scope="module")
def counts(run: Run) -> dict[str, int]:
    return counted(run.text("statistics"))


@pytest.fixture(scope="module")
def mine(run: Run) -> str:
    """Return the filter for the near host's segments that the statistics cover.

    It opens all connections. The last one, of the control of the run, comes after the statistics.
    """
    opening = "tcp.flags.syn == 1 && tcp.flags.ack == 0"
    opened = wire.rows(run.folder / "near.pcapng", opening, "ip.src", "tcp.stream")
    address, last = opened[-1]
    return f"ip.src == {address} && tcp.stream != {last}"


def seen(run: Run, where: str) -> int:
    return wire.count(run.folder / "near.pcapng", where)


def test_the_path_lost_frames_and_all_arrived(run: Run) -> None:
    assert run.checks == dict.fromkeys(CHECKS, "")
    assert run.until_end("box.west_to_east.lost") > 0
    assert run.complaints() == []


def test_segments_are_those_on_the_cable(run: Run, counts: dict[str, int], mine: str) -> None:
    sent, theirs = seen(run, mine), seen(run, mine.replace("ip.src", "ip.dst"))
    assert counts["tp_out_segs"] + counts["tp_retrans_segs"] == sent > 1000
    assert counts["tp_in_segs"] == theirs > 1000
    assert counts["tp_in_errs"] == 0


def test_retransmissions_are_those_that_tshark_finds(
    run: Run, counts: dict[str, int], mine: str
) -> None:
    """tshark sees the numbers of each segment, and has its own idea of what was sent before."""
    found = seen(run, f"{mine} && tcp.len > 0 && tcp.analysis.retransmission")
    assert counts["tp_retrans_segs"] == found > 0


def test_connections_are_those_that_the_programs_made(
    run: Run, counts: dict[str, int], mine: str
) -> None:
    opened = seen(run, f"{mine} && tcp.flags.syn == 1 && !tcp.analysis.retransmission")
    assert counts["tp_active_opens"] == opened
    assert counts["tp_passive_opens"] == counts["tp_estab_resets"] == 0
    assert counts["tp_attempt_fails"] == 1  # nobody was at the port
    assert counts["tp_out_rsts"] == seen(run, f"{mine} && tcp.flags.reset == 1")
    assert counts["tp_curr_estab"] == 0
