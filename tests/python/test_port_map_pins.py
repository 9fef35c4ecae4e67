# SPDX-License-Identifier: Apache-2.0
"""Port maps of devices down to the pins of their PCI-X slot (kind `pcix`)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from longhaul.errors import UsageError
from longhaul.paths import ROOT
from longhaul.portmap import objects
from longhaul.portmap.read import read

MAP = f"""
[block]
name = "pcix_copy"
top = "pcix_copy"
sources = ["{ROOT}/rtl/common/*.sv", "{ROOT}/rtl/pcix/*.sv",
           "{ROOT}/tests/unit/platform/portmap/rtl/pcix_copy.sv"]
[clocks.clk_i]
frequency = "133MHz"
gating = true
request = "clk_req_o"
[clocks.mac_clk_i]
frequency = "125MHz"
[resets.rst_ni]
clock = "clk_i"
[interfaces.slot]
kind = "pcix"
clock = "clk_i"
[interfaces.wire]
kind = "gmii"
tx_clock = "mac_clk_i"
rx_clock = "mac_clk_i"
[pci]
vendor = "0x1234"
device = "0x5678"
bus = "slot"
bar = "4KiB"
port = "wire"
"""


def bind(tmp_path: Path, *changes: tuple[str, str]) -> str:
    """Bind the map with some of its text replaced, as a run does, up to the compiler."""
    text = MAP
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = tmp_path / "pins.toml"
    file.write_text(text)
    return objects.bound(read(file), lambda _: None)


def test_every_pin_is_found_by_its_name(tmp_path: Path) -> None:
    made = json.loads(bind(tmp_path))
    pins = made["interfaces"][0]["pins"]
    assert len(pins) == 40
    assert pins["ad_o"] == ["ad_o", 0, 64]
    assert pins["cbe_ni"] == ["cbe_ni", 0, 8]
    assert pins["ad64_oe"] == ["ad64_oe_o", 0, 1]
    assert "serr_oe" not in pins
    assert made["pci"]["bus"] == "slot"
    assert made["pci"]["bars"] == [
        {
            "index": 0,
            "bytes": 4096,
            "wide": False,
            "prefetchable": False,
            "registers": "",
            "offset": 0,
        }
    ]


def test_bars_are_named_without_registers(tmp_path: Path) -> None:
    bars = 'bus = "slot"\n[pci.bars.0]\nwidth = 64\nsize = "16MiB"\n[pci.bars.2]\nsize = "4KiB"\n'
    text = (('bus = "slot"\nbar = "4KiB"\nport = "wire"', f'port = "wire"\n{bars}'),)
    made = json.loads(bind(tmp_path, *text))
    assert [(bar["index"], bar["bytes"]) for bar in made["pci"]["bars"]] == [
        (0, 16 << 20),
        (2, 4096),
    ]


WRONG: dict[str, tuple[tuple[str, str], str]] = {
    "registers beside the pins": (
        ('bus = "slot"', 'bus = "slot"\nregisters = "slot"'),
        r":\d+: pci.registers: is behind the pins of slot; leave it out",
    ),
    "memory beside the pins": (
        ('bus = "slot"', 'bus = "slot"\nmemory = "slot"'),
        r":\d+: pci.memory: is behind the pins of slot; leave it out",
    ),
    "registers of a BAR": (
        ('bar = "4KiB"\nport = "wire"', 'port = "wire"\n[pci.bars.0]\nregisters = "slot"'),
        r":\d+: pci.bars.0.registers: is behind the pins of slot; leave it out",
    ),
    "vectors of the map": (
        ('bus = "slot"', 'bus = "slot"\nvectors = 2'),
        r":\d+: pci.vectors: is what the device behind slot tells; leave it out",
    ),
    "conventional slot": (
        ('bus = "slot"', 'bus = "slot"\nslot = "pci-66"'),
        r":\d+: pci.slot: pci-66: the pins of slot are for PCI-X: wants pcix-133",
    ),
    "interface of another kind": (
        ('bus = "slot"', 'bus = "wire"'),
        r":\d+: pci.bus: wire is gmii; wants one of pcix",
    ),
    "no such interface": (
        ('bus = "slot"', 'bus = "slit"'),
        r":\d+: pci.bus: there is no interface 'slit'; did you mean slot",
    ),
    "reset of another clock": (
        ('clock = "clk_i"\n[interfaces.slot]', 'clock = "mac_clk_i"\n[interfaces.slot]'),
        r":\d+: pci.bus: wants a reset of clk_i, which is RST#",
    ),
    "pin that is missing": (
        ('kind = "pcix"', 'kind = "pcix"\npins = {frame_ni = "fram_ni"}'),
        r"pins.frame_ni: pcix_copy has no port 'fram_ni'; did you mean frame_ni",
    ),
    "nothing behind the BARs": (
        ('bus = "slot"\nbar', "bar"),
        r"pci: wants registers, or a table \[pci.bars.NUMBER\] for each memory BAR",
    ),
    "BAR without registers or pins": (
        (
            'bus = "slot"\nbar = "4KiB"\nport = "wire"',
            'port = "wire"\n[pci.bars.0]\nsize = "4KiB"',
        ),
        r"pci.bars.0: wants registers: the interface behind it",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_mistake_is_told_in_one_line(name: str, tmp_path: Path) -> None:
    change, wanted = WRONG[name]
    with pytest.raises(UsageError) as refused:
        bind(tmp_path, change)
    told = str(refused.value)
    assert "\n" not in told
    assert re.search(wanted, told), told
