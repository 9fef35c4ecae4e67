// SPDX-License-Identifier: Apache-2.0
// The register block alone. All that the hardware shows in registers is noise, new in every clock.
`timescale 1ns/1ns
module gnet1_regs_tb;
  import gnet1_pkg::*;

  logic clk_31m25 = 1'b0, arst_ni = 1'b0;
  always #16 clk_31m25 = !clk_31m25;

  logic        bus_sel_i = 1'b0, bus_write_i = 1'b0, bus_ack_o;
  logic [11:0] bus_addr_i = '0;
  logic [31:0] bus_wdata_i = '0, bus_rdata_o;

  typedef struct packed {
    port_status_t [Ports-1:0]               status;
    logic [Ports-1:0][Counters-1:0][31:0]   counters;
    stamp_t                                 now;
    gps_time_t                              gps;
    logic [31:0]                            pps_ticks;
    logic [31:0]                            sample_total;
    logic [31:0]                            sample_words;
    logic [31:0]                            sample_frames;
    logic [15:0]                            table_valid;
  } shown_t;
  localparam int unsigned Words = ($bits(shown_t) + 31) / 32;

  logic [Words-1:0][31:0] noise;
  shown_t                 shown;
  assign shown = shown_t'(noise);
  always_ff @(posedge clk_31m25) begin
    for (int unsigned word = 0; word < Words; word++) noise[word] <= $urandom();
  end

  gnet1_regs #(.SampleDepthLog2(6)) u_regs (
    .clk_i(clk_31m25), .rst_ni(arst_ni), .bus_sel_i, .bus_write_i, .bus_addr_i, .bus_wdata_i, .bus_rdata_o, .bus_ack_o,
    .status_i(shown.status), .counters_i(shown.counters), .now_i(shown.now), .gps_i(shown.gps),
    .pps_ticks_i(shown.pps_ticks), .sample_total_i(shown.sample_total), .sample_words_i(shown.sample_words),
    .sample_frames_i(shown.sample_frames), .table_valid_i(shown.table_valid),
    .cfg_o(), .cmd_o(), .latch_o(), .switch_o(), .learn_o(), .magic_o(), .seconds_set_o(), .wdata_o(),
    .sample_enable_o(), .sample_circular_o(), .sample_port_o(), .sample_period_o(), .sample_index_o(),
    .obs_port_o(), .obs_point_o(), .table_flush_o(), .table_age_o(), .table_set_o(), .table_address_o());
endmodule
