// SPDX-License-Identifier: Apache-2.0
// Plays a file of GMII clocks: DIR/in<Port>.<load_i>.hex, read when load_i changes, its lines {0,
// 0, er, dv, data} or {1, idle clocks}.
//
// A line 800 ends it. Writes the time at which each frame's first byte shows to DIR/sent<Port>.txt,
// in femtoseconds.
`timescale 1fs/1fs
module bench_gmii_source #(
  parameter int unsigned Port      = 0,
  parameter int unsigned DepthLog2 = 20
) (
  input  logic        clk_i,
  input  int unsigned load_i,
  output logic [7:0]  data_o,
  output logic        dv_o,
  output logic        er_o,
  output logic        busy_o
);
  logic [11:0] mem [2**DepthLog2];
  string       dir;
  int          log_file;
  int unsigned place = 0, idle = 0;

  initial begin
    if ($value$plusargs("dir=%s", dir) == 0) dir = ".";
    log_file = $fopen($sformatf("%s/sent%0d.txt", dir, Port), "w");
    data_o = '0;
    dv_o   = 1'b0;
    er_o   = 1'b0;
    busy_o = 1'b0;
  end

  int unsigned loaded = 0;
  always @(posedge clk_i) begin
    if (load_i != loaded) begin
      $readmemh($sformatf("%s/in%0d.%0d.hex", dir, Port, load_i), mem);
      loaded <= load_i;
      place  <= 0;
      idle   <= 0;
      busy_o <= 1'b1;
    end else if (busy_o && idle != 0) begin
      idle <= idle - 1;
    end else if (busy_o) begin
      place <= place + 1;
      if (mem[place][11]) begin
        busy_o <= mem[place][10:0] != 0;
        idle   <= mem[place][10:0] != 0 ? 32'(mem[place][10:0]) - 1 : 0;
      end
    end
    {er_o, dv_o, data_o} <= busy_o && load_i == loaded && idle == 0 && !mem[place][11] ? mem[place][9:0] : 10'b0;
    if (busy_o && load_i == loaded && idle == 0 && !mem[place][11] && mem[place][8] && !dv_o) begin
      $fwrite(log_file, "%0d\n", $time);
      $fflush(log_file);
    end
  end
endmodule
