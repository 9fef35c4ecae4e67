// SPDX-License-Identifier: Apache-2.0
// Words, times and settings that the blocks of the delay box exchange.
package gnet1_pkg;
  import gnet1_csr_pkg::*;

  localparam int unsigned Ports    = PortCount;
  localparam int unsigned Counters = CounterCount;  // per port

  // Largest frame that passes whole, from destination address to FCS. A longer frame is cut and
  // marked as bad.
  localparam int unsigned MaxFrameBytes = 16000;

  // 36 bits, as wide as the external memory. data[31:24] is the first byte of the frame.
  //   tv eop bs
  //   1  0   0     time stamp: the frame begins; data is a stamp_t
  //   0  0   0     four bytes of the frame
  //   0  1   n     the frame's last word: n bytes of it; 0 means 4
  //   1  1   n     the same, of a frame that was received with RX_ER or cut at MaxFrameBytes
  typedef struct packed {
    logic        tv;
    logic        eop;
    logic [1:0]  bs;
    logic [31:0] data;
  } word_t;

  function automatic logic is_stamp(input word_t word);
    return word.tv && !word.eop;
  endfunction

  function automatic logic [2:0] valid_bytes(input word_t word);
    return (word.eop && word.bs != 2'd0) ? {1'b0, word.bs} : 3'd4;
  endfunction

  // Time in units of 100 ns (the paper's resolution), plus 0 to 24 units of 4 ns. The units of 4 ns
  // make the delay exact to one 32 ns clock. Two times compare correctly as plain 32-bit numbers.
  // Their difference modulo 2^32 has the correct sign.
  typedef struct packed {
    logic [26:0] tenths_us;
    logic [4:0]  quads_ns;  // 4 ns
  } stamp_t;

  localparam int unsigned QuadsPerTenth = 25;
  localparam int unsigned QuadsPerTick  = 8;   // 32 ns, one clock of 31.25 MHz

  function automatic stamp_t stamp_add(input stamp_t a, input stamp_t b);
    logic [5:0] quads;
    logic       carry;
    quads = {1'b0, a.quads_ns} + {1'b0, b.quads_ns};
    carry = quads >= 6'(QuadsPerTenth);
    return '{tenths_us: a.tenths_us + b.tenths_us + 27'(carry),
             quads_ns:  5'(carry ? quads - 6'(QuadsPerTenth) : quads)};
  endfunction

  function automatic stamp_t stamp_sub(input stamp_t a, input stamp_t b);
    logic borrow;
    borrow = a.quads_ns < b.quads_ns;
    return '{tenths_us: a.tenths_us - b.tenths_us - 27'(borrow),
             quads_ns:  5'({1'b0, a.quads_ns} + (borrow ? 6'(QuadsPerTenth) : 6'd0) - {1'b0, b.quads_ns})};
  endfunction

  // True if `now` is at or after `due`. The two must be less than 6.7 s apart.
  function automatic logic stamp_reached(input stamp_t now, input stamp_t due);
    logic [31:0] ahead;
    ahead = now - due;
    return !ahead[31];
  endfunction

  // Converts a count of 32 ns clocks (less than 256) to a time.
  function automatic stamp_t ticks_to_stamp(input logic [7:0] ticks);
    logic [10:0] quads;
    quads = {ticks, 3'b0};
    return '{tenths_us: {16'b0, quads / 11'(QuadsPerTenth)}, quads_ns: 5'(quads % 11'(QuadsPerTenth))};
  endfunction

  // Time of a GPS receiver: seconds, and units of 100 ns within the second.
  typedef struct packed {
    logic [31:0] seconds;
    logic [23:0] tenths_us;
  } gps_time_t;

  // A cost of the rate limiter: a time, plus `fraction` / 256 of 4 ns.
  typedef struct packed {
    stamp_t     time_part;
    logic [7:0] fraction;
  } cost_t;

  function automatic cost_t cost_add(input cost_t a, input cost_t b);
    logic [8:0] fraction;
    fraction = {1'b0, a.fraction} + {1'b0, b.fraction};
    return '{time_part: stamp_add(stamp_add(a.time_part, b.time_part), stamp_t'({31'b0, fraction[8]})),
             fraction:  fraction[7:0]};
  endfunction

  // Settings of one port, in the 31.25 MHz domain. README.md describes their registers.
  typedef struct packed {
    logic          rx_enable;
    logic          fcs_new;
    logic          stamp_tx;
    logic          stamp_rx;
    logic          rate_enable;
    logic          atm;
    logic          red_enable;
    logic [3:0]    route;
    stamp_t        delay;
    logic [5:0]    ifg_bytes;
    logic [31:0]   error_threshold;
    discard_mode_e discard_mode;
    logic [31:0]   discard_arg;
    logic [22:0]   capacity_words;
    cost_t         word_cost;
    cost_t         frame_cost;
    stamp_t        burst;
    logic [26:0]   queue_limit_tenths_us;
    logic [26:0]   red_min_tenths_us;
    logic [26:0]   red_max_tenths_us;
    logic [31:0]   red_slope;
    logic [3:0]    red_weight;
    logic [5:0]    atm_overhead_bytes;
    logic [13:0]   stamp_offset_bytes;
  } port_cfg_t;

  // Commands to one port. Each lasts one clock.
  typedef struct packed {
    logic        discard_arm;
    logic        discard_cancel;
    logic        seed;
    logic [63:0] seed_value;
    logic        level_clear;
    logic        oneway_clear;
  } port_cmd_t;

  // Values of one port that its registers show.
  typedef struct packed {
    logic        discard_armed;
    logic [31:0] discard_stamp;
    logic [22:0] level_words;
    logic [22:0] level_max_words;
    logic [26:0] backlog_tenths_us;
    logic [26:0] red_average_tenths_us;
    logic [31:0] oneway_count;
    logic [31:0] oneway_last;
    logic [31:0] oneway_min;
    logic [31:0] oneway_max;
    logic [63:0] oneway_sum;
  } port_status_t;
endpackage
