// SPDX-License-Identifier: Apache-2.0
// A small network adapter in the shape of Corundum's mqnic_core_axi: AXI4-Lite registers of 24-bit
// addresses, AXI4 to the host's memory, AXI4-Stream to the wire, a pulse for each interrupt vector.
//
// It sends one frame at a time and has one buffer for a frame that comes in; while it has none, or
// writes one, the stream waits. Buffers lie on multiples of 2 KiB. Vector 0: the frame has left;
// vector 1: a frame is in the buffer. Registers, bytes:
//   0x000000  identity
//   0x000010  address of the frame to be sent, 0x000014 its upper half
//   0x000018  its bytes; the write sends it
//   0x000020  address of the buffer, 0x000024 its upper half
//   0x000028  any write gives the buffer
//   0x00002c  bytes of the frame that is in it
//   0x000030  clocks that a write of this register takes: a slow one
//   0x800000  scratch
module beam (
  input  logic        clk,
  input  logic        rst,
  input  logic [23:0] s_axil_awaddr,
  input  logic [2:0]  s_axil_awprot,
  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0]  s_axil_wstrb,
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,
  output logic [1:0]  s_axil_bresp,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,
  input  logic [23:0] s_axil_araddr,
  input  logic [2:0]  s_axil_arprot,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,
  output logic [63:0] m_axi_araddr,
  output logic [7:0]  m_axi_arlen,
  output logic [2:0]  m_axi_arsize,
  output logic [1:0]  m_axi_arburst,
  output logic        m_axi_arvalid,
  input  logic        m_axi_arready,
  input  logic [63:0] m_axi_rdata,
  input  logic [1:0]  m_axi_rresp,
  input  logic        m_axi_rlast,
  input  logic        m_axi_rvalid,
  output logic        m_axi_rready,
  output logic [63:0] m_axi_awaddr,
  output logic [7:0]  m_axi_awlen,
  output logic [2:0]  m_axi_awsize,
  output logic [1:0]  m_axi_awburst,
  output logic        m_axi_awvalid,
  input  logic        m_axi_awready,
  output logic [63:0] m_axi_wdata,
  output logic [7:0]  m_axi_wstrb,
  output logic        m_axi_wlast,
  output logic        m_axi_wvalid,
  input  logic        m_axi_wready,
  input  logic [1:0]  m_axi_bresp,
  input  logic        m_axi_bvalid,
  output logic        m_axi_bready,
  output logic [63:0] m_axis_tdata,
  output logic [7:0]  m_axis_tkeep,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic        m_axis_tlast,
  output logic        m_axis_tuser,
  input  logic [63:0] s_axis_tdata,
  input  logic [7:0]  s_axis_tkeep,
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic        s_axis_tlast,
  input  logic        s_axis_tuser,
  output logic [1:0]  irq
);
  localparam logic [31:0] Identity = 32'hbea3_0001;

  // Registers.
  logic [63:0] tx_address_q, rx_address_q;
  logic [11:0] tx_bytes_q, rx_bytes_q;
  logic [31:0] scratch_q;
  logic [7:0]  slow_q;
  logic        send, give;
  logic        write;
  assign write          = s_axil_awvalid && s_axil_wvalid && !s_axil_bvalid && slow_q == 8'd0;
  assign s_axil_awready = write;
  assign s_axil_wready  = write;
  assign s_axil_arready = !s_axil_rvalid;
  assign s_axil_bresp   = 2'b00;
  assign s_axil_rresp   = 2'b00;
  assign send           = write && s_axil_awaddr == 24'h00_0018;
  assign give           = write && s_axil_awaddr == 24'h00_0028;
  always_ff @(posedge clk) begin
    if (slow_q != 8'd0) slow_q <= slow_q - 8'd1;
    if (write) begin
      s_axil_bvalid <= 1'b1;
      unique case (s_axil_awaddr)
        24'h00_0010: tx_address_q[31:0]  <= s_axil_wdata;
        24'h00_0014: tx_address_q[63:32] <= s_axil_wdata;
        24'h00_0018: tx_bytes_q          <= s_axil_wdata[11:0];
        24'h00_0020: rx_address_q[31:0]  <= s_axil_wdata;
        24'h00_0024: rx_address_q[63:32] <= s_axil_wdata;
        24'h00_0030: slow_q              <= s_axil_wdata[7:0];
        24'h80_0000: scratch_q           <= s_axil_wdata;
        default: ;
      endcase
    end else if (s_axil_bready) begin
      s_axil_bvalid <= 1'b0;
    end
    if (s_axil_arvalid && s_axil_arready) begin
      s_axil_rvalid <= 1'b1;
      unique case (s_axil_araddr)
        24'h00_0000: s_axil_rdata <= Identity;
        24'h00_002c: s_axil_rdata <= 32'(rx_bytes_q);
        24'h80_0000: s_axil_rdata <= scratch_q;
        default:     s_axil_rdata <= 32'd0;
      endcase
    end else if (s_axil_rready) begin
      s_axil_rvalid <= 1'b0;
    end
    if (rst) begin
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
      slow_q        <= 8'd0;
    end
  end

  // Out: read data go straight into the stream, in bursts of up to sixteen beats.
  logic        sending_q, asks_q;
  logic [8:0]  tx_beats_q;   // that are still to come
  logic [8:0]  tx_asked_q;   // that were asked for
  logic [4:0]  tx_burst;
  logic [8:0]  tx_all;
  assign tx_all        = 9'((s_axil_wdata[11:0] + 12'd7) >> 3);
  assign tx_burst      = tx_asked_q > 9'd16 ? 5'd16 : tx_asked_q[4:0];
  assign m_axi_arlen   = 8'(tx_burst) - 8'd1;
  assign m_axi_arsize  = 3'd3;
  assign m_axi_arburst = 2'b01;
  assign m_axi_arvalid = asks_q && tx_asked_q != 9'd0;
  assign m_axis_tdata  = m_axi_rdata;
  assign m_axis_tvalid = m_axi_rvalid;
  assign m_axi_rready  = m_axis_tready;
  assign m_axis_tlast  = tx_beats_q == 9'd1;
  assign m_axis_tkeep  = m_axis_tlast && tx_bytes_q[2:0] != 3'd0
                       ? 8'hff >> (4'd8 - 4'(tx_bytes_q[2:0])) : 8'hff;
  assign m_axis_tuser  = 1'b0;
  logic tx_done;
  assign tx_done = m_axis_tvalid && m_axis_tready && m_axis_tlast;
  always_ff @(posedge clk) begin
    if (send) begin
      sending_q    <= 1'b1;
      asks_q       <= 1'b1;
      m_axi_araddr <= tx_address_q;
      tx_beats_q   <= tx_all;
      tx_asked_q   <= tx_all;
    end
    if (m_axi_arvalid && m_axi_arready) begin
      m_axi_araddr <= m_axi_araddr + 64'd128;
      tx_asked_q   <= tx_asked_q - 9'(tx_burst);
    end
    if (m_axis_tvalid && m_axis_tready) tx_beats_q <= tx_beats_q - 9'd1;
    if (tx_done) sending_q <= 1'b0;
    if (rst) begin
      sending_q  <= 1'b0;
      asks_q     <= 1'b0;
      tx_asked_q <= 9'd0;
    end
  end

  // In: a frame is kept whole, then written in bursts of up to sixteen beats.
  typedef enum logic [2:0] {RxNone, RxFill, RxAsk, RxData, RxAnswer} rx_state_e;
  rx_state_e   rx_q;
  logic [63:0] kept_q [256];
  logic [7:0]  rx_last_q;    // word of the frame's end
  logic [7:0]  rx_word_q;
  logic [3:0]  rx_end_bytes;
  logic [3:0]  rx_beat_q;
  logic        rx_done_q;
  assign s_axis_tready = rx_q == RxFill;
  always_comb begin
    rx_end_bytes = 4'd0;
    for (int i = 0; i < 8; i++) rx_end_bytes += 4'(s_axis_tkeep[i]);
  end
  assign m_axi_awlen   = rx_last_q - rx_word_q > 8'd15 ? 8'd15 : rx_last_q - rx_word_q;
  assign m_axi_awsize  = 3'd3;
  assign m_axi_awburst = 2'b01;
  assign m_axi_awvalid = rx_q == RxAsk;
  assign m_axi_awaddr  = rx_address_q + 64'({rx_word_q, 3'b000});
  assign m_axi_wvalid  = rx_q == RxData;
  assign m_axi_wdata   = kept_q[rx_word_q];
  assign m_axi_wstrb   = 8'hff;
  assign m_axi_wlast   = rx_beat_q == 4'd15 || rx_word_q == rx_last_q;
  assign m_axi_bready  = rx_q == RxAnswer;
  always_ff @(posedge clk) begin
    rx_done_q <= 1'b0;
    unique case (rx_q)
      RxNone: begin
        rx_word_q <= 8'd0;
        if (give) rx_q <= RxFill;
      end
      RxFill: if (s_axis_tvalid) begin
        kept_q[rx_word_q] <= s_axis_tdata;
        rx_word_q         <= rx_word_q + 8'd1;
        if (s_axis_tlast) begin
          rx_last_q  <= rx_word_q;
          rx_word_q  <= 8'd0;
          rx_bytes_q <= 12'({rx_word_q, 3'b000}) + 12'(rx_end_bytes);
          if (!s_axis_tuser) rx_q <= RxAsk;
        end
      end
      RxAsk: if (m_axi_awready) begin
        rx_q      <= RxData;
        rx_beat_q <= 4'd0;
      end
      RxData: if (m_axi_wready) begin
        rx_word_q <= rx_word_q + 8'd1;
        rx_beat_q <= rx_beat_q + 4'd1;
        if (m_axi_wlast) rx_q <= RxAnswer;
      end
      RxAnswer: if (m_axi_bvalid) begin
        rx_q      <= rx_word_q == rx_last_q + 8'd1 ? RxNone : RxAsk;
        rx_done_q <= rx_word_q == rx_last_q + 8'd1;
      end
      default: rx_q <= RxNone;
    endcase
    if (rst) begin
      rx_q      <= RxNone;
      rx_done_q <= 1'b0;
    end
  end

  always_ff @(posedge clk) irq <= rst ? 2'b00 : {rx_done_q, tx_done};

  OneFrameAtATime: assert property (@(posedge clk) disable iff (rst) send |-> !sending_q);
  OneBufferAtATime: assert property (@(posedge clk) disable iff (rst) give |-> rx_q == RxNone);
endmodule
