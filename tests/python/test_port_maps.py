# SPDX-License-Identifier: Apache-2.0
"""Port maps: what they make of a block, and one line for each that cannot be."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from longhaul.errors import UsageError
from longhaul.paths import ROOT
from longhaul.portmap import objects, table
from longhaul.portmap.kinds import FROM_BLOCK, KINDS, TO_BLOCK
from longhaul.portmap.read import read
from longhaul.portmap.verilated import ports
from longhaul.workspace.toml_lines import Lines

SAMPLE = Path(__file__).parent / "samples" / "portmap"
MAP = (SAMPLE / "little.toml").read_text()
RTL = (SAMPLE / "little_top.sv").read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the sample that a test may change."""
    shutil.copytree(SAMPLE, tmp_path / "little")
    return tmp_path / "little"


def edited(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write the map with some of its text replaced."""
    text = MAP
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the map"
        text = text.replace(old, new)
    file = folder / "little.toml"
    file.write_text(text)
    return file


def bind(file: Path) -> str:
    """Bind a map as a run does, up to the compiler, and return the text for the simulator."""
    return objects.bound(read(file), lambda _: None)


def test_every_pin_has_its_place(folder: Path) -> None:
    made = json.loads(bind(edited(folder)))
    assert made["clocks"][0] == {
        "name": "clk",
        "pin": ["clk", 0, 1],
        "hertz": 125_000_000,
        "ppm": 0.0,
        "phase_ps": 0,
        "gating": False,
        "settle": 64,
        "request": None,
        "slot": False,
    }
    assert made["resets"] == [
        {"pin": ["rst_n", 0, 1], "active_high": False, "clock": "clk", "clocks": 16}
    ]
    assert made["constants"] == [{"pin": ["station", 0, 48], "value": 0x0200_0000_0001}]
    regs, requests, wire = made["interfaces"]
    assert regs["pins"]["awaddr"] == ["s_axil_awaddr", 0, 16]
    assert "awprot" not in regs["pins"]
    assert requests["pins"] == {"irq": ["irq", 0, 1]}
    assert wire["pins"]["rxd"] == ["gmii_rxd", 0, 8]
    assert made["pci"]["bars"] == [
        {
            "index": 0,
            "bytes": 65536,
            "wide": False,
            "prefetchable": False,
            "registers": "regs",
            "offset": 0,
        }
    ]
    assert made["pci"]["intx"]


def test_a_slice_and_another_name_are_pins_too(folder: Path) -> None:
    pins = 'prefix = "gmii_"\npins = {tx_er = "led[3]"}\n'
    changes = (('prefix = "gmii_"\n', pins), ('open = ["led"]', 'open = ["gmii_tx_er"]'))
    made = json.loads(bind(edited(folder, *changes)))
    assert made["interfaces"][2]["pins"]["tx_er"] == ["led", 3, 1]


WRONG = {
    "no such file": ((), "", r"nowhere.toml: No such file"),
    "no TOML": ((("[clocks.clk]", "[clocks.clk"),), "", r"little.toml:\d+: "),
    "unknown table": ((("[resets.rst_n]", "[reset.rst_n]"),), "", r"did you mean resets\?"),
    "unknown key": ((("top = ", "topp = "),), "", r":\d+: block.topp: .*did you mean top\?"),
    "missing key": ((('device = "0x5555"\n', ""),), "", r"pci.device: is missing"),
    "wrong type": ((('"125MHz"\n\n[clocks.rx', "125\n\n[clocks.rx"),), "", r"clocks.clk.frequency"),
    "no unit": ((('"125MHz"\n\n[clocks.rx', '"125"\n\n[clocks.rx'),), "", r"did you mean .*125"),
    "no frequency": ((('"125MHz"\n\n[clocks.rx', '"0Hz"\n\n[clocks.rx'),), "", r"never ticks"),
    "far off clock": (
        (('frequency = "125MHz"\n\n[clocks.rx', 'frequency = "125MHz"\nppm = 5000\n\n[clocks.rx'),),
        "",
        r"clocks.clk.ppm: .*1000",
    ),
    "request of a clock that never stands still": (
        (
            (
                'frequency = "125MHz"\n\n[clocks.rx',
                'frequency = "125MHz"\nrequest = "irq"\n\n[clocks.rx',
            ),
        ),
        "",
        r"clocks.clk.request: is of a clock with gating",
    ),
    "clock that GMII does not have": (
        (('[clocks.rx_clk]\nfrequency = "125MHz"', '[clocks.rx_clk]\nfrequency = "100MHz"'),),
        "",
        r"interfaces.wire.rx_clock: rx_clk has 100MHz; GMII .*: 125MHz",
    ),
    "id that is no number": (
        (('vendor = "0x1af4"', 'vendor = "intel"'),),
        "",
        r"pci.vendor: 'intel': wants a number, such as 0x1af4",
    ),
    "name that is none": ((('name = "little"', 'name = "my-nic"'),), "", r"'my-nic' is no name"),
    "reset of no clock": (
        (('clock = "clk"\n\n[interfaces.regs]', 'clock = "klk"\n\n[interfaces.regs]'),),
        "",
        r"resets.rst_n.clock: there is no clock 'klk'; did you mean",
    ),
    "unknown kind": ((('kind = "gmii"', 'kind = "gmi"'),), "", r"no kind 'gmi'; did you mean gmii"),
    "no role": ((('role = "subordinate"\n', ""),), "", r"subordinate or manager"),
    "unknown role": ((('role = "subordinate"', 'role = "slave"'),), "", r"subordinate or manager"),
    "role of what has none": (
        (('kind = "interrupt"', 'kind = "interrupt"\nrole = "manager"'),),
        "",
        r"has no roles; leave it out",
    ),
    "no clock": (
        (('prefix = "s_axil_"\nclock = "clk"', 'prefix = "s_axil_"'),),
        "",
        r"interfaces.regs: AXI4-Lite wants clock",
    ),
    "clock too many": (
        (('tx_clock = "clk"', 'tx_clock = "clk"\nclock = "clk"'),),
        "",
        r"interfaces.wire.clock: .*tx_clock and rx_clock only",
    ),
    "no receive clock": ((('rx_clock = "rx_clk"\n', ""),), "", r"wants rx_clock"),
    "signal of another kind": (
        (('prefix = "gmii_"', 'prefix = "gmii_"\npins = {rxdv = "x"}'),),
        "",
        r"no signal 'rxdv'; did you mean rx_dv",
    ),
    "wrong prefix": (
        (('prefix = "s_axil_"', 'prefix = "s_axi_"'),),
        "",
        r"interfaces.regs: little_top has no port 's_axi_awaddr'; "
        r"did you mean s_axil_awaddr\? \(little_top.sv:\d+\)",
    ),
    "pin that is not there": (
        (("[resets.rst_n]", "[resets.reset_n]"),),
        "",
        r"no port 'reset_n'; did you mean rst_n",
    ),
    "pin text that is none": (
        (("[resets.rst_n]", '[resets.rst_n]\npin = "rst n"'),),
        "",
        r"'rst n' is no pin",
    ),
    "slice outside": (
        (("[resets.rst_n]", '[resets.rst_n]\npin = "led[8]"'),),
        "",
        r"led \(little_top.sv:\d+\) has bits 7 to 0",
    ),
    "wide clock": (
        (("[clocks.rx_clk]", '[clocks.rx_clk]\npin = "gmii_rxd"'),),
        "",
        r"gmii_rxd .*has 8 bits; a clock has one",
    ),
    "output as reset": (
        (("[resets.rst_n]", '[resets.rst_n]\npin = "irq"'),),
        "",
        r"irq .*is an output; wants an input",
    ),
    "driven twice": (
        (('station = "0x0200_0000_0001"', 'station = "0x0200_0000_0001"\nrst_n = 1'),),
        "",
        r"|".join([r"belongs to constants.rst_n already", r"belongs to resets.rst_n already"]),
    ),
    "two interfaces on one pin": (
        (('prefix = "gmii_"', 'prefix = "gmii_"\npins = {rx_er = "gmii_rx_dv"}'),),
        "",
        r"belongs to interfaces.wire.* already",
    ),
    "value too large": (
        (('station = "0x0200_0000_0001"', 'station = "0x1_0000_0000_0000"'),),
        "",
        r"does not fit 48 bits",
    ),
    "open input": (
        (('[constants]\nstation = "0x0200_0000_0001"\n', ""),),
        "",
        r"the input station \(little_top.sv:\d+\) is open",
    ),
    "forgotten output": (
        (('open = ["led"]\n', ""),),
        "",
        r"the output led \(little_top.sv:\d+\) goes nowhere",
    ),
    "optional signal that is needed": (
        (('prefix = "gmii_"', 'prefix = "gmii_"\npins = {txd = ""}'),),
        "",
        r"cannot do without txd",
    ),
    "nothing to the machine": (
        (
            (
                '[pci]\nvendor = "0x1af4"\ndevice = "0x5555"\n'
                'registers = "regs"\ninterrupts = "requests"\nport = "wire"\n',
                "",
            ),
        ),
        "",
        r"\[pci\], \[platform\] and \[box\]",
    ),
    "registers of another kind": (
        (('registers = "regs"', 'registers = "wire"'),),
        "",
        r"wire is gmii; wants one of",
    ),
    "no such interface": (
        (('registers = "regs"', 'registers = "reg"'),),
        "",
        r"no interface 'reg'; did you mean regs",
    ),
    "no port": ((('port = "wire"\n', ""),), "", r"pci: wants port"),
    "unused interface": (
        (('interrupts = "requests"\n', ""),),
        "",
        r"interfaces.requests: nothing uses it",
    ),
    "BAR that is no power of two": (
        (('device = "0x5555"', 'device = "0x5555"\nbar = "48KiB"'),),
        "",
        r"power of two",
    ),
    "read without its unit": (
        (('device = "0x5555"', 'device = "0x5555"\nmax_read = "512"'),),
        "",
        r":\d+: pci: max_read=512: a size needs its unit",
    ),
    "BAR that is too large": (
        (('device = "0x5555"', 'device = "0x5555"\nbar = "512MiB"'),),
        "",
        r"256MiB",
    ),
    "id that is none": ((('vendor = "0x1af4"', 'vendor = "0x1ffff"'),), "", r"pci.vendor: "),
    "slot that is none": (
        (('device = "0x5555"', 'device = "0x5555"\nslot = "pcie"'),),
        "",
        r"pci.slot: .*pcix-133",
    ),
    "no sources": (
        (('sources = ["little_top.sv"]', 'sources = ["rtl/*.sv"]'),),
        "",
        r"block.sources: no file is rtl/\*.sv",
    ),
    "no top": (
        (('top = "little_top"', 'top = "litle_top"'),),
        "",
        r"Verilator refuses the RTL: .*litle_top",
    ),
    "no such parameter": (
        (('top = "little_top"', 'top = "little_top"\nparameters = {Lane = 2}'),),
        "",
        r"Verilator refuses the RTL: .*Lane",
    ),
    "no such Verilator": (
        (('top = "little_top"', 'top = "little_top"\nverilator = "verilator-99"'),),
        "",
        r"no program verilator-99",
    ),
    "mistake in the RTL": (
        (),
        "assign irq            = ",
        r"Verilator refuses the RTL: .*little_top.sv:\d+",
    ),
    "narrow data": ((), "input  logic [31:0] s_axil_wdata", r"s_axil_wdata .* 16 bits"),
    "wide strobe": (
        (),
        "input  logic [3:0]  s_axil_wstrb",
        r"s_axil_wstrb .*8 bits, which does not fit the 32 of",
    ),
    "bad response width": (
        (),
        "output logic [1:0]  s_axil_bresp",
        r"s_axil_bresp .*3 bits; bresp has 2",
    ),
    "inout": ((), "output logic [7:0]  led", r"is an inout"),
}
IN_RTL = {
    "assign irq            = ": "assign irq            == ",
    "input  logic [31:0] s_axil_wdata": "input  logic [15:0] s_axil_wdata",
    "input  logic [3:0]  s_axil_wstrb": "input  logic [7:0]  s_axil_wstrb",
    "output logic [1:0]  s_axil_bresp": "output logic [2:0]  s_axil_bresp",
    "output logic [7:0]  led": "inout  wire  [7:0]  led",
}


@pytest.mark.parametrize("name", WRONG)
def test_each_wrong_map_is_refused_in_one_line(name: str, folder: Path) -> None:
    changes, in_rtl, wanted = WRONG[name]
    file = edited(folder, *changes)
    if name == "no such file":
        file = folder / "nowhere.toml"
    if in_rtl:
        assert in_rtl in RTL
        (folder / "little_top.sv").write_text(RTL.replace(in_rtl, IN_RTL[in_rtl]))
    with pytest.raises(UsageError) as refused:
        bind(file)
    told = str(refused.value)
    assert "\n" not in told
    assert re.search(wanted, told), told
    assert told.startswith(str(file)) or "verilator" in told


def test_there_are_enough_wrong_maps() -> None:
    assert len(WRONG) >= 40


def test_lines_are_those_of_keys_and_of_the_tables_around_them() -> None:
    lines = Lines('a = 1\n[b]\n# c = 2\nc = 3\n[d."e f"]\ng.h = 4\n')
    assert lines.of(("a",)) == 1
    assert lines.of(("b", "c")) == 4
    assert lines.of(("b", "missing")) == 2
    assert lines.of(("d", "e f", "g", "h")) == 6
    assert lines.of(("nothing",)) == 1


def test_the_reference_in_the_documentation_is_that_of_the_schema() -> None:
    text = (ROOT / "docs" / "port_maps.md").read_text()
    _, _, reference = text.partition("<!-- longhaul rtl --reference -->\n\n")
    assert reference == table.reference() + "\n"


def test_the_schema_for_editors_knows_every_table() -> None:
    known = json.loads(table.schema())
    assert set(known["properties"]) >= {"block", "clocks", "interfaces", "pci", "box", "driver"}
    assert known["additionalProperties"] is False


def test_ports_are_read_from_verilators_header(tmp_path: Path) -> None:
    header = tmp_path / "Vtop.h"
    header.write_text(
        "    VL_IN8(&clk,0,0);\n    VL_IN64(&addr,63,0);\n    VL_OUTW(&wide,511,0,16);\n"
        "    VL_OUT16(&with___05Fbar,12,4);\n    VL_IN((&lanes)[4],31,0);\n"
        "    VL_INOUT8(&mdio,0,0);\n"
    )
    found = ports(header)
    assert [(p.name, p.width, p.direction, p.array) for p in found.values()] == [
        ("clk", 1, "input", 0),
        ("addr", 64, "input", 0),
        ("wide", 512, "output", 0),
        ("with__bar", 9, "output", 0),
        ("lanes", 32, "input", 4),
        ("mdio", 1, "inout", 0),
    ]
    assert found["with__bar"].member == "with___05Fbar"


def test_a_role_turns_the_directions_round() -> None:
    kind = KINDS["axi4"]
    as_subordinate = {each.name: each.direction for each in kind.signals_of("subordinate")}
    as_manager = {each.name: each.direction for each in kind.signals_of("manager")}
    assert as_subordinate["awvalid"] == TO_BLOCK and as_manager["awvalid"] == FROM_BLOCK
    assert as_subordinate["rdata"] == FROM_BLOCK and as_manager["rdata"] == TO_BLOCK
    assert set(as_subordinate) == set(as_manager)


def test_a_change_in_an_included_file_makes_the_block_anew(folder: Path) -> None:
    (folder / "inc").mkdir()
    (folder / "inc" / "reset.svh").write_text("32'(Lanes)")
    text = RTL.replace("32'(Lanes);", '`include "reset.svh"\n;')
    (folder / "little_top.sv").write_text(text)
    file = edited(folder, ('top = "little_top"', 'top = "little_top"\ninclude = ["inc"]'))
    said: list[str] = []
    for _ in range(2):
        objects.bound(read(file), said.append)
    assert said.count("little: Verilator") <= 1
    said.clear()
    (folder / "inc" / "reset.svh").write_text("32'(Lanes + 1)")
    objects.bound(read(file), said.append)
    assert said == ["little: Verilator"]
