// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite on the bus's clock to plain accesses of registers on the core's.
//
// One access at a time: the next begins when the bus has taken the answer of the one before. A
// write begins when its address and its data are there. If a read and a write wait, they take
// turns. A write is answered when it is done, so what the bus sees done is done. It works at any
// ratio of the clocks; while one stands still an access waits. About three clocks of each side an
// access, and the core's own. All answers are OKAY.
//
// Core: write_o and read_o are one clock long. addr_o, data_o and strobes_o stay until the next
// access. The core ends each access with one clock of done_i, then or later.
// Test: tests/rtl/nic/nic_axil_bench.py.
module nic_axil #(
  parameter int unsigned AddrBits = 17
) (
  // Bus.
  input  logic                bus_clk_i,
  input  logic                bus_rst_ni,
  input  logic [AddrBits-1:0] s_axil_awaddr,
  input  logic [2:0]          s_axil_awprot,
  input  logic                s_axil_awvalid,
  output logic                s_axil_awready,
  input  logic [31:0]         s_axil_wdata,
  input  logic [3:0]          s_axil_wstrb,
  input  logic                s_axil_wvalid,
  output logic                s_axil_wready,
  output logic [1:0]          s_axil_bresp,
  output logic                s_axil_bvalid,
  input  logic                s_axil_bready,
  input  logic [AddrBits-1:0] s_axil_araddr,
  input  logic [2:0]          s_axil_arprot,
  input  logic                s_axil_arvalid,
  output logic                s_axil_arready,
  output logic [31:0]         s_axil_rdata,
  output logic [1:0]          s_axil_rresp,
  output logic                s_axil_rvalid,
  input  logic                s_axil_rready,
  output logic                bus_busy_o,   // an access is under way: both clocks have to run
  // Core.
  input  logic                core_clk_i,
  input  logic                core_rst_ni,
  output logic                write_o,
  output logic                read_o,
  output logic [AddrBits-1:0] addr_o,
  output logic [31:0]         data_o,
  output logic [3:0]          strobes_o,
  input  logic                done_i,       // the access is done
  input  logic [31:0]         data_i        // of a read, with done_i
);
  localparam int unsigned FifoLog2 = 2;

  typedef struct packed {
    logic                write;
    logic [AddrBits-1:0] addr;
    logic [31:0]         data;
    logic [3:0]          strobes;
  } access_t;

  // ---- Bus: takes an access, gives its answer ----

  typedef enum logic [1:0] {StIdle, StRead, StWrite} state_e;
  state_e      state_q, state_d;
  logic        read_next_q;      // it is a read's turn
  logic        write_waits, begins, begins_write, answer_valid, answer_taken, fits;
  access_t     asked;
  logic [31:0] answer;

  assign write_waits  = s_axil_awvalid && s_axil_wvalid;
  assign begins_write = write_waits && !(s_axil_arvalid && read_next_q);
  assign begins       = state_q == StIdle && (write_waits || s_axil_arvalid) && fits;
  assign answer_taken = (s_axil_bvalid && s_axil_bready) || (s_axil_rvalid && s_axil_rready);
  assign asked        = '{write: begins_write, addr: begins_write ? s_axil_awaddr : s_axil_araddr,
                          data: s_axil_wdata, strobes: s_axil_wstrb};

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (begins) state_d = begins_write ? StWrite : StRead;
      StRead,
      StWrite: if (answer_taken) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge bus_clk_i) begin
    if (!bus_rst_ni) begin
      state_q     <= StIdle;
      read_next_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (begins) read_next_q <= begins_write;
    end
  end

  assign s_axil_awready = begins && begins_write;
  assign s_axil_wready  = begins && begins_write;
  assign s_axil_arready = begins && !begins_write;
  assign s_axil_bvalid  = state_q == StWrite && answer_valid;
  assign s_axil_rvalid  = state_q == StRead && answer_valid;
  assign s_axil_rdata   = answer;
  assign s_axil_bresp   = 2'b00;
  assign s_axil_rresp   = 2'b00;
  assign bus_busy_o     = state_q != StIdle || s_axil_awvalid || s_axil_wvalid || s_axil_arvalid;

  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

  // ---- Crossing ----

  access_t given;
  logic    given_valid, given_taken, answer_ready, ends;

  async_fifo #(.Width($bits(access_t)), .DepthLog2(FifoLog2)) u_access (
    .wr_clk_i(bus_clk_i), .wr_rst_ni(bus_rst_ni), .wr_valid_i(begins), .wr_ready_o(fits),
    .wr_data_i(asked), .wr_level_o(), .rd_clk_i(core_clk_i), .rd_rst_ni(core_rst_ni),
    .rd_valid_o(given_valid), .rd_ready_i(given_taken), .rd_data_o(given), .rd_level_o());

  async_fifo #(.Width(32), .DepthLog2(FifoLog2)) u_answer (
    .wr_clk_i(core_clk_i), .wr_rst_ni(core_rst_ni), .wr_valid_i(ends),
    .wr_ready_o(answer_ready), .wr_data_i(data_i), .wr_level_o(), .rd_clk_i(bus_clk_i),
    .rd_rst_ni(bus_rst_ni), .rd_valid_o(answer_valid), .rd_ready_i(answer_taken),
    .rd_data_o(answer), .rd_level_o());

  // ---- Core: makes the access ----

  logic now_q;        // the access is made in this clock
  logic write_q;
  logic under_way_q;

  assign given_taken = given_valid;
  assign write_o     = now_q && write_q;
  assign read_o      = now_q && !write_q;
  assign ends        = under_way_q && done_i;

  always_ff @(posedge core_clk_i) begin
    if (!core_rst_ni) begin
      now_q       <= 1'b0;
      under_way_q <= 1'b0;
    end else begin
      now_q <= given_taken;
      if (given_taken) under_way_q <= 1'b1;
      else if (ends) under_way_q <= 1'b0;
    end
  end

  always_ff @(posedge core_clk_i) begin
    if (given_taken) begin
      write_q   <= given.write;
      addr_o    <= given.addr;
      data_o    <= given.data;
      strobes_o <= given.strobes;
    end
  end

  // An answer stays until it is taken.
  stream_rules #(.Width(32)) u_read_rules (
    .clk_i(bus_clk_i), .rst_ni(bus_rst_ni), .valid_i(s_axil_rvalid), .ready_i(s_axil_rready),
    .payload_i(s_axil_rdata));
  stream_rules #(.Width(2)) u_write_rules (
    .clk_i(bus_clk_i), .rst_ni(bus_rst_ni), .valid_i(s_axil_bvalid), .ready_i(s_axil_bready),
    .payload_i(s_axil_bresp));
  always_ff @(posedge core_clk_i) begin : checks
    if (core_rst_ni) begin
      // The way back has room: one access at a time.
      AnswerFits: assert (!ends || answer_ready);
      // The core ends what was begun.
      DoneIsUnderWay: assert (!done_i || under_way_q);
      OneAtATime: assert (!(given_valid && under_way_q));
    end
  end

  // Corners: address before data and data before address; both kinds wait; answers wait.
  AddressFirst: cover property (
    @(posedge bus_clk_i) disable iff (!bus_rst_ni) s_axil_awvalid && !s_axil_wvalid);
  DataFirst: cover property (
    @(posedge bus_clk_i) disable iff (!bus_rst_ni) !s_axil_awvalid && s_axil_wvalid);
  ReadBeforeWrite: cover property (
    @(posedge bus_clk_i) disable iff (!bus_rst_ni) begins && write_waits && !begins_write);
  WriteBeforeRead: cover property (
    @(posedge bus_clk_i) disable iff (!bus_rst_ni) begins && s_axil_arvalid && begins_write);
  AnswerWaits: cover property (
    @(posedge bus_clk_i) disable iff (!bus_rst_ni)
    (s_axil_rvalid && !s_axil_rready) || (s_axil_bvalid && !s_axil_bready));
endmodule
