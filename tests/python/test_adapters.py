# SPDX-License-Identifier: Apache-2.0
"""Machines with several adapters: their names, what guests are told of each, and its figures."""

import dataclasses
import shlex
from pathlib import Path
from typing import Any

import pytest
from longhaul.boxes.delay_box import DelayBox
from longhaul.errors import UsageError
from longhaul.guest.files import write_guest_files
from longhaul.results import measures, results, simdata
from longhaul.results.runview import RunView, flatten
from longhaul.results.words import split_unit
from longhaul.results.workload_reports import Reports
from longhaul.topology import Machine, Nic, Scenario, Switch, TopologyError, machines, nics
from longhaul.topology.adapters import kernel_args
from longhaul.units import ms
from support import fake_sim
from support.topology import traffic

SECOND_PS = 10**12


def pc(name: str, *cards: Nic) -> Machine:
    return machines.opteron_hdama(name, nic=cards)


def mixed(first: str = "eth0", second: str = "eth1") -> tuple[Scenario, Machine, Machine]:
    """Return two hosts, each with an ixgb for the workload and an e1000, and a cable for each."""
    scenario = Scenario("mixed")
    sender, receiver = (
        scenario.add(
            pc(
                name,
                nics.ixgb(name=first, mtu=9000, slot=2),
                nics.e1000(name=second, mtu=1200, slot=1, tso=False, tx_queue_len=100),
            )
        )
        for name in ("sender", "receiver")
    )
    scenario.link(sender.port(first), receiver.port(first), name="fast")
    scenario.link(sender.port(second), receiver.port(second), name="slow", phy="1000base-x")
    scenario.run_workload(traffic(sender, receiver))
    return scenario, sender, receiver


def test_the_engines_of_the_rtl_are_a_choice_of_the_ixgb() -> None:
    fast = nics.ixgb(engines="rtl", params={"tx_packet_clocks": 3})
    assert fast.params == {"engines": "rtl", "tx_packet_clocks": 3}
    assert nics.ixgb().params == {}
    with pytest.raises(UsageError) as caught:
        nics.ixgb(engines="rlt")
    assert str(caught.value) == "no engines 'rlt'; did you mean rtl?"


@pytest.mark.parametrize(
    "name", ["", "-x", "eth 0", "eth.0", "eth0:1", "sixteen_letters_", "\u00e9th0"]
)
def test_a_name_that_linux_and_the_simulator_cannot_give_is_refused(name: str) -> None:
    with pytest.raises(TopologyError) as caught:
        Scenario("test").add(pc("sender", nics.ixgb(name=name)))
    assert str(caught.value) == (
        f"sender: {name!r} cannot be an adapter's name: "
        "wants 1 to 15 letters, digits, underscores and hyphens, with no hyphen first"
    )


@pytest.mark.parametrize("name", ["lo", "all", "default"])
def test_a_name_that_linux_has_already_is_refused(name: str) -> None:
    with pytest.raises(TopologyError) as caught:
        Scenario("test").add(pc("sender", nics.ixgb(name=name)))
    assert str(caught.value) == (
        f"sender: {name!r} cannot be an adapter's name: Linux has that name already"
    )


def test_two_adapters_have_two_names_and_two_places() -> None:
    with pytest.raises(TopologyError) as caught:
        Scenario("test").add(pc("sender", nics.ixgb(), nics.e1000(slot=2)))
    assert str(caught.value) == "sender has two ports called 'eth0'; names must differ"
    with pytest.raises(TopologyError) as caught:
        Scenario("test").add(pc("sender", nics.ixgb(), nics.e1000(name="eth1")))
    assert str(caught.value) == "sender: eth0 and eth1 are both in slot 1; give them two slots"
    dual = [nics.e1000(board="82546eb-fiber", name=f"p{i}", function=1) for i in range(2)]
    with pytest.raises(TopologyError, match="^sender: p0 and p1 are both in slot 1, function 1;"):
        Scenario("test").add(pc("sender", *dual))


def test_guests_are_told_each_adapters_place_name_and_settings(tmp_path: Path) -> None:
    scenario, _, _ = mixed("wan0", "eth0")
    write_guest_files(tmp_path, scenario.guest_settings(), scenario.adapter_settings())

    def read(name: str) -> dict[str, str]:
        lines = (tmp_path / "guests" / "receiver" / "files" / name).read_text().splitlines()
        return {key: shlex.split(value)[0] for key, value in (x.split("=", 1) for x in lines)}

    first, second = read("settings"), read("adapters/eth0")
    assert first["LH_NAMES"] == "0000:00:02.0=wan0 0000:00:01.0=eth0"
    assert (first["LH_IFACE"], first["LH_MTU"]) == ("wan0", "9000")
    assert (first["LH_ADDRESS4"], first["LH_PEER4"]) == ("10.10.0.2/24", "10.10.0.1")
    assert second == {
        "LH_IFACE": "eth0",
        "LH_MTU": "1200",
        "LH_OFFLOADS": "tso off gso on gro on",
        "LH_TXQUEUELEN": "100",
        "LH_ADDRESS4": "10.11.0.2/24",
        "LH_ADDRESS6": "fd10:11::2/64",
        "LH_PEER4": "10.11.0.1",
        "LH_PEER6": "fd10:11::1",
    }


def test_one_adapter_called_eth0_needs_no_name_and_any_other_does() -> None:
    for name, told in (("eth0", None), ("wan0", "0000:00:01.0=wan0")):
        scenario = Scenario("one")
        ends = [scenario.add(pc(end, nics.ixgb(name=name))) for end in ("a", "b")]
        scenario.link(*(end.port(name) for end in ends))
        scenario.run_workload(traffic(*ends))
        assert scenario.guest_settings()["a"].get("LH_NAMES") == told
        assert scenario.adapter_settings() == {"a": {}, "b": {}}


def test_a_guest_waits_for_no_carrier_where_there_is_no_cable() -> None:
    scenario, _, receiver = mixed()
    third = nics.e1000(name="eth2", slot=3)
    scenario.parts["receiver"] = dataclasses.replace(receiver, nics=(*receiver.nics, third))
    scenario.workloads = [
        dataclasses.replace(scenario.workloads[0], receiver=scenario.parts["receiver"])
    ]
    told = scenario.adapter_settings()
    assert [name for name, each in told["receiver"].items() if each.get("LH_LINK") == "0"] == [
        "eth2"
    ]
    assert told["receiver"]["eth2"]["LH_PEER4"] == ""  # the sender has no third adapter
    assert "LH_LINK" not in scenario.guest_settings()["receiver"]


def test_a_drivers_parameter_is_each_boards_own_in_the_order_of_slots() -> None:
    late, early = nics.e1000(slot=3, rx_ring=512), nics.e1000(name="eth1", slot=1, rx_ring=128)
    args = kernel_args([late, nics.ixgb(name="eth2", slot=2), early])
    assert "e1000.RxDescriptors=128,512" in args
    assert "ixgb.RxDescriptors=512" in args


def test_a_parameter_of_the_second_board_does_not_become_the_firsts() -> None:
    plain, second = nics.e1000(), nics.e1000(name="eth1", slot=2)
    given = dataclasses.replace(second, module_args=(*second.module_args, "e1000.XsumRX=0"))
    assert "e1000.XsumRX=-1,0" in kernel_args([given, plain])
    assert kernel_args([dataclasses.replace(plain, module_args=("quiet",))]) == ["quiet"]


def test_the_line_of_a_workload_is_the_slowest_on_its_way() -> None:
    scenario, sender, receiver = mixed()
    assert [link.name for link in scenario.path(scenario.workloads[0])] == ["fast"]
    turned = Scenario("turned")
    ends = [turned.add(dataclasses.replace(end, nics=end.nics[::-1])) for end in (sender, receiver)]
    switch = turned.add(Switch(name="sw"))
    box = turned.add(DelayBox(name="wan", one_way_delay=ms(1)))
    turned.link(switch.port("p3"), box.port("east"), name="near")
    turned.link(ends[0].port("eth0"), switch.port("p0"), name="beside")
    turned.link(ends[0].port("eth1"), box.port("west"), name="last", phy="1000base-x")
    turned.link(switch.port("p1"), ends[1].port("eth1"), name="first", phy="1000base-x")
    turned.run_workload(traffic(ends[1], ends[0]))
    assert [link.name for link in turned.path(turned.workloads[0])] == ["first", "near", "last"]


def probes(first: str, second: str) -> dict[str, Any]:
    """Return the stand-in's probes with its eth0 under another name, and a second, idle adapter."""
    hosts = ["sender", "receiver"]
    found = {
        name.replace(".eth0", f".{first}"): probe
        for name, probe in fake_sim.probes(hosts, SECOND_PS).items()
    }
    for host in hosts:
        for counter in ("interrupts", "mac.rx_octets", "mac.rx_frames", "mac.tx_octets"):
            found[f"{host}.{second}.{counter}"] = {"kind": "counter", "delta": 0}
        for unit in ("tx", "rx"):
            found[f"{host}.{second}.{unit}.engine.state"] = {
                "kind": "states",
                "states": {"idle": SECOND_PS, "busy": 0, "blocked": 0},
            }
        for counter in ("tcp_received", "udp_received", "tcp_retransmits"):
            found[f"{host}.{second}_payload.{counter}"] = {"kind": "counter", "delta": 0}
        found[f"{host}.{first}.mac.tx_octets"] = {"kind": "counter", "delta": 0}
    found[f"receiver.{second}.mac.rx_octets"]["delta"] = 100_000_000
    found[f"receiver.{second}_payload.tcp_received"]["delta"] = 95_000_000
    return found


def measured(tmp_path: Path, first: str, second: str) -> dict[str, Any]:
    scenario, _, _ = mixed(first, second)
    fake_sim.write_reports(tmp_path, ["sender", "receiver"])
    guests = tmp_path / "guests"
    for host in ("sender", "receiver"):
        own = guests / host / "report" / f"ethtool-i-{second}.txt"
        own.write_text("driver: e1000\nversion: 6.1.192\n")
    sim = simdata.SimData.model_validate(
        {
            "window": {"begin_ps": SECOND_PS, "end_ps": 2 * SECOND_PS},
            "probes": probes(first, second),
            "wall_s": 9.0,
            "simulated_s": 3.5,
        }
    )
    return results.measure(scenario.workloads[0], sim, Reports(guests), 10.0)


@pytest.mark.parametrize(("first", "second"), [("eth0", "eth1"), ("eth1", "eth0"), ("a", "b")])
def test_figures_are_of_the_workloads_adapter_whatever_its_name(
    tmp_path: Path, first: str, second: str
) -> None:
    found = measured(tmp_path, first, second)
    assert found["goodput_gbps"] == pytest.approx(6.062181)
    assert found["wire_gbps"] == pytest.approx(768e6 * 8 / 1e9)
    assert found["line_busy_pct"] == pytest.approx(61.573, abs=0.001)
    assert found["retransmits"] == 7
    assert found["sender"]["irq_per_s"] == 5236
    assert found["sender"]["adapter_tx_busy_pct"] == pytest.approx(31.0, abs=0.001)


def test_every_adapter_of_several_has_its_own_figures(tmp_path: Path) -> None:
    found = measured(tmp_path, "eth1", "eth0")
    own = found["receiver"]["adapters"]
    assert list(own) == ["eth1", "eth0"]
    assert own["eth1"]["goodput_in_gbps"] == found["goodput_gbps"]
    assert own["eth1"]["irq_per_s"] == found["receiver"]["irq_per_s"]
    assert own["eth0"]["wire_in_gbps"] == pytest.approx(0.8)
    assert own["eth0"]["goodput_in_gbps"] == pytest.approx(0.76)
    assert own["eth0"]["adapter_rx_busy_pct"] == 0.0
    assert found["guest"]["receiver"]["driver"] == "ixgb"
    assert found["guest"]["receiver"]["adapters"] == {
        "eth0": {"driver": "e1000", "driver_version": "6.1.192"}
    }
    assert "receiver.adapters.eth0.wire_in_gbps" in dict(flatten(found))
    assert split_unit("adapters.eth0.wire_in_gbps") == ("adapters.eth0 wire rate in", "Gb/s")


def test_plots_are_of_the_workloads_adapters(tmp_path: Path) -> None:
    drawn = measures.plots("a", "b", {"sender": "wan0", "receiver": "eth1"})
    columns = {plot.title: plot.columns for plot in drawn}
    assert columns["Wire rate"] == {
        "into receiver": "b.eth1.mac.rx_octets",
        "into sender": "a.wan0.mac.rx_octets",
    }
    assert columns["Interrupts"] == {
        "sender": "a.wan0.interrupts",
        "receiver": "b.eth1.interrupts",
    }
    older = RunView(tmp_path, {}, {"roles": {"sender": "a", "receiver": "b"}})
    assert older.adapters == {"sender": "eth0", "receiver": "eth0"}
