// SPDX-License-Identifier: Apache-2.0
// Configuration space: header of type 0, PCI-X capability, MSI capability.
//
// A read gives its data in the same clock. A write counts from the next clock on. Bus and device
// number follow each configuration write to the core. README.md has the table of registers. Status
// bits are set by events, and cleared by a write of one. SERR# is asserted for one clock.
// Test: tests/rtl/pcix/pcix_config_bench.py.
module pcix_config
  import pcix_pkg::*;
#(
  parameter logic [15:0] VendorId          = 16'h0000,
  parameter logic [15:0] DeviceId          = 16'h0000,
  parameter logic [7:0]  Revision          = 8'h00,
  parameter logic [23:0] ClassCode         = 24'h020000,
  parameter logic [15:0] SubsystemVendorId = 16'h0000,
  parameter logic [15:0] SubsystemId       = 16'h0000,
  parameter int unsigned Bar0Log2          = 17,   // bytes, as a power of two: 7 to 31
  parameter bit          Bar0Is64          = 1'b1,
  parameter int unsigned Bar1Log2          = 0,    // 0: none
  parameter logic [1:0]  MostRead          = 2'd2, // designed MMRBC: 512 B shifted left by it
  parameter logic [2:0]  MostBytes         = 3'd3, // of reads at once: 1 KB shifted left by it
  parameter logic [2:0]  MostSplits        = 3'd4  // designed number of splits, as it is coded
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        irq_i,              // the design wants an interrupt
  input  logic [5:0]  reg_i,              // DWORD
  output logic [31:0] data_o,
  input  logic        write_i,
  input  logic [31:0] data_i,
  input  logic [3:0]  strobes_i,
  input  logic [4:0]  device_i,           // of the write
  input  logic [7:0]  bus_i,
  input  events_t     events_i,
  output settings_t   settings_o,
  output logic        serr_o
);
  // Command register, and PCI-X command register, as they are written.
  localparam logic [15:0] CommandMask = 16'h0546;
  localparam logic [6:0]  PcixReset   = 7'h02;   // relaxed ordering, 512 B, one split

  // DWORDs.
  localparam logic [5:0] RegId       = 6'h00;
  localparam logic [5:0] RegCommand  = 6'h01;
  localparam logic [5:0] RegClass    = 6'h02;
  localparam logic [5:0] RegTimer    = 6'h03;
  localparam logic [5:0] RegBar0     = 6'h04;
  localparam logic [5:0] RegBar0High = 6'h05;
  localparam logic [5:0] RegBar1     = 6'h06;
  localparam logic [5:0] RegSubsystem = 6'h0B;
  localparam logic [5:0] RegCaps     = 6'h0D;
  localparam logic [5:0] RegLine     = 6'h0F;
  localparam logic [5:0] RegPcix     = CapPcix[7:2];
  localparam logic [5:0] RegPcixStatus = CapPcix[7:2] + 6'd1;
  localparam logic [5:0] RegMsi      = CapMsi[7:2];
  localparam logic [5:0] RegMsiLow   = CapMsi[7:2] + 6'd1;
  localparam logic [5:0] RegMsiHigh  = CapMsi[7:2] + 6'd2;
  localparam logic [5:0] RegMsiData  = CapMsi[7:2] + 6'd3;

  logic [15:0] command_q, status;
  logic        master_parity_q, gave_abort_q, got_target_abort_q, got_master_abort_q;
  logic        gave_serr_q, parity_q, discarded_q, unexpected_q, error_message_q;
  logic [7:0]  cache_line_q, timer_q, line_q;
  logic [63:0] bar0_q;
  logic [31:0] bar1_q;
  logic [6:0]  pcix_q;
  logic        msi_en_q;
  logic [63:2] msi_addr_q;
  logic [15:0] msi_data_q;
  id_t         id_q;
  logic        serr;
  logic [31:0] clears;       // status bits that are written as one

  // ---- Reads ----

  assign status = {parity_q, gave_serr_q, got_master_abort_q, got_target_abort_q, gave_abort_q,
                   2'b10, master_parity_q, 2'b00, 1'b1, 1'b1, irq_i, 3'b000};

  always_comb begin
    unique case (reg_i)
      RegId:         data_o = {DeviceId, VendorId};
      RegCommand:    data_o = {status, command_q};
      RegClass:      data_o = {ClassCode, Revision};
      RegTimer:      data_o = {16'h0000, timer_q, cache_line_q};
      RegBar0:       data_o = {bar0_q[31:4], 1'b0, Bar0Is64, 2'b00};
      RegBar0High:   data_o = bar0_q[63:32];
      RegBar1:       data_o = bar1_q;
      RegSubsystem:  data_o = {SubsystemId, SubsystemVendorId};
      RegCaps:       data_o = {24'b0, CapPcix};
      RegLine:       data_o = {16'b0, 8'h01, line_q};
      RegPcix:       data_o = {9'b0, pcix_q, CapMsi, 8'h07};
      RegPcixStatus: data_o = {2'b00, error_message_q, MostBytes, MostSplits, MostRead, 1'b0,
                               unexpected_q, discarded_q, 2'b11, id_q};
      RegMsi:        data_o = {8'h00, 7'h40, msi_en_q, 8'h00, 8'h05};
      RegMsiLow:     data_o = {msi_addr_q[31:2], 2'b00};
      RegMsiHigh:    data_o = msi_addr_q[63:32];
      RegMsiData:    data_o = {16'b0, msi_data_q};
      default:       data_o = '0;
    endcase
  end

  // ---- Writes ----

  function automatic logic [31:0] merged(
    input logic [31:0] old, input logic [31:0] data, input logic [3:0] strobes);
    logic [31:0] result;
    for (int unsigned i = 0; i < 4; i++) begin
      result[8*i +: 8] = strobes[i] ? data[8*i +: 8] : old[8*i +: 8];
    end
    return result;
  endfunction

  logic [31:0] now, fresh;
  assign now    = data_o;
  assign fresh  = merged(now, data_i, strobes_i);
  assign clears = write_i ? merged('0, data_i, strobes_i) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      command_q    <= '0;
      cache_line_q <= '0;
      timer_q      <= 8'd64;
      line_q       <= '0;
      bar0_q       <= '0;
      bar1_q       <= '0;
      pcix_q       <= PcixReset;
      msi_en_q     <= 1'b0;
      msi_addr_q   <= '0;
      msi_data_q   <= '0;
      id_q         <= '{bus: 8'hFF, device: 5'h1F, fn: 3'd0};
    end else if (write_i) begin
      id_q <= '{bus: bus_i, device: device_i, fn: 3'd0};
      unique case (reg_i)
        RegCommand: command_q <= fresh[15:0] & CommandMask;
        RegTimer: {timer_q, cache_line_q} <= fresh[15:0];
        RegBar0: bar0_q[31:Bar0Log2] <= fresh[31:Bar0Log2];
        RegBar0High: if (Bar0Is64) bar0_q[63:32] <= fresh;
        RegBar1: if (Bar1Log2 != 0) bar1_q <= fresh & ~((32'd1 << Bar1Log2) - 32'd1);
        RegLine: line_q <= fresh[7:0];
        RegPcix: pcix_q <= fresh[22:16];
        RegMsi: msi_en_q <= fresh[16];
        RegMsiLow: msi_addr_q[31:2] <= fresh[31:2];
        RegMsiHigh: msi_addr_q[63:32] <= fresh;
        RegMsiData: msi_data_q <= fresh[15:0];
        default: ;
      endcase
    end
  end

  // ---- What happened ----

  assign serr = settings_o.serr_en &&
                ((events_i.bad_address && settings_o.parity_response) ||
                 (events_i.master_parity && settings_o.parity_response && !settings_o.recovers));
  assign serr_o = serr;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {parity_q, gave_serr_q, got_master_abort_q, got_target_abort_q, gave_abort_q} <= '0;
      {master_parity_q, error_message_q, unexpected_q, discarded_q}                 <= '0;
    end else begin
      if (reg_i == RegCommand) begin
        {parity_q, gave_serr_q, got_master_abort_q, got_target_abort_q, gave_abort_q} <=
          {parity_q, gave_serr_q, got_master_abort_q, got_target_abort_q, gave_abort_q} &
          ~clears[31:27];
        master_parity_q <= master_parity_q && !clears[24];
      end
      if (reg_i == RegPcixStatus) begin
        error_message_q <= error_message_q && !clears[29];
        unexpected_q    <= unexpected_q && !clears[19];
        discarded_q     <= discarded_q && !clears[18];
      end
      if (events_i.parity) parity_q <= 1'b1;
      if (serr) gave_serr_q <= 1'b1;
      if (events_i.got_master_abort) got_master_abort_q <= 1'b1;
      if (events_i.got_target_abort) got_target_abort_q <= 1'b1;
      if (events_i.gave_target_abort) gave_abort_q <= 1'b1;
      if (events_i.master_parity && settings_o.parity_response) master_parity_q <= 1'b1;
      if (events_i.error_message) error_message_q <= 1'b1;
      if (events_i.unexpected) unexpected_q <= 1'b1;
      if (events_i.discarded) discarded_q <= 1'b1;
    end
  end

  // ---- Settings ----

  function automatic logic [5:0] splits_of(input logic [2:0] code);
    unique case (code)
      3'd0: return 6'd1;
      3'd1: return 6'd2;
      3'd2: return 6'd3;
      3'd3: return 6'd4;
      3'd4: return 6'd8;
      3'd5: return 6'd12;
      3'd6: return 6'd16;
      default: return 6'd32;
    endcase
  endfunction

  assign settings_o = '{
    memory_en: command_q[1], master_en: command_q[2], parity_response: command_q[6],
    serr_en: command_q[8], intx_off: command_q[10], latency_timer: timer_q, recovers: pcix_q[0],
    max_read: pcix_q[3:2], max_splits: splits_of(pcix_q[6:4]), msi_en: msi_en_q,
    msi_addr: {msi_addr_q, 2'b00}, msi_data: msi_data_q, bar0: bar0_q, bar1: bar1_q,
    id: id_q};

  SeenSerr: cover property (@(posedge clk_i) disable iff (!rst_ni) serr);
  SeenRecovers: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    events_i.master_parity && settings_o.serr_en && settings_o.recovers);
  SeenSetWhileCleared: cover property (
    @(posedge clk_i) disable iff (!rst_ni) clears != '0 && events_i != '0);
endmodule
