# SPDX-License-Identifier: Apache-2.0
"""Both ports of an 82546 under the unmodified e1000 driver: one device of two functions."""

import dataclasses
import re

import pytest
from longhaul.topology import Scenario
from rig.scenarios import Run, command, host, script, simulate


@pytest.fixture(scope="module", params=["82546eb-fiber", "82546gb-fiber"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario = Scenario("dual")
    ends = []
    for name in ("sender", "receiver"):
        machine = host(name, adapter="e1000", board=request.param)
        second = dataclasses.replace(machine.nics[0], name="eth1", function=1)
        machine = dataclasses.replace(machine, nics=(*machine.nics, second))
        ends.append(scenario.add(machine))
    sender, receiver = ends
    for port in ("eth0", "eth1"):
        scenario.link(
            sender.port(port), receiver.port(port), name=f"cable{port[-1]}", phy="1000base-x"
        )
    out = tmp_path_factory.mktemp("dual") / "out"
    text, serve = (script("dual_port.sh", END=end) for end in ("1", "2"))
    return simulate(scenario, command(sender, receiver, text, serve), out)


def test_the_kernel_finds_two_functions_of_one_device(run: Run) -> None:
    pci = run.text("pci")
    assert re.findall(r"^(\S+) 0200: 8086", pci, re.M) == ["00:01.0", "00:01.1"]
    assert re.findall(r"Interrupt: pin (\w)", pci) == ["A", "B"]


def test_lan_b_has_the_boards_address_with_its_last_bit_inverted(run: Run) -> None:
    assert run.text("addresses").split() == ["00:04:23:01:00:02", "00:04:23:01:00:03"]


@pytest.mark.parametrize("name", ["first-ping", "second-ping", "both", "quiet"])
def test_traffic_works(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_each_port_has_its_interrupt_and_its_frames(run: Run) -> None:
    rows = [r for r in run.text("interrupts").splitlines() if "eth" in r]
    assert len(rows) == 2
    assert all(int(re.findall(r"\d+", row)[1]) > 10 for row in rows)
    assert run.sim.counter("cable0.a_to_b.frames") > 100
    assert run.sim.counter("cable1.a_to_b.frames") > 100
    assert run.until_end("sender.eth0.resets") >= 2
    assert run.until_end("sender.eth1.resets") >= 2


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []
