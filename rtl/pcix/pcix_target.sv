// SPDX-License-Identifier: Apache-2.0
// The target: answers configuration accesses, accesses of the BARs, and Split Completions.
//
// DEVSEL# comes three clocks after the address phase (decode B). The first data phase, or the
// termination, follows in the next clock. By then the parity of the address and of the attributes
// is known. A transaction whose address has bad parity is not claimed. If its attributes have, it
// ends in Target-Abort.
//
// | transaction             | answer                                                            |
// | configuration           | data, at once                                                     |
// | write of a BAR          | data of one DWORD, then Single Data Phase Disconnect; Retry when  |
// |                         | there is no room                                                  |
// | read of a BAR           | Split Response; Retry while a read is under way                   |
// | Split Completion        | all data, without wait states; ACK64# on a bus of 64 bits         |
//
// A data phase on the bus in clock n is handed on in n + 1 (reads' data) or n + 2 (writes, which
// are dropped if their parity is bad). PERR# follows in n + 3.
// Test: tests/rtl/pcix/pcix_target_bench.py.
module pcix_target
  import pcix_pkg::*;
#(
  parameter int unsigned Bar0Log2 = 17,  // bytes, as a power of two
  parameter int unsigned Bar1Log2 = 0    // 0: none
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  bus_t          bus_i,
  input  logic          low_bad_i,
  input  logic          high_bad_i,
  input  logic          own_i,           // the transaction is the core's own
  input  logic          wide_i,          // the slot has 64 bits
  input  settings_t     settings_i,
  output target_drive_t drive_o,
  output logic          busy_o,          // a transaction is on the bus, or its data are checked
  output logic          perr_o,
  output logic          bad_addr_o,      // an address or attributes had bad parity
  output logic          bad_data_o,      // data had
  output logic          gave_abort_o,
  // Configuration space.
  output logic [5:0]    config_reg_o,    // DWORD
  input  logic [31:0]   config_data_i,
  output logic          config_write_o,
  output logic [31:0]   config_data_o,
  output logic [3:0]    config_strobes_o,
  output logic [4:0]    config_device_o, // device number in a configuration write,
  output logic [7:0]    config_bus_o,    // and the bus number
  // Accesses of BARs.
  input  logic          write_room_i,
  input  logic          read_room_i,
  output logic          access_valid_o,
  output access_t       access_o,
  // Data of reads. `known` answers the tag of fill_o in the same clock.
  input  logic          known_i,         // the sequence is under way, and the part below fits
  output logic [6:0]    part_lower_o,    // where the Split Completion begins
  output count_t        part_bytes_o,
  output logic          part_message_o,  // it is a message: it has no place
  output logic          fill_valid_o,
  output fill_t         fill_o,
  output logic          fill_bad_o,      // the fill of the clock before had bad parity
  output logic          failed_o,        // the sequence ends by an error message
  output logic          unexpected_o
);
  typedef enum logic [2:0] {StIdle, StHigh, StAttr, StRespond, StData, StEnd} state_e;
  typedef enum logic [1:0] {ForConfig, ForBar, ForRead} kind_e;

  state_e        state_q, state_d;
  kind_e         kind_q, kind;
  logic [3:0]    command_q;
  logic [63:0]   addr_q;
  logic [31:0]   attr_q;
  logic [3:0]    upper_q;
  logic          idsel_q, req64_q, bad_high_q, known_q, bar_q;
  logic [10:0]   left_q, left_d;
  logic          hit, bar0_hit, bar1_hit, is_read, bad_addr, bad_attr, wide, single;
  count_t        count;
  logic [3:0]    lanes;
  target_drive_t drive;
  // Data phases: one on the bus in the next clock, on the bus, in bus_i, and one clock older.
  logic          take, take_q, in_q, checked_q, wide_q, wide_in_q, wide_checked_q;
  logic [31:0]   data_q;
  logic [3:0]    strobes_q;
  logic          reads, bad_data, checks_write, is_message;

  // ---- Decoding ----

  assign is_read  = command_q inside {CmdReadDword, CmdReadBlock, CmdReadBlockAlias};
  assign bar0_hit = addr_q[63:Bar0Log2] == settings_i.bar0[63:Bar0Log2];
  if (Bar1Log2 != 0) begin : g_bar1
    assign bar1_hit = addr_q[63:Bar1Log2] == {32'b0, settings_i.bar1[31:Bar1Log2]};
  end else begin : g_no_bar1
    assign bar1_hit = 1'b0;
  end

  always_comb begin
    hit  = 1'b0;
    kind = ForBar;
    unique case (command_q)
      CmdConfigRead, CmdConfigWrite: begin
        hit  = idsel_q && addr_q[1:0] == 2'b00 && addr_q[10:8] == 3'b000;
        kind = ForConfig;
      end
      CmdReadDword, CmdReadBlock, CmdReadBlockAlias, CmdWrite, CmdWriteBlock, CmdWriteBlockAlias:
        hit = settings_i.memory_en && (bar0_hit || bar1_hit);
      CmdSplitCompletion: begin
        hit  = addr_q[23:8] == settings_i.id;
        kind = ForRead;
      end
      default: ;
    endcase
  end

  assign bad_addr = settings_i.parity_response && (low_bad_i || bad_high_q);
  assign bad_attr = settings_i.parity_response && low_bad_i;
  assign count    = count_of(upper_q, attr_q[7:0]);
  assign wide     = kind_q == ForRead && req64_q && wide_i;
  assign single   = phases_of(addr_q[2:0], count, 1'b0) == 11'd1;

  assign is_message = attr_q[29];

  // ---- States: README.md tells the clock of the bus that each one sees in bus_i ----

  always_comb begin
    state_d = state_q;
    left_d  = left_q;
    drive   = '0;
    take    = 1'b0;
    unique case (state_q)
      StIdle: begin
        if (bus_i.frame) begin
          if (own_i) state_d = StEnd;
          else state_d = bus_i.cbe[3:0] == CmdDual ? StHigh : StAttr;
        end
      end
      StHigh: state_d = StAttr;
      StAttr: begin
        state_d = StEnd;
        if (hit && !bad_addr) begin
          state_d      = StRespond;
          drive.active = 1'b1;
          drive.devsel = 1'b1;
          drive.ack64  = kind == ForRead && req64_q && wide_i;
        end
      end
      StRespond: begin
        state_d      = StEnd;
        drive.active = 1'b1;
        drive.devsel = 1'b1;
        drive.ack64  = wide;
        left_d       = (is_message ? 11'd1 : phases_of(addr_q[2:0], count, wide)) - 11'd1;
        if (bad_attr) begin
          drive.devsel = 1'b0;
          drive.stop   = 1'b1;
        end else if (kind_q == ForConfig) begin
          drive.trdy  = 1'b1;
          drive.ad_en = command_q == CmdConfigRead;
          drive.ad    = config_data_i;
          take        = command_q == CmdConfigWrite;
        end else if (kind_q == ForRead) begin
          drive.trdy = 1'b1;
          take       = 1'b1;
          if (left_d != '0) state_d = StData;
        end else if (!(is_read ? read_room_i : write_room_i)) begin
          drive.stop = 1'b1;
        end else if (is_read) begin
          drive.devsel = 1'b0;
          drive.trdy   = 1'b1;
          drive.ad_en  = 1'b1;
          drive.ad     = '1;
        end else begin
          drive.devsel = single;
          drive.stop   = !single;
          drive.trdy   = 1'b1;
          take         = 1'b1;
        end
      end
      StData: begin
        // The initiator ends at a boundary: FRAME# is high a clock before the last data phase.
        if (left_q == '0 || !bus_i.frame) begin
          state_d = StEnd;
        end else begin
          drive.active = 1'b1;
          drive.devsel = 1'b1;
          drive.ack64  = wide;
          drive.trdy   = 1'b1;
          take         = 1'b1;
          left_d       = left_q - 11'd1;
        end
      end
      default: if (!bus_i.frame && !bus_i.irdy) state_d = StIdle;
    endcase
  end

  assign drive_o = drive;
  assign busy_o  = state_q != StIdle || take_q || in_q || checked_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= StIdle;
      {take_q, in_q, checked_q} <= '0;
    end else begin
      state_q   <= state_d;
      {take_q, in_q, checked_q} <= {take, take_q, in_q};
    end
  end

  always_ff @(posedge clk_i) begin
    left_q <= left_d;
    {wide_q, wide_in_q, wide_checked_q} <= {wide, wide_q, wide_in_q};
    unique case (state_q)
      StIdle: begin
        command_q  <= bus_i.cbe[3:0];
        addr_q     <= {32'b0, bus_i.ad[31:0]};
        idsel_q    <= bus_i.idsel;
        req64_q    <= bus_i.req64;
        bad_high_q <= 1'b0;
      end
      StHigh: begin
        command_q     <= bus_i.cbe[3:0];
        addr_q[63:32] <= bus_i.ad[31:0];
        bad_high_q    <= low_bad_i;
      end
      StAttr: begin
        attr_q  <= bus_i.ad[31:0];
        upper_q <= bus_i.cbe[3:0];
        kind_q  <= kind;
        bar_q   <= !bar0_hit;
      end
      StRespond: known_q <= known_i && !is_message;
      default: ;
    endcase
  end

  // ---- Data ----

  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      lanes[i] = i >= 32'(addr_q[1:0]) && i < 32'(addr_q[1:0]) + 32'(count);
    end
  end

  always_ff @(posedge clk_i) begin
    data_q    <= bus_i.ad[31:0];
    strobes_q <= command_q == CmdWrite ? lanes & ~bus_i.cbe[3:0] : lanes;
  end

  assign reads        = kind_q == ForRead;
  assign bad_data     = checked_q && (low_bad_i || (wide_checked_q && high_bad_i));
  assign bad_data_o   = bad_data;
  assign perr_o       = bad_data && settings_i.parity_response;
  assign checks_write = checked_q && !perr_o;

  assign config_reg_o     = addr_q[7:2];
  assign config_data_o    = data_q;
  assign config_strobes_o = ~upper_q;
  assign config_write_o   = checks_write && kind_q == ForConfig;
  assign config_device_o  = addr_q[15:11];
  assign config_bus_o     = attr_q[7:0];

  assign access_valid_o = (checks_write && kind_q == ForBar) ||
                          (state_q == StRespond && kind_q == ForBar && is_read && read_room_i &&
                           !bad_attr);
  assign access_o = '{is_read: is_read, bar: bar_q, addr: addr_q[31:0], data: data_q,
                      strobes: strobes_q, is_dword: command_q == CmdReadDword,
                      relaxed: attr_q[29] && command_q != CmdReadDword, tag: attr_q[28:24],
                      requester: attr_q[23:8],
                      bytes: command_q == CmdReadDword ? count_t'(4) : count};

  assign part_lower_o   = addr_q[6:0];
  assign part_bytes_o   = count;
  assign part_message_o = is_message;

  assign fill_valid_o = in_q && reads && known_q;
  assign fill_o       = '{tag: addr_q[28:24], wide: wide_in_q, data: bus_i.ad};
  assign fill_bad_o   = perr_o && reads && known_q;
  assign failed_o     = in_q && reads && is_message && known_i;
  assign unexpected_o = state_q == StRespond && reads && !known_i && !bad_attr;

  assign bad_addr_o   = (state_q == StAttr && (low_bad_i || bad_high_q)) ||
                        (state_q == StRespond && low_bad_i);
  assign gave_abort_o = state_q == StRespond && bad_attr;

  // Checks and corners.
  // A target answers within the decode time that its status register tells.
  ClaimsInDecodeB: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    drive_o.devsel && !$past(drive_o.active) |-> state_q == StAttr);
  // Wait states come before the first data phase only; here there are none.
  NoWaitInBurst: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StData && drive_o.active |-> drive_o.trdy && drive_o.devsel && !drive_o.stop);
  OnlyReadsMany: assert property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData |-> reads);

  SeenRetry: cover property (
    @(posedge clk_i) disable iff (!rst_ni) drive.stop && drive.devsel && !drive.trdy);
  SeenSplit: cover property (
    @(posedge clk_i) disable iff (!rst_ni) drive.trdy && !drive.devsel && !drive.stop);
  SeenSingle: cover property (
    @(posedge clk_i) disable iff (!rst_ni) drive.trdy && !drive.devsel && drive.stop);
  SeenAbort: cover property (@(posedge clk_i) disable iff (!rst_ni) gave_abort_o);
  SeenBadAddress: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StAttr && hit && bad_addr);
  SeenBadHighAddress: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StAttr && hit && bad_high_q);
  SeenBadWrite: cover property (
    @(posedge clk_i) disable iff (!rst_ni) perr_o && kind_q == ForBar);
  SeenIgnored: cover property (
    @(posedge clk_i) disable iff (!rst_ni) bad_data && !settings_i.parity_response);
  SeenDual: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StHigh);
  SeenCutEarly: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData && left_q != '0 && !bus_i.frame);
  SeenUnexpected: cover property (@(posedge clk_i) disable iff (!rst_ni) unexpected_o);
  SeenNarrow: cover property (
    @(posedge clk_i) disable iff (!rst_ni) fill_valid_o && !fill_o.wide);
  SeenWriteEnables: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    access_valid_o && !access_o.is_read && access_o.strobes inside {4'h5, 4'hA, 4'h9});
endmodule
