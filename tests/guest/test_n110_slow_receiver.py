# SPDX-License-Identifier: Apache-2.0
"""A flood that an N110's host is too slow for: PAUSE holds it back, or frames are lost and counted.

The receiver's CPU has a tenth of the sender's clock. Its queues of the SGE run dry, the frames wait
in the chip, and the PM3393's FIFO fills.
"""

import re

import pytest
from longhaul.topology import Scenario
from longhaul.units import mhz, s
from rig.scenarios import Run, command, counted, host, script, simulate

BYTES = 10_000_000
DATAGRAM = 1470
QUIET_AFTER = "8"
CASTS = ("Unicast", "Broadcast")  # groups may be filtered


@pytest.fixture(scope="module", params=["on", "off"])
def pause(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def flood(pause: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario = Scenario("flood")
    sender = scenario.add(host("sender", adapter="n110"))
    receiver = scenario.add(host("receiver", adapter="n110", bus={"cpu_clock": mhz(280)}))
    scenario.link(sender.port("eth0"), receiver.port("eth0"), name="cable", phy="10gbase-r")
    words = {"PAUSE": pause, "QUIET_AFTER": QUIET_AFTER}
    text = script("flood.sh", BYTES=str(BYTES), **words)
    serve = script("slow_receiver.sh", **words)
    out = tmp_path_factory.mktemp(pause) / "out"
    return simulate(scenario, command(sender, receiver, text, serve, about=s(15)), out)


def at_receiver(run: Run, name: str) -> str:
    """Return what the receiver's script printed between `<<< NAME` and `>>>`."""
    found = re.search(rf"^<<< {name}\n(.*?)^>>>$", run.report("receiver", "serve.txt"), re.M | re.S)
    assert found, f"the receiver printed no {name}"
    return found[1]


def grown(before: str, after: str) -> dict[str, int]:
    """Return by how much ethtool's counters grew."""
    first, last = counted(before), counted(after)
    return {name: last[name] - first[name] for name in first}


def sent(run: Run) -> dict[str, int]:
    return grown(run.text("before"), run.text("after"))


def received(run: Run) -> dict[str, int]:
    return grown(at_receiver(run, "before"), at_receiver(run, "after"))


def test_the_flood_left_the_sender(flood: Run) -> None:
    assert sent(flood)["TxUnicastFramesOK"] >= BYTES // DATAGRAM
    assert sent(flood)["TxOctetsBad"] == 0


def test_it_is_held_back_or_lost(flood: Run, pause: str) -> None:
    lost = received(flood)["RxInternalMACRcvError"]
    pauses = received(flood)["TxPauseFrames"]
    if pause == "on":
        assert lost == 0
        assert pauses > 0
    else:
        assert lost > BYTES // DATAGRAM // 10
        assert pauses == 0
    assert sent(flood)["RxPauseFrames"] == pauses


def test_what_left_the_sender_came_or_was_counted_as_lost(flood: Run) -> None:
    at_sender, there = sent(flood), received(flood)
    left = sum(at_sender[f"Tx{cast}FramesOK"] for cast in CASTS)
    came = sum(there[f"Rx{cast}FramesOK"] for cast in CASTS)
    assert came + there["RxInternalMACRcvError"] == left


def test_the_drivers_count_is_the_models(flood: Run) -> None:
    lost = counted(at_receiver(flood, "after"))["RxInternalMACRcvError"]
    assert lost == flood.until_end("receiver.eth0.line.rx_overflows")
    assert flood.until_end("cable.a_to_b.lost") == flood.until_end("cable.b_to_a.lost") == 0


def test_the_adapter_works_afterwards(flood: Run) -> None:
    assert flood.checks == {"ping": "", "quiet": ""}
    assert flood.complaints() == []
