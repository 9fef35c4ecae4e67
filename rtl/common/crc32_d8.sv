// SPDX-License-Identifier: Apache-2.0
// CRC-32 of IEEE 802.3 (clause 3.2.9), one byte a clock, least significant bit first.
//
// crc_o is the reflected register. It includes a byte one clock after valid_i. After a frame and
// its correct FCS, good_o is high. To compute an FCS, clear to all ones and feed the frame. The FCS
// is ~crc_o; send bits [7:0] first. Cleared to zero, the block computes the linear CRC of a
// difference between two frames.
module crc32_d8 (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,   // takes init_i; wins over valid_i
  input  logic [31:0] init_i,
  input  logic        valid_i,
  input  logic [7:0]  data_i,
  output logic [31:0] crc_o,
  output logic        good_o     // crc_o is the residue of a correct frame
);
  localparam logic [31:0] PolyReflected = 32'hEDB8_8320;
  localparam logic [31:0] Residue       = 32'hDEBB_20E3;

  function automatic logic [31:0] next_byte(input logic [31:0] crc, input logic [7:0] data);
    logic [31:0] state;
    state = crc ^ {24'b0, data};
    for (int unsigned bit_index = 0; bit_index < 8; bit_index++) begin
      state = {1'b0, state[31:1]} ^ (state[0] ? PolyReflected : 32'b0);
    end
    return state;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      crc_o <= '1;
    end else if (clear_i) begin
      crc_o <= init_i;
    end else if (valid_i) begin
      crc_o <= next_byte(crc_o, data_i);
    end
  end

  assign good_o = crc_o == Residue;
endmodule
