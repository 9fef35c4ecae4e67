// SPDX-License-Identifier: Apache-2.0
// One DMA engine for both directions, or two that know nothing of each other.
//
// With Engines 2 all channels pass. With 1 a transfer is under way in one direction at a time. A
// write burst lasts from its address to its answer, a read burst from its address to its last word.
// One write burst is under way, or as many read bursts as their sender has slots. If bursts of
// both directions wait, they take turns, a burst each: no read begins behind a write that waits
// for its turn. A burst's words wait for its address. The channels have no latency.
//
// TLM twin: models/pcix/dma_engine, whose parameter is dma_engines. Test:
// tests/rtl/nic/nic_dma_turns_bench.py.
module nic_dma_turns
  import nic_pkg::*;
#(
  parameter int unsigned Engines = 2,  // 1 or 2
  parameter int unsigned Slots   = 4   // read bursts that may be under way
) (
  input  logic clk_i,
  input  logic rst_ni,
  // From nic_read and nic_write.
  input  logic ar_valid_i,
  output logic ar_ready_o,
  input  logic aw_valid_i,
  output logic aw_ready_o,
  input  logic w_valid_i,
  output logic w_ready_o,
  // To the bus.
  output logic ar_valid_o,
  input  logic ar_ready_i,
  output logic aw_valid_o,
  input  logic aw_ready_i,
  output logic w_valid_o,
  input  logic w_ready_i,
  // From the bus.
  input  logic r_last_i,      // a read burst's last word
  input  logic b_valid_i
);
  if (Engines == 2) begin : gen_two
    assign {ar_valid_o, aw_valid_o, w_valid_o} = {ar_valid_i, aw_valid_i, w_valid_i};
    assign {ar_ready_o, aw_ready_o, w_ready_o} = {ar_ready_i, aw_ready_i, w_ready_i};

    logic unused_two;
    assign unused_two = ^{clk_i, rst_ni, r_last_i, b_valid_i};
  end else begin : gen_one
    localparam int unsigned CountBits = $clog2(Slots + 1);

    logic [CountBits-1:0] reads_q;       // bursts under way
    logic                 write_q;
    logic                 read_was_q;    // the last burst that began was a read
    logic                 ar_waits_q, aw_waits_q;  // for the bus: it stays on offer
    logic                 may_read, may_write, read_begins, write_begins;

    assign may_read  = ar_waits_q || (!write_q && !aw_waits_q && !(aw_valid_i && read_was_q));
    assign may_write = aw_waits_q || (!write_q && reads_q == '0 && !ar_waits_q &&
                                      !(ar_valid_i && !read_was_q));

    assign ar_valid_o = ar_valid_i && may_read;
    assign ar_ready_o = ar_ready_i && may_read;
    assign aw_valid_o = aw_valid_i && may_write;
    assign aw_ready_o = aw_ready_i && may_write;
    assign w_valid_o  = w_valid_i && write_q;
    assign w_ready_o  = w_ready_i && write_q;

    assign read_begins  = ar_valid_o && ar_ready_i;
    assign write_begins = aw_valid_o && aw_ready_i;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        reads_q    <= '0;
        write_q    <= 1'b0;
        read_was_q <= 1'b0;
        ar_waits_q <= 1'b0;
        aw_waits_q <= 1'b0;
      end else begin
        reads_q    <= reads_q + CountBits'(read_begins) - CountBits'(r_last_i);
        write_q    <= write_begins || (write_q && !b_valid_i);
        ar_waits_q <= ar_valid_o && !ar_ready_i;
        aw_waits_q <= aw_valid_o && !aw_ready_i;
        if (read_begins || write_begins) read_was_q <= read_begins;
      end
    end

    always_ff @(posedge clk_i) begin : checks
      if (rst_ni) begin
        // One direction at a time.
        OneDirection: assert (!(write_q && reads_q != '0));
        OneBegins: assert (!(ar_valid_o && aw_valid_o));
        // A burst that ends has begun.
        ReadHasBegun: assert (!r_last_i || reads_q != '0);
        WriteHasBegun: assert (!b_valid_i || write_q);
      end
    end

    // Corners: each direction waits for the other one, and for its turn.
    ReadWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) ar_valid_i && write_q);
    WriteWaits: cover property (
      @(posedge clk_i) disable iff (!rst_ni) aw_valid_i && reads_q != '0);
    ReadGivesWay: cover property (
      @(posedge clk_i) disable iff (!rst_ni) ar_valid_i && !may_read && !write_q);
    WriteGivesWay: cover property (
      @(posedge clk_i) disable iff (!rst_ni)
      aw_valid_i && !may_write && !write_q && reads_q == '0 && !ar_waits_q);
    ManyReads: cover property (@(posedge clk_i) disable iff (!rst_ni) reads_q > CountBits'(1));
  end
endmodule
