# SPDX-License-Identifier: Apache-2.0
from typing import Any

import pytest
from longhaul.boxes.delay_box import DelayBox
from longhaul.boxes.gnet1 import Gnet1
from longhaul.boxes.nistnet import Nistnet
from longhaul.errors import UsageError
from longhaul.runs import space
from longhaul.topology import Box, Machine, Ping, Scenario, Switch, TopologyError, machines, nics
from longhaul.units import mib, ms, s, us
from support.topology import config_for, traffic, two_hosts


def test_a_port_is_used_once() -> None:
    scenario, sender, receiver = two_hosts()
    scenario.link(sender.port("eth0"), receiver.port("eth0"))
    switch = scenario.add(Switch(name="sw"))
    with pytest.raises(TopologyError) as caught:
        scenario.link(switch.port("p0"), receiver.port("eth0"))
    assert str(caught.value) == "receiver.eth0 is used twice: link l0 is plugged into it"


def test_an_unknown_port_names_the_nearest() -> None:
    _, sender, _ = two_hosts()
    with pytest.raises(UsageError) as caught:
        sender.port("eth1")
    assert str(caught.value) == "sender has no port 'eth1'; did you mean eth0?"


def test_a_port_of_an_unknown_part_is_refused() -> None:
    scenario, sender, _ = two_hosts()
    stranger = Switch(name="sendr")
    with pytest.raises(TopologyError) as caught:
        scenario.link(sender.port("eth0"), stranger.port("p0"))
    assert str(caught.value) == "sendr.p0: no part is called 'sendr'; did you mean sender?"


def test_a_link_joins_two_devices() -> None:
    scenario, _, _ = two_hosts()
    switch = scenario.add(Switch(name="sw"))
    with pytest.raises(TopologyError) as caught:
        scenario.link(switch.port("p0"), switch.port("p1"))
    assert str(caught.value) == "sw.p0 and sw.p1 are on the same device; a link joins two devices"


def test_switches_in_a_ring_are_refused() -> None:
    scenario, _, _ = two_hosts()
    a, b, c = (scenario.add(Switch(name=name)) for name in "abc")
    scenario.link(a.port("p0"), b.port("p0"))
    scenario.link(b.port("p1"), c.port("p0"))
    with pytest.raises(TopologyError) as caught:
        scenario.link(c.port("p1"), a.port("p1"))
    assert str(caught.value) == "a link from c.p1 to a.p1 closes a loop; Ethernet needs a tree"


def test_two_machines_on_one_switch_make_no_loop() -> None:
    scenario, sender, receiver = two_hosts()
    switch = scenario.add(Switch(name="sw"))
    scenario.link(sender.port("eth0"), switch.port("p0"))
    scenario.link(receiver.port("eth0"), switch.port("p1"))
    scenario.run_workload(traffic(sender, receiver))
    scenario.check()


def test_names_differ() -> None:
    scenario, _, _ = two_hosts()
    with pytest.raises(TopologyError, match="two parts are called 'sender'; names must differ"):
        scenario.add(Switch(name="sender"))


def test_a_name_becomes_part_of_paths_so_it_is_plain() -> None:
    with pytest.raises(TopologyError, match="letters, digits and underscores"):
        Scenario("test").add(Switch(name="../sw"))


def test_the_workload_needs_a_cable_at_both_ends() -> None:
    scenario, sender, receiver = two_hosts()
    scenario.run_workload(traffic(sender, receiver))
    with pytest.raises(TopologyError) as caught:
        scenario.check()
    assert str(caught.value) == ("sender.eth0 carries the workload but no link is plugged into it")


def test_sender_and_receiver_need_a_path() -> None:
    scenario, sender, receiver = two_hosts()
    a, b = scenario.add(Switch(name="a")), scenario.add(Switch(name="b"))
    scenario.link(sender.port("eth0"), a.port("p0"))
    scenario.link(receiver.port("eth0"), b.port("p0"))
    scenario.run_workload(traffic(sender, receiver))
    with pytest.raises(TopologyError, match="^no path of links from sender to receiver$"):
        scenario.check()


def test_a_machine_does_not_forward() -> None:
    scenario = Scenario("test")
    nic_a, nic_b = nics.ixgb(name="eth0"), nics.ixgb(name="eth1", slot=2)
    middle = scenario.add(
        Machine(
            name="middle",
            cpu_clock=machines.opteron_hdama("x", nic=nic_a).cpu_clock,
            memory=mib(512),
            pcix=machines.opteron_hdama("x", nic=nic_a).pcix,
            nics=(nic_a, nic_b),
        )
    )
    sender = scenario.add(machines.opteron_hdama("sender", nic=nics.ixgb()))
    receiver = scenario.add(machines.opteron_hdama("receiver", nic=nics.ixgb()))
    scenario.link(sender.port("eth0"), middle.port("eth0"))
    scenario.link(middle.port("eth1"), receiver.port("eth0"))
    scenario.run_workload(traffic(sender, receiver))
    with pytest.raises(TopologyError, match="no path of links"):
        scenario.check()


def test_a_delay_box_with_one_cable_is_refused() -> None:
    scenario, sender, receiver = two_hosts()
    switch = scenario.add(Switch(name="sw"))
    box = scenario.add(DelayBox(name="wan", one_way_delay=ms(1)))
    scenario.link(sender.port("eth0"), switch.port("p0"))
    scenario.link(receiver.port("eth0"), switch.port("p1"))
    scenario.link(box.port("west"), switch.port("p2"))
    scenario.run_workload(traffic(sender, receiver))
    with pytest.raises(TopologyError, match="^wan has only one of its two ports plugged in$"):
        scenario.check()


def test_gnet1_with_half_of_a_pair_is_refused() -> None:
    scenario, sender, receiver = two_hosts()
    box = scenario.add(Gnet1(name="gnet1", one_way_delay=ms(1)))
    scenario.link(sender.port("eth0"), box.port("p0"))
    scenario.link(receiver.port("eth0"), box.port("p1"))
    switch = scenario.add(Switch(name="sw"))
    scenario.link(box.port("p3"), switch.port("p0"))
    scenario.run_workload(traffic(sender, receiver))
    with pytest.raises(
        TopologyError, match="^gnet1 has p3 plugged in, but not p2 to which it leads$"
    ):
        scenario.check()


def test_gnet1_passes_frames_in_pairs_of_ports() -> None:
    scenario, sender, receiver = two_hosts()
    box = scenario.add(Gnet1(name="gnet1", one_way_delay=ms(1)))
    scenario.link(sender.port("eth0"), box.port("p0"))
    scenario.link(receiver.port("eth0"), box.port("p2"))
    scenario.run_workload(traffic(sender, receiver))
    with pytest.raises(TopologyError, match="^no path of links from sender to receiver$"):
        scenario.check()


def test_both_pairs_of_a_gnet1_may_be_on_the_way() -> None:
    scenario, sender, receiver = two_hosts()
    box = scenario.add(Gnet1(name="gnet1", one_way_delay=ms(1)))
    scenario.link(sender.port("eth0"), box.port("p0"))
    switch = scenario.add(Switch(name="sw"))
    scenario.link(box.port("p1"), switch.port("p0"))
    scenario.link(switch.port("p1"), box.port("p2"))
    scenario.link(box.port("p3"), receiver.port("eth0"))
    scenario.run_workload(traffic(sender, receiver))
    scenario.check()


@pytest.mark.parametrize(
    ("box", "ends", "kind", "params"),
    [
        (
            Gnet1(name="b", one_way_delay=us(1500), model="rtl", params={"delay_p1": "2ms"}),
            ("p0", "p1"),
            "gnet1",
            {
                "model": "rtl",
                "delay_p0": "1500us",
                "delay_p1": "2ms",
                "delay_p2": "1500us",
                "delay_p3": "1500us",
            },
        ),
        (
            Nistnet(name="b", one_way_delay=ms(5)),
            ("west", "east"),
            "nistnet",
            {"delay_west": "5ms", "delay_east": "5ms"},
        ),
        (
            DelayBox(name="b", one_way_delay=ms(5), loss=1e-4),
            ("west", "east"),
            "delay_box",
            {
                "delay_west": "5ms",
                "delay_east": "5ms",
                "loss_west": "0.0001",
                "loss_east": "0.0001",
            },
        ),
    ],
)
def test_a_box_tells_the_simulator_its_type_and_its_delays(
    box: Box, ends: tuple[str, str], kind: str, params: dict[str, str]
) -> None:
    scenario, sender, receiver = two_hosts()
    scenario.add(box)
    scenario.link(sender.port("eth0"), box.port(ends[0]), phy="1000base-x")
    scenario.link(receiver.port("eth0"), box.port(ends[1]), phy="1000base-x")
    scenario.run_workload(traffic(sender, receiver))
    config = config_for(scenario)
    assert [(b.type, b.name, b.params) for b in config.boxes] == [(kind, "b", params)]
    assert {link.params["phy"] for link in config.links} == {"1000base-x"}
    assert box.round_trip() == box.one_way_delay * 2


def test_the_space_that_packets_may_take_follows_from_line_and_round_trip() -> None:
    def most(box: Box, near: str, far: str, phy: str) -> int:
        scenario, sender, receiver = two_hosts()
        scenario.add(box)
        scenario.link(sender.port("eth0"), box.port(near), phy=phy)
        scenario.link(receiver.port("eth0"), box.port(far), phy=phy)
        scenario.run_workload(traffic(sender, receiver))
        return space.most_traffic(scenario).bytes

    buffers = 2 * 16 * 2**20
    near = Nistnet(name="b", one_way_delay=ms(0))
    assert most(near, "west", "east", "1000base-x") == 125_000_000 + buffers
    assert most(near, "west", "east", "10gbase-r") == 1_250_000_000 + buffers
    far = Gnet1(name="b", one_way_delay=ms(500))
    assert most(far, "p0", "p1", "1000base-x") == buffers + buffers


def test_an_unknown_phy_is_refused() -> None:
    scenario, sender, receiver = two_hosts()
    with pytest.raises(TopologyError, match="no PHY '1000base-y'; did you mean 1000base-"):
        scenario.link(sender.port("eth0"), receiver.port("eth0"), phy="1000base-y")


def test_a_foreign_machine_cannot_run_the_workload() -> None:
    scenario, sender, _ = two_hosts()
    stranger = machines.opteron_hdama("stranger", nic=nics.ixgb())
    scenario.run_workload(Ping(sender=sender, receiver=stranger, duration=s(1)))
    scenario.link(sender.port("eth0"), scenario.add(Switch(name="sw")).port("p0"))
    with pytest.raises(TopologyError, match="stranger is in the workload but not in the topology"):
        scenario.check()


def test_the_interrupt_delay_is_rounded_to_the_registers_step() -> None:
    assert "ixgb.RxIntDelay=6" in nics.ixgb(rx_int_delay=us(5)).module_args
    assert "ixgb.TxIntDelay=128" in nics.ixgb(tx_int_delay=us(105)).module_args
    assert not any("TxIntDelay" in each for each in nics.ixgb().module_args)  # the driver's own
    assert "ixgb.RxIntDelay=72" in nics.ixgb().module_args


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"board": "82545gm-fibre"}, "did you mean 82545gm-fiber"),
        ({"rx_ring": 64}, "from 80 to 4096"),
        ({"interrupt_rate": "dynamik"}, "did you mean dynamic"),
        ({"interrupt_rate": 10}, "100 to 100000"),
        ({"board": "82545em-fiber", "function": 1}, "82545em-fiber has no function 1"),
        ({"board": "82546eb-fiber", "function": 2}, "82546eb-fiber has no function 2"),
    ],
)
def test_an_e1000_that_its_driver_would_refuse_is_refused(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        nics.e1000(**arguments)
