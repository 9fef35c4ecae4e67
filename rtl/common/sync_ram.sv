// SPDX-License-Identifier: Apache-2.0
// Memory of one clock with one port to write and one to read.
//
// Data that are asked for are there in the next clock and stay until others are asked for. A place
// that is written and read in the same clock gives what it held before.
module sync_ram #(
  parameter  int unsigned Width     = 64,
  parameter  int unsigned Depth     = 1024,          // words, 2 and more
  localparam int unsigned PlaceBits = $clog2(Depth)
) (
  input  logic                 clk_i,
  input  logic                 wr_en_i,
  input  logic [PlaceBits-1:0] wr_place_i,
  input  logic [Width-1:0]     wr_data_i,
  input  logic                 rd_en_i,
  input  logic [PlaceBits-1:0] rd_place_i,
  output logic [Width-1:0]     rd_data_o
);
  logic [Width-1:0] mem_q [Depth];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) mem_q[wr_place_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_o <= mem_q[rd_place_i];
  end
endmodule
