# SPDX-License-Identifier: Apache-2.0
"""Odd frames on a cable between two modelled hosts, as tshark and scapy read them."""

import re
from collections import Counter
from pathlib import Path

import pytest
from longhaul.topology import Box, Iperf, Scenario, System, machines, nics
from longhaul.units import Size, Time, ms
from rig import wire
from rig.scenarios import Run, simulate
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether
from scapy.utils import PcapNgReader

TEXT = re.compile(rb"odd ([0-9a-f]{8}) (take|drop|either) ([a-z_]+);")
INJECTOR = "02:6f:64:64:00:01"
# Frames of a round of each kind (models/wan/frame_injector/README.md).
ROUND = {
    "runt": 59,
    "giant": 11,
    "bad_fcs": 24,
    "late_fragment": 4,
    "vlan_stack": 8,
    "priority_tag": 3,
    "ip_options": 7,
    "bad_ip_length": 6,
    "bad_ip_checksum": 3,
    "length_field": 6,
    "pause": 5,
    "mac_control": 6,
    "foreign": 47,
    "group": 7,
    "odd_source": 3,
    "smallest_burst": 32,
}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """One stream of TCP across a cable that adds one round of all odd frames to the sender."""
    scenario = Scenario("odd")
    system = System(profile="linux-2.6.6")
    left, right = (
        scenario.add(machines.xeon_533(name, nic=nics.e1000(), system=system))
        for name in ("left", "right")
    )
    params = {"gap": "20us", "rounds": 1}
    box = scenario.add(Box(name="box", type="frame_injector", one_way_delay=Time(0), params=params))
    scenario.link(left.port("eth0"), box.port("west"), name="west", phy="1000base-x")
    scenario.link(box.port("east"), right.port("eth0"), name="east", phy="1000base-x")
    traffic = Iperf(sender=left, receiver=right, duration=ms(20), warmup=ms(1), window=Size(65536))
    out = tmp_path_factory.mktemp("odd") / "o"
    return simulate(scenario, traffic, out, pcap=True)


@pytest.fixture(scope="module")
def capture(odd: Run) -> Path:
    return odd.folder / "west.pcapng"


def test_a_round_is_on_the_wire_and_in_the_counters(odd: Run, capture: Path) -> None:
    seen = Counter(
        text[3].decode()
        for packet in PcapNgReader(str(capture))
        if (text := TEXT.search(bytes(packet)))
    )
    short = {"runt"}  # most of these have no room for the text
    for kind, count in ROUND.items():
        assert odd.until_end(f"box.east_to_west.injected_{kind}") == count
        if kind not in short:
            assert seen[kind] == count, kind


def test_the_traffic_goes_on(odd: Run) -> None:
    assert odd.until_end("box.east_to_west.lost") == 0
    assert odd.until_end("box.west_to_east.lost") == 0
    assert odd.until_end("box.west_to_east.passed") > 500


def test_tshark_finds_the_damage_that_was_meant(capture: Path) -> None:
    bad = wire.count(capture, f"eth.fcs.status == {wire.BAD}")
    assert bad == ROUND["bad_fcs"] + ROUND["late_fragment"]
    stacks = wire.rows(capture, "eth.type == 0x8100 || eth.type == 0x88a8", "vlan.id")
    assert len(stacks) == ROUND["vlan_stack"] + ROUND["priority_tag"]
    pauses = wire.rows(capture, "macc.opcode == 1", "macc.pause_time")
    assert [int(quanta) for (quanta,) in pauses] == [1, 16, 0, 65535, 0]
    lengths = [int(size) for (size,) in wire.rows(capture, "frame", "frame.len")]
    assert set(range(5, 64)) <= set(lengths)
    assert max(lengths) == 16388


def test_scapy_reads_the_packets_as_they_were_meant(capture: Path) -> None:
    packets: dict[str, list[IP]] = {}
    for packet in PcapNgReader(str(capture)):
        text = TEXT.search(bytes(packet))
        if text and packet.haslayer(IP) and packet[Ether].src == INJECTOR:
            packets.setdefault(text[3].decode(), []).append(packet[IP])
    assert len(packets["ip_options"]) == ROUND["ip_options"]
    for ip in packets["ip_options"]:
        assert ip.ihl > 5
        assert right_sum(ip) == ip.chksum
    assert max(ip.ihl for ip in packets["ip_options"]) == 15
    assert [ip.len for ip in packets["bad_ip_length"]] == [61, 64, 1500, 65535, 19, 0]
    assert all(right_sum(ip) == ip.chksum for ip in packets["bad_ip_length"])
    assert len(packets["bad_ip_checksum"]) == ROUND["bad_ip_checksum"]
    assert all(right_sum(ip) != ip.chksum for ip in packets["bad_ip_checksum"])


def right_sum(ip: IP) -> int:
    """Return the checksum that scapy gives this header."""
    again = ip.copy()
    del again.chksum
    return IP(bytes(again)).chksum


def test_the_adapter_refuses_what_is_no_frame(odd: Run) -> None:
    mac = "left.eth0.mac"
    # Of frames with a wrong FCS, those below 64 octets are runts to it.
    assert odd.until_end(f"{mac}.rx_runts") == ROUND["runt"] + 3
    assert odd.until_end(f"{mac}.rx_bad_fcs") == ROUND["bad_fcs"] + ROUND["late_fragment"] - 3
    # It takes 16,384 octets, and the driver has no smaller limit.
    assert odd.until_end(f"{mac}.rx_oversize") == 1
