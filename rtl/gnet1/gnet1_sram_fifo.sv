// SPDX-License-Identifier: Apache-2.0
// First-in first-out buffer in an external pipelined ZBT SRAM of 36 bits, clocked at 62.5 MHz.
//
// Even clocks write and odd clocks read. Each side moves 31.25 M words a second, the full line
// rate. The SRAM takes an address in one clock. Two clocks later it takes the data of a write, or
// outputs the data of a read. A word can be read three clocks after it was written, so a frame
// passes through while it still arrives. Words stay in order.
//
// If the memory is full, the frame being written is dropped whole: the write pointer goes back to
// its first word. The reader cannot have begun with the frame, because the memory is larger than
// any frame.
//
// TLM twin: models/wan/gnet1.
module gnet1_sram_fifo
  import gnet1_pkg::*;
#(
  parameter int unsigned AddrBits = 22               // 4 M words
) (
  input  logic                clk_i,                 // 31.25 MHz
  input  logic                rst_ni,
  input  logic                mem_clk_i,             // 62.5 MHz
  input  logic                mem_rst_ni,
  input  logic [22:0]         capacity_words_i,      // at least MinCapacityWords; set while idle
  input  logic                in_valid_i,
  output logic                in_ready_o,
  input  word_t               in_word_i,
  output logic                out_valid_o,
  input  logic                out_ready_i,
  output word_t               out_word_o,
  output logic                drop_o,                // one clock per frame dropped
  output logic [22:0]         level_words_o,         // a recent value

  output logic [AddrBits-1:0] sram_addr_o,           // these pins: domain of mem_clk_i
  output logic                sram_re_o,
  output logic                sram_we_o,
  output logic [35:0]         sram_wdata_o,
  output logic                sram_wdata_oe_o,
  input  logic [35:0]         sram_rdata_i
);
  localparam int unsigned MinCapacityWords = 4096;   // more than the largest frame and its stamp
  localparam int unsigned EdgeLog2         = 4;      // log2 of words of the edge FIFOs
  localparam int unsigned ReadsInFlight    = 4;

  typedef logic [AddrBits:0] pointer_t;

  logic                in_valid, in_take, wr_slot_q;
  word_t               in_word;
  logic [22:0]         capacity;
  pointer_t            limit, wr_q, wr_d, rd_q, begin_q, begin_d, level;
  pointer_t [2:0]      seen_q;                       // last values of wr_q; the reader uses [2]
  logic                full, dropping_q, dropping_d, write, read, drop;
  logic [EdgeLog2:0]   out_level;
  logic [2:0]          write_q, read_q;
  word_t [1:0]         data_q;
  word_t               rdata_q;
  logic                rvalid_q;

  async_fifo #(.Width(36), .DepthLog2(EdgeLog2)) u_in (
    .wr_clk_i(clk_i), .wr_rst_ni(rst_ni), .wr_valid_i(in_valid_i), .wr_ready_o(in_ready_o), .wr_data_i(in_word_i),
    .wr_level_o(), .rd_clk_i(mem_clk_i), .rd_rst_ni(mem_rst_ni), .rd_valid_o(in_valid), .rd_ready_i(wr_slot_q),
    .rd_data_o(in_word), .rd_level_o());

  sync_word #(.Width(23)) u_capacity (
    .src_clk_i(clk_i), .src_rst_ni(rst_ni), .src_i(capacity_words_i), .dst_clk_i(mem_clk_i), .dst_rst_ni(mem_rst_ni),
    .dst_o(capacity));

  assign limit = capacity < 23'(MinCapacityWords)   ? pointer_t'(MinCapacityWords) :
                 capacity > 23'(1) << AddrBits      ? pointer_t'(1) << AddrBits : pointer_t'(capacity);

  // Writer.
  assign in_take = in_valid && wr_slot_q;
  assign level   = wr_q - rd_q;
  assign full    = level >= limit;

  always_comb begin
    wr_d       = wr_q;
    begin_d    = begin_q;
    dropping_d = dropping_q;
    write      = 1'b0;
    drop       = 1'b0;
    if (in_take) begin
      if (is_stamp(in_word)) begin
        begin_d    = wr_q;
        dropping_d = full;
        drop       = full;
        write      = !full;
      end else if (!dropping_q) begin
        write      = !full;
        drop       = full;
        dropping_d = full;
      end
      if (write) wr_d = wr_q + 1'b1;
      else if (drop) wr_d = begin_d;
    end
  end

  // Reader.
  assign read = !wr_slot_q && seen_q[2] != rd_q && out_level <= (EdgeLog2 + 1)'(2**EdgeLog2 - ReadsInFlight);

  always_ff @(posedge mem_clk_i) begin
    if (!mem_rst_ni) begin
      wr_slot_q  <= 1'b0;
      wr_q       <= '0;
      rd_q       <= '0;
      begin_q    <= '0;
      seen_q     <= '0;
      dropping_q <= 1'b0;
      write_q    <= '0;
      read_q     <= '0;
      rvalid_q   <= 1'b0;
    end else begin
      wr_slot_q  <= !wr_slot_q;
      wr_q       <= wr_d;
      begin_q    <= begin_d;
      dropping_q <= dropping_d;
      seen_q     <= {seen_q[1:0], wr_q};
      if (read) rd_q <= rd_q + 1'b1;
      write_q    <= {write_q[1:0], write};
      read_q     <= {read_q[1:0], read};
      rvalid_q   <= read_q[2];
    end
  end

  always_ff @(posedge mem_clk_i) begin
    sram_addr_o <= write ? wr_q[AddrBits-1:0] : rd_q[AddrBits-1:0];
    data_q      <= {data_q[0], in_word};
    rdata_q     <= sram_rdata_i;
  end

  // Pins: the address is valid one clock after the decision, write data two clocks after its
  // address.
  assign sram_we_o       = write_q[0];
  assign sram_re_o       = read_q[0];
  assign sram_wdata_oe_o = write_q[2];
  always_ff @(posedge mem_clk_i) sram_wdata_o <= data_q[1];

  logic out_room;
  async_fifo #(.Width(36), .DepthLog2(EdgeLog2)) u_out (
    .wr_clk_i(mem_clk_i), .wr_rst_ni(mem_rst_ni), .wr_valid_i(rvalid_q), .wr_ready_o(out_room), .wr_data_i(rdata_q),
    .wr_level_o(out_level), .rd_clk_i(clk_i), .rd_rst_ni(rst_ni), .rd_valid_o(out_valid_o), .rd_ready_i(out_ready_i),
    .rd_data_o(out_word_o), .rd_level_o());

  sync_pulse u_drop (
    .src_clk_i(mem_clk_i), .src_rst_ni(mem_rst_ni), .pulse_i(drop), .dst_clk_i(clk_i), .dst_rst_ni(rst_ni), .pulse_o(drop_o));
  sync_word #(.Width(23)) u_level (
    .src_clk_i(mem_clk_i), .src_rst_ni(mem_rst_ni), .src_i(23'(level)), .dst_clk_i(clk_i), .dst_rst_ni(rst_ni),
    .dst_o(level_words_o));

  // The level never exceeds the capacity.
  LevelInRange: assert property (@(posedge mem_clk_i) disable iff (!mem_rst_ni) level <= limit || $changed(limit));
  // A frame is dropped only before the reader reaches its first word.
  RollbackBeforeReader: assert property (
    @(posedge mem_clk_i) disable iff (!mem_rst_ni) drop |-> level >= wr_q - begin_d);
  // Each clock has at most one access, of the writer or of the reader.
  OneAccessAClock: assert property (
    @(posedge mem_clk_i) disable iff (!mem_rst_ni) !(sram_we_o && sram_re_o));
  // Data that is read always finds room.
  ReadHasRoom: assert property (@(posedge mem_clk_i) disable iff (!mem_rst_ni) rvalid_q |-> out_room);

  // Corners that the test benches must meet.
  SeenFullAtStamp: cover property (@(posedge mem_clk_i) disable iff (!mem_rst_ni) drop && in_word.tv && !in_word.eop);
  SeenFullInFrame: cover property (@(posedge mem_clk_i) disable iff (!mem_rst_ni) drop && (!in_word.tv || in_word.eop));
  SeenSkip: cover property (@(posedge mem_clk_i) disable iff (!mem_rst_ni) in_take && dropping_q && (!in_word.tv || in_word.eop));
  SeenWriteWrap: cover property (@(posedge mem_clk_i) disable iff (!mem_rst_ni) write && wr_q[AddrBits-1:0] == '1);
  SeenReadWrap: cover property (@(posedge mem_clk_i) disable iff (!mem_rst_ni) read && rd_q[AddrBits-1:0] == '1);
  SeenEmptyInFrame: cover property (@(posedge mem_clk_i) disable iff (!mem_rst_ni) !wr_slot_q && seen_q[2] == rd_q && wr_q != begin_q);
  SeenReaderWaits: cover property (@(posedge mem_clk_i) disable iff (!mem_rst_ni) !wr_slot_q && seen_q[2] != rd_q && !read);
  SeenWriteAndRead: cover property (@(posedge mem_clk_i) disable iff (!mem_rst_ni) write_q[0] && read_q[1]);
endmodule
