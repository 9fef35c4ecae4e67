// SPDX-License-Identifier: Apache-2.0
// Takes transmit descriptors from the ring: one in hand, and the context.
//
// A descriptor of kind 0 sets the context, but within a packet every descriptor points at data.
// The first descriptor of a packet says what becomes of all of it. While enable_i is low, no packet
// begins; one that has begun goes on. A descriptor that is taken is in hand in the next clock; the
// next one is taken in the clock in which it is finished. Order is the ring's.
// TLM twin: TxUnit::next_descriptor and begin_packet of models/nic/intel.
module nic_tx_descriptor
  import nic_pkg::*;
  import nic_tx_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,      // TCTL.TXEN
  input  logic        vlan_i,        // CTRL0.VME: tags may be inserted
  // From the ring.
  input  logic        desc_valid_i,
  input  descriptor_t desc_i,
  output logic        desc_take_o,
  input  logic        keep_ready_i,  // there is room to keep it until its data are here
  // The descriptor in hand.
  output logic        work_valid_o,
  output tx_work_t    work_o,
  output tx_context_t context_o,     // for the packet in hand
  input  logic        step_i,        // a piece of it was asked for
  input  length_t     step_bytes_i,
  input  logic        finish_i,      // and it was the last
  output logic        in_packet_o    // the packet that has begun goes on with the next descriptor
);
  tx_data_t    data;
  tx_context_t context_q;
  tx_work_t    work_q;
  logic        valid_q, in_packet_q;
  logic        sets_context, first;

  // Whether a super-frame can be cut as the context says.
  logic       good;
  logic [8:0] header, ip_ends, l4_ends;
  assign header  = 9'(context_q.header_bytes);
  assign ip_ends = 9'(context_q.ip_start) + (context_q.command[CmdIp] ? 9'd20 : 9'd40);
  assign l4_ends = 9'(context_q.l4_start) + (context_q.command[CmdEop] ? 9'd20 : 9'd8);
  assign good    = context_q.mss != '0 && 9'(context_q.l4_start) >= ip_ends && header >= l4_ends &&
                   9'(context_q.l4_field) + 9'd2 <= header &&
                   9'(context_q.ip_field) + 9'd2 <= header &&
                   17'(header) + 17'(context_q.mss) <= 17'(MaxSendBytes);

  assign data         = desc_i;
  assign sets_context = data.kind == '0 && !in_packet_q;
  assign first        = !sets_context && !in_packet_q;
  assign desc_take_o  = desc_valid_i && (enable_i || in_packet_q) && keep_ready_i &&
                        (!valid_q || finish_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q     <= 1'b0;
      in_packet_q <= 1'b0;
      context_q   <= '0;
      work_q      <= '0;
    end else if (desc_take_o) begin
      valid_q             <= 1'b1;
      in_packet_q         <= !sets_context && !data.command[CmdEop];
      work_q.sets_context <= sets_context;
      work_q.first        <= first;
      work_q.last         <= !sets_context && data.command[CmdEop];
      work_q.bytes        <= sets_context ? '0 : data.bytes;
      work_q.addr         <= data.addr;
      if (first) begin
        work_q.segment <= data.command[CmdTse];
        work_q.discard <= data.command[CmdTse] && !good;
        work_q.vlan    <= data.command[CmdVle] && vlan_i;
      end
      if (sets_context) context_q <= desc_i;
    end else if (step_i) begin
      valid_q      <= !finish_i;
      work_q.first <= 1'b0;
      work_q.bytes <= work_q.bytes - 20'(step_bytes_i);
      work_q.addr  <= work_q.addr + 64'(step_bytes_i);
    end
  end

  assign work_valid_o = valid_q;
  assign work_o       = work_q;
  assign context_o    = context_q;
  assign in_packet_o  = in_packet_q;

  logic unused_data;
  assign unused_data = ^{data.vlan_tag, data.options, data.status};

  logic        in_packet_was_q;
  tx_context_t context_was_q;
  always_ff @(posedge clk_i) begin : checks
    in_packet_was_q <= rst_ni && in_packet_q;
    if (in_packet_q) context_was_q <= context_q;
    if (rst_ni) begin
      // Only a descriptor in hand is worked on, and no more of it than it has.
      StepsInHand: assert (!step_i || (valid_q && 20'(step_bytes_i) <= work_q.bytes));
      FinishIsAStep: assert (!finish_i || step_i);
      // A context changes between packets only.
      ContextBetweenPackets: assert (!in_packet_was_q || context_q == context_was_q);
    end
  end

  // Corners: one after the other; a stop in a packet and between two; a context within a packet.
  SeenBackToBack: cover property (@(posedge clk_i) disable iff (!rst_ni) desc_take_o && finish_i);
  SeenStoppedInPacket: cover property (@(posedge clk_i) disable iff (!rst_ni)
    desc_take_o && !enable_i);
  SeenStopped: cover property (@(posedge clk_i) disable iff (!rst_ni)
    desc_valid_i && !enable_i && !in_packet_q);
  SeenContextInPacket: cover property (@(posedge clk_i) disable iff (!rst_ni)
    desc_take_o && in_packet_q && data.kind == '0);
  SeenKeepFull: cover property (@(posedge clk_i) disable iff (!rst_ni)
    desc_valid_i && !keep_ready_i);
endmodule
