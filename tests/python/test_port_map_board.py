# SPDX-License-Identifier: Apache-2.0
"""Parts beside a block on its board, by a port map: EEPROM, management bus, mode of the bus."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from longhaul.errors import UsageError
from longhaul.paths import ROOT
from longhaul.portmap import board, objects
from longhaul.portmap.read import read

SAMPLES = Path(__file__).parent / "samples" / "portmap"
Changes = Sequence[tuple[str, str]]


@pytest.fixture
def bound(tmp_path: Path) -> Callable[[str, Changes], Any]:
    """Bind a sample's map with some of its text replaced, as a run does, up to the compiler."""
    shutil.copytree(SAMPLES, tmp_path / "samples")
    mdio = ROOT / "rtl" / "nic" / "nic_mdio.sv"

    def bind(name: str, changes: Changes) -> Any:
        file = tmp_path / "samples" / f"{name}.toml"
        text = file.read_text().replace("../../../../rtl/nic/nic_mdio.sv", str(mdio))
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the map"
            text = text.replace(old, new)
        file.write_text(text)
        return json.loads(objects.bound(read(file), lambda _: None))

    return bind


def interface(made: Any, name: str) -> Any:
    return next(each for each in made["interfaces"] if each["name"] == name)


def test_the_words_of_an_eeprom_are_data(bound: Callable[[str, Changes], Any]) -> None:
    eeprom = interface(bound("board_box", ()), "prom")["eeprom"]
    words = [0xFFFF] * 64
    words[:4] = [0x0001, 0x0203, 0x1234, 0xBEEF]
    words[0x20:0x23] = [0xA5A5, 0x5A5A, 0xC0DE]
    words[63] = 1
    assert eeprom["words"] == words
    assert (eeprom["mac_word"], eeprom["checksum_word"], eeprom["checksum"]) == (None, 62, 0xBABA)


def test_an_eeprom_without_content_is_erased(bound: Callable[[str, Changes], Any]) -> None:
    table = (
        '[interfaces.prom.content]\nfile = "board_box.hex"\n'
        'words = {"0x02" = "0x1234", "63" = 1}\nchecksum_word = 62\n'
    )
    eeprom = interface(bound("board_box", [(table, "")]), "prom")["eeprom"]
    assert eeprom["words"] == [0xFFFF] * 64
    assert eeprom["checksum_word"] is None


def test_the_nic_in_rtl_has_the_eeprom_of_its_twin() -> None:
    """These are the words of models/nic/ixgb/ixgb_eeprom.cc (board_test.cc compares them)."""
    made = json.loads(objects.bound(read(ROOT / "rtl" / "nic" / "ixgb.toml"), lambda _: None))
    eeprom = interface(made, "eeprom")["eeprom"]
    words = [0] * 64
    words[8:15] = [0x5137, 0x00A8, 0x4000, 0xA01F, 0x8086, 0x1A48, 0x8086]
    assert eeprom == {
        "words": words,
        "mac_word": 0,
        "mac_maker": [0x00, 0x07, 0xE9],
        "checksum_word": 63,
        "checksum": 0xBABA,
    }
    slot = interface(made, "slot")["pins"]
    assert slot["pci66"] == ["bus_mode_i", 0, 1]
    assert slot["pcix_speed"] == ["bus_mode_i", 3, 2]
    (optics,) = interface(made, "management")["devices"]
    assert (optics["type"], optics["address"], optics["port"]) == ("xpak", 0, "line")


def test_devices_have_an_address_and_a_port(bound: Callable[[str, Changes], Any]) -> None:
    made = bound("board_box", ())
    assert interface(made, "bus")["devices"] == [
        {
            "name": "phy",
            "type": "phy22",
            "address": 3,
            "port": "west",
            "params": {"id": 0x01410CC1},
            "registers": {"4": 0x01E1},
        }
    ]


def test_a_tri_state_port_is_a_level_and_a_driver(bound: Callable[[str, Changes], Any]) -> None:
    made = bound("board_box", ())
    pins = interface(made, "pads")["pins"]
    assert pins["mdio_out"] == ["pads_mdio", 0, 1]
    assert pins["mdio_in"] == ["longhaul_level_0", 0, 1]
    assert pins["mdio_drive"] == ["longhaul_drive_0", 0, 1]
    assert not [each for each in made["constants"] if "longhaul" in each["pin"][0]]


def test_nobody_drives_an_inout_that_no_interface_has(bound: Callable[[str, Changes], Any]) -> None:
    changes = [
        ('[interfaces.pads]\nkind = "mdio"\nprefix = "pads_"\nclock = "clk"\n', ""),
        ('[interfaces.pads.devices.optics]\ntype = "xpak"\nport = "east"\n', ""),
        ('[block]\nname = "board"', 'open = ["pads_mdc"]\n[block]\nname = "board"'),
    ]
    made = bound("board_box", changes)
    idle = [each for each in made["constants"] if "longhaul" in each["pin"][0]]
    assert idle == [
        {"pin": ["longhaul_level_0", 0, 1], "value": 0},
        {"pin": ["longhaul_drive_0", 0, 1], "value": 0},
    ]


CONTENT = "[interfaces.prom.content]"
WRONG: dict[str, tuple[str, Changes, str]] = {
    "content of another kind": (
        "board_box",
        [("[interfaces.prom.content]", "[interfaces.west_in.content]")],
        r":\d+: interfaces.west_in.content: is of the kind microwire",
    ),
    "devices of another kind": (
        "board_box",
        [("[interfaces.pads.devices.optics]", "[interfaces.prom.devices.optics]")],
        r":\d+: interfaces.prom.devices: are of the kind mdio",
    ),
    "file that is not there": (
        "board_box",
        [('"board_box.hex"', '"board_bos.hex"')],
        r":\d+: interfaces.prom.content.file: board_bos.hex: No such file",
    ),
    "file of something else": (
        "board_box",
        [('"board_box.hex"', '"board_box.sv"')],
        r"content.file: board_box.sv:6: 'module' is no word: wants up to 4 hexadecimal digits",
    ),
    "word that there is not": (
        "board_box",
        [('"0x02" =', '"0x40" =')],
        r"content.words: word 0x40: the last one is 0x3f",
    ),
    "word twice": (
        "board_box",
        [('"0x02" =', '"0x3f" =')],
        r"content.words: 63 stands there twice",
    ),
    "word of no number": ("board_box", [('"0x02" =', '"two" =')], r":\d+: interfaces.prom.content"),
    "word that does not fit": ("board_box", [('"0x1234"', '"0x12345"')], r"words.*65535"),
    "address of a box": (
        "board_box",
        [(CONTENT, f"{CONTENT}\nmac_word = 0")],
        r"content.mac_word: a box has no Ethernet address",
    ),
    "unknown key of the content": (
        "board_box",
        [("checksum_word", "checksum_wort")],
        r":\d+: interfaces.prom.content.checksum_wort: .*did you mean checksum_word",
    ),
    "unknown key of a device": (
        "board_box",
        [("params = {id", "param = {id")],
        r":\d+: interfaces.bus.devices.phy.param: .*did you mean params",
    ),
    "device without its port": (
        "board_box",
        [('address = 3\nport = "west"', "address = 3")],
        r":\d+: interfaces.bus.devices.phy: wants port: whose carrier it sees, west or east",
    ),
    "device of no port": (
        "board_box",
        [('address = 3\nport = "west"', 'address = 3\nport = "vest"')],
        r"devices.phy.port: there is no port 'vest' to the wire; did you mean west",
    ),
    "two devices at one address": (
        "board_box",
        [
            (
                "[interfaces.pads.devices.optics]",
                '[interfaces.bus.devices.more]\ntype = "xpak"\naddress = 3\nport = "east"\n'
                "[interfaces.pads.devices.optics]",
            )
        ],
        r"interfaces.bus.devices.more.address: 3 is that of phy",
    ),
    "register that there is not": (
        "board_box",
        [('"4" = "0x01e1"', '"32" = 0')],
        r"devices.phy.registers: register 32: the last one is 31",
    ),
    "name of two parts": (
        "board_box",
        [("[interfaces.bus.devices.phy]", "[interfaces.bus.devices.optics]")],
        r"devices.optics: optics is interfaces.bus.devices.optics, too",
    ),
    "name that begins another parameter": (
        "board_box",
        [("[interfaces.bus.devices.phy]", "[interfaces.bus.devices.expected]")],
        r"devices.expected: expected begins the name of the parameter expected_words",
    ),
    "name that begins no parameter": (
        "board_box",
        [("[interfaces.bus.devices.phy]", "[interfaces.bus.devices.Phy]")],
        r"devices.Phy: 'Phy' is no name of a parameter: .*; it begins the names of parameters",
    ),
    "management bus without data": (
        "board_box",
        [('prefix = "phy_"', 'prefix = "phy_"\npins = {mdio_in = ""}')],
        r":\d+: interfaces.bus: wants mdio_in, or mdio if that is one of \[inouts\]",
    ),
    "enable in two ways": (
        "board_box",
        [('prefix = "phy_"', 'prefix = "phy_"\npins = {mdio_t = "phy_mdc"}')],
        r"phy_mdc .*belongs to interfaces.bus already",
    ),
    "tri-state pin that is none": (
        "board_box",
        [('prefix = "phy_"', 'prefix = "phy_"\npins = {mdio = "phy_mdio_in"}')],
        r"phy_mdio_in \(board_box.sv:\d+\) is none of \[inouts\]; mdio is a tri-state port",
    ),
    "mode of a bus that there is not": (
        "board_box",
        [("[inputs.expected_id]", '[interfaces.slot]\nkind = "bus-mode"\n[inputs.expected_id]')],
        r"interfaces.slot: is what a slot tells a function of its bus: wants \[pci\]",
    ),
    "mode of the bus without pins": (
        "little",
        [("[constants]", '[interfaces.slot]\nkind = "bus-mode"\n[constants]')],
        r"interfaces.slot: has none of its pins: pci66, bus64, pcix, pcix_speed",
    ),
    "clock of what has none": (
        "little",
        [("[constants]", '[interfaces.slot]\nkind = "bus-mode"\nclock = "clk"\n[constants]')],
        r"interfaces.slot.clock: bus-mode has no clock; leave it out",
    ),
    "input with the name of a parameter of the board": (
        "little",
        [
            (
                '[constants]\nstation = "0x0200_0000_0001"',
                '[interfaces.slot]\nkind = "bus-mode"\npins = {pci66 = "station[0]"}\n'
                '[inputs.bus]\npin = "station[47:1]"',
            )
        ],
        r"inputs.bus: bus is a parameter of slot; give it another name",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_mistake_is_told_in_one_line(
    name: str, tmp_path: Path, bound: Callable[[str, Changes], Any]
) -> None:
    sample, changes, wanted = WRONG[name]
    with pytest.raises(UsageError) as refused:
        bound(sample, changes)
    told = str(refused.value)
    assert "\n" not in told
    assert re.search(wanted, told), told
    assert told.startswith(str(tmp_path / "samples" / f"{sample}.toml:"))


def test_a_file_of_words_has_not_more_than_the_eeprom(tmp_path: Path) -> None:
    file = tmp_path / "words.hex"
    file.write_text("@3e 1 2\n3\n")
    with pytest.raises(ValueError, match="2: word 0x40: the last one is 0x3f"):
        board.read_words(file)
