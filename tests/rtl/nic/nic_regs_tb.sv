// SPDX-License-Identifier: Apache-2.0
// The NIC's registers under test, with the modules behind them: causes, link, counters, and a
// filter that only has tables.
module nic_regs_tb
  import nic_held_pkg::*;
  import nic_pkg::*;
#(
  localparam int unsigned ResetClocks = 156,
  localparam int unsigned LinkClocks  = 40
) (
  input  logic        rst_ni,
  input  logic        access_valid_i,
  input  logic        access_write_i,
  input  logic [16:0] access_addr_i,
  input  logic [31:0] access_wdata_i,
  input  logic [3:0]  access_strb_i,
  output logic        access_ready_o,
  output logic [31:0] access_rdata_o,
  output logic [$bits(rx_cfg_t)-1:0]    rx_cfg_o,
  output logic [$bits(ring_cfg_t)-1:0]  rx_ring_cfg_o,
  output logic [$bits(tx_cfg_t)-1:0]    tx_cfg_o,
  output logic [$bits(ring_cfg_t)-1:0]  tx_ring_cfg_o,
  output logic [$bits(delay_cfg_t)-1:0] delay_cfg_o,
  output logic [$bits(pause_cfg_t)-1:0] pause_cfg_o,
  output logic        led_o,
  output logic        reset_o,
  input  logic        reset_wait_i,
  output logic        link_reset_o,
  output logic [15:0] rx_tail_o,
  output logic        rx_resume_o,
  output logic        tx_resume_o,
  output logic        rx_tail_set_o,
  output logic        rx_flush_o,
  output logic [15:0] rx_head_o,
  output logic        rx_head_set_o,
  input  logic [15:0] rx_head_i,
  input  logic        rx_rest_i,
  output logic [15:0] tx_tail_o,
  output logic        tx_tail_set_o,
  output logic [15:0] tx_head_o,
  output logic        tx_head_set_o,
  input  logic [15:0] tx_head_i,
  input  logic        tx_rest_i,
  input  logic [15:0] event_i,
  output logic        request_o,
  input  logic        carrier_i,
  input  logic        paused_i,
  input  logic [4:0]  bus_i,
  output logic        changed_o,
  output logic        lost_o,
  output logic        tx_enable_o,
  output logic        rx_enable_o,
  output logic        honour_o,
  output logic        link_busy_o,
  output logic        eeprom_load_o,
  output logic        eeprom_sk_o,
  output logic        eeprom_cs_o,
  output logic        eeprom_di_o,
  input  logic        eeprom_do_i,
  input  logic        address_valid_i,
  input  logic [47:0] address_i,
  output logic        mdio_start_o,
  output logic        mdio_clause22_o,
  output logic [1:0]  mdio_op_o,
  output logic [4:0]  mdio_port_o,
  output logic [4:0]  mdio_device_o,
  output logic [15:0] mdio_data_o,
  input  logic        mdio_busy_i,
  input  logic [15:0] mdio_read_data_i,
  input  logic        tso_whole_i,
  input  logic        table_ready_i,
  output logic        table_we_o,
  output logic [1:0]  table_o,
  output logic [6:0]  table_place_o,
  output logic        busy_o
);
  localparam int unsigned ClockPs = 6400;
  logic clk = 1'b0;
  always #(ClockPs / 2 * 1ps) clk = !clk;

  logic [15:0] int_set, int_enable, int_disable, int_causes, int_mask;
  logic        int_take, aligned, up, table_re, stats_read;
  logic [8:2]  stats_addr;
  logic [31:0] stats_rdata, table_wdata, table_rdata;
  rx_cfg_t     rx;
  ring_cfg_t   rx_ring, tx_ring;
  tx_cfg_t     tx;
  delay_cfg_t  delay;
  pause_cfg_t  pause;

  assign rx_cfg_o      = rx;
  assign rx_ring_cfg_o = rx_ring;
  assign tx_cfg_o      = tx;
  assign tx_ring_cfg_o = tx_ring;
  assign delay_cfg_o   = delay;
  assign pause_cfg_o   = pause;

  nic_regs #(.ResetClocks(ResetClocks), .Revision(4'd5)) u_regs (
    .clk_i(clk), .rst_ni, .access_valid_i, .access_write_i, .access_addr_i, .access_wdata_i,
    .access_strb_i, .access_ready_o, .access_rdata_o, .rx_cfg_o(rx), .rx_ring_cfg_o(rx_ring),
    .tx_cfg_o(tx), .tx_ring_cfg_o(tx_ring), .delay_cfg_o(delay), .pause_cfg_o(pause), .led_o,
    .reset_o, .reset_wait_i, .link_reset_o, .rx_resume_o, .rx_tail_o, .rx_tail_set_o,
    .rx_flush_o, .rx_head_o, .rx_head_set_o, .rx_head_i, .rx_rest_i, .tx_resume_o, .tx_tail_o,
    .tx_tail_set_o, .tx_head_o,
    .tx_head_set_o, .tx_head_i, .tx_rest_i, .int_take_o(int_take), .int_set_o(int_set),
    .int_enable_o(int_enable), .int_disable_o(int_disable), .int_causes_i(int_causes),
    .int_mask_i(int_mask), .aligned_i(aligned), .up_i(up), .paused_i, .bus_i, .eeprom_load_o,
    .eeprom_sk_o, .eeprom_cs_o, .eeprom_di_o, .eeprom_do_i, .address_valid_i, .address_i,
    .mdio_start_o, .mdio_clause22_o, .mdio_op_o, .mdio_port_o, .mdio_device_o, .mdio_data_o,
    .mdio_busy_i, .mdio_read_data_i, .stats_read_o(stats_read), .stats_addr_o(stats_addr),
    .stats_rdata_i(stats_rdata), .table_ready_i, .table_we_o, .table_re_o(table_re), .table_o,
    .table_place_o, .table_wdata_o(table_wdata), .table_rdata_i(table_rdata), .busy_o);

  nic_interrupt u_interrupt (
    .clk_i(clk), .rst_ni(rst_ni && !reset_o), .event_i(event_i | (16'(changed_o) << 2)),
    .set_i(int_set), .take_i(int_take), .enable_i(int_enable), .disable_i(int_disable),
    .causes_o(int_causes), .mask_o(int_mask), .request_o);

  nic_link #(.LinkClocks(LinkClocks)) u_link (
    .clk_i(clk), .rst_ni, .reset_i(link_reset_o), .carrier_i, .rx_enable_i(rx.enable),
    .rpe_i(pause.rpe), .cmdc_i(pause.cmdc), .aligned_o(aligned), .up_o(up), .changed_o, .lost_o,
    .tx_enable_o, .rx_enable_o, .honour_o, .busy_o(link_busy_o));

  nic_statistics u_statistics (
    .clk_i(clk), .rst_ni(rst_ni && !reset_o), .mpe_i(rx.mpe), .rx_valid_i(1'b0), .rx_i('0),
    .tx_valid_i(1'b0), .tx_i('0), .tso_whole_i, .tso_failed_i(1'b0), .link_lost_i(lost_o),
    .read_i(stats_read), .addr_i(stats_addr), .rdata_o(stats_rdata));

  // The filter's tables; only 32 words of the exact one are there, as in nic_rx_filter.
  logic [3*128-1:0][31:0] tables_q;
  logic [8:0]  at;
  assign at = {table_o, table_o == 2'd0 ? {2'b0, table_place_o[4:0]} : table_place_o};

  always_ff @(posedge clk) begin
    if (!rst_ni || reset_o) begin
      tables_q <= '0;
    end else if (table_we_o && table_ready_i) begin
      tables_q[at] <= table_wdata;
    end
    if (table_re) table_rdata <= tables_q[at];
  end
endmodule
