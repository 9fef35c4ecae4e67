# SPDX-License-Identifier: Apache-2.0
"""The scenario adapter_b2b: any adapter, in the slot and on the cable that it is made for."""

import pytest
from longhaul import registry, types
from longhaul.errors import UsageError
from longhaul.topology import Box, Machine, Scenario, machines


def build(*assignments: str) -> Scenario:
    entry = registry.find("adapter_b2b")
    return entry.build(entry.parse(list(assignments)), seed=1)


def hosts(scenario: Scenario) -> list[Machine]:
    return [part for part in scenario.parts.values() if isinstance(part, Machine)]


@pytest.mark.parametrize("adapter", types.names("adapter"))
def test_both_hosts_have_the_adapter_in_its_slot_and_on_its_cable(adapter: str) -> None:
    scenario = build(f"adapter={adapter}")
    described = types.find("adapter", adapter)
    slot = machines.SLOTS[described.slot]
    for host in hosts(scenario):
        assert [nic.type for nic in host.nics] == [adapter]
        assert (host.pcix.protocol, host.pcix.clock) == (slot["pcix_protocol"], slot["pcix_clock"])
    assert [link.phy for link in scenario.links] == [described.phy]


def test_the_machine_is_any_preset() -> None:
    clocks = {hosts(build(f"machine={name}"))[0].cpu_clock for name in machines.PRESETS}
    assert len(clocks) > 3


def test_a_box_sits_in_the_cable() -> None:
    scenario = build("box=delay_box")
    (box,) = [part for part in scenario.parts.values() if isinstance(part, Box)]
    assert box.type == "delay_box"
    assert [(str(link.a), str(link.b)) for link in scenario.links] == [
        ("sender.eth0", "box.west"),
        ("box.east", "receiver.eth0"),
    ]


def test_an_mtu_that_the_driver_does_not_take_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r"^mtu=9100: skge, the driver of genesis, takes 60 to 9000 B"
    ):
        build("adapter=genesis", "mtu=9100")


def test_an_adapter_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^no adapter 'ixg'; did you mean ixgb\?$"):
        build("adapter=ixg")
