# SPDX-License-Identifier: Apache-2.0
"""Platform devices in a topology: device tree, kernel, names, and where they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from longhaul import schema
from longhaul.guest import device_tree
from longhaul.guest.device_tree import Device
from longhaul.guest.software import GuestSoftware
from longhaul.paths import ROOT
from longhaul.topology import Nic, Scenario, adapters, machines, nics
from longhaul.types import LinuxDriver, catalog
from longhaul.types.catalog import PlatformNode, Region, Type
from longhaul.units import ms
from support.topology import traffic

NODE = PlatformNode(
    node="ethernet",
    compatible=("maker,block-2", "maker,block"),
    regions=(Region("mac", 0x1000, 0x100), Region("buffer", 0x8000, 0x2000)),
    interrupt=True,
    properties=("maker,slots = <0x2>", "dma-coherent"),
)
MADE = Type(
    kind="adapter",
    name="made",
    title="a platform device",
    phy="1000base-x",
    rtl=True,
    linux_driver=LinuxDriver("maker", 68, 1500, "test", "drivers/net/maker", "CONFIG_MAKER"),
    platform=NODE,
)
TREE = """\
/dts-v1/;

/ {
\t#address-cells = <1>;
\t#size-cells = <1>;
\tcompatible = "longhaul,pc";
\tinterrupt-parent = <&lines>;

\tchosen {
\t};

\tlines: interrupt-controller {
\t\tcompatible = "longhaul,interrupts";
\t\tinterrupt-controller;
\t\t#interrupt-cells = <1>;
\t\tlonghaul,window = <0xe0000000 0x8000000>;
\t\tlonghaul,lines = <16 8>;
\t};

\tethernet@e2001000 {
\t\tcompatible = "maker,block-2", "maker,block";
\t\treg = <0xe2001000 0x100>, <0xe2008000 0x2000>;
\t\treg-names = "mac", "buffer";
\t\tinterrupts = <18>;
\t\tlocal-mac-address = [02 4c 48 00 01 00];
\t\tmaker,slots = <0x2>;
\t\tdma-coherent;
\t};
};
"""


@pytest.fixture
def scenario(monkeypatch: pytest.MonkeyPatch) -> Scenario:
    """A host with a platform device and an e1000, and one with an e1000."""

    def find(name: str) -> Type:
        return MADE if name == "made" else catalog.find("adapter", name)

    monkeypatch.setattr(adapters.adapter_types, "find", find)
    found = Scenario("test")
    cards = (Nic(type="made", name="eth0", slot=2), nics.e1000(name="eth1", slot=1))
    own = found.add(machines.opteron_hdama("own", nic=cards, kernel_config=("HZ=250",)))
    peer = found.add(machines.opteron_hdama("peer", nic=nics.e1000()))
    found.link(own.port("eth0"), peer.port("eth0"), phy="1000base-x")
    found.run_workload(traffic(own, peer))
    return found


def test_a_device_is_a_node_of_the_tree() -> None:
    assert device_tree.source([Device(2, NODE, device_tree.station(1, 0))]) == TREE


def test_a_nodes_own_address_and_a_lone_region_stand() -> None:
    node = PlatformNode("mac", ("a,b",), (Region("", 0, 64),), False, ('local-mac-address = "x"',))
    text = device_tree.source([Device(1, node, device_tree.station(1, 0))])
    assert text.count("local-mac-address") == 1
    assert "reg-names" not in text and "interrupts =" not in text
    assert "mac@e1000000 {" in text


def test_windows_and_lines_are_those_of_the_simulator() -> None:
    header = (ROOT / "models/hostbus/address_map.h").read_text().replace("'", "")
    there = {name: int(text, 0) for name, text in re.findall(r"(k\w+) = (0x\w+|\d+);", header)}
    assert there == {
        "kWindowsBegin": device_tree.WINDOWS,
        "kWindowBytes": device_tree.WINDOW,
        "kWindows": device_tree.NUMBERS,
        "kFirstLine": device_tree.FIRST_LINE,
    }


def test_only_its_host_gets_a_kernel_that_reads_trees(scenario: Scenario) -> None:
    software = scenario.software()
    assert software["own"].kernel_config == ("HZ=250", "OF=y")
    assert software["peer"] == GuestSoftware()
    assert scenario.drivers() == {"own": (MADE.linux_driver,), "peer": ()}


def test_its_guest_is_told_where_the_tree_is_and_what_the_device_is_called(
    scenario: Scenario,
) -> None:
    config = scenario.config(
        out=Path(),
        files=Path(),
        kernel=Path("kernel"),
        kernel_blocks=None,
        guest_root=Path("root"),
        observe=schema.Observe(series_period="0s"),
        limit=ms(1),
    )
    own, peer = config.machines
    assert own.guest and peer.guest
    assert "dtb=guests/own/devices.dtb" in own.guest.args
    assert not any(word.startswith("dtb=") for word in peer.guest.args)
    assert scenario.guest_settings()["own"]["LH_NAMES"] == (
        "../../platform/devices/e2001000.ethernet=eth0 0000:00:01.0=eth1"
    )
    assert "LH_NAMES" not in scenario.guest_settings()["peer"]


def test_each_device_has_a_station_of_its_own(scenario: Scenario) -> None:
    (device,) = scenario.platform_devices()["own"]
    assert device.station.hex(":") == "02:4c:48:00:01:00"
    stations = {device_tree.station(machine, nic) for machine in (1, 2) for nic in (0, 1)}
    assert len(stations) == 4
    assert all(each[0] & 3 == 2 for each in stations)  # locally administered, no group
