# SPDX-License-Identifier: Apache-2.0
"""`longhaul synthesis` on a port map: mistakes, options of Verilator, primitives, what is wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from harness import ROOT
from longhaul.cli import main

SAMPLES = ROOT / "tests" / "python" / "samples" / "portmap"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the sample block that a test may change."""
    shutil.copytree(SAMPLES, tmp_path / "little")
    return tmp_path / "little"


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, object]]:
    """Return what synthesises a map that has no mistake, and gives its report."""

    def run(path: Path, *words: str) -> dict[str, object]:
        capsys.readouterr()
        assert main(["synthesis", str(path), "--json", *words]) == 0
        return json.loads(capsys.readouterr().out)

    return run


def changed(path: Path, *changes: tuple[str, str]) -> None:
    """Change texts of a file that it has."""
    text = path.read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    path.write_text(text)


def test_a_mistake_ends_with_1_and_is_told_by_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = folder / "little_top.sv"
    assert main(["synthesis", str(folder / "little.toml")]) == 0
    changed(source, ("s_axil_awvalid && s_axil_wvalid", "s_axil_awvalid && s_axil_wready"))
    line = 1 + source.read_text().partition("  assign s_axil_awready")[0].count("\n")
    capsys.readouterr()
    assert main(["synthesis", str(folder / "little.toml")]) == 1
    said = capsys.readouterr()
    assert "1: latch 0, combinational loop 1, multiple drivers 0, undriven 0" in said.out
    assert said.err.splitlines()[-1] == (
        f"longhaul: little_top.sv:{line}: combinational loop: through s_axil_awready, s_axil_wready"
    )


def test_parameters_and_macros_of_the_map_reach_the_rtl(
    folder: Path, shown: Callable[..., dict[str, object]]
) -> None:
    """A list of files, a folder of modules and a folder of included files do, too."""
    changed(
        folder / "little_top.sv",
        ("  logic [31:0] scratch_q;\n",
         '`include "parts.svh"\n  logic [31:0] scratch_q;\n  logic [Lanes*`WIDE-1:0] more_q;\n'
         "  always_ff @(posedge clk) more_q <= {more_q, rst_n};\n"
         "  logic tail;\n  delay u_delay (.clk_i(clk), .d_i(more_q[`LAST]), .q_o(tail));\n"),
        ("assign irq            = scratch_q[0];", "assign irq = scratch_q[0] ^ tail;"),
    )  # fmt: skip
    changed(
        folder / "little.toml",
        ('sources = ["little_top.sv"]', 'file_lists = ["rtl/little.f"]\ndefines = {WIDE = 5}\n'
         'parameters = {Lanes = 2}\noptions = ["--trace-depth", "3", "-Wno-fatal"]'),
    )  # fmt: skip
    (folder / "rtl" / "library").mkdir(parents=True)
    (folder / "rtl" / "little.f").write_text("// paths from the map's folder on\nlittle_top.sv\n"
                                             "-F rtl/more.f\n")  # fmt: skip
    (folder / "rtl" / "more.f").write_text("# from this folder on\n+incdir+inc -y library\n"
                                           "+libext+.v\n")  # fmt: skip
    (folder / "rtl" / "inc").mkdir()
    (folder / "rtl" / "inc" / "parts.svh").write_text("`define LAST Lanes*`WIDE-1\n")
    (folder / "rtl" / "library" / "delay.v").write_text(
        "module delay (input clk_i, input d_i, output reg [0:0] q_o);\n"
        "  always @(posedge clk_i) q_o <= d_i;\nendmodule\n"
    )
    map_ = folder / "little.toml"
    before = 66  # of the block as it is
    found = shown(map_)
    assert found["flip_flops"] == before + 2 * 5 + 1
    assert found["left_out"] == ["--trace-depth 3", "-Wno-fatal"]
    assert shown(map_, "--top", "little_top") == found
    changed(map_, ("WIDE = 5", "WIDE = 7"))
    assert shown(map_)["flip_flops"] == before + 2 * 7 + 1


def test_primitives_are_black_boxes(
    folder: Path, shown: Callable[..., dict[str, object]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Their inputs are used, their outputs are driven; without the models they are unknown."""
    changed(
        folder / "little_top.sv",
        ("  logic [31:0] scratch_q;\n", "  logic [31:0] scratch_q;\n  wire slow;\n"
         "  BUFG u_buffer (.I(rx_clk), .O(slow));\n"),
        ("gmii_rx_er ^ rx_clk", "gmii_rx_er ^ slow"),
    )  # fmt: skip
    assert main(["synthesis", str(folder / "little.toml")]) == 2
    assert "little_top.sv:38: Yosys refuses the RTL: unknown module 'BUFG'" in (
        capsys.readouterr().err
    )
    changed(folder / "little.toml", ('top = "', 'primitives = "xilinx"\ntop = "'))
    assert shown(folder / "little.toml")["black_boxes"] == {"BUFG": 1}


WRONG = {
    "no target": ([], "which port map? for example: longhaul synthesis mynic.toml"),
    "a block that is near": (["gnet2"], "no folder of rtl/; did you mean gnet1?"),
    "a source file": (["x.sv"], "x.sv is no port map (a file *.toml) and no folder of rtl/"),
    "no such file": (["x.toml"], "x.toml: No such file or directory"),
    "a module that is near": (["nic", "--top", "nic_mac_x"], "did you mean nic_mac_"),
    "no top module": (["common"], "rtl/common has no module common_top; --top names one of its"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_words_are_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, what = WRONG[name]
    assert main(["synthesis", *words]) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert what in line


LISTS = {
    "no such list": ('file_lists = ["no.f"]', "no.f: No such file or directory"),
    "an option without a name": ('options = ["-y"]', "-y names nothing"),
    "a list of itself": ('file_lists = ["own.f"]', "file lists name one another 20 deep"),
}


@pytest.mark.parametrize("name", LISTS)
def test_wrong_file_lists_are_refused(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, what = LISTS[name]
    (folder / "own.f").write_text("-f own.f\n")
    changed(folder / "little.toml", ('top = "', f'{key}\ntop = "'))
    assert main(["synthesis", str(folder / "little.toml")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"block.{key.split()[0]}: {what}") and "little.toml:" in line
