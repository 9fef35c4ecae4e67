# SPDX-License-Identifier: Apache-2.0
import dataclasses
import shlex
from pathlib import Path
from typing import Any

import pytest
from longhaul import registry, schema, space
from longhaul.benches import gnet1
from longhaul.errors import UsageError
from longhaul.guest_files import write_guest_files
from longhaul.topology import (
    Box,
    DelayBox,
    Gnet1,
    Iperf,
    KernelTcp,
    Machine,
    Nistnet,
    Ping,
    Scenario,
    Switch,
    TopologyError,
    machines,
    nics,
)
from longhaul.units import mib, ms, s, us
from pydantic import ValidationError


def two_hosts() -> tuple[Scenario, Machine, Machine]:
    scenario = Scenario("test")
    sender = scenario.add(machines.opteron_hdama("sender", nic=nics.ixgb()))
    receiver = scenario.add(machines.opteron_hdama("receiver", nic=nics.ixgb()))
    return scenario, sender, receiver


def traffic(sender: Machine, receiver: Machine) -> Iperf:
    return Iperf(sender=sender, receiver=receiver, duration=s(1), window=mib(16))


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
    box: Box, ends: tuple[str, str], kind: str, params: dict[str, str], tmp_path: Path
) -> None:
    scenario, sender, receiver = two_hosts()
    scenario.add(box)
    scenario.link(sender.port("eth0"), box.port(ends[0]), phy="1000base-x")
    scenario.link(receiver.port("eth0"), box.port(ends[1]), phy="1000base-x")
    scenario.run_workload(traffic(sender, receiver))
    config = scenario.config(
        out=tmp_path,
        files=tmp_path,
        kernel=Path("/linux"),
        kernel_blocks=Path("/blocks.bin"),
        guest_root=Path("/root"),
        observe=schema.Observe(),
        limit=s(30),
    )
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
    assert "ixgb.RxIntDelay=72" in nics.ixgb().module_args


def config_of(name: str, *assignments: str) -> schema.SimConfig:
    entry = registry.find(name)
    return config_for(entry.build(entry.parse(assignments), seed=7))


def config_for(scenario: Scenario) -> schema.SimConfig:
    return scenario.config(
        out=Path("/o"),
        files=Path("/o"),
        kernel=Path("/k"),
        kernel_blocks=Path("/b"),
        guest_root=Path("/r"),
        observe=schema.Observe(),
        limit=s(30),
    )


def test_the_wan_scenario_is_a_line_with_half_the_round_trip_each_way() -> None:
    config = config_of("ixgb_wan", "rtt=10ms", "loss=0.1%", "phy=wan", "mmrbc=4096")
    assert [(link.a, link.b) for link in config.links] == [
        ("sender.eth0", "xg1200.p0"),
        ("xg1200.p1", "anue.west"),
        ("anue.east", "mg8.p0"),
        ("mg8.p1", "receiver.eth0"),
    ]
    box = config.boxes[0].params
    assert (box["delay_west"], box["delay_east"]) == ("5ms", "5ms")
    assert (box["loss_west"], box["loss_east"]) == ("0.001", "0.001")
    assert config.links[1].params["phy"] == "10gbase-w"
    assert {m.devices[0].firmware.mmrbc for m in config.machines} == {4096}
    assert config.seed == 7


def test_the_b2b_scenario_has_no_box() -> None:
    config = config_of("ixgb_b2b")
    assert config.boxes == []
    assert [s.name for s in config.switches] == ["xg1200", "mg8"]


def test_switches_carry_a_larger_mtu_when_asked() -> None:
    assert "max_frame" not in config_of("ixgb_b2b").switches[0].params
    assert config_of("ixgb_b2b", "mtu=16114").switches[0].params["max_frame"] == 16114 + 18


def test_the_configuration_survives_json_and_refuses_unknown_keys() -> None:
    config = config_of("ixgb_wan")
    assert schema.SimConfig.model_validate_json(config.model_dump_json()) == config
    with pytest.raises(ValidationError, match="surprise"):
        schema.SimConfig.model_validate(config.model_dump() | {"surprise": 1})


def test_guests_are_told_their_roles_addresses_and_peers(tmp_path: Path) -> None:
    entry = registry.find("ixgb_b2b")
    settings = entry.parse(["ip=v6", "window=16MiB", "duration=1500ms", "tso=off"])
    scenario = entry.build(settings, 1)
    write_guest_files(tmp_path, scenario.guest_settings())
    lines = (tmp_path / "guests" / "sender" / "files" / "settings").read_text().splitlines()
    told = {name: shlex.split(value)[0] for name, value in (x.split("=", 1) for x in lines)}
    assert told["LH_ROLE"] == "sender"
    assert told["LH_ADDRESS4"] == "10.10.0.1/24"
    assert told["LH_PEER"] == told["LH_PEER6"] == "fd10:10::2"
    assert told["LH_PEER4"] == "10.10.0.2"
    assert told["LH_WINDOW"] == str(16 * 2**20)
    assert told["LH_DURATION"] == "1.5"
    assert told["LH_OFFLOADS"] == "tso off gso off gro off"


def test_guests_get_the_tcp_of_another_kernel() -> None:
    scenario, sender, receiver = two_hosts()
    scenario.link(sender.port("eth0"), receiver.port("eth0"))
    kernel = KernelTcp(
        rmem=(4096, 87380, 174760), wmem=(1, 2, 3), moderate_rcvbuf=False, initcwnd=3, ssthresh=22
    )
    iperf = Iperf(sender=sender, receiver=receiver, duration=s(1), window=None, kernel=kernel)
    scenario.run_workload(iperf)
    told = scenario.guest_settings()["receiver"]
    assert "LH_WINDOW" not in told
    assert told["LH_TCP_RMEM"] == "4096 87380 174760"
    assert told["LH_TCP_WMEM"] == "1 2 3"
    assert told["LH_TCP_MODERATE_RCVBUF"] == "0"
    assert (told["LH_INITCWND"], told["LH_SSTHRESH"]) == ("3", "22")
    assert iperf.buffers().bytes == 87380


def test_what_the_kernel_is_to_choose_is_not_told() -> None:
    told = KernelTcp(rmem=(1, 2, 3), wmem=(1, 2, 3)).settings()
    assert "LH_INITCWND" not in told and "LH_SSTHRESH" not in told


def test_the_xeon_presets_parts_reach_the_simulators_configuration() -> None:
    scenario = Scenario("gnet1")
    sender, receiver, _ = gnet1.add_path(scenario, gnet1.HostSettings())
    scenario.run_workload(traffic(sender, receiver))
    machine = config_for(scenario).machines[0]
    assert machine.cpu.model_dump() == {
        "clock": "2400MHz",
        "preset": "netburst",
        "cache_size": "512KiB",
        "cache_line": "64B",
    }
    assert machine.memory.model_dump() == {"size": "2GiB", "preset": "xeon_533"}
    assert machine.bridge.model_dump() == {"type": "p64h2"}
    device = machine.devices[0]
    assert (device.type, device.firmware.mmrbc, device.firmware.outstanding) == ("e1000", 512, 1)
    assert device.params["board"] == "82545em-fiber"


def test_the_opteron_preset_names_no_parts_of_its_own() -> None:
    """They are the models' defaults; naming them would change what a manifest calls set."""
    machine = machines.opteron_hdama("pc", nic=nics.ixgb())
    assert (machine.cpu, machine.memory_parts, machine.bridge) == ({}, {}, {})


def test_both_ports_of_a_board_are_two_functions_and_each_has_its_module_parameters() -> None:
    scenario, sender, receiver = two_hosts()
    ports = [
        nics.e1000(board="82546eb-fiber", function=i, name=f"eth{i}", rx_ring=ring)
        for i, ring in enumerate((256, 512))
    ]
    card = machines.xeon_533("sender", nic=ports[0])
    card = dataclasses.replace(card, nics=tuple(ports))
    scenario.parts["sender"] = card
    scenario.run_workload(traffic(card, receiver))
    scenario.link(card.port("eth0"), receiver.port("eth0"))
    machine = config_for(scenario).machines[0]
    assert [(d.name, d.slot, d.function) for d in machine.devices] == [
        ("eth0", 1, 0),
        ("eth1", 1, 1),
    ]
    assert "e1000.RxDescriptors=256,512" in machine.guest.args


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
