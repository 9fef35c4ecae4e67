// SPDX-License-Identifier: Apache-2.0
// The two sums of a frame to send: of IP, and of TCP or UDP.
//
// Words come in any order; each frame's last item closes it. The sums are ready four clocks later.
// Any number of frames may follow one another. A sum is set only if its span and its field lie in
// the frame. The TCP or UDP sum is over the frame with the IP sum in it: bytes of the IP sum's
// field are summed apart, and the new ones are taken in their place. Frames that are dropped give
// nothing. TLM twin: insert_checksum of models/net/frame/checksum.
//
// Sums are in ones' complement and only ever added to, so 0000 comes of zeros only, as it does in
// the twin. Bytes are added at their places in the frame; if a span starts at an odd byte, its sum
// is turned round in the end (RFC 1071, byte order independence).
module nic_tx_checksum
  import nic_pkg::*;
  import nic_tx_pkg::*;
(
  input  logic      clk_i,
  input  logic      rst_ni,
  input  logic      item_valid_i,
  input  tx_item_t  item_i,
  output logic      ready_valid_o,
  output tx_ready_t ready_o,
  output logic      busy_o
);
  // Lanes of word `index` from byte `start` to byte `last`.
  function automatic logic [7:0] lanes_from(input place_t index, input logic [7:0] start);
    if (index > place_t'(start[7:3])) return '1;
    if (index < place_t'(start[7:3])) return '0;
    return 8'hFF << start[2:0];
  endfunction
  function automatic logic [7:0] lanes_to(input place_t index, input logic [15:0] last);
    if (last == '0 || 13'(index) < last[15:3]) return '1;
    if (13'(index) > last[15:3]) return '0;
    return ~(8'hFE << last[2:0]);
  endfunction
  // Both bytes of a field.
  function automatic logic [7:0] lanes_of(input place_t index, input logic [7:0] at);
    logic [8:0] second;
    second = {1'b0, at} + 9'd1;
    return (index == place_t'(at[7:3]) ? 8'h01 << at[2:0] : '0) |
           (index == place_t'(second[8:3]) ? 8'h01 << second[2:0] : '0);
  endfunction

  // Sum of the four halves of a word, of the lanes that count.
  function automatic logic [15:0] sum_of(input logic [63:0] data, input logic [7:0] lanes);
    logic [63:0] kept;
    logic [17:0] sum;
    for (int unsigned i = 0; i < 8; i++) kept[8*i +: 8] = lanes[i] ? data[8*i +: 8] : '0;
    sum = 18'(swap16(kept[15:0])) + 18'(swap16(kept[31:16])) + 18'(swap16(kept[47:32])) +
          18'(swap16(kept[63:48]));
    return ones_add(sum[15:0], {14'b0, sum[17:16]});
  endfunction

  function automatic logic [15:0] turned(input logic [15:0] sum, input logic odd);
    return odd ? swap16(sum) : sum;
  endfunction

  // Whether a sum can be set in a frame.
  function automatic logic possible(input tx_span_t span, input length_t bytes);
    logic [16:0] stop;
    stop = span.last == '0 ? 17'(bytes) : {1'b0, span.last} + 17'd1;
    return stop <= 17'(bytes) && 17'(span.start) < stop && 17'(span.field) + 17'd2 <= 17'(bytes);
  endfunction
  function automatic logic summed(input logic [7:0] start, input logic [15:0] last,
                                  input logic [8:0] at);
    return at >= {1'b0, start} && (last == '0 || {7'b0, at} <= last);
  endfunction

  // What the end of a frame needs, beside its sums.
  typedef struct packed {
    tx_ready_t   ready;      // values to come
    logic        ip_odd;
    logic        l4_odd;
    logic        udp;
    logic [1:0]  ip_summed;  // bytes of the IP sum's field that the other sum covers
    logic [15:0] length;     // that the TCP or UDP sum covers, or 0
  } end_t;

  // First clock: the sums of a word.
  tx_sums_t    sums;
  logic        word_q, close_q;
  logic [15:0] ip_word_q, l4_word_q, old_word_q;
  end_t        end_d, end_q;
  logic [7:0]  ip_lanes, l4_lanes, field_lanes;

  assign sums        = item_i.sums;
  assign ip_lanes    = lanes_from(item_i.index, sums.ip_span.start) &
                       lanes_to(item_i.index, sums.ip_span.last);
  assign l4_lanes    = lanes_from(item_i.index, sums.l4_span.start) &
                       lanes_to(item_i.index, sums.l4_span.last);
  assign field_lanes = sums.ip ? lanes_of(item_i.index, sums.ip_span.field) : '0;

  always_comb begin
    end_d                 = '0;
    end_d.ready.bytes     = item_i.bytes;
    end_d.ready.vlan      = item_i.vlan;
    end_d.ready.tag       = item_i.tag;
    end_d.ready.ip.insert = sums.ip && possible(sums.ip_span, item_i.bytes);
    end_d.ready.ip.at     = sums.ip_span.field;
    end_d.ready.l4.insert = sums.l4 && possible(sums.l4_span, item_i.bytes);
    end_d.ready.l4.at     = sums.l4_span.field;
    end_d.ip_odd          = sums.ip_span.start[0];
    end_d.l4_odd          = sums.l4_span.start[0];
    end_d.udp             = sums.udp;
    end_d.ip_summed[1]    = summed(sums.l4_span.start, sums.l4_span.last,
                                   {1'b0, sums.ip_span.field});
    end_d.ip_summed[0]    = summed(sums.l4_span.start, sums.l4_span.last,
                                   {1'b0, sums.ip_span.field} + 9'd1);
    end_d.length          = sums.length ? 16'(item_i.bytes) - 16'(sums.l4_span.start) : '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_q     <= 1'b0;
      close_q    <= 1'b0;
      ip_word_q  <= '0;
      l4_word_q  <= '0;
      old_word_q <= '0;
      end_q      <= '0;
    end else begin
      word_q  <= item_valid_i && item_i.word;
      close_q <= item_valid_i && item_i.close;
      if (item_valid_i && item_i.word) begin
        if (sums.ip) ip_word_q <= sum_of(item_i.ip_data, ip_lanes);
        if (sums.l4) begin
          l4_word_q  <= sum_of(item_i.data, l4_lanes & ~field_lanes);
          old_word_q <= sum_of(item_i.data, l4_lanes & field_lanes);
        end
      end
      if (item_valid_i && item_i.close) begin
        end_q              <= end_d;
        end_q.ready.ip.insert <= end_d.ready.ip.insert && !item_i.drop;
        end_q.ready.l4.insert <= end_d.ready.l4.insert && !item_i.drop;
      end
    end
  end

  logic drop_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) drop_q <= 1'b0;
    else if (item_valid_i && item_i.close) drop_q <= item_i.drop;
  end

  // Second clock: the sums of a frame.
  logic        sums_valid_q;
  logic [15:0] ip_q, l4_q, old_q;              // of the frame that comes
  logic [15:0] ip_d, l4_d, old_d;
  logic [15:0] ip_sum_q, l4_sum_q, old_sum_q;  // of the frame that is whole
  end_t        sums_end_q;

  assign ip_d  = word_q ? ones_add(ip_q, ip_word_q) : ip_q;
  assign l4_d  = word_q ? ones_add(l4_q, l4_word_q) : l4_q;
  assign old_d = word_q ? ones_add(old_q, old_word_q) : old_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sums_valid_q <= 1'b0;
      ip_q         <= '0;
      l4_q         <= '0;
      old_q        <= '0;
      ip_sum_q     <= '0;
      l4_sum_q     <= '0;
      old_sum_q    <= '0;
      sums_end_q   <= '0;
    end else begin
      sums_valid_q <= close_q && !drop_q;
      if (word_q || close_q) begin
        ip_q  <= close_q ? '0 : ip_d;
        l4_q  <= close_q ? '0 : l4_d;
        old_q <= close_q ? '0 : old_d;
      end
      if (close_q && !drop_q) begin
        ip_sum_q   <= ip_d;
        l4_sum_q   <= l4_d;
        old_sum_q  <= old_d;
        sums_end_q <= end_q;
      end
    end
  end

  // Third clock: the IP sum, and what of its field the other sum covers.
  logic        ip_valid_q;
  logic [15:0] ip_value, ip_new, l4_rest_q, l4_field_q;
  end_t        ip_end_q;

  always_comb begin
    ip_value = ~turned(ip_sum_q, sums_end_q.ip_odd);
    ip_new   = turned({sums_end_q.ip_summed[1] ? ip_value[15:8] : 8'b0,
                       sums_end_q.ip_summed[0] ? ip_value[7:0] : 8'b0},
                      sums_end_q.ready.ip.at[0]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ip_valid_q <= 1'b0;
      l4_rest_q  <= '0;
      l4_field_q <= '0;
      ip_end_q   <= '0;
    end else begin
      ip_valid_q <= sums_valid_q;
      if (sums_valid_q) begin
        l4_rest_q               <= l4_sum_q;
        l4_field_q              <= sums_end_q.ready.ip.insert ? ip_new : old_sum_q;
        ip_end_q                <= sums_end_q;
        ip_end_q.ready.ip.value <= ip_value;
      end
    end
  end

  // Fourth clock: the TCP or UDP sum.
  logic [15:0] l4_value;
  logic        ready_valid_q;
  tx_ready_t   ready_q;

  assign l4_value = ~ones_add(turned(ones_add(l4_rest_q, l4_field_q), ip_end_q.l4_odd),
                              ip_end_q.length);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ready_valid_q <= 1'b0;
      ready_q       <= '0;
    end else begin
      ready_valid_q <= ip_valid_q;
      if (ip_valid_q) begin
        ready_q          <= ip_end_q.ready;
        ready_q.l4.value <= l4_value == '0 && ip_end_q.udp ? 16'hFFFF : l4_value;
      end
    end
  end

  assign ready_valid_o = ready_valid_q;
  assign ready_o       = ready_q;
  assign busy_o        = word_q || close_q || sums_valid_q || ip_valid_q || ready_valid_q;

  logic unused_odd;
  assign unused_odd = ip_end_q.ip_odd;

  logic [3:0] closes_was_q;
  always_ff @(posedge clk_i) begin : checks
    closes_was_q <= {closes_was_q[2:0], item_valid_i && item_i.close && !item_i.drop};
    if (rst_ni) begin
      // A frame that is kept has its sums four clocks after its end.
      ReadyInFour: assert (ready_valid_o == closes_was_q[3]);
    end
  end

  // Corners: ends of spans, odd starts, zero sums, overlaps.
  SeenIpSum: cover property (@(posedge clk_i) disable iff (!rst_ni)
    ready_valid_o && ready_o.ip.insert);
  SeenImpossible: cover property (@(posedge clk_i) disable iff (!rst_ni)
    item_valid_i && item_i.close && !item_i.drop && sums.l4 && !end_d.ready.l4.insert);
  SeenOddStart: cover property (@(posedge clk_i) disable iff (!rst_ni)
    ip_valid_q && ip_end_q.l4_odd && ip_end_q.ready.l4.insert);
  SeenOddField: cover property (@(posedge clk_i) disable iff (!rst_ni)
    ready_valid_o && ready_o.l4.insert && ready_o.l4.at[2:0] == 3'd7);
  SeenSpanEnds: cover property (@(posedge clk_i) disable iff (!rst_ni)
    item_valid_i && item_i.close && sums.l4_span.last != '0 && end_d.ready.l4.insert);
  SeenOverlap: cover property (@(posedge clk_i) disable iff (!rst_ni)
    ip_valid_q && ip_end_q.ip_summed == '1 && ip_end_q.ready.ip.insert && ip_end_q.ready.l4.insert);
  SeenHalfOverlap: cover property (@(posedge clk_i) disable iff (!rst_ni)
    ip_valid_q && ^ip_end_q.ip_summed && ip_end_q.ready.ip.insert && ip_end_q.ready.l4.insert);
  SeenOldField: cover property (@(posedge clk_i) disable iff (!rst_ni)
    sums_valid_q && !sums_end_q.ready.ip.insert && sums_end_q.ready.l4.insert && old_sum_q != '0);
  SeenZeroAsOnes: cover property (@(posedge clk_i) disable iff (!rst_ni)
    ip_valid_q && l4_value == '0 && ip_end_q.udp && ip_end_q.ready.l4.insert);
  SeenZeroSent: cover property (@(posedge clk_i) disable iff (!rst_ni)
    ip_valid_q && l4_value == '0 && !ip_end_q.udp && ip_end_q.ready.l4.insert);
  SeenEndAlone: cover property (@(posedge clk_i) disable iff (!rst_ni) close_q && !word_q);
endmodule
