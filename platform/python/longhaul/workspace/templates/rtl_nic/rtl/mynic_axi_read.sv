// SPDX-License-Identifier: Apache-2.0
// The read channels of the AXI manager, shared by three requesters.
//
// The lowest number goes first: rings are 0 and 1 and read little, transmit data is 2. The number
// of a requester is its ID, so the bus may answer different requesters out of order. Requesters
// keep room for all that they asked for; R is always ready.
module mynic_axi_read
  import mynic_pkg::*;
#(
  parameter int unsigned Requesters = 3
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  stop_i,
  output logic                  idle_o,
  output logic                  fault_o,       // one clock: the bus answered with an error
  input  logic [Requesters-1:0] req_valid_i,
  output logic [Requesters-1:0] req_ready_o,
  input  burst_t [Requesters-1:0] req_i,
  output logic [Requesters-1:0] data_valid_o,

  output logic [3:0]  arid_o,
  output burst_t      ar_o,
  output logic        arvalid_o,
  input  logic        arready_i,
  input  logic [3:0]  rid_i,
  input  logic        rerror_i,
  input  logic        rlast_i,
  input  logic        rvalid_i
);
  logic [7:0] waiting_q;  // bursts that the bus has not answered to their end
  logic       free, granted;

  assign free = (!arvalid_o || arready_i) && !stop_i && waiting_q != '1;

  always_comb begin
    req_ready_o = '0;
    for (int unsigned i = 0; i < Requesters; i++) begin
      if (free && req_valid_i[i] && req_ready_o == '0) req_ready_o[i] = 1'b1;
    end
    for (int unsigned i = 0; i < Requesters; i++) begin
      data_valid_o[i] = rvalid_i && rid_i == 4'(i);
    end
  end
  assign granted = req_ready_o != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arvalid_o <= 1'b0;
      waiting_q <= '0;
    end else begin
      if (granted) arvalid_o <= 1'b1;
      else if (arready_i) arvalid_o <= 1'b0;
      waiting_q <= waiting_q + 8'(granted) - 8'(rvalid_i && rlast_i);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Requesters; i++) begin
      if (req_ready_o[i]) begin
        arid_o <= 4'(i);
        ar_o   <= req_i[i];
      end
    end
  end

  assign fault_o = rvalid_i && rerror_i;
  assign idle_o  = waiting_q == '0;

  // An address stays until it is taken.
  AddressHolds: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    arvalid_o && !arready_i |=> arvalid_o && $stable(ar_o) && $stable(arid_o));

  // Corners: the bus makes an address wait, two requesters ask at once, many reads are under way.
  AddressWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni) arvalid_o && !arready_i);
  Contended: cover property (
    @(posedge clk_i) disable iff (!rst_ni) granted && !$onehot(req_valid_i));
  ManyUnderWay: cover property (@(posedge clk_i) disable iff (!rst_ni) waiting_q >= 8'd8);
  Fault: cover property (@(posedge clk_i) disable iff (!rst_ni) fault_o);
endmodule
