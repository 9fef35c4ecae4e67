# SPDX-License-Identifier: Apache-2.0
"""The unmodified cxgb driver on a Chelsio N110 and T110: probe, interrupts, traffic, counters."""

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

CASTS = ("Unicast", "Multicast", "Broadcast")
CHECKS = [
    *("vpd", "rings-are-fixed", "default-hold-off", "pings", "hold-off-0", "hold-off-500"),
    *("hold-off-back", "pings-after", "traffic", "hold-off-under-load", "registers-under-load"),
    *("down-and-up", "statistics-after", "quiet"),
]


@pytest.fixture(scope="module", params=["MSI", "INTx"])
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def probe(mode: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    arguments = ("cxgb.disable_msi=1",) if mode == "INTx" else ()
    scenario, sender, receiver = pair("probe", adapter="n110", kernel_args=arguments)
    out = tmp_path_factory.mktemp("probe") / "out"
    return simulate(scenario, command(sender, receiver, script("probe.sh"), "iperf -s"), out)


def test_the_driver_takes_the_adapter_and_the_link_comes_up(probe: Run) -> None:
    dmesg = probe.text("dmesg")
    assert "cxgb: eth0: Chelsio N110 1x10GBaseX NIC (rev 1), PCIX 133MHz/64-bit\n" in dmesg
    assert "eth0: link up, 10Gbps, full-duplex\n" in dmesg
    assert probe.text("address") == "00:07:43:00:00:01\n"
    assert "driver: cxgb\n" in probe.text("driver")


def test_it_has_its_capabilities(probe: Run) -> None:
    pci = probe.text("pci")
    assert re.search(r"0200: 1425:0007\b", pci)
    for name in ("Power Management", "Vital Product Data", "MSI", "PCI-X non-bridge device"):
        assert name in pci


def test_every_interrupt_is_taken(probe: Run, mode: str) -> None:
    """Each message once. INTA# often twice: cxgb does not wait for its acknowledge to arrive."""
    assert probe.sim.counter("sender.eth0.interrupts") > 100
    if mode == "MSI":
        probe.check_interrupts("MSI")
    else:
        raised = probe.until_end("sender.eth0.interrupts")
        row = next(x for x in probe.text("interrupts-after").splitlines() if "eth0" in x)
        assert "INTx" in row
        assert int(re.findall(r"\d+", row)[1]) >= raised


@pytest.mark.parametrize("name", ["ping4", "ping6", "largest-ping", "iperf4", "quiet"])
def test_first_traffic_works(probe: Run, name: str) -> None:
    assert probe.checks[name] == ""


def test_no_kernel_complains(probe: Run) -> None:
    assert probe.complaints() == []


@pytest.fixture(scope="module", params=["n110", "t110-cx4"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def board(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair("board", adapter="n110", params={"board": kind})
    out = tmp_path_factory.mktemp("board") / "out"
    return simulate(scenario, command(sender, receiver, script("n110.sh"), "iperf -s"), out)


def test_the_driver_finds_the_board_and_its_link(board: Run, kind: str) -> None:
    title = {"n110": "N110 1x10GBaseX NIC", "t110-cx4": "T110 1x10GBase-CX4 TOE"}[kind]
    dmesg = board.text("dmesg")
    assert f"cxgb: eth0: Chelsio {title} (rev 1), PCIX 133MHz/64-bit\n" in dmesg
    assert "eth0: link up, 10Gbps, full-duplex\n" in dmesg


@pytest.mark.parametrize("name", CHECKS)
def test_what_cxgb_has_works(board: Run, name: str) -> None:
    assert board.checks[name] == ""


def test_there_is_no_segmentation_and_no_tag_insertion(board: Run) -> None:
    """Linux offers them unless the chip is a T1B."""
    features = board.text("features")
    assert "tcp-segmentation-offload: off\n" in features
    assert "tx-vlan-offload: off [fixed]\n" in features
    assert "rx-checksumming: on\n" in features
    assert "scatter-gather: on\n" in features


def test_the_queues_have_the_drivers_sizes(board: Run) -> None:
    current = board.text("rings").split("Current hardware settings:")[1]
    assert re.search(r"RX:\s+4096\n", current)
    assert re.search(r"RX Jumbo:\s+512\n", current)
    assert re.search(r"TX:\s+1024\n", current)


def test_the_hold_off_is_in_the_round_trip(board: Run) -> None:
    """A ping every 2 ms waits for no hold-off below; one of 500 us ends before the next, too."""
    without, default, long = (float(board.text(f"time-{us}")) for us in (0, 50, 500))
    assert without < default + 0.005
    assert default < long + 0.005


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All traffic in the largest frames, and what every adapter has to do."""
    return every_adapter("n110", tmp_path_factory.mktemp("every") / "out", all_traffic=True)


def test_it_does_what_every_adapter_does(every: Run) -> None:
    assert "driver: cxgb\n" in every.text("driver")
    check_every_adapter(every, all_traffic=True, waits_for_light=False)


@pytest.fixture(scope="module", params=[1500, "largest"])
def traffic(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    if request.param == "largest":
        return request.getfixturevalue("every")
    scenario, sender, receiver = pair("traffic", adapter="n110", mtu=request.param)
    out = tmp_path_factory.mktemp("traffic") / "out"
    return simulate(scenario, command(sender, receiver, script("traffic.sh"), SERVE_TRAFFIC), out)


@pytest.mark.parametrize("kind", TRAFFIC)
def test_traffic_passes(traffic: Run, kind: str) -> None:
    assert traffic.checks[kind] == ""


def test_nothing_is_damaged_on_a_cable(traffic: Run, request: pytest.FixtureRequest) -> None:
    statistics = counted(traffic.text("ethtool-S"))
    for name in ("TxUnderrun", "TxLengthErrors", "RxFCSErrors", "RxRuntErrors", "RxJabberErrors"):
        assert statistics[name] == 0
    assert traffic.complaints() == []
    assert traffic.until_end("cable.a_to_b.lost") == 0
    if request.node.callspec.params["traffic"] == 1500:  # the other run resets the sender, too
        assert traffic.until_end("cable.b_to_a.lost") == 0


def test_no_packet_meets_an_error_of_the_sge(traffic: Run) -> None:
    for end in ("sender", "receiver"):
        for name in ("tx.too_big", "tx.mismatched", "tx.discarded", "rx.too_big", "rx.discarded"):
            assert traffic.until_end(f"{end}.eth0.{name}") == 0, name


@pytest.fixture(scope="module")
def counters(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A stream of standard frames, with all counters before and after it."""
    out = tmp_path_factory.mktemp("counters") / "out"
    return transfer(out, adapter="n110", params={"board": kind})


def test_the_driver_counts_what_the_cable_carried(counters: Run) -> None:
    ethtool, kernel = grown(counters, "ethtool"), grown(counters, "net-dev")
    for side, direction in (("Tx", "a_to_b"), ("Rx", "b_to_a")):
        frames = counters.sim.counter(f"cable.{direction}.frames")
        pauses = ethtool[f"{side}PauseFrames"]
        assert sum(ethtool[f"{side}{cast}FramesOK"] for cast in CASTS) + pauses == frames
        octets = counters.sim.counter(f"cable.{direction}.bytes")
        assert ethtool[f"{side}OctetsOK"] + 64 * pauses == octets
        assert kernel[f"{side.lower()}_packets"] == frames - pauses


def test_checksums_are_the_adapters(counters: Run) -> None:
    ethtool = grown(counters, "ethtool")
    assert ethtool["TxCsumOffload"] >= BYTES // 1448
    assert ethtool["RxCsumGood"] == counters.sim.counter("sender.eth0.rx.frames")


def test_the_drivers_counts_of_responses_are_the_models(counters: Run) -> None:
    assert grown(counters, "ethtool")["pure_rsps"] == counters.sim.counter(
        "sender.eth0.responses.pure"
    )
