// SPDX-License-Identifier: Apache-2.0
// The NIC's pins of EEPROM and MDIO, its interrupt causes and its timers, under test.
module nic_control_tb (
  input  logic        rst_ni,
  // MDIO.
  input  logic        start_i,
  input  logic        clause22_i,
  input  logic [1:0]  op_i,
  input  logic [4:0]  port_i,
  input  logic [4:0]  device_i,
  input  logic [15:0] data_i,
  output logic        mdio_busy_o,
  output logic [15:0] read_data_o,
  output logic        mdc_o,
  output logic        mdio_o,
  output logic        mdio_oe_o,
  input  logic        mdio_i,
  // EEPROM.
  input  logic        load_i,
  output logic        load_busy_o,
  output logic        address_valid_o,
  output logic [47:0] address_o,
  input  logic        sk_i,
  input  logic        cs_i,
  input  logic        di_i,
  output logic        do_o,
  output logic        eeprom_sk_o,
  output logic        eeprom_cs_o,
  output logic        eeprom_di_o,
  input  logic        eeprom_do_i,
  // Interrupt causes.
  input  logic [15:0] event_i,
  input  logic [15:0] set_i,
  input  logic        take_i,
  input  logic [15:0] enable_i,
  input  logic [15:0] disable_i,
  output logic [15:0] causes_o,
  output logic [15:0] mask_o,
  output logic        request_o,
  // Moderation.
  input  logic [15:0] rdtr_i,
  input  logic [5:0]  high_thrs_i,
  input  logic [8:0]  delay_i,
  input  logic [8:0]  poll_i,
  input  logic        gate_i,
  input  logic        adaptive_i,
  input  logic        written_i,
  input  logic [15:0] available_i,
  input  logic        flush_i,
  output logic        rx_expired_o,
  input  logic [15:0] tidv_i,
  input  logic        report_later_i,
  output logic        tx_expired_o,
  output logic        timers_busy_o,
  // A timer alone.
  input  logic        timer_restart_i,
  input  logic        timer_start_i,
  input  logic        timer_cancel_i,
  input  logic [15:0] timer_delay_i,
  output logic        timer_fired_o,
  output logic        timer_busy_o
);
  localparam int unsigned ClockPs = 6400;
  logic clk = 1'b0;
  always #(ClockPs / 2 * 1ps) clk = !clk;

  nic_mdio u_mdio (
    .clk_i(clk), .rst_ni, .start_i, .clause22_i, .op_i, .port_i, .device_i, .data_i,
    .busy_o(mdio_busy_o), .read_data_o, .mdc_o, .mdio_o, .mdio_oe_o, .mdio_i);

  nic_eeprom u_eeprom (
    .clk_i(clk), .rst_ni, .load_i, .busy_o(load_busy_o), .address_valid_o, .address_o, .sk_i,
    .cs_i, .di_i, .do_o, .eeprom_sk_o, .eeprom_cs_o, .eeprom_di_o, .eeprom_do_i);

  nic_interrupt u_interrupt (
    .clk_i(clk), .rst_ni, .event_i, .set_i, .take_i, .enable_i, .disable_i, .causes_o, .mask_o,
    .request_o);

  nic_moderation u_moderation (
    .clk_i(clk), .rst_ni, .rdtr_i, .high_thrs_i, .delay_i, .poll_i, .gate_i, .adaptive_i,
    .written_i, .available_i, .flush_i, .rx_expired_o, .tidv_i, .report_later_i,
    .tx_expired_o, .busy_o(timers_busy_o));

  nic_delay_timer u_timer (
    .clk_i(clk), .rst_ni, .restart_i(timer_restart_i), .start_i(timer_start_i),
    .cancel_i(timer_cancel_i), .delay_i(timer_delay_i), .fired_o(timer_fired_o),
    .busy_o(timer_busy_o));
endmodule
