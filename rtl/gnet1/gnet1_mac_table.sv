// SPDX-License-Identifier: Apache-2.0
// Address table of the switch: the port of each Ethernet address.
//
// Static entries are set by register. Other entries are learned from good frames. Answers are
// combinational, one for each port in the same clock. Frames to unknown and group addresses go to
// every port except their own. A learned entry is removed if no frame refreshes it for two ageing
// periods. A full table replaces learned entries in turn, never static ones.
module gnet1_mac_table
  import gnet1_pkg::*;
#(
  parameter  int unsigned Entries   = 16,               // power of two
  localparam int unsigned EntryBits = $clog2(Entries)
) (
  input  logic                        clk_i,            // 31.25 MHz
  input  logic                        rst_ni,
  input  logic                        learn_enable_i,
  input  logic                        flush_i,          // one clock: removes learned entries
  input  logic [31:0]                 age_period_i,     // clocks; 0: no ageing
  input  logic                        static_set_i,     // one clock
  input  logic [EntryBits-1:0]        static_index_i,
  input  logic                        static_valid_i,   // low: the entry becomes free
  input  logic [1:0]                  static_port_i,
  input  logic [47:0]                 static_address_i,
  input  logic [Ports-1:0]            learn_valid_i,    // held until learn_ready_o
  output logic [Ports-1:0]            learn_ready_o,
  input  logic [Ports-1:0][47:0]      learn_address_i,
  input  logic [Ports-1:0][47:0]      address_i,
  output logic [Ports-1:0][Ports-1:0] answer_o,
  output logic [Entries-1:0]          valid_o
);
  typedef struct packed {
    logic        valid;
    logic        fixed;
    logic        fresh;    // seen in this ageing period
    logic [1:0]  port;
    logic [47:0] address;
  } entry_t;

  entry_t [Entries-1:0] table_q;
  logic [EntryBits-1:0] victim_q, place;
  logic [1:0]           who, port_hit;
  logic                 learn, known, free, age;
  logic [47:0]          address;
  logic [31:0]          age_q;

  // The table learns from one port a clock. Frames of a port are more than four clocks apart.
  always_comb begin
    who = 2'd0;
    for (int unsigned port = Ports; port > 0; port--) begin
      if (learn_valid_i[port-1]) who = 2'(port - 1);
    end
    learn_ready_o      = '0;
    learn_ready_o[who] = learn_valid_i[who];
    address            = learn_address_i[who];
    learn              = learn_valid_i[who] && learn_enable_i && !address[40];
  end

  always_comb begin
    known = 1'b0;
    free  = 1'b0;
    place = victim_q;
    for (int unsigned entry = Entries; entry > 0; entry--) begin
      if (!table_q[entry-1].valid) begin
        free  = 1'b1;
        place = EntryBits'(entry - 1);
      end
    end
    for (int unsigned entry = 0; entry < Entries; entry++) begin
      if (table_q[entry].valid && table_q[entry].address == address) begin
        known = 1'b1;
        place = EntryBits'(entry);
      end
    end
  end

  assign age = age_period_i != '0 && age_q >= age_period_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      table_q  <= '0;
      victim_q <= '0;
      age_q    <= '0;
    end else begin
      age_q <= age ? '0 : age_q + 32'd1;
      for (int unsigned entry = 0; entry < Entries; entry++) begin
        if (!table_q[entry].fixed) begin
          if (flush_i || (age && !table_q[entry].fresh)) table_q[entry].valid <= 1'b0;
          else if (age) table_q[entry].fresh <= 1'b0;
        end
      end
      if (learn && !table_q[place].fixed) begin
        table_q[place] <= '{valid: 1'b1, fixed: 1'b0, fresh: 1'b1, port: who, address: address};
      end
      if (learn && !known && !free) victim_q <= victim_q + 1'b1;
      if (static_set_i) begin
        table_q[static_index_i] <= '{valid: static_valid_i, fixed: static_valid_i, fresh: 1'b0, port: static_port_i,
                                     address: static_address_i};
      end
    end
  end

  always_comb begin
    port_hit = '0;
    for (int unsigned port = 0; port < Ports; port++) begin
      answer_o[port] = '1;
      for (int unsigned entry = 0; entry < Entries; entry++) begin
        if (table_q[entry].valid && !address_i[port][40] && table_q[entry].address == address_i[port]) begin
          port_hit       = table_q[entry].port;
          answer_o[port] = Ports'(1) << port_hit;
        end
      end
      answer_o[port][port] = 1'b0;
    end
    for (int unsigned entry = 0; entry < Entries; entry++) valid_o[entry] = table_q[entry].valid;
  end

  // A frame is never sent back to the port that it came from.
  NeverBack: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    !answer_o[0][0] && !answer_o[1][1] && !answer_o[2][2] && !answer_o[3][3]);

  // Corners that the test benches must meet.
  SeenLearn: cover property (@(posedge clk_i) disable iff (!rst_ni) learn && !known && free);
  SeenRelearn: cover property (@(posedge clk_i) disable iff (!rst_ni) learn && known);
  SeenReplace: cover property (@(posedge clk_i) disable iff (!rst_ni) learn && !known && !free);
  SeenLearnCollision: cover property (@(posedge clk_i) disable iff (!rst_ni) $countones(learn_valid_i) > 1);
  SeenAge: cover property (@(posedge clk_i) disable iff (!rst_ni) age);
  SeenStatic: cover property (@(posedge clk_i) disable iff (!rst_ni) static_set_i && static_valid_i);
endmodule
