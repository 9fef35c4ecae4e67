// SPDX-License-Identifier: Apache-2.0
// Brings what the transmitter sends into the receive clock, for a test without a line.
//
// A frame is held back for HoldClocks, so that its bytes come without a hole even if the receive
// clock is faster: 200 ppm of 16 KB are 3.3 bytes.
module mynic_loopback #(
  parameter int unsigned HoldClocks = 6
) (
  input  logic       tx_clk_i,
  input  logic       tx_rst_ni,
  input  logic       tx_valid_i,
  input  logic       tx_error_i,
  input  logic [7:0] tx_data_i,
  input  logic       rx_clk_i,
  input  logic       rx_rst_ni,
  output logic       rx_valid_o,
  output logic       rx_error_o,
  output logic [7:0] rx_data_o
);
  logic       ended_q;  // the clock after a frame: an empty entry marks its end
  logic       valid, ready, more, error;
  logic [7:0] data;
  logic [2:0] hold_q;

  always_ff @(posedge tx_clk_i) ended_q <= tx_rst_ni && tx_valid_i;

  mynic_async_fifo #(.Width(10), .DepthLog2(5)) u_cross (
    .wr_clk_i(tx_clk_i), .wr_rst_ni(tx_rst_ni), .wr_valid_i(tx_valid_i || ended_q),
    .wr_data_i({tx_valid_i, tx_error_i, tx_data_i}),
    .rd_clk_i(rx_clk_i), .rd_rst_ni(rx_rst_ni), .rd_valid_o(valid), .rd_ready_i(ready),
    .rd_data_o({more, error, data}));

  assign ready = hold_q == 3'(HoldClocks);

  always_ff @(posedge rx_clk_i) begin
    if (!rx_rst_ni) hold_q <= '0;
    else if (valid && ready && !more) hold_q <= '0;
    else if (valid && !ready) hold_q <= hold_q + 3'd1;
  end

  assign rx_valid_o = valid && ready && more;
  assign rx_error_o = error;
  assign rx_data_o  = data;
endmodule
