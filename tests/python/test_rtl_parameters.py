# SPDX-License-Identifier: Apache-2.0
"""Which names in a traced block are parameters."""

from __future__ import annotations

import subprocess
from pathlib import Path

from longhaul.portmap import parameters

UPPER = """
module box #(parameter DATA_WIDTH = 8, parameter depth = 4)
    (input logic CLK, input logic [7:0] S_AXI_AWADDR, output logic TIED, output logic [7:0] Q);
  localparam HALF = DATA_WIDTH / 2, IDLE = 2'd0;
  assign TIED = 1'b1;
  logic [1:0] STATE;  // localparam STATE = 0 is a comment
  logic Unused;
  assign Unused = 1'b0;
  always_ff @(posedge CLK) begin
    STATE <= STATE == IDLE ? 2'd1 : IDLE;
    Q <= S_AXI_AWADDR + HALF[7:0] + depth[7:0];
  end
endmodule
"""


def test_parameters_are_told_from_signals_whatever_their_case(tmp_path: Path) -> None:
    """Verilator's dumps have both alike; upper-case ports and registers of foreign RTL stay."""
    source = tmp_path / "box.sv"
    source.write_text(UPPER)
    command = ["verilator", "--cc", "--trace", "-Wno-fatal", "--Mdir", str(tmp_path / "made")]
    subprocess.run([*command, "--top-module", "box", str(source)], check=True, capture_output=True)
    assert parameters.names(tmp_path / "made", [source]) == ["DATA_WIDTH", "HALF", "IDLE", "depth"]
