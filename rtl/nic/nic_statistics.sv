// SPDX-License-Identifier: Apache-2.0
// The counters at 0x2000 to 0x21DF: frames, octets, errors. Reading clears.
//
// Counters are registers. An event is counted whole in its clock, so events may come in each clock
// and need no queue: runts follow each other in three clocks, and one counts in three places. A
// clock without an event or a reading changes nothing.
//
// Pairs count to 2^64. Reading the low half clears both and keeps the high half for the next
// reading of that; a high half that is read first is cleared alone. Words stay at their largest
// value. An event in the clock of a reading belongs to the next one. The value is there in the
// clock after read_i, and zero else. TLM twin: models/nic/blocks/statistics_block,
// models/nic/ixgb/ixgb_stats. Test: tests/rtl/nic/nic_statistics_bench.py.
module nic_statistics
  import nic_csr_pkg::*;
  import nic_pkg::*;
#(
  parameter int unsigned Bits = 32           // of a word, and of half a pair
) (
  input  logic            clk_i,             // 156.25 MHz
  input  logic            rst_ni,            // the device's reset, too
  input  logic            mpe_i,             // RCTL.MPE: broadcast counts as multicast, too
  input  logic            rx_valid_i,
  input  rx_event_t       rx_i,
  input  logic            tx_valid_i,
  input  tx_event_t       tx_i,
  input  logic            tso_whole_i,       // TSCTC
  input  logic            tso_failed_i,      // TSCTFC
  input  logic            link_lost_i,       // LFC
  input  logic            read_i,
  input  logic [8:2]      addr_i,            // of the register that is read
  output logic [Bits-1:0] rdata_o
);
  // A counter's place: eight bytes each, a pair's halves or a word and nothing.
  localparam int unsigned PlaceBits = 6;
  typedef logic [PlaceBits-1:0] place_t;

  // ---- What an event adds ----

  localparam int unsigned Pairs = 18;
  localparam int unsigned Words = 18;
  localparam place_t [Pairs-1:0] PairPlace = {
    TprlOffset[8:3], GprclOffset[8:3], BprclOffset[8:3], MprclOffset[8:3],
    UprclOffset[8:3], VprclOffset[8:3], JprclOffset[8:3], GorclOffset[8:3],
    TorlOffset[8:3], TptlOffset[8:3], GptclOffset[8:3], BptclOffset[8:3],
    MptclOffset[8:3], UptclOffset[8:3], VptclOffset[8:3], JptclOffset[8:3],
    GotclOffset[8:3], TotlOffset[8:3]};
  localparam place_t [Words-1:0] WordPlace = {
    RnbcOffset[8:3], RucOffset[8:3], RocOffset[8:3], RlecOffset[8:3],
    CrcerrsOffset[8:3], MpcOffset[8:3], RjcOffset[8:3], PfrcOffset[8:3],
    McfrcOffset[8:3], XonrxcOffset[8:3], XoffrxcOffset[8:3],
    Plt64cOffset[8:3], PftcOffset[8:3], XontxcOffset[8:3],
    XofftxcOffset[8:3], TsctcOffset[8:3], TsctfcOffset[8:3],
    LfcOffset[8:3]};

  length_t [Pairs-1:0] pair_add;
  logic    [Words-1:0] word_add;
  logic                rx_total, rx_good, tx_data;

  assign rx_total = rx_valid_i && rx_i.total;
  assign rx_good  = rx_valid_i && rx_i.good;
  assign tx_data  = tx_valid_i && !tx_i.xon && !tx_i.xoff;

  function automatic length_t one(input logic counts);
    return length_t'(counts);
  endfunction

  // In the order of PairPlace and WordPlace.
  assign pair_add = {
    one(rx_total), one(rx_good), one(rx_good && rx_i.sort == CastBroad),
    one(rx_good && (rx_i.sort == CastMulti || (rx_i.sort == CastBroad && mpe_i))),
    one(rx_good && rx_i.sort == CastUni), one(rx_good && rx_i.vlan), one(rx_good && rx_i.jumbo),
    rx_good ? rx_i.octets : '0, rx_total ? rx_i.octets : '0,
    one(tx_valid_i), one(tx_data), one(tx_data && tx_i.sort == CastBroad),
    one(tx_data && tx_i.sort == CastMulti), one(tx_data && tx_i.sort == CastUni),
    one(tx_data && tx_i.vlan), one(tx_data && tx_i.jumbo),
    tx_data ? tx_i.octets : '0, tx_valid_i ? tx_i.octets : '0};
  assign word_add = {
    rx_valid_i && rx_i.no_descriptor, rx_valid_i && rx_i.runt, rx_valid_i && rx_i.oversize,
    rx_valid_i && rx_i.length_bad, rx_valid_i && rx_i.fcs_bad, rx_valid_i && rx_i.missed,
    rx_valid_i && rx_i.jabber, rx_valid_i && (rx_i.xon || rx_i.xoff), rx_valid_i && rx_i.control,
    rx_valid_i && rx_i.xon, rx_valid_i && rx_i.xoff,
    tx_data && tx_i.padded, tx_valid_i && !tx_data, tx_valid_i && tx_i.xon,
    tx_valid_i && tx_i.xoff, tso_whole_i, tso_failed_i, link_lost_i};

  // ---- Counters ----

  logic [Pairs-1:0][2*Bits-1:0] pair_q;
  logic [Pairs-1:0][2*Bits-1:0] low_of;      // a pair without its high half
  logic [Pairs-1:0][Bits-1:0]   latched_q;
  logic [Pairs-1:0]             has_latch_q;
  logic [Words-1:0][Bits-1:0]   word_q;
  logic                         changes, read_low, read_high;
  logic [Pairs-1:0]             pair_hit;
  logic [Words-1:0]             word_hit;

  assign changes   = rx_valid_i || tx_valid_i || tso_whole_i || tso_failed_i || link_lost_i ||
                     read_i;
  assign read_low  = read_i && !addr_i[2];
  assign read_high = read_i && addr_i[2];

  for (genvar i = 0; i < Pairs; i++) begin : gen_low
    assign low_of[i] = {Bits'(0), pair_q[i][Bits-1:0]};
  end

  always_comb begin
    pair_hit = '0;
    word_hit = '0;
    if (read_i) begin
      for (int unsigned i = 0; i < Pairs; i++) pair_hit[i] = addr_i[8:3] == PairPlace[i];
      for (int unsigned i = 0; i < Words; i++) word_hit[i] = addr_i[8:3] == WordPlace[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pair_q      <= '0;
      has_latch_q <= '0;
    end else if (changes) begin
      for (int unsigned i = 0; i < Pairs; i++) begin
        if (pair_hit[i] && read_low) pair_q[i] <= (2*Bits)'(pair_add[i]);
        else if (pair_hit[i] && !has_latch_q[i]) pair_q[i] <= low_of[i] + (2*Bits)'(pair_add[i]);
        else pair_q[i] <= pair_q[i] + (2*Bits)'(pair_add[i]);
        if (pair_hit[i]) has_latch_q[i] <= read_low;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Pairs; i++) begin
      if (pair_hit[i] && read_low) latched_q[i] <= pair_q[i][2*Bits-1:Bits];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_q <= '0;
    end else if (changes) begin
      for (int unsigned i = 0; i < Words; i++) begin
        if (word_hit[i] && read_low) word_q[i] <= Bits'(word_add[i]);
        else if (word_add[i] && word_q[i] != '1) word_q[i] <= word_q[i] + Bits'(1);
      end
    end
  end

  // ---- Reading ----

  logic [Bits-1:0] value;
  logic            shown_q;

  always_comb begin
    value = '0;
    if (read_i) begin
      for (int unsigned i = 0; i < Pairs; i++) begin
        if (pair_hit[i]) begin
          value |= !addr_i[2] ? pair_q[i][Bits-1:0] :
                   has_latch_q[i] ? latched_q[i] : pair_q[i][2*Bits-1:Bits];
        end
      end
      for (int unsigned i = 0; i < Words; i++) if (word_hit[i] && !addr_i[2]) value |= word_q[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rdata_o <= '0;
      shown_q <= 1'b0;
    end else if (read_i || shown_q) begin
      rdata_o <= value;
      shown_q <= read_i;
    end
  end

  logic read_was_q;
  always_ff @(posedge clk_i) begin : checks
    read_was_q <= read_i;
    if (rst_ni) begin
      // A place has one counter.
      OneCounter: assert ($onehot0({pair_hit, word_hit}));
      // Nothing is shown but in the clock after a reading.
      ShownOnce: assert (read_was_q || rdata_o == '0);
    end
  end

  // Corners: an event meets the reading of its counter, a high half is read first, a word is full.
  MeetsLow: cover property (
    @(posedge clk_i) disable iff (!rst_ni) read_low && rx_total && addr_i[8:3] == TorlOffset[8:3]);
  MeetsHigh: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    read_high && rx_total && addr_i[8:3] == TorlOffset[8:3]);
  MeetsWord: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    read_low && word_add[0] && addr_i[8:3] == LfcOffset[8:3]);
  HighFirst: cover property (
    @(posedge clk_i) disable iff (!rst_ni) read_high && |(pair_hit & ~has_latch_q));
  HighLater: cover property (
    @(posedge clk_i) disable iff (!rst_ni) read_high && |(pair_hit & has_latch_q));
  LowAgain: cover property (
    @(posedge clk_i) disable iff (!rst_ni) read_low && |(pair_hit & has_latch_q));
  Full: cover property (@(posedge clk_i) disable iff (!rst_ni) word_add[0] && word_q[0] == '1);
  AllAtOnce: cover property (
    @(posedge clk_i) disable iff (!rst_ni) rx_valid_i && tx_valid_i && read_i);
endmodule
