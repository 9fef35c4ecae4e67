# SPDX-License-Identifier: Apache-2.0
"""All who count the same frames agree: iperf, kernel, driver, adapter, cable and tshark."""

import re

import pytest
from rig import wire
from rig.counters import BYTES, grown, transfer
from rig.scenarios import Run, counted, net_dev


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return transfer(tmp_path_factory.mktemp("counters") / "out")


def test_the_receiving_program_counts_what_the_sending_one_sent(run: Run) -> None:
    assert run.checks == {"transfer": ""}
    received = re.findall(r"(\d+) Bytes", run.report("receiver", "serve.txt"))
    assert [int(n) for n in received] == [BYTES]


def test_the_kernel_shows_what_the_driver_shows(run: Run) -> None:
    for when in ("before", "after"):
        driver, kernel = counted(run.text(f"ethtool-{when}")), net_dev(run.text(f"net-dev-{when}"))
        for name in ("rx_packets", "tx_packets", "rx_bytes", "tx_bytes"):
            assert driver[name] == kernel[name] > 0


def test_the_driver_counts_what_the_cable_carried(run: Run) -> None:
    grew = grown(run, "ethtool")
    for side, direction in (("tx", "a_to_b"), ("rx", "b_to_a")):
        frames = run.sim.counter(f"cable.{direction}.frames")
        octets = run.sim.counter(f"cable.{direction}.bytes")
        assert (grew[f"{side}_packets"], grew[f"{side}_bytes"]) == (frames, octets)


def captured(run: Run, where: str, *fields: str) -> list[list[str]]:
    """Return fields of the frames that were captured in the window."""
    window = run.sim.window
    begin, end = (f"{ps / 1e12:.9f}" for ps in (window.begin_ps, window.end_ps))
    inside = f"frame.time_epoch >= {begin} && frame.time_epoch <= {end}"
    return wire.rows(run.folder / "cable.pcapng", f"{inside} && ({where})", *fields)


def test_the_cable_carried_what_tshark_sees(run: Run) -> None:
    sizes = [int(size) for (size,) in captured(run, "frame", "frame.len")]
    ways = ("a_to_b", "b_to_a")
    frames, octets, wire_octets = (
        sum(run.sim.counter(f"cable.{way}.{what}") for way in ways)
        for what in ("frames", "bytes", "wire_bytes")
    )
    assert (len(sizes), sum(sizes)) == (frames, octets)
    assert wire_octets == octets + (8 + 12) * frames  # preamble and gap


def test_the_cable_carried_the_users_bytes_once(run: Run) -> None:
    """A byte that was sent twice would be there twice: the receiver's window is small enough."""
    data = captured(run, "tcp.dstport == 5001 && tcp.len > 0", "tcp.len", "tcp.seq")
    assert len({seq for _, seq in data}) == len(data)
    assert sum(int(size) for size, _ in data) == BYTES


def test_both_adapters_counted_the_same_cable(run: Run) -> None:
    """In the window: who starts first may send before the other one's receiver is switched on."""
    count = run.sim.counter
    for here, there, way in (("sender", "receiver", "a_to_b"), ("receiver", "sender", "b_to_a")):
        frames = count(f"cable.{way}.frames")
        assert count(f"{here}.eth0.mac.tx_frames") == frames
        assert count(f"{there}.eth0.mac.rx_frames") == frames
        assert count(f"{here}.eth0.mac.tx_octets") == count(f"{there}.eth0.mac.rx_octets")
