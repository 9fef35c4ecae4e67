// SPDX-License-Identifier: Apache-2.0
// The header of a super-frame, and what a segment makes of it.
//
// Written once a super-frame, read once a segment, a word a clock, in the clock in which it is
// asked for. Fields set: IPv4 length and identification (one more a segment) or IPv6 payload
// length; TCP sequence number, FIN and PSH (the last segment's only) or UDP length. CWR is in all
// segments, as the twin's tso_cwr_first_only is false.
// TLM twin: write_segment_header of models/nic/blocks/tso. Difference: the twin reads the TCP
// sequence number when the IP sum is there, so a context that puts the IP sum into the TCP header
// gives other frames.
module nic_tx_header
  import nic_pkg::*;
  import nic_tx_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  tx_context_t context_i,
  input  logic        wr_valid_i,
  input  logic [4:0]  wr_index_i,
  input  logic [63:0] wr_data_i,
  // The segment.
  input  logic        rd_valid_i,
  input  logic [4:0]  rd_index_i,
  input  length_t     bytes_i,      // the frame's
  input  logic [15:0] segment_i,    // segments before it
  input  logic [19:0] offset_i,     // bytes of payload before it
  input  logic        last_i,
  output logic [63:0] data_o,
  output logic [63:0] ip_data_o     // with the fields of IP only
);
  localparam logic [7:0] Fin = 8'h01;
  localparam logic [7:0] Psh = 8'h08;

  logic [63:0] mem_q [32];
  logic [15:0] ident_q;
  logic [31:0] sequence_q;
  logic        ipv4, tcp;

  assign ipv4 = context_i.command[CmdIp];
  assign tcp  = context_i.command[CmdEop];

  always_ff @(posedge clk_i) begin
    if (wr_valid_i) mem_q[wr_index_i] <= wr_data_i;
  end

  // Numbers that segments add to, taken as the header comes.
  logic [15:0] ident_d;
  logic [31:0] sequence_d;
  always_comb begin
    logic [7:0] at;
    at         = '0;
    ident_d    = ident_q;
    sequence_d = sequence_q;
    if (wr_valid_i) begin
      for (int unsigned i = 0; i < 2; i++) begin
        at = context_i.ip_start + 8'(4 + i);
        if (wr_index_i == at[7:3]) ident_d[8*(1-i) +: 8] = wr_data_i[{at[2:0], 3'b0} +: 8];
      end
      for (int unsigned i = 0; i < 4; i++) begin
        at = context_i.l4_start + 8'(4 + i);
        if (wr_index_i == at[7:3]) sequence_d[8*(3-i) +: 8] = wr_data_i[{at[2:0], 3'b0} +: 8];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ident_q    <= '0;
      sequence_q <= '0;
    end else if (wr_valid_i) begin
      ident_q    <= ident_d;
      sequence_q <= sequence_d;
    end
  end

  // The segment's fields.
  logic [15:0] from_ip, from_l4, ident;
  logic [31:0] number;
  logic [7:0]  flags_off;
  assign from_ip   = 16'(bytes_i) - 16'(context_i.ip_start);
  assign from_l4   = 16'(bytes_i) - 16'(context_i.l4_start);
  assign ident     = ident_q + segment_i;
  assign number = sequence_q + 32'(offset_i);
  assign flags_off = last_i ? 8'h00 : Fin | Psh;

  always_comb begin
    ip_data_o = '0;
    data_o    = '0;
    if (rd_valid_i) begin
      ip_data_o = ipv4
          ? patched(mem_q[rd_index_i], place_t'(rd_index_i), context_i.ip_start + 8'd2, '1,
                    swap32({from_ip, ident}))
          : patched(mem_q[rd_index_i], place_t'(rd_index_i), context_i.ip_start + 8'd4,
                    32'h0000_FFFF, {16'b0, swap16(from_ip - 16'd40)});
      data_o = patched(ip_data_o, place_t'(rd_index_i), context_i.l4_start + 8'd4,
                       tcp ? 32'hFFFF_FFFF : 32'h0000_FFFF,
                       tcp ? swap32(number) : {16'b0, swap16(from_l4)});
      if (tcp) begin
        data_o = patched(data_o, place_t'(rd_index_i), context_i.l4_start + 8'd13,
                         {24'b0, flags_off}, '0);
      end
    end
  end

  logic unused_context;
  assign unused_context = ^{context_i.mss, context_i.header_bytes, context_i.status,
                            context_i.command, context_i.kind, context_i.payload_bytes,
                            context_i.l4_end, context_i.l4_field, context_i.ip_end,
                            context_i.ip_field};

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A segment is read when no header is written.
      NotBoth: assert (!(wr_valid_i && rd_valid_i));
      // A segment has its header and a byte of payload.
      HasPayload: assert (!rd_valid_i || bytes_i > length_t'(context_i.header_bytes));
    end
  end

  // Corners: all protocols; numbers that wrap.
  SeenIpv4Tcp: cover property (@(posedge clk_i) disable iff (!rst_ni) rd_valid_i && ipv4 && tcp);
  SeenIpv6Tcp: cover property (@(posedge clk_i) disable iff (!rst_ni) rd_valid_i && !ipv4 && tcp);
  SeenIpv4Udp: cover property (@(posedge clk_i) disable iff (!rst_ni) rd_valid_i && ipv4 && !tcp);
  SeenIpv6Udp: cover property (@(posedge clk_i) disable iff (!rst_ni) rd_valid_i && !ipv4 && !tcp);
  SeenIdentWraps: cover property (@(posedge clk_i) disable iff (!rst_ni)
    rd_valid_i && ident < ident_q);
  SeenSequenceWraps: cover property (@(posedge clk_i) disable iff (!rst_ni)
    rd_valid_i && number < sequence_q);
endmodule
