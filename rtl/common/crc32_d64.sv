// SPDX-License-Identifier: Apache-2.0
// CRC-32 of IEEE 802.3 (clause 3.2.9) over one to eight bytes at once, without a clock.
//
// The state is the reflected register, as in crc32_d8. The bytes are moved to the upper end of the
// word, and with them the part of the state that they meet. Each bit that is set adds a constant.
module crc32_d64 (
  input  logic [31:0] crc_i,
  input  logic [2:0]  lanes_i,  // bytes, less one; byte 0 first
  input  logic [63:0] data_i,
  output logic [31:0] crc_o
);
  localparam logic [31:0] PolyReflected = 32'hEDB8_8320;

  typedef logic [63:0][31:0] table_t;

  // What each bit of a word of eight bytes adds to the state after it: a word with this bit alone.
  function automatic table_t shares();
    table_t      made;
    logic [31:0] state;
    logic        bit_in;
    for (int unsigned place = 0; place < 64; place++) begin
      state = '0;
      for (int unsigned step = 0; step < 64; step++) begin
        bit_in = state[0] ^ (step == place);
        state  = {1'b0, state[31:1]} ^ (bit_in ? PolyReflected : 32'b0);
      end
      made[place] = state;
    end
    return made;
  endfunction

  localparam table_t Shares = shares();

  logic [5:0]  missing;  // bits that a whole word has more
  logic [63:0] word;
  logic [31:0] kept;     // of the state: what lies beyond the bytes

  assign missing = {3'd7 - lanes_i, 3'b0};
  assign word    = (data_i ^ {32'b0, crc_i}) << missing;
  assign kept    = lanes_i < 3'd3 ? crc_i >> {lanes_i + 3'd1, 3'b0} : 32'b0;

  always_comb begin
    crc_o = kept;
    for (int unsigned place = 0; place < 64; place++) begin
      crc_o = crc_o ^ (Shares[place] & {32{word[place]}});  // an `if` is slow to simulate
    end
  end
endmodule
