// SPDX-License-Identifier: Apache-2.0
// Accesses of the BARs to AXI4-Lite, and Split Completions of the reads.
//
// Accesses are made in the order in which the bus brought them, one at a time. BAR 1 lies above
// BAR 0 in the address of AXI4-Lite. Errors of posted writes are not told to anybody.
//
// A read of one DWORD has one Split Completion. Another read is made up to the next allowable
// disconnect boundary and has a Split Completion for each such part, with BCM set if more follow.
// An error of AXI4-Lite ends the sequence by a message of the class of completer errors, device
// specific. A sequence that goes beyond the end of its BAR ends there, by the message "byte count
// out of range". Test: tests/rtl/pcix/pcix_target_bench.py.
module pcix_axil
  import pcix_pkg::*;
#(
  parameter  int unsigned Bar0Log2 = 17,
  parameter  int unsigned Bar1Log2 = 0,    // 0: none; at most Bar0Log2
  parameter  int unsigned Posted   = 8,    // accesses that wait
  localparam int unsigned AddrBits = Bar0Log2 + (Bar1Log2 != 0 ? 1 : 0)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  settings_t           settings_i,
  // The target.
  input  logic                access_valid_i,
  input  access_t             access_i,
  output logic                write_room_o,
  output logic                read_room_o,
  // AXI4-Lite.
  output logic [AddrBits-1:0] m_axil_awaddr,
  output logic [2:0]          m_axil_awprot,
  output logic                m_axil_awvalid,
  input  logic                m_axil_awready,
  output logic [31:0]         m_axil_wdata,
  output logic [3:0]          m_axil_wstrb,
  output logic                m_axil_wvalid,
  input  logic                m_axil_wready,
  input  logic [1:0]          m_axil_bresp,
  input  logic                m_axil_bvalid,
  output logic                m_axil_bready,
  output logic [AddrBits-1:0] m_axil_araddr,
  output logic [2:0]          m_axil_arprot,
  output logic                m_axil_arvalid,
  input  logic                m_axil_arready,
  input  logic [31:0]         m_axil_rdata,
  input  logic [1:0]          m_axil_rresp,
  input  logic                m_axil_rvalid,
  output logic                m_axil_rready,
  // The initiator.
  output logic                work_valid_o,
  output work_t                work_o,
  input  logic                end_valid_i,
  input  end_t                end_i,
  input  logic [9:0]          word_i,
  output logic [63:0]         data_o,
  output logic                discarded_o,  // nobody took the Split Completion
  output logic                busy_o        // an access is not over
);
  // Bits of an address within a BAR; those above are its place on the bus.
  localparam logic [31:0] Bar0Mask = (32'd1 << Bar0Log2) - 32'd1;
  localparam logic [31:0] Bar1Mask = (32'd1 << Bar1Log2) - 32'd1;

  typedef enum logic [2:0] {StIdle, StWrite, StWritten, StAsk, StRead, StAnswer} state_e;

  state_e      state_q, state_d;
  access_t     next;
  logic        next_valid, fits, takes, read_waits_q;
  logic        aw_done_q, w_done_q, aw_done, w_done;
  access_t     now_q;
  logic [31:0] addr_q, at_q;           // of the sequence's rest; of the DWORD in hand
  count_t      left_q, part_q;         // bytes of the rest; of the part
  logic        error_q, beyond;
  logic [31:0] low_q [16];
  logic [31:0] high_q [16];
  logic [6:0]  lower;
  logic        part_ends, last_part, tells;
  message_t    message;

  // ---- Accesses that wait ----

  localparam int unsigned LevelBits = $clog2(Posted + 1);
  logic [LevelBits-1:0] level;

  sync_fifo #(.Width($bits(access_t)), .Depth(Posted)) u_accesses (
    .clk_i, .rst_ni, .in_valid_i(access_valid_i), .in_ready_o(fits), .in_data_i(access_i),
    .out_valid_o(next_valid), .out_ready_i(takes), .out_data_o(next), .level_o(level));

  // A write that was given a place is in it before the next one asks.
  assign write_room_o = level != LevelBits'(Posted);
  assign read_room_o  = write_room_o && !read_waits_q;
  assign takes        = state_q == StIdle && next_valid;
  assign busy_o       = state_q != StIdle || level != '0 || read_waits_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_waits_q <= 1'b0;
    else if (access_valid_i && access_i.is_read) read_waits_q <= 1'b1;
    else if (state_q == StAnswer && state_d == StIdle) read_waits_q <= 1'b0;
  end

  // ---- One access ----

  logic [7:0]  to_boundary;   // bytes
  count_t      rest;
  logic [31:0] rest_addr;
  logic        moved_part;
  logic [6:0]  last_lower;

  assign rest        = takes ? next.bytes : left_q - end_i.bytes;
  assign rest_addr   = takes ? next.addr & (next.bar ? Bar1Mask : Bar0Mask)
                             : addr_q + 32'(end_i.bytes);
  assign to_boundary = 8'(AdbBytes) - 8'(rest_addr[6:0]);
  assign moved_part  = tells || now_q.is_dword || end_i.bytes == part_q;

  assign aw_done   = aw_done_q || m_axil_awready;
  assign w_done    = w_done_q || m_axil_wready;
  assign last_part = part_q == left_q;
  assign last_lower = addr_q[6:0] + 7'(part_q - count_t'(1));
  assign part_ends  = now_q.is_dword || at_q[6:2] == last_lower[6:2];

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: if (takes) state_d = next.is_read ? StAsk : StWrite;
      StWrite: if (aw_done && w_done) state_d = StWritten;
      StWritten: if (m_axil_bvalid) state_d = StIdle;
      StAsk: if (beyond) state_d = StAnswer;
             else if (m_axil_arready) state_d = StRead;
      StRead: if (m_axil_rvalid) state_d = part_ends || m_axil_rresp[1] ? StAnswer : StAsk;
      default: if (end_valid_i) begin
        unique case (end_i.how)
          EndRetry: ;
          EndMoved: begin
            if (moved_part) state_d = tells || now_q.is_dword || last_part ? StIdle : StAsk;
          end
          default: state_d = StIdle;
        endcase
      end
    endcase
  end

  assign discarded_o = state_q == StAnswer && end_valid_i &&
                       !(end_i.how inside {EndRetry, EndMoved});

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  // The sequence goes on beyond its BAR.
  assign beyond = now_q.is_read && !now_q.is_dword &&
                  addr_q == (now_q.bar ? Bar1Mask : Bar0Mask) + 32'd1;

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
      error_q   <= 1'b0;
    end else begin
      if (m_axil_awready && m_axil_awvalid) aw_done_q <= 1'b1;
      if (m_axil_wready && m_axil_wvalid) w_done_q <= 1'b1;
      if (state_q == StRead && m_axil_rvalid && m_axil_rresp[1]) error_q <= 1'b1;
    end
    if (takes) now_q <= next;
    if (takes || (state_q == StAnswer && end_valid_i && end_i.how == EndMoved)) begin
      addr_q <= rest_addr;
      left_q <= rest;
      // The rest of a part that was cut keeps its end; the next part begins at a boundary.
      part_q <= rest > count_t'(to_boundary) ? count_t'(to_boundary) : rest;
      if (takes || moved_part) at_q <= rest_addr;
    end else if (state_q == StRead && m_axil_rvalid) begin
      at_q <= at_q + 32'd4;
    end
  end

  // ---- AXI4-Lite ----

  logic [31:0] in_bar;

  function automatic logic [AddrBits-1:0] address_of(input logic bar, input logic [31:0] addr);
    logic [AddrBits-1:0] at;
    at = AddrBits'(addr);
    if (Bar1Log2 != 0) at[AddrBits-1] = bar;
    return at;
  endfunction

  assign in_bar         = {at_q[31:2], 2'b00};
  assign m_axil_awaddr  = address_of(now_q.bar, in_bar);
  assign m_axil_araddr  = address_of(now_q.bar, in_bar);
  assign m_axil_awprot  = 3'b000;
  assign m_axil_arprot  = 3'b000;
  assign m_axil_awvalid = state_q == StWrite && !aw_done_q;
  assign m_axil_wvalid  = state_q == StWrite && !w_done_q;
  assign m_axil_wdata   = now_q.data;
  assign m_axil_wstrb   = now_q.strobes;
  assign m_axil_bready  = state_q == StWritten;
  assign m_axil_arvalid = state_q == StAsk && !beyond;
  assign m_axil_rready  = state_q == StRead;

  logic [3:0] row;
  logic       odd;
  assign row = now_q.is_dword ? '0 : at_q[6:3];
  assign odd = !now_q.is_dword && at_q[2];

  always_ff @(posedge clk_i) begin
    if (m_axil_rready && m_axil_rvalid && !odd) low_q[row] <= m_axil_rdata;
    if (m_axil_rready && m_axil_rvalid && odd) high_q[row] <= m_axil_rdata;
  end

  // ---- The Split Completion ----

  completion_attr_t attr;
  completion_addr_t where;
  logic [3:0]       read_row;
  count_t           bytes;

  assign tells    = error_q || beyond;
  assign lower    = now_q.is_dword || tells ? '0 : addr_q[6:0];
  assign bytes    = now_q.is_dword || tells ? count_t'(4) : part_q;
  assign message  = '{kind: MessageCompleter, index: error_q ? MessageDevice : MessageOutOfRange,
                      reserved: 1'b0, lower: now_q.is_dword ? '0 : addr_q[6:0],
                      count: now_q.is_dword ? 12'd4 : left_q[11:0]};
  assign attr     = '{modified: !tells && !now_q.is_dword && !last_part, error: tells,
                      is_message: tells, reserved: '0, completer: settings_i.id, count: '0};
  assign where    = '{reserved: '0, relaxed: now_q.relaxed, tag: now_q.tag,
                      requester: now_q.requester, reserved_low: 1'b0, lower: lower};
  assign read_row = lower[6:3] + word_i[3:0];

  assign work_valid_o = state_q == StAnswer;
  assign work_o  = '{command: CmdSplitCompletion, addr: {32'b0, where}, attr: attr[31:8],
                    bytes: bytes};
  assign data_o = tells ? {32'b0, message} : {high_q[read_row], low_q[read_row]};

  // Checks and corners.
  // The target gives an access only if it was told that there is room.
  AccessFits: assert property (
    @(posedge clk_i) disable iff (!rst_ni) access_valid_i |-> fits);
  OneRead: assert property (
    @(posedge clk_i) disable iff (!rst_ni) access_valid_i && access_i.is_read |-> !read_waits_q);
  stream_rules #(.Width($bits(m_axil_awaddr))) u_write_rules (
    .clk_i, .rst_ni, .valid_i(m_axil_awvalid), .ready_i(m_axil_awready),
    .payload_i(m_axil_awaddr));
  stream_rules #(.Width($bits(m_axil_araddr))) u_read_rules (
    .clk_i, .rst_ni, .valid_i(m_axil_arvalid), .ready_i(m_axil_arready),
    .payload_i(m_axil_araddr));
  PartWithinBoundary: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StAnswer && !now_q.is_dword |-> 32'(lower) + 32'(bytes) <= AdbBytes);

  SeenFull: cover property (@(posedge clk_i) disable iff (!rst_ni) !write_room_o);
  SeenDataFirst: cover property (
    @(posedge clk_i) disable iff (!rst_ni) m_axil_awvalid && !m_axil_wvalid);
  SeenAddressFirst: cover property (
    @(posedge clk_i) disable iff (!rst_ni) !m_axil_awvalid && m_axil_wvalid);
  SeenParts: cover property (@(posedge clk_i) disable iff (!rst_ni) work_valid_o && attr.modified);
  SeenDeviceError: cover property (@(posedge clk_i) disable iff (!rst_ni) work_valid_o && error_q);
  SeenBeyond: cover property (@(posedge clk_i) disable iff (!rst_ni) work_valid_o && beyond);
  SeenCut: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    end_valid_i && end_i.how == EndMoved && !moved_part);
  SeenRetry: cover property (
    @(posedge clk_i) disable iff (!rst_ni) end_valid_i && end_i.how == EndRetry);
  SeenDiscarded: cover property (@(posedge clk_i) disable iff (!rst_ni) discarded_o);
endmodule
