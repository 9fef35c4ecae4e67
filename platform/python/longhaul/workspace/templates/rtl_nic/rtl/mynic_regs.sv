// SPDX-License-Identifier: Apache-2.0
// The registers, behind AXI4-Lite; mynic.rdl describes each.
//
// Writes take two clocks and reads two. Byte strobes are obeyed. An address without a register
// reads as zero and takes no write; the answer is always OKAY. A soft reset clears all that is
// here, but the bus is answered during it.
module mynic_regs
  import mynic_pkg::*;
#(
  parameter logic [47:0] MacAddress = '0
) (
  input  logic        clk_i,
  input  logic        rst_ni,        // of the bus
  input  logic        core_rst_ni,   // of the registers
  // AXI4-Lite.
  input  logic [15:0] awaddr_i,
  input  logic        awvalid_i,
  output logic        awready_o,
  input  logic [31:0] wdata_i,
  input  logic [3:0]  wstrb_i,
  input  logic        wvalid_i,
  output logic        wready_o,
  output logic        bvalid_o,
  input  logic        bready_i,
  input  logic [15:0] araddr_i,
  input  logic        arvalid_i,
  output logic        arready_o,
  output logic [31:0] rdata_o,
  output logic        rvalid_o,
  input  logic        rready_i,
  // Control and status.
  output logic        reset_o,       // one clock
  input  logic        resetting_i,
  output logic        rx_enable_o,
  output logic        tx_enable_o,
  output logic        loopback_o,
  output logic        promiscuous_o,
  output logic        all_multicast_o,
  input  logic        tx_idle_i,
  input  logic        stopped_i,
  // Interrupts.
  input  cause_t      cause_i,
  output cause_t      cause_clear_o,
  output cause_t      mask_o,
  output logic [15:0] moderation_o,
  // Receive filter and buffers.
  output logic [47:0] mac_o,
  output logic [63:0] hash_o,
  output logic [14:0] rx_buf_size_o,
  // Rings.
  output logic [63:0] tx_base_o,
  output logic [3:0]  tx_size_log2_o,
  output index_t      tx_tail_o,
  input  index_t      tx_head_i,
  output logic [63:0] rx_base_o,
  output logic [3:0]  rx_size_log2_o,
  output index_t      rx_tail_o,
  input  index_t      rx_head_i,
  input  events_t     events_i
);
  logic        write, read;
  logic [7:0]  waddr, raddr;
  logic        write_hit, read_hit;
  logic [31:0] strobes, rdata;

  // Address and data of a write are taken together.
  assign write     = awvalid_i && wvalid_i && !bvalid_o;
  assign awready_o = write;
  assign wready_o  = write;
  assign read      = arvalid_i && !rvalid_o;
  assign arready_o = read;

  assign waddr     = {awaddr_i[7:2], 2'b0};
  assign raddr     = {araddr_i[7:2], 2'b0};
  assign write_hit = awaddr_i[15:8] == '0;
  assign read_hit  = araddr_i[15:8] == '0;
  assign strobes   = {{8{wstrb_i[3]}}, {8{wstrb_i[2]}}, {8{wstrb_i[1]}}, {8{wstrb_i[0]}}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bvalid_o <= 1'b0;
      rvalid_o <= 1'b0;
      rdata_o  <= '0;
    end else begin
      if (write) bvalid_o <= 1'b1;
      else if (bready_i) bvalid_o <= 1'b0;
      if (read) begin
        rvalid_o <= 1'b1;
        rdata_o  <= read_hit ? rdata : '0;
      end else if (rready_i) begin
        rvalid_o <= 1'b0;
      end
    end
  end

  // The value of a register after a write of some of its bytes.
  function automatic logic [31:0] merged(input logic [31:0] held, input logic [31:0] data,
                                         input logic [31:0] bytes);
    return (held & ~bytes) | (data & bytes);
  endfunction

  logic [3:0] ones;  // what a write has in its low bits, for registers that take ones
  assign ones          = write && write_hit && wstrb_i[0] ? wdata_i[3:0] : '0;
  assign reset_o       = waddr == RegCtrl && ones[0];
  assign cause_clear_o = waddr == RegCause ? ones : '0;

  always_ff @(posedge clk_i) begin
    if (!core_rst_ni) begin
      rx_enable_o     <= 1'b0;
      tx_enable_o     <= 1'b0;
      loopback_o      <= 1'b0;
      promiscuous_o   <= 1'b0;
      all_multicast_o <= 1'b0;
      mask_o          <= '0;
      moderation_o    <= '0;
      mac_o           <= MacAddress;
      hash_o          <= '0;
      rx_buf_size_o   <= 15'd2048;
      tx_base_o       <= '0;
      tx_size_log2_o  <= 4'd4;
      tx_tail_o       <= '0;
      rx_base_o       <= '0;
      rx_size_log2_o  <= 4'd4;
      rx_tail_o       <= '0;
    end else if (write && write_hit) begin
      case (waddr)
        RegCtrl: if (wstrb_i[0])
          {all_multicast_o, promiscuous_o, loopback_o, tx_enable_o, rx_enable_o} <= wdata_i[5:1];
        RegMask: if (wstrb_i[0]) mask_o <= wdata_i[3:0];
        RegModeration:
          moderation_o <= 16'(merged({16'b0, moderation_o}, wdata_i, strobes));
        RegMacLow:     mac_o[31:0]  <= merged(mac_o[31:0], wdata_i, strobes);
        RegMacHigh:    mac_o[47:32] <= 16'(merged({16'b0, mac_o[47:32]}, wdata_i, strobes));
        RegHashLow:    hash_o[31:0]  <= merged(hash_o[31:0], wdata_i, strobes);
        RegHashHigh:   hash_o[63:32] <= merged(hash_o[63:32], wdata_i, strobes);
        RegRxBufSize:
          rx_buf_size_o <= 15'(merged({17'b0, rx_buf_size_o}, wdata_i, strobes));
        RegTxBaseLow:
          tx_base_o[31:0] <= merged(tx_base_o[31:0], wdata_i, strobes) & ~32'h3F;
        RegTxBaseHigh: tx_base_o[63:32] <= merged(tx_base_o[63:32], wdata_i, strobes);
        RegTxSizeLog2: if (wstrb_i[0]) tx_size_log2_o <= wdata_i[3:0];
        RegTxTail:     tx_tail_o <= 16'(merged({16'b0, tx_tail_o}, wdata_i, strobes));
        RegRxBaseLow:
          rx_base_o[31:0] <= merged(rx_base_o[31:0], wdata_i, strobes) & ~32'h3F;
        RegRxBaseHigh: rx_base_o[63:32] <= merged(rx_base_o[63:32], wdata_i, strobes);
        RegRxSizeLog2: if (wstrb_i[0]) rx_size_log2_o <= wdata_i[3:0];
        RegRxTail:     rx_tail_o <= 16'(merged({16'b0, rx_tail_o}, wdata_i, strobes));
        default: ;
      endcase
    end
  end

  // Counters wrap; only a reset clears them.
  logic [31:0] counter_q [Counters];
  logic [31:0] counter;
  logic [5:0]  counter_index;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Counters; i++) begin
      if (!core_rst_ni) counter_q[i] <= '0;
      else if (events_i[i]) counter_q[i] <= counter_q[i] + 32'd1;
    end
  end

  assign counter_index = raddr[7:2] - 6'(RegCounters >> 2);
  always_comb begin
    counter = '0;
    for (int unsigned i = 0; i < Counters; i++) begin
      if (counter_index == 6'(i)) counter = counter_q[i];
    end
  end

  always_comb begin
    case (raddr)
      RegId:         rdata = Id;
      RegVersion:    rdata = Version;
      RegCtrl:       rdata = {26'b0, all_multicast_o, promiscuous_o, loopback_o, tx_enable_o,
                              rx_enable_o, resetting_i};
      RegStatus:     rdata = {30'b0, stopped_i, tx_idle_i};
      RegCause:      rdata = {28'b0, cause_i};
      RegMask:       rdata = {28'b0, mask_o};
      RegModeration: rdata = {16'b0, moderation_o};
      RegMacLow:     rdata = mac_o[31:0];
      RegMacHigh:    rdata = {16'b0, mac_o[47:32]};
      RegHashLow:    rdata = hash_o[31:0];
      RegHashHigh:   rdata = hash_o[63:32];
      RegRxBufSize:  rdata = {17'b0, rx_buf_size_o};
      RegTxBaseLow:  rdata = tx_base_o[31:0];
      RegTxBaseHigh: rdata = tx_base_o[63:32];
      RegTxSizeLog2: rdata = {28'b0, tx_size_log2_o};
      RegTxTail:     rdata = {16'b0, tx_tail_o};
      RegTxHead:     rdata = {16'b0, tx_head_i};
      RegRxBaseLow:  rdata = rx_base_o[31:0];
      RegRxBaseHigh: rdata = rx_base_o[63:32];
      RegRxSizeLog2: rdata = {28'b0, rx_size_log2_o};
      RegRxTail:     rdata = {16'b0, rx_tail_o};
      RegRxHead:     rdata = {16'b0, rx_head_i};
      default:       rdata = raddr >= RegCounters ? counter : '0;
    endcase
  end

  logic unused_addr;
  assign unused_addr = ^{awaddr_i[1:0], araddr_i[1:0]};
endmodule
