# SPDX-License-Identifier: Apache-2.0
"""Every board of e1000: `ethtool -t` on each port; an 82546 is one device of two functions.

Drivers without tests say so in test_probe.py and test_genesis.py.
"""

import dataclasses
import re

import pytest
from longhaul import types
from longhaul.topology import Scenario
from rig.depth import depth
from rig.scenarios import Run, command, counted, host, script, simulate

E1000_TESTS = ("Register", "Eeprom", "Interrupt", "Loopback", "Link")
KINDS = ("offline", "online")
# Each chip, and each pair of chip's stepping, number of ports and medium. `./longhaul test
# --deep` has all boards; those of copper take seconds for each negotiation.
SOME = ("82545em-fiber", "82546eb-copper", "82545gm-copper", "82546gb-fiber")
BOARDS = depth(SOME, types.choices("adapter", "e1000", "board"))


def ports(board: str) -> tuple[str, ...]:
    """Return the interfaces of a board: an 82546 has two ports."""
    return ("eth0", "eth1") if board.startswith("82546") else ("eth0",)


@pytest.fixture(scope="module", params=BOARDS)
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
    wanted += ["both"] if len(ports(board)) == 2 else []
    assert run.checks == dict.fromkeys([*wanted, "quiet"], "")


def test_nothing_was_damaged_and_no_kernel_complains(run: Run, board: str) -> None:
    for port in ports(board):
        statistics = counted(run.text(f"statistics-{port}"))
        for name in ("tx_errors", "rx_errors", "rx_crc_errors", "tx_timeout_count"):
            assert statistics[name] == 0, name
    assert run.complaints() == []


def test_the_kernel_finds_a_function_of_one_device_for_each_port(run: Run, board: str) -> None:
    pci, count = run.text("pci"), len(ports(board))
    assert re.findall(r"^(\S+) 0200: 8086", pci, re.M) == ["00:01.0", "00:01.1"][:count]
    assert re.findall(r"Interrupt: pin (\w)", pci) == ["A", "B"][:count]


def test_lan_b_has_the_boards_address_with_its_last_bit_inverted(run: Run, board: str) -> None:
    found = [run.text(f"address-{port}").strip() for port in ports(board)]
    both = ["00:04:23:01:00:02", "00:04:23:01:00:03"]
    assert found == (both if len(ports(board)) == 2 else ["00:04:23:00:00:01"])


def test_each_port_has_its_interrupt_and_its_frames(run: Run, board: str) -> None:
    rows = [r for r in run.text("interrupts").splitlines() if "eth" in r]
    assert len(rows) == len(ports(board))
    assert all(int(re.findall(r"\d+", row)[1]) > 10 for row in rows)
    for port in (name[-1] for name in ports(board)):
        assert run.sim.counter(f"cable{port}.a_to_b.frames") > 100
        assert run.until_end(f"sender.eth{port}.resets") >= 2
