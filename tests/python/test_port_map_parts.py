# SPDX-License-Identifier: Apache-2.0
"""Parts of port maps that not every block has: streams, MII, several BARs, vectors."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from longhaul.errors import UsageError
from longhaul.portmap import objects
from longhaul.portmap.read import read

SAMPLES = Path(__file__).parent / "samples" / "portmap"
Changes = Sequence[tuple[str, str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the samples that a test may change."""
    shutil.copytree(SAMPLES, tmp_path / "samples")
    return tmp_path / "samples"


@pytest.fixture
def bound(folder: Path) -> Callable[[str, Changes], Any]:
    """Bind a sample's map with some of its text replaced, as a run does, up to the compiler."""

    def bind(name: str, changes: Changes) -> Any:
        file = folder / f"{name}.toml"
        text = file.read_text()
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the map"
            text = text.replace(old, new)
        file.write_text(text)
        return json.loads(objects.bound(read(file), lambda _: None))

    return bind


def test_a_port_is_two_streams(bound: Callable[[str, Changes], Any]) -> None:
    made = bound("stream_box", ())
    assert made["streams"]["west"] == {
        "transmit": "west_out",
        "receive": "west_in",
        "fcs": False,
        "buffer": 32768,
        "bits_per_s": 10**9,
    }
    assert made["box"]["ports"] == {"west": "west", "east": "east"}


def test_a_bit_of_tuser_marks_bad_frames_and_the_others_are_zero(
    bound: Callable[[str, Changes], Any],
) -> None:
    top = ('top = "stream_box"', 'top = "stream_box"\nparameters = {Users = 100}')
    made = bound("stream_box", [top])
    pins = {each["name"]: each["pins"] for each in made["interfaces"]}
    assert pins["west_in"]["tuser"] == ["west_rx_tuser", 1, 1]
    assert pins["west_out"]["tuser"] == ["west_tx_tuser", 1, 1]
    zeros = [each["pin"] for each in made["constants"] if each["pin"][0] == "west_rx_tuser"]
    assert zeros == [
        ["west_rx_tuser", 0, 1],
        ["west_rx_tuser", 2, 64],
        ["west_rx_tuser", 66, 34],
    ]


BARS = """
[pci.bars.0]
registers = "regs"
size = "256MiB"
width = 64
prefetchable = true
[pci.bars.2]
registers = "regs"
size = "4KiB"
offset = "0x1000"
"""
SEVERAL = [('registers = "regs"\n', ""), ('port = "wire"', f'port = "wire"\n{BARS}')]


def test_several_bars_may_share_an_interface(bound: Callable[[str, Changes], Any]) -> None:
    bars = bound("little", SEVERAL)["pci"]["bars"]
    assert [(bar["index"], bar["bytes"], bar["wide"], bar["offset"]) for bar in bars] == [
        (0, 256 << 20, True, 0),
        (2, 4096, False, 0x1000),
    ]
    assert bars[0]["prefetchable"] and not bars[1]["prefetchable"]


def test_an_input_may_be_a_parameter(bound: Callable[[str, Changes], Any]) -> None:
    table = '[inputs.mac]\npin = "station"\nvalue = 5\ndescription = "its address"'
    made = bound("little", [('[constants]\nstation = "0x0200_0000_0001"', table)])
    assert made["constants"] == []
    assert made["inputs"] == [
        {"name": "mac", "pin": ["station", 0, 48], "value": 5, "description": "its address"}
    ]


def test_pulses_have_no_pin_of_the_bus(bound: Callable[[str, Changes], Any]) -> None:
    edge = ('kind = "interrupt"', 'kind = "interrupt"\ntrigger = "edge"')
    assert not bound("little", [edge])["pci"]["intx"]


def bars(*changes: tuple[str, str]) -> Changes:
    """Return the changes that give the map several BARs, with some of their text replaced."""
    text = SEVERAL[1][1]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return [SEVERAL[0], (SEVERAL[1][0], text)]


def pci(line: str) -> Changes:
    return [('device = "0x5555"', f'device = "0x5555"\n{line}')]


WRONG: dict[str, tuple[str, Changes, str]] = {
    "one direction as a port": (
        "stream_box",
        [('ports = {west = "west"', 'ports = {west = "west_in"')],
        r":\d+: box.ports.west: west_in is one direction; a table \[streams.NAME\] joins two",
    ),
    "stream of no interface": (
        "stream_box",
        [('transmit = "west_out"', 'transmit = "west_ouz"')],
        r":\d+: streams.west.transmit: there is no interface 'west_ouz'; did you mean west_out",
    ),
    "stream the other way round": (
        "stream_box",
        [('transmit = "west_out"', 'transmit = "west_in"')],
        r"streams.west.transmit: the block is the subordinate of west_in; wants the manager",
    ),
    "stream of two ports": (
        "stream_box",
        [('receive = "east_in"', 'receive = "west_in"')],
        r"streams.east.receive: west_in belongs to streams.west already",
    ),
    "stream that nobody uses": (
        "stream_box",
        [('east = "east"}', 'east = "west"}')],
        r":\d+: streams.east: nothing uses it; \[box\] does not name it",
    ),
    "rate that no cable has": (
        "stream_box",
        [('receive = "west_in"\nrate = "1Gb/s"', 'receive = "west_in"\nrate = "25Gb/s"')],
        r":\d+: streams.west.rate: '25Gb/s': wants '100Mb/s', '1Gb/s' or '10Gb/s'",
    ),
    "buffer without its unit": (
        "stream_box",
        [('receive = "west_in"', 'receive = "west_in"\nbuffer = "9000"')],
        r"streams.west: buffer=9000: a size needs its unit",
    ),
    "buffer that holds no frame": (
        "stream_box",
        [('receive = "west_in"', 'receive = "west_in"\nbuffer = "1KiB"')],
        r":\d+: streams.west.buffer: 1KiB: wants 2KiB to 64MiB",
    ),
    "bit that TUSER does not have": (
        "stream_box",
        [
            (
                'prefix = "west_rx_"\nclock = "clk"\nerror_bit = 1',
                'prefix = "west_rx_"\nclock = "clk"\nerror_bit = 2',
            )
        ],
        r"west_in.error_bit: west_rx_tuser \(stream_box.sv:\d+\) has 2 bits; there is no bit 2",
    ),
    "error bit without TUSER": (
        "stream_box",
        [('prefix = "west_tx_"', 'prefix = "west_tx_"\npins = {tuser = ""}')],
        r"west_out.error_bit: the interface has no tuser",
    ),
    "frames of whole beats": (
        "stream_box",
        [('prefix = "west_tx_"', 'prefix = "west_tx_"\npins = {tkeep = ""}')],
        r"interfaces.west_out: wants tkeep",
    ),
    "stream of an odd width": (
        "stream_box",
        [('top = "stream_box"', 'top = "stream_box"\nparameters = {Bytes = 3}')],
        r"west_rx_tdata .*has 24 bits; tdata has 8, 16, 32, 64, 128, 256, 512",
    ),
    "MII of another clock": (
        "mii_box",
        [
            (
                '[clocks.west_tx_clk]\nfrequency = "25MHz"',
                '[clocks.west_tx_clk]\nfrequency = "2.5MHz"',
            )
        ],
        r"west.tx_clock: west_tx_clk has 2.5MHz; MII .*: 25MHz",
    ),
    "BAR of ports": (
        "little",
        bars(('size = "4KiB"', 'size = "4KiB"\nspace = "io"')),
        r":\d+: pci.bars.2.space: an I/O BAR of a block is not modelled; give .* a memory BAR",
    ),
    "BAR in an upper half": (
        "little",
        bars(("[pci.bars.2]", "[pci.bars.1]")),
        r"pci.bars.1: BAR register 1 is the upper half of pci.bars.0",
    ),
    "BAR that has no upper half": (
        "little",
        bars(("[pci.bars.2]", "[pci.bars.5]"), ('size = "4KiB"', 'size = "4KiB"\nwidth = 64')),
        r"pci.bars.5: a BAR of 64 bits takes two registers; the last one begins at 4",
    ),
    "BAR that there is not": (
        "little",
        bars(("[pci.bars.2]", "[pci.bars.6]")),
        r":\d+: pci.bars.6: ",
    ),
    "narrow BAR that no host can place": (
        "little",
        bars(("width = 64\n", "")),
        r"pci.bars.0.size: 256MiB: .*above 128MiB wants width = 64",
    ),
    "BAR of an odd size": ("little", bars(("4KiB", "5KiB")), r"bars.2.size: 5KiB: wants a power"),
    "BAR at an odd address": (
        "little",
        bars(('"0x1000"', '"0x1001"')),
        r"pci.bars.2.offset: 0x1001: wants a multiple of 8",
    ),
    "BAR of nothing": (
        "little",
        bars(('registers = "regs"', 'registers = "regz"')),
        r"pci.bars.0.registers: there is no interface 'regz'; did you mean regs",
    ),
    "BARs in two ways": (
        "little",
        [SEVERAL[1]],
        r":\d+: pci.registers: stands in \[pci.bars.NUMBER\]",
    ),
    "no BAR": ("little", [SEVERAL[0]], r":\d+: pci: wants registers, or a table \[pci.bars"),
    "odd number of vectors": ("little", pci("vectors = 3"), r"pci.vectors: 3: MSI has 1, 2, 4"),
    "vectors without MSI": (
        "little",
        pci("vectors = 2\nmsi = false"),
        r"pci.vectors: are those of MSI, which msi = false takes away",
    ),
    "vectors of nobody": (
        "little",
        [('interrupts = "requests"\n', "msix_vectors = 2\n")],
        r"pci.msix_vectors: wants interrupts",
    ),
    "table over registers": (
        "little",
        pci("msix_vectors = 2\nmsix_bar = 0"),
        r"pci.msix_bar: BAR 0 is that of pci; MSI-X's table wants its own",
    ),
    "pulses without messages": (
        "little",
        [
            ('kind = "interrupt"', 'kind = "interrupt"\ntrigger = "edge"'),
            ('device = "0x5555"', 'device = "0x5555"\nmsi = false'),
        ],
        r"pci.interrupts: requests has pulses, which INTx cannot carry: wants MSI or MSI-X",
    ),
    "parameter that there is": (
        "little",
        [('[constants]\nstation = "0x0200_0000_0001"', '[inputs.rules]\npin = "station"')],
        r":\d+: inputs.rules: rules is another parameter; give it another name",
    ),
    "parameter of a strange name": (
        "little",
        [('[constants]\nstation = "0x0200_0000_0001"', '[inputs.Station]\npin = "station"')],
        r"inputs.Station: 'Station' is no name of a parameter",
    ),
    "parameter that does not fit": (
        "little",
        [
            (
                '[constants]\nstation = "0x0200_0000_0001"',
                '[inputs.station]\nvalue = "0x1000000000000"',
            )
        ],
        r"inputs.station: \d+ does not fit 48 bits",
    ),
    "parameter of no pin": (
        "little",
        [('[constants]\nstation = "0x0200_0000_0001"', "[inputs.statio]")],
        r"inputs.statio: little_top has no port 'statio'; did you mean station",
    ),
    "trigger that is none": (
        "little",
        [('kind = "interrupt"', 'kind = "interrupt"\ntrigger = "pulse"')],
        r":\d+: interfaces.requests.trigger: 'pulse': wants 'level' or 'edge'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_mistake_is_told_in_one_line(
    name: str, folder: Path, bound: Callable[[str, Changes], Any]
) -> None:
    sample, changes, wanted = WRONG[name]
    with pytest.raises(UsageError) as refused:
        bound(sample, changes)
    told = str(refused.value)
    assert "\n" not in told
    assert re.search(wanted, told), told
    assert told.startswith(str(folder / f"{sample}.toml:"))
