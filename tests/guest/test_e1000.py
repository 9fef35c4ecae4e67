# SPDX-License-Identifier: Apache-2.0
"""The unmodified e1000 driver on 82545 and 82546 boards: probe, traffic, counters."""

import re

import pytest
from rig import wire
from rig.counters import BYTES, grown, transfer
from rig.scenarios import (
    PCI_66,
    SERVE_TRAFFIC,
    TRAFFIC,
    Run,
    check_every_adapter,
    command,
    counted,
    every_adapter,
    pair,
    script,
    simulate,
)

FCS = 4
# A payload of 1448 bytes takes 1538 bytes of the line: headers, FCS, preamble, gap (RFC 7323's
# option is on).
FULL_LINE_MBPS = 1000 * 1448 / 1538

BOARDS = {
    "em-fiber": {"board": "82545em-fiber", "phy": "1000base-x"},
    "eb-copper": {"board": "82546eb-copper", "phy": "1000base-t"},
    "gm-copper": {"board": "82545gm-copper", "phy": "1000base-t"},
    "gb-fiber": {"board": "82546gb-fiber", "phy": "1000base-x"},
    "pci-66": {
        "board": "82545em-fiber",
        "phy": "1000base-x",
        "params": {"bus": "pci-66"},
        "bus": PCI_66,
    },
}


# PCI device ids (Linux e1000_hw.h), and whether the driver resets the part through its I/O ports.
DEVICES = {
    "em-fiber": (0x1011, True),
    "eb-copper": (0x1010, True),
    "gm-copper": (0x1026, False),
    "gb-fiber": (0x107A, False),
    "pci-66": (0x1011, True),
}


@pytest.fixture(scope="module", params=list(BOARDS))
def board(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def probe(board: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair("probe", adapter="e1000", **BOARDS[board])
    out = tmp_path_factory.mktemp("probe") / "out"
    return simulate(scenario, command(sender, receiver, script("probe.sh"), "iperf -s"), out)


def test_the_driver_takes_the_adapter_and_the_link_comes_up(probe: Run, board: str) -> None:
    dmesg = probe.text("dmesg")
    bus = "(PCI:66MHz:64-bit)" if board == "pci-66" else "(PCI-X:133MHz:64-bit)"
    address = (
        "00:04:23:01:00:02" if BOARDS[board]["board"].startswith("82546") else "00:04:23:00:00:01"
    )
    assert f"e1000 0000:00:01.0 eth0: {bus} {address}" in dmesg
    assert "eth0 NIC Link is Up 1000 Mbps Full Duplex, Flow Control: RX/TX" in dmesg
    assert "Link detected: yes" in probe.text("link")
    assert "driver: e1000\nversion: 6.1." in probe.text("driver")


def test_the_driver_sees_the_medium(probe: Run, board: str) -> None:
    link, registers = probe.text("link"), probe.text("registers")
    copper = board.endswith("copper")
    assert ("Port: Twisted Pair" in link) == copper
    assert ("Port: FIBRE" in link) == (not copper)
    assert re.search(rf"TBI mode: +{'disabled' if copper else 'enabled'}\n", registers)
    assert re.search(r"Link speed: +1000Mb/s\n", registers)
    if copper:
        assert re.search(r"PHY type: +M88\n", registers)
        assert re.search(r"Link State: +Up\n", registers)


def test_the_eeprom_is_the_adapters(probe: Run, board: str) -> None:
    words = [int(word) for word in probe.text("eeprom-words").split()]
    assert len(words) == 64
    assert sum(words) & 0xFFFF == 0xBABA
    assert words[0xD] == DEVICES[board][0]
    octets = b"".join(word.to_bytes(2, "little") for word in words[:3])
    assert octets.hex(":") == probe.text("address").strip()


def test_the_driver_resets_the_part_in_the_way_that_it_needs(probe: Run, board: str) -> None:
    """First steppings do not acknowledge a reset that comes by memory: e1000_reset_hw()."""
    device, by_ports = DEVICES[board]
    pci = probe.text("pci")
    assert f" 8086:{device:04x} (rev" in pci
    assert ("I/O ports at 1000 [size=8]" in pci) == by_ports
    assert ("Control: I/O+" in pci) == by_ports
    resets = probe.until_end("sender.eth0.resets")
    assert resets >= 2
    # Each is a write of IOADDR and one of IODATA.
    assert probe.until_end("sender.pcix.io_accesses") == (2 * resets if by_ports else 0)


def test_every_interrupt_is_taken_once(probe: Run) -> None:
    """A level still asserted after ICR was read would be taken again, a lost edge not at all."""
    assert probe.sim.counter("sender.eth0.interrupts") > 100
    probe.check_interrupts("INTx")  # never by MSI


@pytest.mark.parametrize("name", ["ping4", "ping6", "largest-ping", "iperf4", "quiet"])
def test_first_traffic_works(probe: Run, name: str) -> None:
    assert probe.checks[name] == ""


def test_no_kernel_complains(probe: Run) -> None:
    assert probe.complaints() == []


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All traffic in the largest frames, and what every adapter has to do."""
    return every_adapter("e1000", tmp_path_factory.mktemp("every") / "out", all_traffic=True)


def test_it_does_what_every_adapter_does(every: Run) -> None:
    assert "driver: e1000\n" in every.text("driver")
    check_every_adapter(every, all_traffic=True)


@pytest.fixture(scope="module", params=[1500, 9000, "largest"])
def traffic(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    if request.param == "largest":
        return request.getfixturevalue("every")
    scenario, sender, receiver = pair("traffic", adapter="e1000", mtu=request.param)
    out = tmp_path_factory.mktemp("traffic") / "out"
    return simulate(scenario, command(sender, receiver, script("traffic.sh"), SERVE_TRAFFIC), out)


@pytest.mark.parametrize("kind", TRAFFIC)
def test_traffic_passes(traffic: Run, kind: str) -> None:
    assert traffic.checks[kind] == ""


def test_nothing_is_damaged_or_lost_on_a_cable(traffic: Run) -> None:
    statistics = counted(traffic.text("ethtool-S"))
    for name in ("tx_errors", "rx_errors", "rx_crc_errors", "rx_csum_offload_errors"):
        assert statistics[name] == 0
    assert statistics["tx_tcp_seg_good"] > 0
    assert statistics["tx_tcp_seg_failed"] == 0
    assert traffic.complaints() == []
    assert traffic.until_end("cable.a_to_b.lost") == traffic.until_end("cable.b_to_a.lost") == 0


@pytest.fixture(scope="module")
def counters(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return transfer(tmp_path_factory.mktemp("counters") / "out", adapter="e1000")


def test_the_driver_counts_what_the_cable_carried(counters: Run) -> None:
    """The adapter's octets include the FCS, which the driver leaves out for the kernel."""
    ethtool, kernel = grown(counters, "ethtool"), grown(counters, "net-dev")
    for side, direction in (("tx", "a_to_b"), ("rx", "b_to_a")):
        frames = counters.sim.counter(f"cable.{direction}.frames")
        octets = counters.sim.counter(f"cable.{direction}.bytes")
        assert (ethtool[f"{side}_packets"], ethtool[f"{side}_bytes"]) == (frames, octets)
        assert kernel[f"{side}_packets"] == frames
        assert kernel["rx_bytes"] == ethtool["rx_bytes"] - FCS * ethtool["rx_packets"]


def test_checksums_on_the_wire_are_right(counters: Run) -> None:
    assert wire.wrong(counters.folder / "cable.pcapng") == []
    assert wire.verified(counters.folder / "cable.pcapng", "tcp") >= BYTES // 1448


@pytest.fixture(scope="module")
def full_rate(tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair("rate", adapter="e1000", mtu=1500)
    text = 'iperf -c "$LH_PEER" -t 0.3 -w 256K'
    out = tmp_path_factory.mktemp("rate") / "out"
    return simulate(scenario, command(sender, receiver, text, "exec iperf -s -w 256K -f k"), out)


def test_one_stream_fills_the_line(full_rate: Run) -> None:
    found = re.findall(r"([\d.]+) Kbits/sec", full_rate.report("receiver", "serve.txt"))
    rate = float(found[-1]) / 1000
    assert 0.985 * FULL_LINE_MBPS <= rate <= FULL_LINE_MBPS
