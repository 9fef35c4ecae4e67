# SPDX-License-Identifier: Apache-2.0
"""TCP by the chip of a T110: our own driver with t110.offload=2, unmodified programs."""

from pathlib import Path

import pytest
from rig import wire
from rig.scenarios import (
    SERVE_TRAFFIC,
    TRAFFIC,
    Run,
    command,
    counted,
    pair,
    script,
    simulate,
)

SERVE = "iperf3 -s & iperf -s -p 5003 & nc -ll -p 7001 -e sha256sum & exec iperf -s"
CHECKS = (
    *("ping", "to-peer", "from-peer", "both-ways", "streams", "small-window", "small-writes"),
    *("iperf3", "file", "refused", "short-connections", "none-left", "traffic", "by-chip"),
    *("down", "told-of-down", "up", "after-down", "traffic-again", "unbind", "told-of-unbind"),
    *("bind", "after-bind", "none-left-at-the-end", "quiet"),
)


def run(text: str, serve: str, out: Path, mtu: int) -> Run:
    scenario, sender, receiver = pair(
        "offload",
        adapter="n110",
        params={"board": "t110"},
        kernel_args=("t110.offload=2",),
        mtu=mtu,
    )
    return simulate(scenario, command(sender, receiver, text, serve), out, pcap=True)


@pytest.fixture(scope="module", params=[1500, 9000])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Both ends in chips."""
    out = tmp_path_factory.mktemp("both") / "out"
    return run(script("t110_offload.sh"), SERVE, out, request.param)


@pytest.mark.parametrize("name", CHECKS)
def test_programs_run_over_it(both: Run, name: str) -> None:
    assert both.checks[name] == ""


def test_the_script_checks_nothing_else(both: Run) -> None:
    assert set(both.checks) == set(CHECKS)


def test_ss_shows_the_sockets(both: Run) -> None:
    assert "tcp-ulp-toe" in both.text("sockets")


def test_every_checksum_on_the_wire_is_right(both: Run) -> None:
    assert wire.wrong(both.folder / "cable.pcapng") == []


def test_the_chip_has_no_error(both: Run) -> None:
    statistics = counted(both.text("statistics"))
    for name in ("sge_errors", "pci_errors", "resets", "mac_rx_fcs_errors"):
        assert statistics[name] == 0
    assert both.complaints() == []


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The chip opens; the peer's servers are sockets of IPv6, which are Linux' own."""
    out = tmp_path_factory.mktemp("mixed") / "out"
    return run(script("traffic.sh"), SERVE_TRAFFIC, out, 1500)


@pytest.mark.parametrize("kind", TRAFFIC)
def test_it_talks_to_linux(mixed: Run, kind: str) -> None:
    assert mixed.checks[kind] == ""
