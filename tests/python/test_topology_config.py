# SPDX-License-Identifier: Apache-2.0
"""What the simulator's configuration and the guests' settings have of a topology."""

import dataclasses
import shlex
from pathlib import Path
from typing import Any

import pytest
from longhaul import registry, schema
from longhaul.errors import UsageError
from longhaul.guest.files import write_guest_files
from longhaul.testbeds import gnet1, mixes
from longhaul.topology import Iperf, KernelTcp, Scenario, machines, nics
from longhaul.units import s
from pydantic import ValidationError
from support.topology import config_for, traffic, two_hosts


def config_of(name: str, *assignments: str) -> schema.SimConfig:
    entry = registry.find(name)
    return config_for(entry.build(entry.parse(assignments), seed=7))


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
    write_guest_files(tmp_path, scenario.guest_settings(), scenario.adapter_settings())
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


def test_syskonnects_adapter_comes_with_its_bus_and_its_rings() -> None:
    scenario = Scenario("gnet1")
    asked = registry.find("gnet1_discard").parse(("adapter=sk-9843", "rings=304/104"))
    sender, receiver, _ = gnet1.add_path(scenario, asked)
    scenario.run_workload(traffic(sender, receiver))
    machine = config_for(scenario).machines[0]
    assert (machine.pcix.protocol, machine.pcix.clock) == ("pci", "66666667Hz")
    device = machine.devices[0]
    assert device.type == "genesis"
    assert device.params == {"board": "sk-9843", "link_partner": "no-pause"}
    given = scenario.guest_settings()["sender"]
    assert given["LH_RINGS"] == "rx 304 tx 104"
    assert given["LH_OFFLOADS"] == "gro on"  # five frames an ACK


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"board": "sk-9844"}, "no GEnesis board 'sk-9844'; did you mean sk-9843?"),
        ({"tx_ring": 18}, "tx ring of 18 descriptors: the driver takes numbers from 24 to 1024"),
        ({"rx_ring": 0}, "rx ring of 0 descriptors: the driver takes numbers from 1 to 4096"),
    ],
)
def test_what_skge_does_not_take_is_refused(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        nics.genesis(**wrong)
    assert str(caught.value) == says


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


def test_pci_x_2_keeps_the_clock_and_has_a_bridge_that_knows_it() -> None:
    for mhz, subphases in ((133, None), (266, 2), (533, 4)):
        for machine in config_of("ixgb_b2b", f"pcix_mhz={mhz}").machines:
            bus = machine.pcix.model_dump()
            assert bus.get("data_subphases") == subphases
            assert bus["clock"] == "133333333Hz"
            bridge = {"type": "amd8132"} if subphases else {}
            assert machine.bridge.model_dump() == bridge


def test_programs_of_a_modelled_host_run_on_its_last_processor() -> None:
    for processors in (1, 2, 4):
        sets = ("system=linux-2.6.6", f"processors={processors}")
        for machine in config_of("ixgb_b2b", *sets).machines:
            assert machine.host is not None
            assert machine.host.processors == processors
            (program,) = machine.host.programs
            assert program.params.get("cpu", 0) == processors - 1
    with pytest.raises(UsageError, match="processors"):
        registry.find("ixgb_b2b").parse(("processors=2",))
    for name in mixes.KINDS:
        for machine in config_of("pairs", "pairs=1", "processors=2", f"workload={name}").machines:
            assert machine.host is not None
            assert [program.params["cpu"] for program in machine.host.programs] in ([1], [])


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
