# SPDX-License-Identifier: Apache-2.0
"""The unmodified skge driver on a SysKonnect SK-9843: probe, traffic, counters."""

import re

import pytest
from rig import wire
from rig.counters import BYTES, grown, transfer
from rig.scenarios import (
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

CASTS = ("unicast", "multicast", "broadcast")


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair("probe", adapter="genesis")
    out = tmp_path_factory.mktemp("probe") / "out"
    text = script("probe.sh", SELF_TEST="1")
    return simulate(scenario, command(sender, receiver, text, "iperf -s"), out)


def test_the_driver_takes_the_adapter_and_the_link_comes_up(probe: Run) -> None:
    dmesg = probe.text("dmesg")
    assert re.search(r"skge: .* chip Genesis rev 0\n", dmesg)
    assert "skge 0000:00:01.0 eth0: addr 00:00:5a:98:00:04\n" in dmesg
    assert "eth0: Link is up at 1000 Mbps, full duplex, flow control both\n" in dmesg
    assert probe.text("address") == "00:00:5a:98:00:04\n"
    assert "driver: skge\n" in probe.text("driver")


def test_the_driver_sees_the_medium(probe: Run) -> None:
    link = probe.text("link")
    assert "Port: FIBRE\n" in link
    assert "Speed: 1000Mb/s\n" in link
    assert "Link detected: yes\n" in link


def test_it_is_a_conventional_device_with_its_capabilities(probe: Run) -> None:
    pci = probe.text("pci")
    assert re.search(r"0200: 1148:4300\b", pci)
    assert "Interrupt: pin A" in pci
    assert "PCI-X" not in pci
    assert "MSI" not in pci
    assert "Power Management version" in pci
    assert "Vital Product Data" in pci


def test_reading_all_registers_harms_nothing(probe: Run) -> None:
    """`ethtool -d` reads them byte by byte, those that clear on reading and mask interrupts too."""
    assert "Offset" in probe.text("registers") or "0x" in probe.text("registers")
    assert probe.checks["ping4"] == ""


def test_a_driver_without_tests_says_so(probe: Run) -> None:
    """skge_ethtool_ops of Linux 6.1 has no self_test. Traffic comes after it."""
    assert "Operation not supported" in probe.text("self-test")


def test_every_interrupt_is_taken_once(probe: Run) -> None:
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
    return every_adapter("genesis", tmp_path_factory.mktemp("every") / "out", all_traffic=True)


def test_it_does_what_every_adapter_does(every: Run) -> None:
    assert "driver: skge\n" in every.text("driver")
    check_every_adapter(every, all_traffic=True)


@pytest.fixture(scope="module", params=[1500, "largest"])
def traffic(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    if request.param == "largest":
        return request.getfixturevalue("every")
    scenario, sender, receiver = pair("traffic", adapter="genesis", mtu=request.param)
    out = tmp_path_factory.mktemp("traffic") / "out"
    return simulate(scenario, command(sender, receiver, script("traffic.sh"), SERVE_TRAFFIC), out)


@pytest.mark.parametrize("kind", TRAFFIC)
def test_traffic_passes(traffic: Run, kind: str) -> None:
    assert traffic.checks[kind] == ""


def test_nothing_is_damaged_on_a_cable(traffic: Run) -> None:
    statistics = counted(traffic.text("ethtool-S"))
    for name in ("fifo_underrun", "rx_jabber", "rx_runt", "rx_too_long", "rx_fcs_error"):
        assert statistics[name] == 0
    assert traffic.complaints() == []
    assert traffic.until_end("cable.a_to_b.lost") == traffic.until_end("cable.b_to_a.lost") == 0


@pytest.fixture(scope="module")
def counters(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return transfer(tmp_path_factory.mktemp("counters") / "out", adapter="genesis")


def test_the_driver_counts_what_the_cable_carried(counters: Run) -> None:
    ethtool, kernel = grown(counters, "ethtool"), grown(counters, "net-dev")
    for side, direction in (("tx", "a_to_b"), ("rx", "b_to_a")):
        frames = counters.sim.counter(f"cable.{direction}.frames")
        assert sum(ethtool[f"{side}_{cast}"] for cast in CASTS) == frames
        assert ethtool[f"{side}_bytes"] == counters.sim.counter(f"cable.{direction}.bytes")
        assert kernel[f"{side}_packets"] == frames


def test_checksums_on_the_wire_are_right(counters: Run) -> None:
    """The adapter has none of its own: they are the kernel's."""
    assert wire.wrong(counters.folder / "cable.pcapng") == []
    assert wire.verified(counters.folder / "cable.pcapng", "tcp") >= BYTES // 1448
