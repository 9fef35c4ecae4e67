# SPDX-License-Identifier: Apache-2.0
"""Our own driver t110 (sw/drivers/toe) on a T110 with fibre, which no driver of Linux takes."""

import re

import pytest
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

BOARD = {"board": "t110"}
CASTS = ("unicast", "multicast", "broadcast")
CHECKS = (
    *("vpd", "largest-mtu", "too-large-mtu", "rings", "hold-off", "pause-off", "pause-on"),
    *("another-address", "own-address", "second-address", "tagged"),
    *("traffic", "down-and-up", "down-and-up-again", "rings-under-load", "mtu-under-load"),
    *("reset-under-load", "quiet-before", "unbind-under-load", "after-unbind", "traffic-after"),
    "quiet",
)


@pytest.fixture(scope="module", params=["MSI", "INTx"])
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def probe(mode: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    arguments = ("t110.disable_msi=1",) if mode == "INTx" else ()
    scenario, sender, receiver = pair("probe", adapter="n110", params=BOARD, kernel_args=arguments)
    out = tmp_path_factory.mktemp("probe") / "out"
    return simulate(scenario, command(sender, receiver, script("probe.sh"), "iperf -s"), out)


def test_the_driver_takes_the_adapter_and_the_link_comes_up(probe: Run, mode: str) -> None:
    dmesg = probe.text("dmesg")
    way = "MSI" if mode == "MSI" else "INTA#"
    assert f"Chelsio T110, PCI-X 133 MHz, 64 bits, {way}, 00:07:43:00:00:01\n" in dmesg
    assert "eth0: link up, 10 Gb/s, full duplex, PAUSE both\n" in dmesg
    assert probe.text("address") == "00:07:43:00:00:01\n"
    assert "driver: t110\n" in probe.text("driver")
    assert re.search(r"0200: 1425:0006\b", probe.text("pci"))
    assert "Speed: 10000Mb/s\n" in probe.text("link")


def test_every_interrupt_is_taken_once(probe: Run, mode: str) -> None:
    """INTA# too: the handler waits until its acknowledge has arrived."""
    assert probe.sim.counter("sender.eth0.interrupts") > 100
    probe.check_interrupts(mode if mode == "MSI" else "INTx")


@pytest.mark.parametrize("name", ["ping4", "ping6", "largest-ping", "iperf4", "quiet"])
def test_first_traffic_works(probe: Run, name: str) -> None:
    assert probe.checks[name] == ""


def test_no_kernel_complains(probe: Run) -> None:
    assert probe.complaints() == []


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All traffic in the largest frames, and what every adapter has to do."""
    out = tmp_path_factory.mktemp("every") / "out"
    return every_adapter("n110", out, all_traffic=True, params=BOARD)


def test_it_does_what_every_adapter_does(every: Run) -> None:
    assert "driver: t110\n" in every.text("driver")
    check_every_adapter(every, all_traffic=True, waits_for_light=False)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair("board", adapter="n110", params=BOARD)
    out = tmp_path_factory.mktemp("board") / "out"
    return simulate(scenario, command(sender, receiver, script("t110.sh"), SERVE_TRAFFIC), out)


@pytest.mark.parametrize("name", CHECKS)
def test_what_the_driver_has_works(board: Run, name: str) -> None:
    assert board.checks[name] == ""


def test_the_script_checks_nothing_else(board: Run) -> None:
    assert set(board.checks) == set(CHECKS)


def test_the_hold_off_is_in_the_round_trip(board: Run) -> None:
    short, long = (float(board.text(f"time-{us}")) for us in (0, 500))
    assert short + 0.1 < long


@pytest.fixture(scope="module", params=[1500, "largest"])
def traffic(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    if request.param == "largest":
        return request.getfixturevalue("every")
    scenario, sender, receiver = pair("traffic", adapter="n110", params=BOARD, mtu=request.param)
    out = tmp_path_factory.mktemp("traffic") / "out"
    return simulate(scenario, command(sender, receiver, script("traffic.sh"), SERVE_TRAFFIC), out)


@pytest.mark.parametrize("kind", TRAFFIC)
def test_traffic_passes(traffic: Run, kind: str) -> None:
    assert traffic.checks[kind] == ""


def test_nothing_is_damaged_or_lost(traffic: Run) -> None:
    statistics = counted(traffic.text("ethtool-S"))
    for name in ("mac_rx_fcs_errors", "mac_rx_lost", "mac_tx_lost", "sge_errors", "pci_errors"):
        assert statistics[name] == 0
    assert traffic.complaints() == []
    assert traffic.until_end("cable.a_to_b.lost") == traffic.until_end("cable.b_to_a.lost") == 0
    for end in ("sender", "receiver"):
        for name in ("tx.too_big", "tx.mismatched", "tx.discarded", "rx.too_big", "rx.discarded"):
            assert traffic.until_end(f"{end}.eth0.{name}") == 0, name


@pytest.fixture(scope="module")
def counters(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return transfer(tmp_path_factory.mktemp("counters") / "out", adapter="n110", params=BOARD)


def test_the_driver_counts_what_the_cable_carried(counters: Run) -> None:
    ethtool, kernel = grown(counters, "ethtool"), grown(counters, "net-dev")
    for side, direction in (("tx", "a_to_b"), ("rx", "b_to_a")):
        frames = counters.sim.counter(f"cable.{direction}.frames")
        pauses = ethtool[f"mac_{side}_pause"]
        assert sum(ethtool[f"mac_{side}_{cast}"] for cast in CASTS) + pauses == frames
        octets = counters.sim.counter(f"cable.{direction}.bytes")
        assert ethtool[f"mac_{side}_octets_ok"] + 64 * pauses == octets
        assert kernel[f"{side}_packets"] == frames - pauses


def test_checksums_are_the_adapters(counters: Run) -> None:
    ethtool = grown(counters, "ethtool")
    assert ethtool["tx_csum"] >= BYTES // 1448
    assert ethtool["rx_csum_good"] == counters.sim.counter("sender.eth0.rx.frames")
