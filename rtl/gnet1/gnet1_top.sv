// SPDX-License-Identifier: Apache-2.0
// GNET-1: four gigabit ports with delay lines in external memory, impairments, counters and a
// switch.
//
// Ports are plain GMII. After reset, port 0 is connected with port 1 and port 2 with port 3,
// without delay. README.md describes settings, clock crossings and the order of the stages. TLM
// twin: models/wan/gnet1.
module gnet1_top
  import gnet1_csr_pkg::*;
  import gnet1_pkg::*;
#(
  parameter int unsigned SramAddrBits    = 22,  // 4 M words of 36 bits a port
  parameter int unsigned SampleDepthLog2 = 14   // samples that the hardware sampler keeps
) (
  input  logic                         clk_31m25,
  input  logic                         clk_62m5,
  input  logic                         clk_125m,
  input  logic                         arst_n,      // any domain; while low, all clocks must run

  input  logic [Ports-1:0]             rx_clk,
  input  logic [Ports-1:0][7:0]        rxd,
  input  logic [Ports-1:0]             rx_dv,
  input  logic [Ports-1:0]             rx_er,
  output logic [Ports-1:0]             gtx_clk,
  output logic [Ports-1:0][7:0]        txd,
  output logic [Ports-1:0]             tx_en,
  output logic [Ports-1:0]             tx_er,

  output logic [Ports-1:0][SramAddrBits-1:0] sram_addr,   // clk_62m5; timing in gnet1_sram_fifo
  output logic [Ports-1:0]             sram_re,
  output logic [Ports-1:0]             sram_we,
  output logic [Ports-1:0][35:0]       sram_wdata,
  output logic [Ports-1:0]             sram_wdata_oe,
  input  logic [Ports-1:0][35:0]       sram_rdata,

  input  logic                         bus_sel,     // clk_31m25; protocol in gnet1_regs
  input  logic                         bus_write,
  input  logic [11:0]                  bus_addr,
  input  logic [31:0]                  bus_wdata,
  output logic [31:0]                  bus_rdata,
  output logic                         bus_ack,

  input  logic                         gps_pps,     // any domain
  output logic [35:0]                  obs_data,    // clk_31m25
  output logic                         obs_strobe,
  output logic                         obs_trigger
);
  logic             rst_n, mem_rst_n, tx_rst_n;
  logic [Ports-1:0] rx_rst_n;

  sync_reset u_reset (.clk_i(clk_31m25), .arst_ni(arst_n), .rst_no(rst_n));
  sync_reset u_mem_reset (.clk_i(clk_62m5), .arst_ni(arst_n), .rst_no(mem_rst_n));
  sync_reset u_tx_reset (.clk_i(clk_125m), .arst_ni(arst_n), .rst_no(tx_rst_n));

  // Settings and results.
  port_cfg_t    [Ports-1:0]                    cfg;
  port_cmd_t    [Ports-1:0]                    cmd;
  port_status_t [Ports-1:0]                    status;
  logic         [Ports-1:0][Counters-1:0][2:0]  path_step, step;
  logic         [Ports-1:0][Counters-1:0][31:0] count, held;
  logic         [Ports-1:0]                    tx_frame, tx_underrun, no_route;
  logic                                        latch, switch_mode, learn, seconds_set;
  logic         [31:0]                         magic, wdata, pps_ticks;
  stamp_t                                      now;
  gps_time_t                                   gps;
  logic         [7:0]                          tick, tick_gray;

  gnet1_timebase u_timebase (
    .clk_i(clk_31m25), .rst_ni(rst_n), .gps_pps_i(gps_pps), .seconds_set_i(seconds_set), .seconds_i(wdata), .now_o(now),
    .tick_o(tick), .tick_gray_o(tick_gray), .gps_o(gps), .pps_ticks_o(pps_ticks));

  // Streams.
  logic  [Ports-1:0]            path_valid, path_ready, tx_valid, tx_ready, tx_drained, learn_valid, learn_ready;
  word_t [Ports-1:0]            path_word, tx_word;
  logic  [Ports-1:0][Ports-1:0] path_mask, answer;
  logic  [Ports-1:0][47:0]      address, learn_address;
  logic  [Ports-1:0][3:0]       obs_take;
  word_t [Ports-1:0][3:0]       obs_word;

  for (genvar port = 0; port < Ports; port++) begin : gen_port
    sync_reset u_rx_reset (.clk_i(rx_clk[port]), .arst_ni(arst_n), .rst_no(rx_rst_n[port]));

    gnet1_channel #(.SramAddrBits(SramAddrBits)) u_channel (
      .clk_i(clk_31m25), .rst_ni(rst_n), .mem_clk_i(clk_62m5), .mem_rst_ni(mem_rst_n), .rx_clk_i(rx_clk[port]),
      .rx_rst_ni(rx_rst_n[port]), .rxd_i(rxd[port]), .rx_dv_i(rx_dv[port]), .rx_er_i(rx_er[port]), .cfg_i(cfg[port]),
      .cmd_i(cmd[port]), .switch_i(switch_mode), .magic_i(magic), .status_o(status[port]), .step_o(path_step[port]),
      .now_i(now), .tick_i(tick), .tick_gray_i(tick_gray), .gps_i(gps), .address_o(address[port]),
      .answer_i(answer[port]), .learn_valid_o(learn_valid[port]), .learn_ready_i(learn_ready[port]),
      .learn_address_o(learn_address[port]), .out_valid_o(path_valid[port]), .out_ready_i(path_ready[port]),
      .out_word_o(path_word[port]), .out_mask_o(path_mask[port]), .obs_take_o(obs_take[port]),
      .obs_word_o(obs_word[port]), .sram_addr_o(sram_addr[port]), .sram_re_o(sram_re[port]), .sram_we_o(sram_we[port]),
      .sram_wdata_o(sram_wdata[port]), .sram_wdata_oe_o(sram_wdata_oe[port]), .sram_rdata_i(sram_rdata[port]));

    gnet1_tx u_tx (
      .clk_i(clk_31m25), .rst_ni(rst_n), .stamp_i(cfg[port].stamp_tx), .ifg_bytes_i(cfg[port].ifg_bytes),
      .fcs_new_i(cfg[port].fcs_new), .offset_bytes_i(cfg[port].stamp_offset_bytes), .magic_i(magic), .gps_i(gps),
      .in_valid_i(tx_valid[port]), .in_ready_o(tx_ready[port]), .in_word_i(tx_word[port]), .drained_o(tx_drained[port]),
      .frame_o(tx_frame[port]),
      .underrun_o(tx_underrun[port]), .tx_clk_i(clk_125m), .tx_rst_ni(tx_rst_n), .txd_o(txd[port]),
      .tx_en_o(tx_en[port]), .tx_er_o(tx_er[port]));

    always_comb begin
      step[port]                = path_step[port];
      step[port][CounterTxFrames]   = 3'(tx_frame[port]);
      step[port][CounterTxUnderrun] = 3'(tx_underrun[port]);
      step[port][CounterNoRoute]    = 3'(no_route[port]);
    end

    gnet1_counters u_counters (
      .clk_i(clk_31m25), .rst_ni(rst_n), .latch_i(latch), .step_i(step[port]), .count_o(count[port]),
      .held_o(held[port]));

    assign gtx_clk[port] = clk_125m;
  end

  gnet1_crossbar u_crossbar (
    .clk_i(clk_31m25), .rst_ni(rst_n), .in_valid_i(path_valid), .in_ready_o(path_ready), .in_word_i(path_word),
    .in_mask_i(path_mask), .out_valid_o(tx_valid), .out_ready_i(tx_ready), .out_drained_i(tx_drained),
    .out_word_o(tx_word), .no_route_o(no_route));

  logic        table_flush, table_set;
  logic [31:0] table_age;
  logic [47:0] table_address;
  logic [15:0] table_valid;

  gnet1_mac_table u_mac_table (
    .clk_i(clk_31m25), .rst_ni(rst_n), .learn_enable_i(learn && switch_mode), .flush_i(table_flush),
    .age_period_i(table_age), .static_set_i(table_set), .static_index_i(wdata[MacEntryEntryLsb +: MacEntryEntryWidth]),
    .static_valid_i(wdata[MacEntryStaticLsb]),
    .static_port_i(wdata[MacEntryPortLsb +: MacEntryPortWidth]), .static_address_i(table_address), .learn_valid_i(learn_valid),
    .learn_ready_o(learn_ready), .learn_address_i(learn_address), .address_i(address), .answer_o(answer),
    .valid_o(table_valid));

  logic                       sample_enable, sample_circular;
  logic [1:0]                 sample_port, obs_port;
  logic [31:0]                sample_period, sample_total, sample_words, sample_frames;
  logic [SampleDepthLog2-1:0] sample_index;
  obs_point_e                 obs_point;

  gnet1_sampler #(.DepthLog2(SampleDepthLog2)) u_sampler (
    .clk_i(clk_31m25), .rst_ni(rst_n), .enable_i(sample_enable), .circular_i(sample_circular),
    .period_clocks_i(sample_period), .words_i(count[sample_port][CounterWords]), .frames_i(count[sample_port][CounterFrames]),
    .total_o(sample_total), .read_index_i(sample_index), .read_words_o(sample_words), .read_frames_o(sample_frames));

  gnet1_observe u_observe (
    .clk_i(clk_31m25), .rst_ni(rst_n), .port_i(obs_port), .point_i(obs_point), .take_i(obs_take), .word_i(obs_word),
    .obs_data_o(obs_data), .obs_strobe_o(obs_strobe), .obs_trigger_o(obs_trigger));

  gnet1_regs #(.SampleDepthLog2(SampleDepthLog2)) u_regs (
    .clk_i(clk_31m25), .rst_ni(rst_n), .bus_sel_i(bus_sel), .bus_write_i(bus_write), .bus_addr_i(bus_addr),
    .bus_wdata_i(bus_wdata), .bus_rdata_o(bus_rdata), .bus_ack_o(bus_ack), .cfg_o(cfg), .cmd_o(cmd),
    .status_i(status), .counters_i(held), .latch_o(latch), .switch_o(switch_mode), .learn_o(learn), .magic_o(magic),
    .now_i(now), .gps_i(gps), .pps_ticks_i(pps_ticks), .seconds_set_o(seconds_set), .wdata_o(wdata),
    .sample_enable_o(sample_enable), .sample_circular_o(sample_circular), .sample_port_o(sample_port),
    .sample_period_o(sample_period), .sample_index_o(sample_index), .sample_total_i(sample_total),
    .sample_words_i(sample_words), .sample_frames_i(sample_frames), .obs_port_o(obs_port), .obs_point_o(obs_point),
    .table_flush_o(table_flush), .table_age_o(table_age), .table_set_o(table_set), .table_address_o(table_address),
    .table_valid_i(table_valid));
endmodule
