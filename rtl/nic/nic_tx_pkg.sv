// SPDX-License-Identifier: Apache-2.0
// Types that the modules of the transmit engine and its buffer share.
package nic_tx_pkg;
  import nic_pkg::*;

  // Longest frame that a packet may give, without FCS and VLAN tag; the shortest is a MAC header.
  localparam int unsigned MaxSendBytes = 16128;
  localparam int unsigned MinSendBytes = 14;

  // The packet buffer: 32 KB. A frame's words are counted from 0.
  localparam int unsigned BufferWords = 4096;
  typedef logic [$clog2(BufferWords):0]   room_t;
  typedef logic [$clog2(BufferWords)-1:0] place_t;

  // Words that so many bytes take.
  function automatic place_t words_of(input length_t bytes);
    return place_t'((bytes + length_t'(7)) >> 3);
  endfunction

  // ---- Descriptors and what is asked for ----

  // The descriptor in hand.
  typedef struct packed {
    logic        sets_context;  // it carries no data
    logic        first;         // of a packet, and nothing of it was asked for
    logic        last;          // of a packet
    logic        segment;       // the packet is a super-frame
    logic        discard;       // the packet is a super-frame whose context is no good
    logic        vlan;          // the packet's frames get a VLAN tag
    logic [19:0] bytes;         // that are left
    logic [63:0] addr;
  } tx_work_t;

  typedef enum logic [1:0] {ToNothing = 2'd0, ToHeader = 2'd1, ToFrame = 2'd2} tx_target_e;

  // A piece: a part of a descriptor's data that goes to one place, or an event without data.
  typedef struct packed {
    logic       sets_context;  // its descriptor does
    logic       first;         // of a packet
    logic       vlan;          // of a packet's first piece: the packet's frames get a VLAN tag
    tx_target_e target;
    logic       empty;         // it has no data
    logic       close;         // the header or the frame ends with it
    logic       drop;          // of a frame's end: the frame is too long
    logic       last;          // of a segment's end: it is the super-frame's last
    logic       done;          // its descriptor ends with it
    length_t    bytes;         // of a frame's end: the whole frame
  } tx_piece_t;

  // ---- Frames ----

  // Bytes that are summed, and where the sum goes.
  typedef struct packed {
    logic [15:0] last;   // the last byte; 0 is the frame's end
    logic [7:0]  field;
    logic [7:0]  start;
  } tx_span_t;

  typedef struct packed {
    logic     ip;      // insert the IP sum
    logic     l4;      // insert the TCP or UDP sum
    logic     udp;     // a TCP or UDP sum of 0 is sent as FFFF
    logic     length;  // the TCP or UDP sum covers the length from its start to the frame's end
    tx_span_t l4_span;
    tx_span_t ip_span;
  } tx_sums_t;

  // A word of a frame, or the frame's end, or both.
  typedef struct packed {
    logic        word;     // there is one
    place_t      index;    // its place in the frame
    logic [63:0] data;
    logic [63:0] ip_data;  // as the IP sum sees it: fields of TCP and UDP as the host wrote them
    logic        close;    // the frame ends; what follows is valid then, the sums always
    logic        drop;
    length_t     bytes;    // without a tag
    logic        vlan;
    logic [15:0] tag;
    tx_sums_t    sums;
  } tx_item_t;

  // A 16-bit field to set.
  typedef struct packed {
    logic        insert;  // there is one
    logic [7:0]  at;      // of its first byte
    logic [15:0] value;   // its first byte in [15:8]
  } tx_field_t;

  // What is known of a frame that is whole. The TCP or UDP sum is set after the IP sum.
  typedef struct packed {
    length_t     bytes;  // without the tag
    logic        vlan;
    logic [15:0] tag;
    tx_field_t   ip;
    tx_field_t   l4;
  } tx_ready_t;

  // ---- Functions ----

  // Word `index` of a frame with up to four bytes set from byte `at` on: those of the mask. The
  // first byte is in [7:0].
  function automatic logic [63:0] patched(
      input logic [63:0] word, input place_t index, input logic [7:0] at,
      input logic [31:0] mask, input logic [31:0] value);
    logic [95:0] mask_at, value_at;
    mask_at  = {64'b0, mask} << {at[2:0], 3'b0};
    value_at = {64'b0, value & mask} << {at[2:0], 3'b0};
    if (index == place_t'(at[7:3])) return (word & ~mask_at[63:0]) | value_at[63:0];
    if (index == place_t'(at[7:3]) + place_t'(1)) begin
      return (word & ~{32'b0, mask_at[95:64]}) | {32'b0, value_at[95:64]};
    end
    return word;
  endfunction

  // A number's bytes as the wire carries them: the high byte first, in [7:0].
  function automatic logic [31:0] swap32(input logic [31:0] value);
    return {value[7:0], value[15:8], value[23:16], value[31:24]};
  endfunction
endpackage
