// SPDX-License-Identifier: Apache-2.0
// A box of two AXI4-Stream ports: a beat that comes in at one leaves at the other, a clock later.
// Nothing is taken while the beat before has not left, or in other clocks than one of Every. For
// tests of port maps.
module stream_lane #(
  parameter int unsigned Bytes = 8,
  parameter int unsigned Users = 2,
  parameter int unsigned Every = 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [8*Bytes-1:0] s_tdata_i,
  input  logic [Bytes-1:0]   s_tkeep_i,
  input  logic               s_tlast_i,
  input  logic [Users-1:0]   s_tuser_i,
  input  logic               s_tvalid_i,
  output logic               s_tready_o,
  output logic [8*Bytes-1:0] m_tdata_o,
  output logic [Bytes-1:0]   m_tkeep_o,
  output logic               m_tlast_o,
  output logic [Users-1:0]   m_tuser_o,
  output logic               m_tvalid_o,
  input  logic               m_tready_i
);
  logic [15:0] turn_q;
  assign s_tready_o = turn_q == 16'd0 && (!m_tvalid_o || m_tready_i);
  always_ff @(posedge clk_i) begin
    turn_q <= turn_q == 16'(Every - 1) ? 16'd0 : turn_q + 16'd1;
    if (s_tvalid_i && s_tready_o) begin
      m_tvalid_o <= 1'b1;
      m_tdata_o  <= s_tdata_i;
      m_tkeep_o  <= s_tkeep_i;
      m_tlast_o  <= s_tlast_i;
      m_tuser_o  <= s_tuser_i;
    end else if (m_tready_i) begin
      m_tvalid_o <= 1'b0;
    end
    if (!rst_ni) begin
      turn_q     <= 16'd0;
      m_tvalid_o <= 1'b0;
    end
  end
endmodule

module stream_box #(
  parameter int unsigned Bytes = 8,
  parameter int unsigned Users = 2,
  parameter int unsigned Every = 1
) (
  input  logic               clk,
  input  logic               rst_n,
  input  logic [8*Bytes-1:0] west_rx_tdata,
  input  logic [Bytes-1:0]   west_rx_tkeep,
  input  logic               west_rx_tlast,
  input  logic [Users-1:0]   west_rx_tuser,
  input  logic               west_rx_tvalid,
  output logic               west_rx_tready,
  output logic [8*Bytes-1:0] west_tx_tdata,
  output logic [Bytes-1:0]   west_tx_tkeep,
  output logic               west_tx_tlast,
  output logic [Users-1:0]   west_tx_tuser,
  output logic               west_tx_tvalid,
  input  logic               west_tx_tready,
  input  logic [8*Bytes-1:0] east_rx_tdata,
  input  logic [Bytes-1:0]   east_rx_tkeep,
  input  logic               east_rx_tlast,
  input  logic [Users-1:0]   east_rx_tuser,
  input  logic               east_rx_tvalid,
  output logic               east_rx_tready,
  output logic [8*Bytes-1:0] east_tx_tdata,
  output logic [Bytes-1:0]   east_tx_tkeep,
  output logic               east_tx_tlast,
  output logic [Users-1:0]   east_tx_tuser,
  output logic               east_tx_tvalid,
  input  logic               east_tx_tready
);
  stream_lane #(.Bytes(Bytes), .Users(Users), .Every(Every)) u_east (
    .clk_i(clk), .rst_ni(rst_n),
    .s_tdata_i(west_rx_tdata), .s_tkeep_i(west_rx_tkeep), .s_tlast_i(west_rx_tlast),
    .s_tuser_i(west_rx_tuser), .s_tvalid_i(west_rx_tvalid), .s_tready_o(west_rx_tready),
    .m_tdata_o(east_tx_tdata), .m_tkeep_o(east_tx_tkeep), .m_tlast_o(east_tx_tlast),
    .m_tuser_o(east_tx_tuser), .m_tvalid_o(east_tx_tvalid), .m_tready_i(east_tx_tready)
  );
  stream_lane #(.Bytes(Bytes), .Users(Users), .Every(1)) u_west (
    .clk_i(clk), .rst_ni(rst_n),
    .s_tdata_i(east_rx_tdata), .s_tkeep_i(east_rx_tkeep), .s_tlast_i(east_rx_tlast),
    .s_tuser_i(east_rx_tuser), .s_tvalid_i(east_rx_tvalid), .s_tready_o(east_rx_tready),
    .m_tdata_o(west_tx_tdata), .m_tkeep_o(west_tx_tkeep), .m_tlast_o(west_tx_tlast),
    .m_tuser_o(west_tx_tuser), .m_tvalid_o(west_tx_tvalid), .m_tready_i(west_tx_tready)
  );
endmodule
