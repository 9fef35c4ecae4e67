# SPDX-License-Identifier: Apache-2.0
"""Port maps of platform devices, tri-state ports and makers' primitives."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from longhaul.errors import UsageError
from longhaul.paths import ROOT
from longhaul.portmap import glue, objects
from longhaul.portmap.read import read
from longhaul.portmap.schema import Inout
from longhaul.portmap.verilated import RtlPort, missing_primitive, ports

SAMPLES = Path(__file__).parent / "samples"
LITTLE = (SAMPLES / "portmap" / "little.toml").read_text()
RTL = (SAMPLES / "portmap" / "little_top.sv").read_text()
PLATFORM = """\
[platform]
compatible = ["maker,block-2", "maker,block"]
registers = "regs"
window = "64KiB"
base = "0x4000"
interrupts = "requests"
port = "wire"
[platform.regions]
mac = {offset = "0x1000", size = "256B"}
buffer = {offset = "0x8000", size = "8KiB"}
[platform.properties]
"maker,slots" = 2
"maker,rates" = [10, 100]
"maker,names" = ["a", "b"]
phy-mode = "gmii"
dma-coherent = true
"""
MAP = LITTLE.partition("[pci]")[0] + PLATFORM


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the sample that a test may change."""
    shutil.copytree(SAMPLES / "portmap", tmp_path / "little")
    return tmp_path / "little"


def bind(folder: Path, text: str = MAP) -> str:
    file = folder / "little.toml"
    file.write_text(text)
    return objects.bound(read(file), lambda _: None)


def test_a_platform_device_is_handed_over_with_its_node(folder: Path) -> None:
    made = json.loads(bind(folder))["platform"]
    assert made == {
        "compatible": ["maker,block-2", "maker,block"],
        "node": "ethernet",
        "registers": "regs",
        "window": 65536,
        "base": 0x4000,
        "memory": "",
        "interrupts": "requests",
        "port": "wire",
        "regions": [
            {"name": "mac", "offset": 0x1000, "bytes": 256},
            {"name": "buffer", "offset": 0x8000, "bytes": 8192},
        ],
        "properties": [
            "maker,slots = <0x2>",
            "maker,rates = <0xa>, <0x64>",
            'maker,names = "a", "b"',
            'phy-mode = "gmii"',
            "dma-coherent",
        ],
    }


def test_without_regions_the_window_is_one(folder: Path) -> None:
    text = re.sub(r"\[platform.regions\].*?(?=\[platform.prop)", "", MAP, flags=re.DOTALL)
    made = json.loads(bind(folder, text))["platform"]
    assert made["regions"] == [{"name": "", "offset": 0, "bytes": 65536}]


WRONG = {
    "two things at once": ("[platform]\n", "[box]\nports = {}\n[platform]\n", r"wants one of the"),
    "no such interface": ('registers = "regs"', 'registers = "rags"', r"did you mean regs"),
    "registers of another kind": ('registers = "regs"', 'registers = "wire"', r"wire is gmii"),
    "no wire": ('port = "wire"\n', "", r"platform: wants port"),
    "window that is no power": ('"64KiB"', '"60KiB"', r"platform.window: 60KiB: wants a power"),
    "window that is too large": ('"64KiB"', '"32MiB"', r"a power of two from 4B to 16MiB"),
    "window without a unit": ('"64KiB"', '"64"', r"platform: .*64"),
    "region that reaches out": ('"8KiB"}', '"64KiB"}', r"regions.buffer: 0x8000 \+ 64KiB reaches"),
    "region without a size": (', size = "8KiB"}', "}", r"platform.regions.buffer.size: is missing"),
    "key of a region": ('"8KiB"}', '"8KiB", at = 1}', r"buffer.at: there is no such key"),
    "misspelt key": ('port = "wire"', 'prot = "wire"', r"platform.prot: .*did you mean port"),
    "node that is none": ('window = "64', 'node = "et h"\nwindow = "64', r"'et h' is no name"),
    "property of Longhaul's": ('phy-mode = "gmii"', "reg = 1", r"properties.reg: is Longhaul's"),
    "property that is none": ('phy-mode = "gmii"', '"a b" = 1', r"is no name of a property"),
    "false property": ("dma-coherent = true", "dma-coherent = false", r"is left out"),
    "cell that is too large": ('slots" = 2', 'slots" = 0x1_0000_0000', r"a cell has 32 bits"),
    "unused interface": ('interrupts = "requests"\n', "", r"nothing uses it; \[platform\]"),
    "half a driver": (
        "[platform]\n",
        '[driver]\nmodule = "x"\nfolder = "drivers/net"\n[platform]\n',
        r"driver: folder and option belong together",
    ),
    "inout that is none": ("[platform]\n", "[inouts.lad]\n[platform]\n", r"no inout port 'lad'"),
    "pull that is none": (
        "[platform]\n",
        '[inouts.led]\npull = "left"\n[platform]\n',
        r"inouts.led.pull: 'left': wants 'up' or 'down'",
    ),
    "primitives of nobody": (
        'sources = ["little_top.sv"]',
        'sources = ["little_top.sv"]\nprimitives = "acme"',
        r"block.primitives: 'acme': wants",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_wrong_map_is_refused_in_one_line(name: str, folder: Path) -> None:
    old, new, wanted = WRONG[name]
    assert MAP.count(old) == 1
    with pytest.raises(UsageError) as refused:
        bind(folder, MAP.replace(old, new))
    told = str(refused.value)
    assert "\n" not in told
    assert re.search(wanted, told), told
    assert told.startswith(str(folder / "little.toml"))


# --- tri-state ports -----------------------------------------------------------------------------

TRISTATE = RTL.replace("output logic [7:0]  led", "inout  wire  [7:0]  led").replace(
    "assign led            = station[7:0]", "assign led = scratch_q[1] ? 8'hz : station[7:0]"
)


def test_an_inout_wants_to_be_told_of(folder: Path) -> None:
    (folder / "little_top.sv").write_text(TRISTATE)
    with pytest.raises(UsageError, match=r"led is an inout; \[inouts.led\] with pull = \"up\""):
        bind(folder)


def test_an_inout_is_one_in_its_table_and_nowhere_else(folder: Path) -> None:
    (folder / "little_top.sv").write_text(TRISTATE)
    inouts = MAP.replace("[platform]\n", '[inouts.led]\npull = "down"\n[platform]\n')
    with pytest.raises(UsageError, match=r"open: led .*belongs to inouts.led already"):
        bind(folder, inouts)
    assert json.loads(bind(folder, inouts.replace('open = ["led"]', "open = []")))["platform"]


def test_parameters_reach_the_block_inside_its_wrapper(folder: Path) -> None:
    (folder / "little_top.sv").write_text(
        TRISTATE.replace("Lanes = 1", "Lanes = 0").replace(
            "logic [31:0] scratch_q;", "logic [31:0] scratch_q; if (Lanes == 0) nosuchmodule u ();"
        )
    )
    text = MAP.replace('open = ["led"]', "open = []").replace(
        "[clocks.clk]", "[inouts.led]\n[clocks.clk]"
    )
    with pytest.raises(UsageError, match="nosuchmodule"):
        bind(folder, text)
    bind(folder, text.replace("[inouts.led]", "[block.parameters]\nLanes = 2\n[inouts.led]"))


DRIVEN = """\
module driven #(parameter bit [1:0] On = 2'b01) (
  input wire go, inout wire [1:0] pair, inout wire single, output wire [1:0] seen);
  assign pair = go ? On : 2'bzz;
  assign single = go ? 1'b0 : 1'bz;
  assign seen = pair;
endmodule
"""
MAIN = """\
#include <cstdio>
#include "Vtop.h"
int main() {
  Vtop top;
  for (int go : {0, 1, 0}) {
    top.go = go;
    top.eval();
    std::printf("%d %d %d\\n", top.pair, top.single, top.seen);
  }
}
"""


def test_the_wires_of_an_inout_have_its_pull_where_nobody_drives_them(tmp_path: Path) -> None:
    (tmp_path / "driven.sv").write_text(DRIVEN)
    (tmp_path / "main.cc").write_text(MAIN)
    found = {
        name: RtlPort(name, name, width, direction)
        for name, width, direction in (
            *(("go", 1, "input"), ("pair", 2, "inout"), ("single", 1, "inout")),
            ("seen", 2, "output"),
        )
    }
    inouts = {"pair": Inout(pull="down"), "single": Inout(pull="up")}
    source = glue.wrapper_source("top", "driven", found, {"On": "2'b11"}, inouts)
    (tmp_path / "top.sv").write_text(source)
    words = ["verilator", "--cc", "--exe", "--build", "--prefix", "Vtop", "--top-module", "top"]
    subprocess.run([*words, "top.sv", "driven.sv", "main.cc"], cwd=tmp_path, check=True)
    told = subprocess.run([tmp_path / "obj_dir/Vtop"], capture_output=True, text=True, check=True)
    assert told.stdout == "0 1 0\n3 0 3\n0 1 0\n"
    assert ports(tmp_path / "obj_dir/Vtop.h")["pair"].direction == "output"


# --- primitives ----------------------------------------------------------------------------------

XILINX = objects.PRIMITIVES / "xilinx"


def test_a_missing_primitive_is_told_with_its_maker() -> None:
    error = "a.v:3:1: Cannot find file containing module: '{}'"
    hint = missing_primitive(error.format("BUFG"), objects.PRIMITIVES, "")
    assert hint == '; `primitives = "xilinx"` has it'
    assert missing_primitive(error.format("PLL"), objects.PRIMITIVES, "") == ""
    assert missing_primitive(error.format("BUFG"), objects.PRIMITIVES, "xilinx") == ""


def test_every_primitive_is_alone_in_a_file_of_its_name() -> None:
    files = sorted(XILINX.glob("*.v"))
    assert len(files) >= 15
    for file in files:
        assert re.findall(r"^module (\w+)", file.read_text(), re.MULTILINE) == [file.stem]


def test_primitives_do_what_their_maker_says(tmp_path: Path) -> None:
    bench = ROOT / "tests/python/samples/primitives/xilinx_tb.sv"
    words = ["verilator", "--binary", "--timing", "-Wno-fatal", "--Mdir", str(tmp_path)]
    words += ["-y", str(XILINX), "--top-module", bench.stem, str(bench)]
    subprocess.run(words, check=True, capture_output=True)
    done = subprocess.run(
        [tmp_path / f"V{bench.stem}"], capture_output=True, text=True, check=False
    )
    assert re.search(r"^18 claims hold$", done.stdout, re.MULTILINE), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "parameter"),
    [("ODDR", '.SRTYPE("ASYNC")'), ("IDDR", '.SRTYPE("ASYNC")'), ("BUFR", '.BUFR_DIVIDE("2")')],
)
def test_what_a_primitive_does_not_model_stops_the_compilation(
    name: str, parameter: str, tmp_path: Path
) -> None:
    (tmp_path / "top.sv").write_text(f"module top; {name} #({parameter}) u (); endmodule\n")
    words = ["verilator", "--lint-only", "-Wno-fatal", "-y", str(XILINX), "top.sv"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode and "longhaul_" in done.stderr
