// SPDX-License-Identifier: Apache-2.0
// Writes what a GMII transmitter sends to DIR/out<Port>.txt, a line a frame: time of the first byte
// (fs), idle clocks before it, bytes, clocks of TX_ER.
`timescale 1fs/1fs
module bench_gmii_sink #(
  parameter int unsigned Port = 0
) (
  input  logic        clk_i,
  input  logic [7:0]  data_i,
  input  logic        en_i,
  input  logic        er_i,
  output int unsigned frames_o,
  output int unsigned idle_o     // clocks since the last byte
);
  string       dir;
  int          out_file;
  int unsigned errors = 0;
  logic        en_q = 1'b0;

  initial begin
    if ($value$plusargs("dir=%s", dir) == 0) dir = ".";
    out_file = $fopen($sformatf("%s/out%0d.txt", dir, Port), "w");
    frames_o = 0;
    idle_o   = 0;
  end

  always @(posedge clk_i) begin
    en_q <= en_i;
    if (en_i) begin
      if (!en_q) $fwrite(out_file, "%0d %0d ", $time, idle_o);
      $fwrite(out_file, "%02x", data_i);
      idle_o <= 0;
      errors <= errors + 32'(er_i);
    end else begin
      idle_o <= idle_o + 1;
      if (en_q) begin
        $fwrite(out_file, " %0d\n", errors);
        $fflush(out_file);
        frames_o <= frames_o + 1;
        errors   <= 0;
      end
    end
  end
endmodule
