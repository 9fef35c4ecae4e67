# SPDX-License-Identifier: Apache-2.0
"""Every kind of traffic at every MTU, whole files, and checksums by adapter or software."""

from pathlib import Path

import pytest
from rig import wire
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

WORK_OF_THE_ADAPTER = ("tx_csum_offload_good", "rx_csum_offload_good", "tx_tcp_seg_good")


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All traffic in the largest frames, and what every adapter has to do."""
    return every_adapter("ixgb", tmp_path_factory.mktemp("every") / "out", all_traffic=True)


def test_it_does_what_every_adapter_does(every: Run) -> None:
    assert "driver: ixgb\n" in every.text("driver")
    check_every_adapter(every, all_traffic=True)


@pytest.fixture(scope="module", params=[1500, 9198, "largest"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    if request.param == "largest":
        return request.getfixturevalue("every")
    scenario, sender, receiver = pair("traffic", mtu=request.param)
    out = tmp_path_factory.mktemp("traffic") / "out"
    workload = command(sender, receiver, script("traffic.sh"), SERVE_TRAFFIC)
    return simulate(scenario, workload, out)


@pytest.mark.parametrize("kind", TRAFFIC)
def test_traffic_passes(run: Run, kind: str) -> None:
    assert run.checks[kind] == ""


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []


def test_nothing_is_damaged_or_lost_on_a_cable(run: Run) -> None:
    statistics = counted(run.text("ethtool-S"))
    for name in ("tx_errors", "rx_crc_errors", "rx_csum_offload_errors", "rx_frame_errors"):
        assert statistics[name] == 0
    # A CPU slower than the line may leave the adapter without descriptors; nothing else is lost.
    assert statistics["rx_errors"] == statistics["rx_missed_errors"]
    assert run.until_end("cable.a_to_b.lost") == run.until_end("cable.b_to_a.lost") == 0


@pytest.fixture(scope="module", params=["on", "off"])
def checksums(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A little TCP, UDP and echoes with the adapter's checksums on or off at both ends."""
    state = request.param
    setup = f"ethtool -K eth0 rx on; ethtool -K eth0 rx {state} tx {state} tso {state}"
    text = f"STATE={state}\n" + script("checksums.sh")
    scenario, sender, receiver = pair("checksums", mtu=1500)
    out = tmp_path_factory.mktemp("checksums") / "out"
    workload = command(sender, receiver, text, f"{setup}; {SERVE_TRAFFIC}")
    return simulate(scenario, workload, out, pcap=True)


def test_checksums_on_the_wire_are_right_whoever_computes_them(checksums: Run) -> None:
    capture: Path = checksums.folder / "cable.pcapng"
    assert wire.wrong(capture) == []
    for protocol, least in (("tcp", 500), ("udp", 20), ("ip", 500), ("icmpv6", 4)):
        assert wire.verified(capture, protocol) >= least, protocol


def test_both_ends_did_what_was_chosen(checksums: Run) -> None:
    """Otherwise the test above would compare one path with itself."""
    verdicts = checksums.checks
    assert set(verdicts.values()) == {""}
    before, after = (counted(checksums.text(name)) for name in ("before", "after"))
    grown = {name: after[name] - before[name] for name in WORK_OF_THE_ADAPTER}
    if "STATE=on" in checksums.text("state"):
        assert min(grown.values()) > 0
    else:
        assert grown == dict.fromkeys(WORK_OF_THE_ADAPTER, 0)
