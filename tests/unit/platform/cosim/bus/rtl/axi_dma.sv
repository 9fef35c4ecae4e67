// SPDX-License-Identifier: Apache-2.0
// An AXI4 manager that makes one burst at a time, for tests of the memory side.
//
// A read fills the buffer from entry 0 on, a beat an entry; a write sends it. Byte j of entry i is
// 29 i + 7 j + 1 at first. Strobes are
// cmd_strb_i within the lanes of each beat. With cmd_data_first_i the address of a write waits for
// its last beat of data.
module axi_dma #(
  parameter int unsigned DataWidth  = 64,
  localparam int unsigned StrbWidth = DataWidth / 8,
  localparam int unsigned LaneW     = $clog2(StrbWidth)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 cmd_valid_i,
  input  logic                 cmd_write_i,
  input  logic                 cmd_data_first_i,
  input  logic [63:0]          cmd_addr_i,
  input  logic [7:0]           cmd_len_i,
  input  logic [2:0]           cmd_size_i,
  input  logic [1:0]           cmd_burst_i,
  input  logic [3:0]           cmd_id_i,
  input  logic [StrbWidth-1:0] cmd_strb_i,
  input  logic                 stall_i,         // hold back VALID and READY at random
  output logic                 busy_o,
  output logic [1:0]           resp_o,          // the worst of the last burst

  output logic [3:0]           awid_o,
  output logic [63:0]          awaddr_o,
  output logic [7:0]           awlen_o,
  output logic [2:0]           awsize_o,
  output logic [1:0]           awburst_o,
  output logic                 awvalid_o,
  input  logic                 awready_i,
  output logic [DataWidth-1:0] wdata_o,
  output logic [StrbWidth-1:0] wstrb_o,
  output logic                 wlast_o,
  output logic                 wvalid_o,
  input  logic                 wready_i,
  input  logic [3:0]           bid_i,
  input  logic [1:0]           bresp_i,
  input  logic                 bvalid_i,
  output logic                 bready_o,
  output logic [3:0]           arid_o,
  output logic [63:0]          araddr_o,
  output logic [7:0]           arlen_o,
  output logic [2:0]           arsize_o,
  output logic [1:0]           arburst_o,
  output logic                 arvalid_o,
  input  logic                 arready_i,
  input  logic [3:0]           rid_i,
  input  logic [DataWidth-1:0] rdata_i,
  input  logic [1:0]           rresp_i,
  input  logic                 rlast_i,
  input  logic                 rvalid_i,
  output logic                 rready_o
);
  logic [DataWidth-1:0] buffer_q [256];
  logic [8:0] beat_q;
  logic [15:0] lfsr_q;
  logic writing_q, reading_q, address_due_q;

  // The byte lanes of a beat (A3.4.2).
  logic [LaneW-1:0] low, high;
  logic [63:0] address, total;
  logic [StrbWidth-1:0] lanes;
  always_comb begin
    total = (64'(cmd_len_i) + 1) << cmd_size_i;
    address = (cmd_addr_i >> cmd_size_i << cmd_size_i) + (64'(beat_q) << cmd_size_i);
    if (cmd_burst_i == 2'b10) address = (cmd_addr_i & ~(total - 1)) | (address & (total - 1));
    if (beat_q == 0 || cmd_burst_i == 0) address = cmd_addr_i;
    low = address[LaneW-1:0];
    high = LaneW'((address >> cmd_size_i << cmd_size_i) + (64'd1 << cmd_size_i) - 1);
    for (int unsigned i = 0; i < StrbWidth; i++)
      lanes[i] = LaneW'(i) >= low && LaneW'(i) <= high;
  end

  assign busy_o = writing_q || reading_q;
  assign {awid_o, awaddr_o, awlen_o} = {cmd_id_i, cmd_addr_i, cmd_len_i};
  assign {awsize_o, awburst_o} = {cmd_size_i, cmd_burst_i};
  assign {arid_o, araddr_o, arlen_o} = {cmd_id_i, cmd_addr_i, cmd_len_i};
  assign {arsize_o, arburst_o} = {cmd_size_i, cmd_burst_i};
  assign wdata_o = buffer_q[beat_q[7:0]];
  assign wstrb_o = cmd_strb_i & lanes;
  assign wlast_o = beat_q == 9'(cmd_len_i);

  initial begin
    for (int unsigned i = 0; i < 256; i++)
      for (int unsigned j = 0; j < StrbWidth; j++) buffer_q[i][8*j+:8] = 8'(i * 29 + j * 7 + 1);
  end

  always_ff @(posedge clk_i) begin
    lfsr_q <= {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[13] ^ lfsr_q[12] ^ lfsr_q[10]};
    if (!rst_ni) begin
      lfsr_q <= 16'h1d0f;
      {awvalid_o, wvalid_o, bready_o, arvalid_o, rready_o} <= '0;
      {writing_q, reading_q, address_due_q} <= '0;
      beat_q <= 0;
    end else if (!busy_o) begin
      if (cmd_valid_i) begin
        writing_q <= cmd_write_i;
        reading_q <= !cmd_write_i;
        address_due_q <= cmd_write_i && cmd_data_first_i;
        awvalid_o <= cmd_write_i && !cmd_data_first_i;
        wvalid_o <= cmd_write_i;
        arvalid_o <= !cmd_write_i;
        beat_q <= 0;
        resp_o <= 0;
      end
    end else begin
      if (awready_i) awvalid_o <= 0;
      if (arready_i) arvalid_o <= 0;
      if (wvalid_o && wready_i) begin
        beat_q <= beat_q + 1;
        wvalid_o <= !wlast_o && !(stall_i && lfsr_q[1]);
        if (wlast_o && address_due_q) awvalid_o <= 1;
        if (wlast_o) address_due_q <= 0;
      end else if (writing_q && !wvalid_o && beat_q <= 9'(cmd_len_i)) begin
        wvalid_o <= !(stall_i && lfsr_q[1]);
      end
      bready_o <= writing_q && !(bvalid_i && bready_o) && !(stall_i && lfsr_q[4]);
      if (bvalid_i && bready_o) begin
        writing_q <= 0;
        resp_o <= bresp_i | {1'b0, bid_i != cmd_id_i};
      end
      rready_o <= reading_q && !(rvalid_i && rready_o && rlast_i) && !(stall_i && lfsr_q[6]);
      if (rvalid_i && rready_o) begin
        buffer_q[beat_q[7:0]] <= rdata_i;
        beat_q <= beat_q + 1;
        resp_o <= resp_o | rresp_i | {1'b0, rid_i != cmd_id_i};
        if (rlast_i) reading_q <= 0;
      end
    end
  end
endmodule
