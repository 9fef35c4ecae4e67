// SPDX-License-Identifier: Apache-2.0
// Verifies the sums of received packets: IPv4 headers; TCP and UDP over IPv4 and over IPv6.
//
// Ethernet II and SNAP, with at most one VLAN tag. Not checked: fragments, UDP without a sum,
// routing headers under way, lengths that do not fit the frame. Padding is left out of the sums.
//
// Bytes are taken in units of four, two bytes behind those of the frame: headers of IP and above
// then begin at whole units. A step looks at one unit; a word has two. The two bytes that so fall
// behind the last word are FCS.
//
// Latency: the verdict is valid from the third clock after a frame's last word to the third clock
// after the next frame's. Frames may follow each other without a gap. TLM twin:
// models/net/frame/checksum. Test: tests/rtl/nic/nic_rx_sums_bench.py.
module nic_rx_checksum
  import nic_pkg::*;
(
  input  logic     clk_i,         // 156.25 MHz
  input  logic     rst_ni,
  input  logic     word_valid_i,
  input  word_t    word_i,        // the FCS is part of the frame
  output rx_sums_t sums_o,
  output logic     busy_o
);
  localparam logic [15:0] TypeIpv4 = 16'h0800;
  localparam logic [15:0] TypeIpv6 = 16'h86DD;
  localparam logic [15:0] LongestLength = 16'd1500;  // a type or length up to this is a length
  localparam logic [7:0]  Tcp = 8'd6;
  localparam logic [7:0]  Udp = 8'd17;
  localparam logic [7:0]  HopByHop = 8'd0;
  localparam logic [7:0]  Routing = 8'd43;
  localparam logic [7:0]  Destination = 8'd60;
  localparam logic [15:0] TcpHeader = 16'd20;
  localparam logic [15:0] UdpHeader = 16'd8;

  typedef enum logic [2:0] {
    StMac, StTag, StSnap, StIpv4, StIpv6, StExtension, StL4, StDone
  } place_e;

  // Where in the packet the next unit lies, and what is known of the packet.
  typedef struct packed {
    place_e      place;
    logic [3:0]  count;      // units of this header so far, up to 15
    logic [3:0]  first;      // number of the unit that is next, as far as IP may begin
    logic [3:0]  units;      // of the IPv4 header
    logic [15:0] left;       // bytes of the IP packet from here on
    logic [7:0]  next;       // protocol of what follows
    logic [8:0]  skip;       // units of the extension header that follow
    logic        fragment;
    logic        ip;         // an IPv4 header was found
    logic        l4;         // a TCP or UDP sum was found
    logic [16:0] octets;     // that a frame must have, FCS included, to hold the packet
  } state_t;

  // What a unit adds to the sums.
  typedef struct packed {
    state_t      state;
    logic        ip;       // to the header's
    logic [3:0]  l4;       // these bytes to that of TCP or UDP
    logic [15:0] pseudo;   // and this
  } step_t;

  localparam state_t Start = '{place: StMac, default: '0};

  // The place that a type leads to.
  function automatic place_e behind_type(
      input logic [15:0] kind, input logic tag, input logic snap);
    if (kind == TypeVlan && tag) return StTag;
    if (kind <= LongestLength && snap) return StSnap;
    if (kind == TypeIpv4) return StIpv4;
    if (kind == TypeIpv6) return StIpv6;
    return StDone;
  endfunction

  // The place behind an IP header, or behind an extension.
  function automatic place_e behind_ip(
      input logic [7:0] next, input logic [15:0] left, input logic extensions);
    if (next == Tcp) return left >= TcpHeader ? StL4 : StDone;
    if (next == Udp) return left >= UdpHeader ? StL4 : StDone;
    if (extensions && (next == HopByHop || next == Routing || next == Destination)) begin
      return left >= 16'd8 ? StExtension : StDone;
    end
    return StDone;
  endfunction

  function automatic step_t step(input state_t now, input logic [31:0] unit);
    step_t       made;
    logic [15:0] low, high;     // the unit's numbers
    logic [3:0]  units;
    logic [11:0] length;        // of an extension header, in bytes
    logic [15:0] behind;        // bytes left behind this unit
    made        = '0;
    made.state  = now;
    low         = swap16(unit[15:0]);
    high        = swap16(unit[31:16]);
    units       = unit[3:0];
    length      = {1'b0, unit[15:8], 3'b0} + 12'd8;
    behind      = now.left - 16'd4;
    made.state.count = now.count == '1 ? now.count : now.count + 4'd1;
    if (now.first != '1) made.state.first = now.first + 4'd1;
    unique case (now.place)
      StMac: begin
        if (now.count == 4'd3) begin
          made.state.place = behind_type(high, 1'b1, 1'b1);
          made.state.count = '0;
        end
      end
      StTag: begin
        made.state.place = behind_type(high, 1'b0, 1'b1);
        made.state.count = '0;
      end
      StSnap: begin
        if (now.count == '0) begin
          if (unit != 32'h0003_AAAA) made.state.place = StDone;
        end else begin
          made.state.place = low == '0 ? behind_type(high, 1'b0, 1'b0) : StDone;
          made.state.count = '0;
        end
      end
      StIpv4: begin
        made.ip         = 1'b1;
        made.state.left = behind;
        unique case (now.count)
          4'd0: begin
            made.state.units  = units;
            made.state.left   = high - 16'd4;
            made.state.octets = 17'(high) + {11'b0, now.first, 2'b0} + 17'd2;
            made.state.ip     = unit[7:4] == 4'd4 && units >= 4'd5 && high >= {10'b0, units, 2'b0};
            if (!made.state.ip) made.state.place = StDone;
          end
          4'd1:       made.state.fragment = (high & 16'h3FFF) != '0;
          4'd2:       made.state.next = unit[15:8];
          4'd3, 4'd4: made.l4 = '1;
          default: ;
        endcase
        if (now.count != '0 && now.count == now.units - 4'd1) begin
          made.state.place = now.fragment ? StDone : behind_ip(now.next, behind, 1'b0);
          made.state.count = '0;
        end
      end
      StIpv6: begin
        if (now.count >= 4'd2) made.l4 = '1;
        unique case (now.count)
          4'd0: if (unit[7:4] != 4'd6) made.state.place = StDone;
          4'd1: begin
            made.state.left   = low;
            made.state.next   = unit[23:16];
            made.state.octets = 17'(low) + {11'b0, now.first - 4'd1, 2'b0} + 17'd42;
          end
          4'd9: begin
            made.state.place = behind_ip(now.next, now.left, 1'b1);
            made.state.count = '0;
          end
          default: ;
        endcase
      end
      StExtension: begin
        if (now.count == '0) begin
          made.state.next = unit[7:0];
          made.state.left = now.left - 16'(length);
          made.state.skip = {unit[15:8], 1'b1};
          if (16'(length) > now.left || (now.next == Routing && unit[31:24] != '0)) begin
            made.state.place = StDone;
          end
        end else begin
          made.state.skip = now.skip - 9'd1;
          if (now.skip == 9'd1) begin
            made.state.place = behind_ip(now.next, now.left, 1'b1);
            made.state.count = '0;
          end
        end
      end
      StL4: begin
        made.l4         = '1;
        made.state.left = behind;
        if (now.count == '0 && now.next == Tcp) begin
          made.state.l4 = 1'b1;
          made.pseudo   = ones_add({Tcp, 8'b0}, swap16(now.left));
        end
        if (now.count == 4'd1 && now.next == Udp) begin
          made.state.l4   = low >= UdpHeader && low - 16'd4 <= now.left && high != '0;
          made.pseudo     = ones_add({Udp, 8'b0}, unit[15:0]);
          made.state.left = low - 16'd8;
          if (!made.state.l4 || low == UdpHeader) made.state.place = StDone;
        end else if (now.left <= 16'd4) begin
          made.l4          = 4'hF >> (3'd4 - now.left[2:0]);
          made.state.place = StDone;
        end
      end
      default: ;
    endcase
    return made;
  endfunction

  // ---- First clock: two steps ----

  state_t      state_q, state_now;
  logic [15:0] tail_q;      // the last two bytes of the word before
  logic        first_q, last_q, valid_q, fresh_q;
  step_t       low_step, high_step;
  logic [63:0] data_q;
  logic [7:0]  l4_q;
  logic [1:0]  ip_q;
  logic [15:0] pseudo_q;
  length_t     octets_q, octets_d;

  assign state_now = fresh_q ? Start : state_q;
  assign octets_d  = (fresh_q ? '0 : octets_q) + length_t'(word_i.lanes) + length_t'(1);

  always_comb begin
    low_step  = '0;
    high_step = '0;
    if (word_valid_i) begin
      low_step  = step(state_now, {word_i.data[15:0], tail_q});
      high_step = step(low_step.state, word_i.data[47:16]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_q <= 1'b1;
      valid_q <= 1'b0;
    end else begin
      valid_q <= word_valid_i;
      if (word_valid_i) fresh_q <= word_i.last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (word_valid_i) begin
      state_q  <= high_step.state;
      tail_q   <= word_i.data[63:48];
      data_q   <= {word_i.data[47:0], tail_q};
      l4_q     <= {high_step.l4, low_step.l4};
      ip_q     <= {high_step.ip, low_step.ip};
      pseudo_q <= low_step.pseudo | high_step.pseudo;
      first_q  <= fresh_q;
      last_q   <= word_i.last;
      octets_q <= octets_d;
    end
  end

  // ---- Second clock: the sums ----

  // A sum and four numbers of 16 bits, folded.
  function automatic logic [15:0] add_word(input logic [15:0] sum, input logic [63:0] word);
    logic [18:0] wide;
    logic [16:0] once;
    wide = 19'(sum) + 19'(word[15:0]) + 19'(word[31:16]) + 19'(word[47:32]) + 19'(word[63:48]);
    once = 17'(wide[15:0]) + 17'(wide[18:16]);
    return once[15:0] + 16'(once[16]);
  endfunction

  logic [63:0] l4_word;
  logic [15:0] ip_sum_q, l4_sum_q;
  logic        ip_found_q, l4_found_q, ended_q;

  always_comb begin
    for (int unsigned lane = 0; lane < 8; lane++) begin
      l4_word[8*lane+:8] = l4_q[lane] ? data_q[8*lane+:8] : 8'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ended_q <= 1'b0;
    else ended_q <= valid_q && last_q;
  end

  always_ff @(posedge clk_i) begin
    if (valid_q) begin
      ip_sum_q <= add_word(first_q ? '0 : ip_sum_q,
                           {ip_q[1] ? data_q[63:32] : 32'b0, ip_q[0] ? data_q[31:0] : 32'b0});
      l4_sum_q <= ones_add(add_word(first_q ? '0 : l4_sum_q, l4_word), pseudo_q);
      if (last_q) begin
        ip_found_q <= state_q.ip && state_q.octets <= 17'(octets_q);
        l4_found_q <= state_q.l4 && state_q.octets <= 17'(octets_q);
      end
    end
  end

  // ---- Third clock: the verdict ----

  rx_sums_t sums_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sums_q <= '0;
    end else if (ended_q) begin
      sums_q.ip_checked <= ip_found_q;
      sums_q.ip_good    <= ip_sum_q == '1;
      sums_q.l4_checked <= l4_found_q;
      sums_q.l4_good    <= l4_sum_q == '1;
    end
  end

  assign sums_o = sums_q;
  assign busy_o = !fresh_q || valid_q || ended_q;

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A word adds the protocol and the length once at most.
      PseudoOnce: assert (!word_valid_i || low_step.pseudo == '0 || high_step.pseudo == '0);
      // A fragment has no TCP or UDP sum.
      FragmentHasNone: assert (!(valid_q && state_q.fragment) || !state_q.l4);
    end
  end

  // Corners: each kind of packet; each reason not to check it; odd ends.
  SeenIpv4: cover property (@(posedge clk_i) disable iff (!rst_ni) ended_q && ip_found_q);
  SeenIpv6: cover property (
    @(posedge clk_i) disable iff (!rst_ni) ended_q && l4_found_q && !ip_found_q);
  SeenOptions: cover property (
    @(posedge clk_i) disable iff (!rst_ni) valid_q && state_q.units == '1 && state_q.l4);
  SeenExtension: cover property (
    @(posedge clk_i) disable iff (!rst_ni) valid_q && state_q.place == StExtension);
  SeenSnap: cover property (
    @(posedge clk_i) disable iff (!rst_ni) valid_q && state_q.place == StSnap);
  SeenFragment: cover property (
    @(posedge clk_i) disable iff (!rst_ni) ended_q && state_q.fragment);
  SeenTooShort: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    valid_q && last_q && state_q.ip && state_q.octets > 17'(octets_q));
  SeenJustLongEnough: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    valid_q && last_q && state_q.ip && state_q.octets == 17'(octets_q));
  SeenOddEnd: cover property (
    @(posedge clk_i) disable iff (!rst_ni) valid_q && (l4_q[3:0] == 4'h1 || l4_q[7:4] == 4'h7));
  SeenGapless: cover property (
    @(posedge clk_i) disable iff (!rst_ni) word_valid_i && valid_q && last_q);
endmodule
