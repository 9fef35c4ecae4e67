// SPDX-License-Identifier: Apache-2.0
// Which received frames are wanted: exact addresses, multicast and VLAN table, promiscuous modes.
//
// It sees the words of each frame, which may follow each other without a gap. Its verdict is valid
// from the clock after a frame's third word to the next frame's third word; a shorter frame leaves
// the verdict as it was. A reset clears the tables, which takes a clock a word; software waits for
// table_ready_o. What software asks for is there in the next clock. TLM twin:
// models/nic/blocks/address_filter, models/nic/intel/filter_tables. Test:
// tests/rtl/nic/nic_rx_filter_bench.py.
module nic_rx_filter
  import nic_pkg::*;
(
  input  logic        clk_i,          // 156.25 MHz
  input  logic        rst_ni,
  // RCTL.
  input  logic        upe_i,          // every unicast address is wanted
  input  logic        mpe_i,          // every multicast address is wanted
  input  logic        bam_i,          // broadcast is wanted
  input  logic [1:0]  mo_i,           // which bits of an address look into the multicast table
  input  logic        vfe_i,          // the VLAN table decides
  input  logic        cfien_i,        // a tag's CFI has to be that of cfi_i
  input  logic        cfi_i,
  // Software's view of the tables.
  output logic        table_ready_o,  // low while the tables are being cleared
  input  logic        table_we_i,
  input  logic        table_re_i,
  input  rx_table_e   table_i,
  input  logic [6:0]  table_place_i,  // word in the table
  input  logic [31:0] table_wdata_i,
  output logic [31:0] table_rdata_o,  // in the clock after table_re_i
  output logic [47:0] address_o,      // of exact entry 0, first byte in [7:0]
  // Frames.
  input  logic        word_valid_i,
  input  word_t       word_i,
  output rx_filter_t  filter_o,
  output logic        busy_o
);
  localparam int unsigned ExactEntries = 16;
  localparam int unsigned EntryBits    = $clog2(ExactEntries);
  localparam int unsigned TableWords   = 128;
  localparam int unsigned PlaceBits    = $clog2(TableWords);

  typedef struct packed {
    logic        valid;      // RAH.AV
    logic [1:0]  by_source;  // RAH.ASEL; its low bit counts
    logic [47:0] address;
  } exact_t;

  // ---- Tables: the filter and software read copies of their own ----

  logic                 clearing_q;
  logic [PlaceBits-1:0] clear_q;
  logic                 multi_we, vlan_we;
  logic [PlaceBits-1:0] wr_place;
  logic [31:0]          wr_data;

  assign table_ready_o = !clearing_q;
  assign multi_we      = clearing_q || (table_we_i && table_i == TableMulti);
  assign vlan_we       = clearing_q || (table_we_i && table_i == TableVlan);
  assign wr_place      = clearing_q ? clear_q : table_place_i;
  assign wr_data       = clearing_q ? '0 : table_wdata_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      clear_q    <= '0;
    end else if (clearing_q) begin
      clearing_q <= clear_q != PlaceBits'(TableWords - 1);
      clear_q    <= clear_q + PlaceBits'(1);
    end
  end

  exact_t [ExactEntries-1:0] exact_q;
  logic [EntryBits-1:0]      entry;

  assign entry     = table_place_i[EntryBits:1];
  assign address_o = exact_q[0].address;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      exact_q <= '0;
    end else if (table_we_i && table_ready_o && table_i == TableExact) begin
      if (table_place_i[0]) begin
        exact_q[entry].address[47:32] <= table_wdata_i[15:0];
        exact_q[entry].by_source      <= table_wdata_i[17:16];
        exact_q[entry].valid          <= table_wdata_i[31];
      end else begin
        exact_q[entry].address[31:0] <= table_wdata_i;
      end
    end
  end

  logic        multi_re, vlan_re;
  logic [11:0] multi_index;
  logic [15:0] tag;          // of the VLAN
  logic [31:0] multi_word, vlan_word, multi_copy, vlan_copy, exact_copy_q;
  rx_table_e   asked_q;

  sync_ram #(.Width(32), .Depth(TableWords)) u_multi (
    .clk_i, .wr_en_i(multi_we), .wr_place_i(wr_place), .wr_data_i(wr_data),
    .rd_en_i(multi_re), .rd_place_i(multi_index[11:5]), .rd_data_o(multi_word));
  sync_ram #(.Width(32), .Depth(TableWords)) u_multi_copy (
    .clk_i, .wr_en_i(multi_we), .wr_place_i(wr_place), .wr_data_i(wr_data),
    .rd_en_i(table_re_i), .rd_place_i(table_place_i), .rd_data_o(multi_copy));
  sync_ram #(.Width(32), .Depth(TableWords)) u_vlan (
    .clk_i, .wr_en_i(vlan_we), .wr_place_i(wr_place), .wr_data_i(wr_data),
    .rd_en_i(vlan_re), .rd_place_i(tag[11:5]), .rd_data_o(vlan_word));
  sync_ram #(.Width(32), .Depth(TableWords)) u_vlan_copy (
    .clk_i, .wr_en_i(vlan_we), .wr_place_i(wr_place), .wr_data_i(wr_data),
    .rd_en_i(table_re_i), .rd_place_i(table_place_i), .rd_data_o(vlan_copy));

  always_ff @(posedge clk_i) begin
    if (table_re_i) begin
      asked_q      <= table_i;
      exact_copy_q <= table_place_i[0] ?
          {exact_q[entry].valid, 13'b0, exact_q[entry].by_source,
           exact_q[entry].address[47:32]} :
          exact_q[entry].address[31:0];
    end
  end

  always_comb begin
    unique case (asked_q)
      TableMulti: table_rdata_o = multi_copy;
      TableVlan:  table_rdata_o = vlan_copy;
      default:    table_rdata_o = exact_copy_q;
    endcase
  end

  // ---- A frame's header, in its first three words ----

  logic [1:0]  place_q;      // of the word in the frame, up to 3
  logic [47:0] to_q, from_q;
  logic [15:0] kind_q, tag_q;
  logic [4:0]  multi_bit_q;
  logic [15:0] top;          // of the destination address, the last byte uppermost

  assign top      = word_i.data[47:32];
  assign tag      = swap16(word_i.data[63:48]);
  assign multi_re = word_valid_i && place_q == 2'd0;
  assign vlan_re  = word_valid_i && place_q == 2'd1;

  always_comb begin
    unique case (mo_i)
      2'd0:    multi_index = top[15:4];
      2'd1:    multi_index = top[14:3];
      2'd2:    multi_index = top[13:2];
      default: multi_index = top[11:0];
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      place_q <= '0;
    end else if (word_valid_i) begin
      place_q <= word_i.last ? 2'd0 : (place_q == 2'd3 ? 2'd3 : place_q + 2'd1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (multi_re) begin
      to_q         <= word_i.data[47:0];
      from_q[15:0] <= word_i.data[63:48];
      multi_bit_q  <= multi_index[4:0];
    end
    if (vlan_re) begin
      from_q[47:16] <= word_i.data[31:0];
      kind_q        <= swap16(word_i.data[47:32]);
      tag_q         <= tag;
    end
  end

  // ---- The verdict ----

  rx_filter_t filter_q, filter_d;
  logic       exact, decide;

  assign decide = word_valid_i && place_q == 2'd2;

  always_comb begin
    exact    = 1'b0;
    filter_d = filter_q;
    if (decide) begin
      for (int unsigned i = 0; i < ExactEntries; i++) begin
        if (exact_q[i].valid &&
            exact_q[i].address == (exact_q[i].by_source[0] ? from_q : to_q)) exact = 1'b1;
      end
      filter_d.sort    = to_q == '1 ? CastBroad : (to_q[0] ? CastMulti : CastUni);
      filter_d.by_name = exact || (filter_d.sort == CastBroad && bam_i);
      filter_d.match   = filter_d.by_name ||
          (to_q[0] ? multi_word[multi_bit_q] || mpe_i : upe_i);
      filter_d.vlan    = kind_q == TypeVlan;
      filter_d.vlan_ok = !filter_d.vlan || !vfe_i ||
          (vlan_word[tag_q[4:0]] && (!cfien_i || tag_q[12] == cfi_i));
      filter_d.tag     = tag_q;
      filter_d.kind    = filter_d.vlan ? swap16(word_i.data[15:0]) : kind_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) filter_q <= '0;
    else if (decide) filter_q <= filter_d;
  end

  assign filter_o = filter_q;
  assign busy_o   = clearing_q || place_q != '0;

  logic       holds_q;
  rx_filter_t filter_was_q;
  always_ff @(posedge clk_i) begin : checks
    holds_q      <= rst_ni && !decide;
    filter_was_q <= filter_q;
    if (rst_ni) begin
      // Software touches the tables only when they are clear.
      TablesReady: assert (!(table_we_i || table_re_i) || table_ready_o);
      // A frame that is wanted by name is wanted.
      NameMatches: assert (!filter_q.by_name || filter_q.match);
      // The verdict moves with a frame's third word only.
      VerdictHolds: assert (!holds_q || filter_q == filter_was_q);
    end
  end

  // Corners: each way to be wanted, and each to be refused.
  BySource: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide && exact && to_q[0] && from_q != to_q);
  ByTable: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide && filter_d.match && !filter_d.by_name &&
    to_q[0] && !mpe_i);
  BroadcastByTable: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide && filter_d.match && !filter_d.by_name &&
    filter_d.sort == CastBroad);
  ByUnicastMode: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide && filter_d.match && !filter_d.by_name &&
    !to_q[0]);
  Unwanted: cover property (@(posedge clk_i) disable iff (!rst_ni) decide && !filter_d.match);
  OtherVlan: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide && filter_d.match && !filter_d.vlan_ok);
  WrongCfi: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide && filter_d.vlan && vfe_i && cfien_i &&
    vlan_word[tag_q[4:0]] && !filter_d.vlan_ok);
  ReadWhileFrame: cover property (
    @(posedge clk_i) disable iff (!rst_ni) table_re_i && multi_re);
endmodule
