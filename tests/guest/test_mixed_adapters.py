# SPDX-License-Identifier: Apache-2.0
"""Guests with adapters of several drivers: each has the name, settings and line of its slot."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from longhaul.topology import Machine, Nic, Scenario, Switch, machines, nics
from rig.scenarios import PCI_66, Run, command, script, simulate

SPEEDS = {"ixgb": 10000, "e1000": 1000, "skge": 1000}  # Mb/s
DRIVERS = {"ixgb": "ixgb", "e1000": "e1000", "genesis": "skge"}
CABLES = {"ixgb": "10gbase-r", "e1000": "1000base-x", "genesis": "1000base-x"}


@dataclass(frozen=True)
class Pair:
    """Two alike hosts; the drivers find the adapters of `cards` in another order than the slots."""

    cards: Callable[[], tuple[Nic, ...]]
    measured: str
    switch: bool = False
    bus: dict[str, Any] | None = None


def ixgb_then_e1000() -> tuple[Nic, ...]:
    return (
        nics.ixgb(name="eth0", slot=1, mtu=9000),
        nics.e1000(name="eth1", slot=2, mtu=1500, tso=False, tx_queue_len=300),
    )


def e1000_then_ixgb() -> tuple[Nic, ...]:
    return (
        nics.e1000(name="eth0", slot=1, mtu=1500, rx_ring=512),
        nics.ixgb(name="eth1", slot=2, mtu=9000, tx_ring=512),
    )


def one_of_each() -> tuple[Nic, ...]:
    board = "82546gb-fiber"
    return (
        nics.ixgb(name="eth2", slot=3, mtu=8000),
        nics.genesis(name="eth0", slot=2, mtu=4000, rx_ring=256, tx_ring=64),
        nics.e1000(name="lan-a", slot=1, mtu=1500, board=board, rx_ring=128),
        nics.e1000(name="eth1", slot=1, function=1, mtu=3000, board=board, rx_ring=512),
    )


PAIRS = {
    "ixgb_then_e1000": Pair(ixgb_then_e1000, "eth1"),
    "e1000_then_ixgb": Pair(e1000_then_ixgb, "eth0", switch=True),
    "one_of_each": Pair(one_of_each, "eth0", bus=PCI_66),
}


@dataclass(frozen=True)
class Finished:
    pair: Pair
    sender: Machine
    run: Run


@pytest.fixture(scope="module", params=list(PAIRS))
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    pair = PAIRS[request.param]
    scenario = Scenario(request.param)
    sender, receiver = (
        scenario.add(machines.opteron_hdama(name, nic=pair.cards(), **(pair.bus or {})))
        for name in ("sender", "receiver")
    )
    switch = scenario.add(Switch(name="sw", ports=4)) if pair.switch else None
    for i, nic in enumerate(sender.nics):
        near, far = sender.port(nic.name), receiver.port(nic.name)
        phy = CABLES[nic.type]
        if switch:
            scenario.link(near, switch.port(f"p{2 * i}"), name=f"cable{i}", phy=phy)
            scenario.link(switch.port(f"p{2 * i + 1}"), far, name=f"far{i}", phy=phy)
        else:
            scenario.link(near, far, name=f"cable{i}", phy=phy)
    peers = " ".join(f"{nic.name}=10.{10 + i}.0.2" for i, nic in enumerate(sender.nics))
    text = script("mixed_adapters.sh", ADAPTERS=peers, MEASURED=pair.measured)
    out = tmp_path_factory.mktemp("mixed") / "out"
    return Finished(pair, sender, simulate(scenario, command(sender, receiver, text), out))


def test_each_name_is_that_of_its_slot(finished: Finished) -> None:
    for nic in finished.sender.nics:
        told = finished.run.text(nic.name)
        assert f"driver: {DRIVERS[nic.type]}\n" in told, nic.name
        assert f"bus-info: 0000:00:{nic.slot:02x}.{nic.function}\n" in told, nic.name
    others = {"lo", "sit0"}  # the loopback, and IPv6 in IPv4
    present = set(finished.run.text("order").split()) - others
    assert present == {nic.name for nic in finished.sender.nics}


def test_each_adapter_is_set_up_as_the_scenario_says(finished: Finished) -> None:
    for i, nic in enumerate(finished.sender.nics):
        told = finished.run.text(nic.name)
        assert f"mtu: {nic.mtu}\n" in told, nic.name
        assert f"inet 10.{10 + i}.0.1/24" in told, nic.name
        assert f"speed: {SPEEDS[DRIVERS[nic.type]]}\n" in told, nic.name
        assert f"tx_queue_len: {nic.tx_queue_len or 1000}\n" in told, nic.name
        tso = "on" if nic.offloads.get("tso") else "off"
        assert f"tcp-segmentation-offload: {tso}" in told, nic.name
        rings = re.findall(r"^(RX|TX):\s+(\d+)$", told, re.M)
        assert dict(rings) == dict(zip(("RX", "TX"), rings_of(nic), strict=True)), nic.name


def rings_of(nic: Nic) -> tuple[str, str]:
    """Return the descriptors that a scenario asks for, by `ethtool -G` or a module parameter."""
    if nic.rings:
        return (str(nic.rings[0]), str(nic.rings[1]))
    given = dict(argument.partition(".")[2].split("=") for argument in nic.module_args)
    return (given["RxDescriptors"], given["TxDescriptors"])


def test_traffic_passes_every_adapter(finished: Finished) -> None:
    for name in ("ping", "stream"):
        for nic in finished.sender.nics:
            assert finished.run.checks[f"{name}-{nic.name}"] == ""


def test_one_adapter_answers_for_an_address(finished: Finished) -> None:
    """On one switch both of the peer's adapters hear a question for either address."""
    answered: list[str] = []
    for nic in finished.sender.nics:
        said = finished.run.text(f"answers-{nic.name}")
        macs = set(re.findall(r"reply from \S+ \[([0-9a-f:]+)\]", said))
        assert len(macs) == 1, said
        answered += macs
    assert len(set(answered)) == len(finished.sender.nics)


def test_a_gigabit_interface_measures_less_than_a_gigabit(finished: Finished) -> None:
    figures = finished.run.measured["sender"]["adapters"]
    assert list(figures) == [nic.name for nic in finished.sender.nics]
    for name, own in figures.items():
        if name == finished.pair.measured:
            assert 0.3 < own["wire_out_gbps"] < 1.0, name
        else:
            assert own["wire_out_gbps"] < 0.001, name
    far = finished.run.measured["receiver"]["adapters"][finished.pair.measured]
    assert 0.3 < far["goodput_in_gbps"] < 1.0


def test_every_cable_has_its_own_stream(finished: Finished) -> None:
    """A stream of 50 ms is hundreds of frames at least; all else are a few."""
    for i, nic in enumerate(finished.sender.nics):
        assert finished.run.until_end(f"cable{i}.a_to_b.frames") > 200, nic.name


def test_each_interrupt_is_counted_under_its_name(finished: Finished) -> None:
    """INTB# of a slot is INTA# of the next: two adapters may share a row of /proc/interrupts."""
    rows = [row.split(None, 3) for row in finished.run.text("interrupts").splitlines()[1:]]
    for nic in finished.sender.nics:
        taken = [int(row[1]) for row in rows if nic.name in re.split(r"[\s,]+", row[3])]
        assert len(taken) == 1 and taken[0] > 10, nic.name


@pytest.mark.parametrize("host", ["sender", "receiver"])
def test_reports_are_of_each_adapter(finished: Finished, host: str) -> None:
    first, *others = finished.sender.nics
    driver = finished.run.report(host, "ethtool-i.txt")
    assert f"driver: {DRIVERS[first.type]}\n" in driver
    for nic in others:
        assert f"driver: {DRIVERS[nic.type]}\n" in finished.run.report(
            host, f"ethtool-i-{nic.name}.txt"
        )
        assert "NIC statistics" in finished.run.report(host, f"ethtool-S-{nic.name}.txt")
    guest = finished.run.measured["guest"][host]
    assert guest["driver"] == DRIVERS[first.type]
    assert {name: each["driver"] for name, each in guest["adapters"].items()} == {
        nic.name: DRIVERS[nic.type] for nic in others
    }


def test_no_kernel_complains(finished: Finished) -> None:
    assert finished.run.checks["quiet"] == ""
    assert finished.run.complaints() == []
