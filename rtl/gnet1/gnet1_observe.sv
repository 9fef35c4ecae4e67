// SPDX-License-Identifier: Apache-2.0
// Shows a selected stream of words on the pins for a logic analyser.
//
// Each word has a strobe. The stamp word of each frame also has a trigger. The pins are one clock
// later than the stream. The block only observes.
module gnet1_observe
  import gnet1_csr_pkg::*;
  import gnet1_pkg::*;
(
  input  logic                     clk_i,          // 31.25 MHz
  input  logic                     rst_ni,
  input  logic [1:0]               port_i,
  input  obs_point_e               point_i,
  input  logic  [Ports-1:0][3:0]   take_i,         // a word is transferred, by port and obs_point_e
  input  word_t [Ports-1:0][3:0]   word_i,
  output logic [35:0]              obs_data_o,
  output logic                     obs_strobe_o,
  output logic                     obs_trigger_o
);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      obs_data_o    <= '0;
      obs_strobe_o  <= 1'b0;
      obs_trigger_o <= 1'b0;
    end else begin
      obs_data_o    <= word_i[port_i][point_i];
      obs_strobe_o  <= take_i[port_i][point_i];
      obs_trigger_o <= take_i[port_i][point_i] && is_stamp(word_i[port_i][point_i]);
    end
  end

  // A trigger is a strobe.
  TriggerIsAWord: assert property (@(posedge clk_i) disable iff (!rst_ni) obs_trigger_o |-> obs_strobe_o);
endmodule
