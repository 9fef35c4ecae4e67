// SPDX-License-Identifier: Apache-2.0
// Holds the models of Xilinx primitives against what their user guides say of them (UG471, UG472,
// UG953): `claim` ends the simulation with the first that does not hold.
module xilinx_tb;
  logic clk = 1'b0;
  logic d1 = 1'b0, d2 = 1'b0, d = 1'b0, r = 1'b0, s = 1'b0, ce = 1'b1;
  logic drive = 1'b0, t = 1'b1;
  tri1 line;
  wire bufg_o, ibuf_o, iobuf_o, ibufds_o, obufds_o, obufds_ob, bufgce_o;
  wire same_q, opposite_q, ddre1_q, fdre_q, fdse_q, fdce_q, fdpe_q;
  wire pipelined_q1, pipelined_q2, each_q1, each_q2;
  int claims = 0;

  BUFG u_bufg (.O(bufg_o), .I(clk));
  IBUF u_ibuf (.O(ibuf_o), .I(d));
  IOBUF u_iobuf (.O(iobuf_o), .IO(line), .I(drive), .T(t));
  IBUFDS u_ibufds (.O(ibufds_o), .I(d), .IB(~d));
  OBUFDS u_obufds (.O(obufds_o), .OB(obufds_ob), .I(d));
  BUFGCE u_bufgce (.O(bufgce_o), .CE(ce), .I(clk));
  ODDR #(.DDR_CLK_EDGE("SAME_EDGE")) u_same (
    .Q(same_q), .C(clk), .CE(ce), .D1(d1), .D2(d2), .R(r), .S(s));
  ODDR u_opposite (.Q(opposite_q), .C(clk), .CE(ce), .D1(d1), .D2(d2), .R(r), .S(s));
  ODDRE1 u_ddre1 (.Q(ddre1_q), .C(clk), .D1(d1), .D2(d2), .SR(r));
  IDDR #(.DDR_CLK_EDGE("SAME_EDGE_PIPELINED")) u_pipelined (
    .Q1(pipelined_q1), .Q2(pipelined_q2), .C(clk), .CE(ce), .D(d), .R(r), .S(s));
  IDDR u_each (.Q1(each_q1), .Q2(each_q2), .C(clk), .CE(ce), .D(d), .R(r), .S(s));
  FDRE u_fdre (.Q(fdre_q), .C(clk), .CE(ce), .D(d), .R(r));
  FDSE u_fdse (.Q(fdse_q), .C(clk), .CE(ce), .D(d), .S(s));
  FDCE u_fdce (.Q(fdce_q), .C(clk), .CE(ce), .D(d), .CLR(r));
  FDPE u_fdpe (.Q(fdpe_q), .C(clk), .CE(ce), .D(d), .PRE(s));

  task automatic claim(input logic holds, input string what);
    claims++;
    if (!holds) $fatal(1, "at %0t: %s", $time, what);
  endtask
  task automatic rise();
    #4 clk = 1'b1;
    #1;
  endtask
  task automatic fall();
    #4 clk = 1'b0;
    #1;
  endtask

  initial begin
    #1 claim(fdre_q === 1'b0 && fdse_q === 1'b1 && fdpe_q === 1'b1, "INIT is the value at first");
    claim(line === 1'b1 && iobuf_o === 1'b1, "an undriven line has its pull");
    t = 1'b0;
    #1 claim(line === 1'b0 && iobuf_o === 1'b0, "T low drives the line");
    d = 1'b1;
    #1 claim(ibuf_o && ibufds_o && obufds_o && !obufds_ob, "buffers have no delay");
    d1 = 1'b1;
    rise();
    claim(bufg_o && same_q && opposite_q && ddre1_q, "D1 is out while the clock is high");
    claim(fdre_q && fdce_q && each_q1, "D is taken at the rising edge");
    d2 = 1'b1;
    d = 1'b0;
    fall();
    claim(!same_q && !ddre1_q, "SAME_EDGE and UltraScale have the D2 of the rising edge");
    claim(opposite_q, "OPPOSITE_EDGE takes D2 at the falling edge");
    claim(!each_q2, "the falling edge's bit is on Q2");
    d = 1'b1;
    rise();
    claim(pipelined_q1 && !pipelined_q2, "pipelined: both bits of the clock before");
    ce = 1'b0;
    d = 1'b0;
    d1 = 1'b0;
    fall();
    rise();
    claim(fdre_q && same_q, "without CE nothing is taken");
    claim(!bufgce_o, "BUFGCE stands still without CE");
    fall();
    ce = 1'b1;
    claim(!bufgce_o, "and takes CE while the clock is low");
    fall();
    rise();
    claim(bufgce_o, "then it goes on");
    r = 1'b1;
    d = 1'b1;
    #1 claim(fdce_q === 1'b0, "CLR acts at once");
    fall();
    rise();
    claim(!fdre_q && !same_q && !each_q1, "R wins at the clock");
    r = 1'b0;
    s = 1'b1;
    d = 1'b0;
    #1 claim(fdpe_q === 1'b1, "PRE acts at once");
    fall();
    rise();
    claim(fdse_q && same_q && each_q1, "S sets at the clock");
    $display("%0d claims hold", claims);
    $finish;
  end
endmodule
