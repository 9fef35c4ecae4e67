# SPDX-License-Identifier: Apache-2.0
"""Yosys synthesises the RTL of the tree, and finds what no chip could be made of."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from harness import ROOT, rtl_files, rtl_folders
from longhaul.errors import UsageError
from longhaul.synthesis import check, design, shown
from longhaul.synthesis.design import Design
from rig.depth import depth

MYNIC = ROOT / "platform/python/longhaul/workspace/templates/rtl_nic/mynic.toml"
PINS = ROOT / "rtl/nic_pcix/ixgb_pcix.toml"
TARGETS = {name: name for name in ("gnet1", "nic", "pcix", "regenerator")} | {
    "nic_pcix": str(PINS),
    "mynic": str(MYNIC),
}
QUICK = {name: of for name, of in TARGETS.items() if name not in ("gnet1", "nic_pcix")}
BLOCKS = depth(QUICK, TARGETS)
MODULES = [path for path in rtl_files(*rtl_folders()) if not path.stem.endswith("_pkg")]
INSTANCE = re.compile(r"^ *(\w+) +(?:#\(|u_)", re.MULTILINE)


def report(of: Design) -> dict[str, Any]:
    """Synthesise a design, or take its report from the cache."""
    return check.report(of, print)


@pytest.mark.parametrize("target", BLOCKS.values(), ids=BLOCKS)
def test_block_can_be_a_chip(target: str) -> None:
    """No latch, no combinational loop, no net with several drivers or without one."""
    found = report(design.find(target))
    assert shown.lines(found) == []
    assert found["latches"] == found["bits_in_loops"] == 0
    assert found["flip_flops"] > 0 and found["longest_path"]["cells"] > 0
    assert found["left_out"] == [] and found["black_boxes"] == {}


def test_every_module_is_part_of_a_block() -> None:
    """Each module is the top of a block that is synthesised, or another module has it inside."""
    inside = {name for path in MODULES for name in INSTANCE.findall(path.read_text())}
    tops = {path.stem for path in MODULES} - inside
    assert tops <= {f"{block}_top" for block in TARGETS}


def test_buffers_are_memories() -> None:
    """Yosys keeps the NIC's packet buffers as memories; they have the sizes of nic_top."""
    found = {each["name"]: each for each in report(design.find("nic"))["memories"]}
    receive = found["u_core.u_rx.u_buffer.u_words.mem_q"]
    assert receive["bits"] == 8 * 262144  # RxBufferBytes
    assert (receive["write_ports"], receive["read_ports"]) == (1, 1)
    assert receive["read_ports_without_clock"] == 0


@pytest.mark.parametrize("module", ["nic_mac_rx", "nic_read", "nic_tx_checksum"])
def test_longest_path_of_gates_is_that_of_yosys(module: str) -> None:
    """Yosys' `ltp` finds a path of as many gates; of words it does not look at single bits."""
    found = check.report(design.find("nic", module), print, gates=True)
    assert found["longest_path"]["cells"] == found["longest_path_of_yosys"] > 10


@dataclass(frozen=True)
class Bad:
    """RTL with one mistake: its kind and line, a part of the message, and Verilator's warning."""

    kind: str
    line: int
    text: str
    source: str
    lint: str = ""


BAD = {
    "no_else": Bad("latch", 3, "q_o keeps its value", """\
module no_else (input logic en_i, input logic [3:0] d_i, output logic [3:0] q_o);
  always_comb begin
    if (en_i) q_o = d_i;
  end
endmodule
""", "LATCH"),
    "no_default": Bad("latch", 2, "q keeps its value", """\
module no_default (input [1:0] s_i, input a_i, input b_i, output reg q);
  always @* begin
    case (s_i)
      2'd0: q = a_i;
      2'd1: q = b_i;
    endcase
  end
endmodule
""", "CASEINCOMPLETE"),
    "loop": Bad("combinational loop", 4, "through x, y, lines loop.sv:4, loop.sv:5", """\
module loop (input logic a_i, input logic b_i, output logic y_o);
  logic x;
  logic y;
  assign x = a_i ^ y;
  assign y = b_i ^ x;
  assign y_o = y;
endmodule
""", "UNOPTFLAT"),
    "carry_loop": Bad("combinational loop", 3, "through sum", """\
module carry_loop (input logic [7:0] a_i, output logic [7:0] y_o);
  logic [7:0] sum;
  assign sum = (sum + 8'd1) & a_i;
  assign y_o = sum;
endmodule
""", "UNOPTFLAT"),
    "two_flops": Bad("multiple drivers", 1, "y_o has 2 drivers, at two_flops.v:2,", """\
module two_flops (input clk_i, input a_i, input b_i, output reg y_o);
  always @(posedge clk_i) y_o <= a_i;
  always @(posedge clk_i) if (b_i) y_o <= 1'b0;
endmodule
"""),
    "two_assigns": Bad("multiple drivers", 2, "y has 2 drivers", """\
module two_assigns (input wire a_i, input wire b_i, output wire y_o);
  wire y;
  assign y = a_i;
  assign y = b_i;
  assign y_o = y;
endmodule
"""),
    "two_instances": Bad("multiple drivers", 5, "y has 2 drivers", """\
(* keep_hierarchy *) module inverter (input wire a_i, output wire y_o);
  assign y_o = ~a_i;
endmodule
module two_instances (input wire a_i, input wire b_i, output wire y_o);
  wire y;
  inverter u_a (.a_i(a_i), .y_o(y));
  inverter u_b (.a_i(b_i), .y_o(y));
  assign y_o = y;
endmodule
"""),
    "half_driven": Bad("undriven", 2, "nothing drives mask[3]", """\
module half_driven (input logic [3:0] a_i, output logic [3:0] y_o);
  logic [3:0] mask;
  assign mask[2:0] = 3'b101;
  assign y_o = a_i & mask;
endmodule
""", "UNDRIVEN"),
    "not_connected": Bad("undriven", 5, "nothing drives n", """\
module sampler (input logic clk_i, input logic a_i, output logic y_o);
  always_ff @(posedge clk_i) y_o <= a_i;
endmodule
module not_connected (input logic clk_i, output logic y_o);
  logic n;
  sampler u_sampler (.clk_i(clk_i), .a_i(n), .y_o(y_o));
endmodule
""", "UNDRIVEN"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_mistake_is_found_with_file_and_line(name: str, tmp_path: Path) -> None:
    """The mistake is the only one, and no other kind is told; Verilator's lint agrees."""
    bad = BAD[name]
    path = written(tmp_path, name, bad.source)
    found = report(Design(name, name, tmp_path, (path,)))["findings"]
    assert [(each["kind"], each["path"], each["line"]) for each in found] == [
        (bad.kind, path.name, bad.line)
    ]
    assert found[0]["text"].startswith(bad.text)
    if bad.lint:
        assert f"%Warning-{bad.lint}: " in lint(path, name)


def written(folder: Path, name: str, source: str) -> Path:
    """Write a source file; Verilog of 1995 has `reg` at a port and no `logic`."""
    path = folder / (f"{name}.v" if "output reg" in source else f"{name}.sv")
    path.write_text(source)
    return path


def lint(path: Path, top: str) -> str:
    """Return the warnings of Verilator."""
    command = ["verilator", "--lint-only", "-Wall", "--top-module", top, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def test_document_shows_what_is_printed(tmp_path: Path) -> None:
    """docs/port_maps.md has the report of mynic, and four of the lines about bad modules."""
    text = (ROOT / "docs" / "port_maps.md").read_text().partition("\n## Synthesis\n")[2]
    for name, line in shown.rows(report(design.find(str(MYNIC)))):
        assert f"\n{name:14}{line}\n" in text
    quoted = re.findall(r"^longhaul: ((\w+)\.\w+:.*)$", text, re.MULTILINE)
    assert len(quoted) == 4
    for line, name in quoted:
        path = written(tmp_path, name, BAD[name].source)
        assert shown.lines(report(Design(name, name, tmp_path, (path,)))) == [line]


def test_syntax_error_has_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "syntax.sv"
    path.write_text("module syntax (input logic a_i, output logic y_o);\n"
                    "  assign y_o = a_i +;\nendmodule\n")  # fmt: skip
    with pytest.raises(UsageError, match=r"^syntax\.sv:2: Yosys refuses the RTL: expected exp"):
        report(Design("syntax", "syntax", tmp_path, (path,)))


def test_declared_latch_and_tristate_are_no_mistakes(tmp_path: Path) -> None:
    """A latch that the RTL asks for is counted and not refused."""
    path = tmp_path / "meant.sv"
    path.write_text("""\
module meant (input logic a_i, input logic b_i, output logic y_o, inout wire pad);
  always_latch if (a_i) y_o = b_i;
  assign pad = a_i ? b_i : 1'bz;
endmodule
""")
    found = report(Design("meant", "meant", tmp_path, (path,)))
    assert shown.lines(found) == []
    assert found["latches"] == 1


def test_report_is_kept_until_a_source_changes(tmp_path: Path) -> None:
    """An included file counts as a source."""
    (tmp_path / "width.svh").write_text("`define WIDTH 4\n")
    path = tmp_path / "counter.sv"
    path.write_text("""\
`include "width.svh"
module counter (input logic clk_i, output logic [`WIDTH-1:0] count_o);
  always_ff @(posedge clk_i) count_o <= count_o + 1'd1;
endmodule
""")
    said: list[str] = []
    counter = Design("counter", "counter", tmp_path, (path,))
    assert check.report(counter, said.append)["flip_flops"] == 4
    runs = said.count("counter: Yosys")
    assert check.report(counter, said.append)["flip_flops"] == 4
    assert said.count("counter: Yosys") == runs
    (tmp_path / "width.svh").write_text("`define WIDTH 6\n")
    assert check.report(counter, said.append)["flip_flops"] == 6
