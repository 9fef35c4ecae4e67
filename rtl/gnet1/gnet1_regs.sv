// SPDX-License-Identifier: Apache-2.0
// The box's control registers behind the USB bridge's parallel bus. README.md lists them all.
//
// An access: bus_sel_i with address, direction and data, held until bus_ack_o, two clocks later; bus_rdata_o is valid with it. Addresses that no
// register has read as zero and ignore writes. Only whole 32-bit words; address bits 1:0 are ignored.
module gnet1_regs
  import gnet1_pkg::*;
#(
  parameter int unsigned SampleDepthLog2 = 14
) (
  input  logic                        clk_i,                // 31.25 MHz
  input  logic                        rst_ni,
  input  logic                        bus_sel_i,
  input  logic                        bus_write_i,
  input  logic [11:0]                 bus_addr_i,           // bytes
  input  logic [31:0]                 bus_wdata_i,
  output logic [31:0]                 bus_rdata_o,
  output logic                        bus_ack_o,

  output port_cfg_t    [Ports-1:0]    cfg_o,
  output port_cmd_t    [Ports-1:0]    cmd_o,
  input  port_status_t [Ports-1:0]    status_i,
  input  logic [Ports-1:0][Counters-1:0][31:0] counters_i,  // as latched
  output logic                        latch_o,
  output logic                        switch_o,
  output logic                        learn_o,
  output logic [31:0]                 magic_o,

  input  stamp_t                      now_i,
  input  gps_time_t                   gps_i,
  input  logic [31:0]                 pps_ticks_i,
  output logic                        seconds_set_o,
  output logic [31:0]                 wdata_o,              // for the one-clock commands

  output logic                        sample_enable_o,
  output logic                        sample_circular_o,
  output logic [1:0]                  sample_port_o,
  output logic [31:0]                 sample_period_o,
  output logic [SampleDepthLog2-1:0]  sample_index_o,
  input  logic [31:0]                 sample_total_i,
  input  logic [31:0]                 sample_words_i,
  input  logic [31:0]                 sample_frames_i,

  output logic [1:0]                  obs_port_o,
  output obs_point_e                  obs_point_o,

  output logic                        table_flush_o,
  output logic [31:0]                 table_age_o,
  output logic                        table_set_o,
  output logic [47:0]                 table_address_o,
  input  logic [15:0]                 table_valid_i
);
  localparam logic [31:0] Id      = 32'h474E_5431;  // "GNT1"
  localparam logic [31:0] Version = 32'h0001_0000;

  // Delay and burst are kept under 2^25 x 100 ns, costs under 2^13 x 100 ns: with the shaper's own limit of its queue all times that are
  // compared then lie less than half of a stamp's range apart, whatever is written.

  // Offsets, as in README.md.
  typedef enum logic [7:0] {
    GlId           = 8'h00, GlVersion     = 8'h04, GlCtrl        = 8'h08, GlTime       = 8'h0C,
    GlGpsSeconds   = 8'h10, GlGpsTenths   = 8'h14, GlPpsTicks    = 8'h18, GlMagic      = 8'h1C,
    GlSampleCtrl   = 8'h20, GlSamplePeriod = 8'h24, GlSampleTotal = 8'h28, GlSampleIndex = 8'h2C,
    GlSampleWords  = 8'h30, GlSampleFrames = 8'h34, GlObsSelect   = 8'h38, GlMacLow     = 8'h40,
    GlMacHigh      = 8'h44, GlMacEntry    = 8'h48, GlMacFlush    = 8'h4C, GlMacAge     = 8'h50,
    GlMacValid     = 8'h54
  } global_e;
  typedef enum logic [7:0] {
    PtCtrl         = 8'h00, PtRoute       = 8'h04, PtDelay       = 8'h08, PtIfg        = 8'h0C,
    PtErrorThreshold = 8'h10, PtSeedLow   = 8'h14, PtSeedHigh    = 8'h18, PtDiscardCtrl = 8'h1C,
    PtDiscardArg   = 8'h20, PtDiscardStamp = 8'h24, PtCapacity   = 8'h28, PtLevel      = 8'h2C,
    PtLevelMax     = 8'h30, PtWordCost    = 8'h34, PtCostFraction = 8'h38, PtFrameCost  = 8'h3C,
    PtBurst        = 8'h40, PtQueueLimit  = 8'h44, PtRedMin      = 8'h48, PtRedMax     = 8'h4C,
    PtRedSlope     = 8'h50, PtRedWeight   = 8'h54, PtAtmOverhead = 8'h58, PtStampOffset = 8'h5C,
    PtOnewayCount  = 8'h60, PtOnewayLast  = 8'h64, PtOnewayMin   = 8'h68, PtOnewayMax  = 8'h6C,
    PtOnewaySumLow = 8'h70, PtOnewaySumHigh = 8'h74, PtBacklog   = 8'h78, PtRedAverage = 8'h7C
  } port_reg_e;

  logic                    write, port_hit, global_hit;
  logic [1:0]              port;
  logic [7:0]              offset;
  logic [31:0]             rdata;
  logic [Ports-1:0][31:0]  seed_low_q;
  logic                    phase_q;

  assign offset     = {bus_addr_i[7:2], 2'b00};
  assign global_hit = bus_addr_i[11:8] == 4'd0;
  assign port_hit   = bus_addr_i[11:8] >= 4'd1 && bus_addr_i[11:8] <= 4'(Ports);
  assign port       = 2'(bus_addr_i[9:8] - 2'd1);
  assign write      = bus_sel_i && bus_write_i && !phase_q && !bus_ack_o;

  // First clock: decode, write. Second clock: acknowledge with the data.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      phase_q     <= 1'b0;
      bus_ack_o   <= 1'b0;
      bus_rdata_o <= '0;
    end else begin
      phase_q     <= bus_sel_i && !phase_q && !bus_ack_o;
      bus_ack_o   <= phase_q;
      bus_rdata_o <= phase_q && !bus_write_i ? rdata : '0;
    end
  end

  function automatic port_cfg_t reset_cfg(input logic [1:0] index);
    port_cfg_t cfg;
    cfg                = '0;
    cfg.rx_enable      = 1'b1;
    cfg.route          = 4'b0001 << (index ^ 2'd1);  // 0 with 1, 2 with 3
    cfg.ifg_bytes      = 6'd12;
    cfg.capacity_words = 23'd4194304;
    cfg.discard_mode   = DiscardNext;
    return cfg;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned index = 0; index < Ports; index++) cfg_o[index] <= reset_cfg(2'(index));
      seed_low_q <= '0;
    end else if (write && port_hit) begin
      unique case (offset)
        PtCtrl: begin
          cfg_o[port].rx_enable   <= bus_wdata_i[0];
          cfg_o[port].fcs_new     <= bus_wdata_i[1];
          cfg_o[port].stamp_tx    <= bus_wdata_i[2];
          cfg_o[port].stamp_rx    <= bus_wdata_i[3];
          cfg_o[port].rate_enable <= bus_wdata_i[4];
          cfg_o[port].atm         <= bus_wdata_i[5];
          cfg_o[port].red_enable  <= bus_wdata_i[6];
        end
        PtRoute:          cfg_o[port].route                 <= bus_wdata_i[3:0];
        PtDelay:          cfg_o[port].delay                 <= {2'b0, bus_wdata_i[29:0]};
        PtIfg:            cfg_o[port].ifg_bytes             <= bus_wdata_i[5:0];
        PtErrorThreshold: cfg_o[port].error_threshold       <= bus_wdata_i;
        PtSeedLow:        seed_low_q[port]                  <= bus_wdata_i;
        PtDiscardCtrl:    cfg_o[port].discard_mode          <= discard_mode_e'(bus_wdata_i[3:2]);
        PtDiscardArg:     cfg_o[port].discard_arg           <= bus_wdata_i;
        PtCapacity:       cfg_o[port].capacity_words        <= bus_wdata_i[22:0];
        PtWordCost:       cfg_o[port].word_cost.time_part   <= {14'b0, bus_wdata_i[17:0]};
        PtFrameCost:      cfg_o[port].frame_cost.time_part  <= {14'b0, bus_wdata_i[17:0]};
        PtCostFraction: begin
          cfg_o[port].word_cost.fraction  <= bus_wdata_i[7:0];
          cfg_o[port].frame_cost.fraction <= bus_wdata_i[15:8];
        end
        PtBurst:          cfg_o[port].burst                 <= {2'b0, bus_wdata_i[29:0]};
        PtQueueLimit:     cfg_o[port].queue_limit_tenths_us <= bus_wdata_i[26:0];
        PtRedMin:         cfg_o[port].red_min_tenths_us     <= bus_wdata_i[26:0];
        PtRedMax:         cfg_o[port].red_max_tenths_us     <= bus_wdata_i[26:0];
        PtRedSlope:       cfg_o[port].red_slope             <= bus_wdata_i;
        PtRedWeight:      cfg_o[port].red_weight            <= bus_wdata_i[3:0];
        PtAtmOverhead:    cfg_o[port].atm_overhead_bytes    <= bus_wdata_i[5:0] > 6'd47 ? 6'd47 : bus_wdata_i[5:0];
        PtStampOffset:    cfg_o[port].stamp_offset_bytes    <= bus_wdata_i[13:0];
        default: ;
      endcase
    end
  end

  // Commands: one clock, with the settings that the same write carries already in place.
  always_ff @(posedge clk_i) begin
    cmd_o         <= '0;
    latch_o       <= 1'b0;
    seconds_set_o <= 1'b0;
    table_set_o   <= 1'b0;
    table_flush_o <= 1'b0;
    wdata_o       <= bus_wdata_i;
    if (rst_ni && write && port_hit) begin
      cmd_o[port].discard_arm    <= offset == PtDiscardCtrl && bus_wdata_i[0];
      cmd_o[port].discard_cancel <= offset == PtDiscardCtrl && bus_wdata_i[1];
      cmd_o[port].seed           <= offset == PtSeedHigh;
      cmd_o[port].seed_value     <= {bus_wdata_i, seed_low_q[port]};
      cmd_o[port].level_clear    <= offset == PtLevelMax;
      cmd_o[port].oneway_clear   <= offset == PtOnewayCount;
    end
    if (rst_ni && write && global_hit) begin
      latch_o       <= offset == GlCtrl && bus_wdata_i[0];
      seconds_set_o <= offset == GlGpsSeconds;
      table_set_o   <= offset == GlMacEntry;
      table_flush_o <= offset == GlMacFlush;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      switch_o          <= 1'b0;
      learn_o           <= 1'b1;
      magic_o           <= Id;
      sample_enable_o   <= 1'b0;
      sample_circular_o <= 1'b0;
      sample_port_o     <= '0;
      sample_period_o   <= 32'd625;  // 20 us
      sample_index_o    <= '0;
      obs_port_o        <= '0;
      obs_point_o       <= PointRx;
      table_address_o   <= '0;
      table_age_o       <= '0;
    end else begin
      if (write && global_hit) begin
        unique case (offset)
          GlCtrl: begin
            switch_o <= bus_wdata_i[1];
            learn_o  <= bus_wdata_i[2];
          end
          GlMagic: magic_o <= bus_wdata_i;
          GlSampleCtrl: begin
            sample_enable_o   <= bus_wdata_i[0];
            sample_circular_o <= bus_wdata_i[1];
            sample_port_o     <= bus_wdata_i[5:4];
          end
          GlSamplePeriod: sample_period_o        <= bus_wdata_i;
          GlSampleIndex:  sample_index_o         <= SampleDepthLog2'(bus_wdata_i);
          GlObsSelect: begin
            obs_port_o  <= bus_wdata_i[1:0];
            obs_point_o <= obs_point_e'(bus_wdata_i[5:4]);
          end
          GlMacLow:       table_address_o[31:0]  <= bus_wdata_i;
          GlMacHigh:      table_address_o[47:32] <= bus_wdata_i[15:0];
          GlMacAge:       table_age_o            <= bus_wdata_i;
          default: ;
        endcase
      end
      // Reading a sample's frames moves on to the next.
      if (bus_ack_o && !bus_write_i && global_hit && offset == GlSampleFrames) begin
        sample_index_o <= sample_index_o + SampleDepthLog2'(1);
      end
    end
  end

  always_comb begin
    rdata = '0;
    if (global_hit) begin
      unique case (offset)
        GlId:           rdata = Id;
        GlVersion:      rdata = Version;
        GlCtrl:         rdata = {29'b0, learn_o, switch_o, 1'b0};
        GlTime:         rdata = now_i;
        GlGpsSeconds:   rdata = gps_i.seconds;
        GlGpsTenths:    rdata = {8'b0, gps_i.tenths_us};
        GlPpsTicks:     rdata = pps_ticks_i;
        GlMagic:        rdata = magic_o;
        GlSampleCtrl:   rdata = {26'b0, sample_port_o, 2'b0, sample_circular_o, sample_enable_o};
        GlSamplePeriod: rdata = sample_period_o;
        GlSampleTotal:  rdata = sample_total_i;
        GlSampleIndex:  rdata = 32'(sample_index_o);
        GlSampleWords:  rdata = sample_words_i;
        GlSampleFrames: rdata = sample_frames_i;
        GlObsSelect:    rdata = {26'b0, obs_point_o, 2'b0, obs_port_o};
        GlMacLow:       rdata = table_address_o[31:0];
        GlMacHigh:      rdata = {16'b0, table_address_o[47:32]};
        GlMacAge:       rdata = table_age_o;
        GlMacValid:     rdata = {16'b0, table_valid_i};
        default:        rdata = '0;
      endcase
    end else if (port_hit) begin
      unique case (offset)
        PtCtrl:          rdata = {25'b0, cfg_o[port].red_enable, cfg_o[port].atm, cfg_o[port].rate_enable,
                                  cfg_o[port].stamp_rx, cfg_o[port].stamp_tx, cfg_o[port].fcs_new, cfg_o[port].rx_enable};
        PtRoute:         rdata = {28'b0, cfg_o[port].route};
        PtDelay:         rdata = cfg_o[port].delay;
        PtIfg:           rdata = {26'b0, cfg_o[port].ifg_bytes};
        PtErrorThreshold: rdata = cfg_o[port].error_threshold;
        PtSeedLow:       rdata = seed_low_q[port];
        PtDiscardCtrl:   rdata = {28'b0, cfg_o[port].discard_mode, 1'b0, status_i[port].discard_armed};
        PtDiscardArg:    rdata = cfg_o[port].discard_arg;
        PtDiscardStamp:  rdata = status_i[port].discard_stamp;
        PtCapacity:      rdata = {9'b0, cfg_o[port].capacity_words};
        PtLevel:         rdata = {9'b0, status_i[port].level_words};
        PtLevelMax:      rdata = {9'b0, status_i[port].level_max_words};
        PtWordCost:      rdata = cfg_o[port].word_cost.time_part;
        PtCostFraction:  rdata = {16'b0, cfg_o[port].frame_cost.fraction, cfg_o[port].word_cost.fraction};
        PtFrameCost:     rdata = cfg_o[port].frame_cost.time_part;
        PtBurst:         rdata = cfg_o[port].burst;
        PtQueueLimit:    rdata = {5'b0, cfg_o[port].queue_limit_tenths_us};
        PtRedMin:        rdata = {5'b0, cfg_o[port].red_min_tenths_us};
        PtRedMax:        rdata = {5'b0, cfg_o[port].red_max_tenths_us};
        PtRedSlope:      rdata = cfg_o[port].red_slope;
        PtRedWeight:     rdata = {28'b0, cfg_o[port].red_weight};
        PtAtmOverhead:   rdata = {26'b0, cfg_o[port].atm_overhead_bytes};
        PtStampOffset:   rdata = {18'b0, cfg_o[port].stamp_offset_bytes};
        PtOnewayCount:   rdata = status_i[port].oneway_count;
        PtOnewayLast:    rdata = status_i[port].oneway_last;
        PtOnewayMin:     rdata = status_i[port].oneway_min;
        PtOnewayMax:     rdata = status_i[port].oneway_max;
        PtOnewaySumLow:  rdata = status_i[port].oneway_sum[31:0];
        PtOnewaySumHigh: rdata = status_i[port].oneway_sum[63:32];
        PtBacklog:       rdata = {5'b0, status_i[port].backlog_tenths_us};
        PtRedAverage:    rdata = {5'b0, status_i[port].red_average_tenths_us};
        default:         rdata = offset[7:6] == 2'b10 ? counters_i[port][offset[5:2]] : '0;
      endcase
    end
  end

  // One acknowledge an access.
  AckIsOneClock: assert property (@(posedge clk_i) disable iff (!rst_ni) bus_ack_o |=> !bus_ack_o);
endmodule
