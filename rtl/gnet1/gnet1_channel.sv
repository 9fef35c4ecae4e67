// SPDX-License-Identifier: Apache-2.0
// Path of one port's frames from the receive pins to the crossbar.
//
// Stages: receive, shaper, external memory, errors, discard, delay, lookup. Frames stay in order.
// Every lost frame is counted by the stage that loses it.
module gnet1_channel
  import gnet1_csr_pkg::*;
  import gnet1_pkg::*;
#(
  parameter int unsigned SramAddrBits = 22
) (
  input  logic                      clk_i,            // 31.25 MHz
  input  logic                      rst_ni,
  input  logic                      mem_clk_i,        // 62.5 MHz
  input  logic                      mem_rst_ni,
  input  logic                      rx_clk_i,
  input  logic                      rx_rst_ni,
  input  logic [7:0]                rxd_i,
  input  logic                      rx_dv_i,
  input  logic                      rx_er_i,

  input  port_cfg_t                 cfg_i,
  input  port_cmd_t                 cmd_i,
  input  logic                      switch_i,
  input  logic [31:0]               magic_i,
  output port_status_t              status_o,
  output logic [Counters-1:0][2:0]  step_o,           // counts of this path; transmit counts are 0

  input  stamp_t                    now_i,
  input  logic [7:0]                tick_i,
  input  logic [7:0]                tick_gray_i,
  input  gps_time_t                 gps_i,

  output logic [47:0]               address_o,        // looked up in the switch's table
  input  logic [Ports-1:0]          answer_i,
  output logic                      learn_valid_o,
  input  logic                      learn_ready_i,
  output logic [47:0]               learn_address_o,

  output logic                      out_valid_o,
  input  logic                      out_ready_i,
  output word_t                     out_word_o,
  output logic [Ports-1:0]          out_mask_o,

  output logic  [3:0]               obs_take_o,
  output word_t [3:0]               obs_word_o,

  output logic [SramAddrBits-1:0]   sram_addr_o,
  output logic                      sram_re_o,
  output logic                      sram_we_o,
  output logic [35:0]               sram_wdata_o,
  output logic                      sram_wdata_oe_o,
  input  logic [35:0]               sram_rdata_i
);
  logic  rx_valid, rx_ready, rx_take, fcs_bad, lost, no_sfd;
  logic  shaped_valid, shaped_ready, tail_drop, red_drop, sram_valid, sram_ready, sram_drop;
  logic  error_valid, error_ready, data_word, frame, flip, discard_valid, discard_ready, discarded;
  logic  delay_valid, delay_ready;
  logic [2:0]  bytes;
  logic [22:0] level_max_q;
  word_t rx_word, shaped_word, sram_word, error_word, discard_word, delay_word;

  gnet1_rx u_rx (
    .rx_clk_i, .rx_rst_ni, .rxd_i, .rx_dv_i, .rx_er_i, .clk_i, .rst_ni, .enable_i(cfg_i.rx_enable), .now_i, .tick_i,
    .tick_gray_i, .valid_o(rx_valid), .ready_i(rx_ready), .word_o(rx_word), .fcs_bad_o(fcs_bad), .lost_o(lost),
    .no_sfd_o(no_sfd));
  assign rx_take = rx_valid && rx_ready;

  gnet1_oneway u_oneway (
    .clk_i, .rst_ni, .enable_i(cfg_i.stamp_rx), .clear_i(cmd_i.oneway_clear), .offset_bytes_i(cfg_i.stamp_offset_bytes),
    .magic_i, .gps_i, .take_i(rx_take), .word_i(rx_word), .fcs_bad_i(fcs_bad), .count_o(status_o.oneway_count),
    .last_o(status_o.oneway_last), .min_o(status_o.oneway_min), .max_o(status_o.oneway_max),
    .sum_o(status_o.oneway_sum));

  gnet1_learn u_learn (
    .clk_i, .rst_ni, .take_i(rx_take), .word_i(rx_word), .fcs_bad_i(fcs_bad), .valid_o(learn_valid_o),
    .ready_i(learn_ready_i), .address_o(learn_address_o));

  gnet1_shaper u_shaper (
    .clk_i, .rst_ni, .cfg_i, .now_i, .seed_valid_i(cmd_i.seed), .seed_i(~cmd_i.seed_value), .in_valid_i(rx_valid),
    .in_ready_o(rx_ready), .in_word_i(rx_word), .out_valid_o(shaped_valid), .out_ready_i(shaped_ready),
    .out_word_o(shaped_word), .tail_drop_o(tail_drop), .red_drop_o(red_drop),
    .backlog_tenths_us_o(status_o.backlog_tenths_us), .red_average_tenths_us_o(status_o.red_average_tenths_us));

  gnet1_sram_fifo #(.AddrBits(SramAddrBits)) u_sram_fifo (
    .clk_i, .rst_ni, .mem_clk_i, .mem_rst_ni, .capacity_words_i(cfg_i.capacity_words), .in_valid_i(shaped_valid),
    .in_ready_o(shaped_ready), .in_word_i(shaped_word), .out_valid_o(sram_valid), .out_ready_i(sram_ready),
    .out_word_o(sram_word), .drop_o(sram_drop), .level_words_o(status_o.level_words), .sram_addr_o, .sram_re_o,
    .sram_we_o, .sram_wdata_o, .sram_wdata_oe_o, .sram_rdata_i);

  gnet1_error_stage u_error (
    .clk_i, .rst_ni, .threshold_i(cfg_i.error_threshold), .seed_valid_i(cmd_i.seed), .seed_i(cmd_i.seed_value),
    .in_valid_i(sram_valid), .in_ready_o(sram_ready), .in_word_i(sram_word), .out_valid_o(error_valid),
    .out_ready_i(error_ready), .out_word_o(error_word), .word_o(data_word), .bytes_o(bytes), .frame_o(frame),
    .flip_o(flip));

  gnet1_discard_stage u_discard (
    .clk_i, .rst_ni, .arm_i(cmd_i.discard_arm), .cancel_i(cmd_i.discard_cancel), .mode_i(cfg_i.discard_mode),
    .arg_i(cfg_i.discard_arg), .now_i, .in_valid_i(error_valid), .in_ready_o(error_ready), .in_word_i(error_word),
    .out_valid_o(discard_valid), .out_ready_i(discard_ready), .out_word_o(discard_word),
    .armed_o(status_o.discard_armed), .discard_o(discarded), .stamp_o(status_o.discard_stamp));

  gnet1_delay u_delay (
    .clk_i, .rst_ni, .delay_i(cfg_i.delay), .now_i, .in_valid_i(discard_valid), .in_ready_o(discard_ready),
    .in_word_i(discard_word), .out_valid_o(delay_valid), .out_ready_i(delay_ready), .out_word_o(delay_word));

  gnet1_lookup u_lookup (
    .clk_i, .rst_ni, .switch_i, .route_i(cfg_i.route), .address_o, .answer_i, .in_valid_i(delay_valid),
    .in_ready_o(delay_ready), .in_word_i(delay_word), .out_valid_o, .out_ready_i, .out_word_o, .out_mask_o);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || cmd_i.level_clear) level_max_q <= '0;
    else if (status_o.level_words > level_max_q) level_max_q <= status_o.level_words;
  end
  assign status_o.level_max_words = level_max_q;

  always_comb begin
    step_o              = '0;
    step_o[CounterRxFrames] = 3'(rx_take && rx_word.eop);
    step_o[CounterRxFcsBad] = 3'(rx_take && rx_word.eop && fcs_bad);
    step_o[CounterRxError]  = 3'(rx_take && rx_word.eop && rx_word.tv);
    step_o[CounterRxLost]   = 3'(lost);
    step_o[CounterRxNoSfd]  = 3'(no_sfd);
    step_o[CounterTailDrop] = 3'(tail_drop);
    step_o[CounterRedDrop]  = 3'(red_drop);
    step_o[CounterSramDrop] = 3'(sram_drop);
    step_o[CounterWords]    = 3'(data_word);
    step_o[CounterFrames]   = 3'(frame);
    step_o[CounterFlips]    = 3'(flip);
    step_o[CounterDiscards] = 3'(discarded);
    step_o[CounterBytes]    = bytes;
  end

  assign obs_take_o[ObsPointRx]      = rx_take;
  assign obs_take_o[ObsPointSram]    = sram_valid && sram_ready;
  assign obs_take_o[ObsPointDiscard] = discard_valid && discard_ready;
  assign obs_take_o[ObsPointRelease] = delay_valid && delay_ready;
  assign obs_word_o[ObsPointRx]      = rx_word;
  assign obs_word_o[ObsPointSram]    = sram_word;
  assign obs_word_o[ObsPointDiscard] = discard_word;
  assign obs_word_o[ObsPointRelease] = delay_word;
endmodule
