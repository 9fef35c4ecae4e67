# SPDX-License-Identifier: Apache-2.0
"""`ethtool -t`: what the drivers test of their adapters, on every board and port."""

import dataclasses
import re

import pytest
from longhaul import types
from longhaul.topology import Scenario
from rig.scenarios import Run, command, counted, host, pair, script, simulate

E1000_TESTS = ("Register", "Eeprom", "Interrupt", "Loopback", "Link")
KINDS = ("offline", "online")


def ports(board: str) -> tuple[str, ...]:
    """Return the interfaces of a board: an 82546 has two ports."""
    return ("eth0", "eth1") if board.startswith("82546") else ("eth0",)


@pytest.fixture(scope="module", params=types.choices("adapter", "e1000", "board"))
def board(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def run(board: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario = Scenario("self-test")
    phy = "1000base-t" if board.endswith("copper") else "1000base-x"
    ends = []
    for name in ("sender", "receiver"):
        machine = host(name, adapter="e1000", board=board)
        second = dataclasses.replace(machine.nics[0], name="eth1", function=1)
        if len(ports(board)) == 2:
            machine = dataclasses.replace(machine, nics=(*machine.nics, second))
        ends.append(scenario.add(machine))
    sender, receiver = ends
    for port in ports(board):
        name = f"cable{port[-1]}"
        scenario.link(sender.port(port), receiver.port(port), name=name, phy=phy)
    out = tmp_path_factory.mktemp("self-test") / "out"
    text, serve = (
        script("self_test.sh", END=end, PORTS=" ".join(ports(board)), KINDS=" ".join(KINDS))
        for end in ("1", "2")
    )
    return simulate(scenario, command(sender, receiver, text, serve), out)


@pytest.mark.parametrize("kind", KINDS)
def test_every_test_of_the_driver_passes(run: Run, board: str, kind: str) -> None:
    for port in ports(board):
        said = run.text(f"{kind}-{port}")
        assert said.startswith("The test result is PASS\n"), said
        results = re.findall(r"^(\w+) test +\((?:on/)?offline\)\t *(\d+)$", said, re.M)
        assert results == [(name, "0") for name in E1000_TESTS], said


def test_traffic_flows_before_and_after(run: Run, board: str) -> None:
    steps = ("before", *(f"after-{kind}" for kind in KINDS))
    wanted = [f"{step}-{port}" for port in ports(board) for step in steps]
    assert run.checks == dict.fromkeys([*wanted, "quiet"], "")


def test_nothing_was_damaged_and_no_kernel_complains(run: Run, board: str) -> None:
    for port in ports(board):
        statistics = counted(run.text(f"statistics-{port}"))
        for name in ("tx_errors", "rx_errors", "rx_crc_errors", "tx_timeout_count"):
            assert statistics[name] == 0, name
    assert run.complaints() == []


@pytest.mark.parametrize("adapter", ["ixgb", "genesis"])
def test_a_driver_without_tests_says_so(
    adapter: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Neither ixgb_ethtool_ops nor skge_ethtool_ops of Linux 6.1 has a self_test."""
    scenario, sender, receiver = pair("self-test", adapter=adapter)
    text = script("self_test.sh", END="1", PORTS="eth0", KINDS="offline")
    out = tmp_path_factory.mktemp("self-test") / "out"
    none = simulate(scenario, command(sender, receiver, text, "iperf -s"), out)
    assert "Operation not supported" in none.text("offline-eth0")
    assert none.checks == dict.fromkeys(["before-eth0", "after-offline-eth0", "quiet"], "")
