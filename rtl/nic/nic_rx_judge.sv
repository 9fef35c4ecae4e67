// SPDX-License-Identifier: Apache-2.0
// Decides what becomes of each received frame, in the order of the twin.
//
// Receiver off, runt, oversize or jabber, FCS, MAC control, the size limit of a frame without a
// tag, address, VLAN, room. A frame that is damaged in its FCS or by an error character is stored
// only with RCTL.SBP. Its tag stays, and its sums are not told.
//
// The verdict comes in the third clock after a frame's last word, its event in the clock after.
// Frames may follow each other without a gap. TLM twin: models/net/mac/eth_mac,
// models/nic/intel/rx_unit. Test: tests/rtl/nic/nic_rx_bench.py.
module nic_rx_judge
  import nic_pkg::*;
(
  input  logic        clk_i,           // 156.25 MHz
  input  logic        rst_ni,
  // Settings; see nic_rx_buffer.
  input  logic        enable_i,
  input  logic        sbp_i,
  input  logic        cff_i,
  input  logic        secrc_i,
  input  logic        vme_i,
  input  logic        ipofl_i,
  input  logic        tuofl_i,
  input  logic [15:0] limit_i,
  input  logic        descriptors_i,
  // The frame's words, and what others say of it.
  input  logic        word_valid_i,
  input  line_word_t  word_i,
  input  rx_filter_t  filter_i,        // valid in the third clock after the last word
  input  rx_sums_t    sums_i,          // so are these
  input  logic        control_i,       // valid in the first clock after the last word
  input  logic        pause_i,
  input  logic        xon_i,
  input  logic        room_i,          // the frame is in the buffer; in the clock of the verdict
  output logic        good_o,          // in the first clock after the last word: right size and FCS
  // The verdict.
  output logic        decide_o,
  output logic        keep_o,
  output logic        strip_o,         // the tag is to be taken out
  output rx_info_t    info_o,
  output logic        event_valid_o,
  output rx_event_t   event_o,
  output logic        busy_o
);
  localparam length_t     PauseOctets   = length_t'(MinFrameBytes);
  localparam length_t     StandardBytes = 15'd1518;
  localparam logic [15:0] LongestLength = 16'd1500;  // a type or length up to this is a length
  localparam length_t     HeaderBytes   = 15'd14;

  // ---- First clock: length and FCS ----

  logic    fresh_q, ended_q, damaged_q, runt, over, over_tag;
  length_t octets_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_q <= 1'b1;
      ended_q <= 1'b0;
    end else begin
      ended_q <= word_valid_i && word_i.word.last;
      if (word_valid_i) fresh_q <= word_i.word.last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (word_valid_i) begin
      octets_q  <= (fresh_q ? '0 : octets_q) + length_t'(word_i.word.lanes) + length_t'(1);
      damaged_q <= word_i.error || word_i.fcs_bad;
    end
  end

  assign runt     = octets_q < length_t'(MinFrameBytes);
  assign over     = 17'(octets_q) > 17'(limit_i);
  assign over_tag = 17'(octets_q) > 17'(limit_i) + 17'(TagBytes);
  assign good_o   = ended_q && enable_i && !runt && !over_tag && !damaged_q;

  // ---- To the third clock, with what was known in the first ----

  typedef struct packed {
    length_t octets;
    logic    damaged;
    logic    runt;
    logic    over;       // as a frame without a tag
    logic    over_tag;   // as a frame with one
    logic    control;
    logic    pause;
    logic    xon;
  } known_t;
  known_t second_q, third_q;
  logic   second_valid_q, third_valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      second_valid_q <= 1'b0;
      third_valid_q  <= 1'b0;
    end else begin
      second_valid_q <= ended_q && enable_i;
      third_valid_q  <= second_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ended_q) begin
      second_q <= '{octets: octets_q, damaged: damaged_q, runt: runt, over: over,
                    over_tag: over_tag, control: control_i, pause: pause_i, xon: xon_i};
    end
    if (second_valid_q) third_q <= second_q;
  end

  // ---- Third clock: the verdict ----

  rx_event_t event_d;
  logic      wanted;
  length_t   behind;    // bytes behind the header

  assign behind = third_q.octets - length_t'(FcsBytes) - HeaderBytes -
                  (filter_i.vlan ? length_t'(TagBytes) : '0);

  always_comb begin
    event_d        = '0;
    event_d.total  = 1'b1;
    event_d.octets = third_q.octets;
    wanted         = 1'b0;
    if (third_q.runt) begin
      event_d.runt = !third_q.damaged;
    end else if (third_q.over_tag) begin
      event_d.oversize = !third_q.damaged;
      event_d.jabber   = third_q.damaged;
    end else if (third_q.damaged) begin
      event_d.fcs_bad = 1'b1;
      wanted          = sbp_i && filter_i.match;
    end else if (third_q.pause) begin
      event_d.octets = PauseOctets;
      event_d.xon    = third_q.xon;
      event_d.xoff   = !third_q.xon;
    end else if (third_q.control && cff_i) begin
      event_d.total   = 1'b0;
      event_d.control = 1'b1;
    end else begin
      event_d.control = third_q.control;
      if (third_q.over && !filter_i.vlan) begin
        event_d.oversize = 1'b1;
      end else begin
        event_d.length_bad = filter_i.kind <= LongestLength && filter_i.kind > 16'(behind);
        wanted             = filter_i.match && filter_i.vlan_ok;
      end
    end
    if (wanted) begin
      event_d.missed        = !room_i;
      event_d.no_descriptor = room_i && !descriptors_i;
      if (room_i && !third_q.damaged) begin
        event_d.good  = 1'b1;
        event_d.sort  = filter_i.sort;
        event_d.vlan  = filter_i.vlan;
        event_d.jumbo = third_q.octets >
            StandardBytes + (filter_i.vlan ? length_t'(TagBytes) : '0);
      end
    end
  end

  assign decide_o = third_valid_q;
  assign keep_o   = wanted && room_i;
  assign strip_o  = filter_i.vlan && vme_i && !third_q.damaged;

  logic ip_told, l4_told;
  assign ip_told = sums_i.ip_checked && (ipofl_i || tuofl_i) && !third_q.damaged;
  assign l4_told = sums_i.l4_checked && tuofl_i && !third_q.damaged;

  always_comb begin
    info_o                  = '0;
    info_o.bytes            = third_q.octets - (secrc_i ? length_t'(FcsBytes) : '0) -
                              (strip_o ? length_t'(TagBytes) : '0);
    info_o.special          = strip_o ? filter_i.tag : '0;
    info_o.status[RxDd]     = 1'b1;
    info_o.status[RxVp]     = strip_o;
    info_o.status[RxPif]    = !filter_i.by_name;
    info_o.status[RxIpcs]   = ip_told;
    info_o.status[RxTcpcs]  = l4_told;
    info_o.status[RxIxsm]   = !ip_told && !l4_told;
    info_o.errors[RxIpe]    = ip_told && !sums_i.ip_good;
    info_o.errors[RxTcpe]   = l4_told && !sums_i.l4_good;
    info_o.errors[RxCe]     = third_q.damaged;
    info_o.errors[RxRxe]    = third_q.damaged;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) event_valid_o <= 1'b0;
    else event_valid_o <= decide_o;
  end

  always_ff @(posedge clk_i) begin
    if (decide_o) event_o <= event_d;
  end

  assign busy_o = !fresh_q || ended_q || second_valid_q || third_valid_q || event_valid_o;

  logic kept_was_q;
  always_ff @(posedge clk_i) begin : checks
    kept_was_q <= rst_ni && decide_o && keep_o;
    if (rst_ni) begin
      // One thing becomes of a frame.
      OneFate: assert (
        !event_valid_o || $onehot0({event_o.good, event_o.missed, event_o.oversize,
        event_o.jabber, event_o.runt, event_o.xon, event_o.xoff}));
      // A frame whose FCS is wrong is never good.
      DamagedIsBad: assert (!(event_valid_o && event_o.fcs_bad) || !event_o.good);
      // Only a frame that is wanted is kept.
      KeptIsCounted: assert (!kept_was_q || event_o.good || event_o.fcs_bad);
    end
  end

  // Corners: each reason to refuse, and lengths just inside and outside of each limit.
  Off: cover property (@(posedge clk_i) disable iff (!rst_ni) ended_q && !enable_i);
  RuntDamaged: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && third_q.runt && third_q.damaged);
  LongestRunt: cover property (
    @(posedge clk_i) disable iff (!rst_ni) good_o == 1'b0 && ended_q && octets_q == 15'd63);
  Shortest: cover property (
    @(posedge clk_i) disable iff (!rst_ni) good_o && octets_q == 15'd64);
  JustInLimit: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && keep_o && 16'(third_q.octets) == limit_i);
  JustOverLimit: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && event_d.oversize &&
    17'(third_q.octets) == 17'(limit_i) + 17'd1);
  TagJustInLimit: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && keep_o && filter_i.vlan &&
    17'(third_q.octets) == 17'(limit_i) + 17'(TagBytes));
  Jabber: cover property (@(posedge clk_i) disable iff (!rst_ni) decide_o && event_d.jabber);
  DamagedKept: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && keep_o && third_q.damaged);
  DamagedMissed: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && event_d.missed && third_q.damaged);
  ControlKept: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && keep_o && third_q.control);
  ControlFiltered: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && event_d.control && !event_d.total);
  LengthBadKept: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && keep_o && event_d.length_bad);
  LengthJustRight: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && keep_o && filter_i.kind == 16'(behind));
  NoDescriptor: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide_o && event_d.no_descriptor);
  Gapless: cover property (@(posedge clk_i) disable iff (!rst_ni) word_valid_i && ended_q);
endmodule
