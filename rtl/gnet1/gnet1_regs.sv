// SPDX-License-Identifier: Apache-2.0
// The box's control registers, on the parallel bus of the USB bridge. gnet1.rdl describes them all.
// tests/rtl/gnet1_rdl_bench.py and gnet1_regs_bench.py compare this block with it.
//
// The bus master holds bus_sel_i, address, direction and data until bus_ack_o, two clocks later.
// bus_rdata_o is valid with bus_ack_o. Addresses without a register read as zero and ignore writes.
// Accesses are whole 32-bit words; address bits 1:0 are ignored.
module gnet1_regs
  import gnet1_csr_pkg::*;
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
  input  logic [Ports-1:0][Counters-1:0][31:0] counters_i,  // values at the last latch
  output logic                        latch_o,
  output logic                        switch_o,
  output logic                        learn_o,
  output logic [31:0]                 magic_o,

  input  stamp_t                      now_i,
  input  gps_time_t                   gps_i,
  input  logic [31:0]                 pps_ticks_i,
  output logic                        seconds_set_o,
  output logic [31:0]                 wdata_o,              // data of the one-clock commands

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
  // Delay and burst are kept below 2^25 x 100 ns, and costs below 2^13 x 100 ns. The shaper limits
  // its queue. All times that are compared then lie less than half of a stamp's range apart, for
  // any values written.

  logic                    write, port_hit, global_hit;
  logic [1:0]              port;
  logic [7:0]              offset, counter;
  logic                    is_counter;
  logic [31:0]             rdata;
  logic [Ports-1:0][31:0]  seed_low_q;
  logic                    phase_q;

  assign offset     = {bus_addr_i[7:2], 2'b00};
  assign counter    = offset - CounterBase;
  assign is_counter = offset >= CounterBase && counter < 8'(4 * Counters);
  assign global_hit = bus_addr_i[11:8] == 4'd0;
  assign port_hit   = bus_addr_i[11:8] >= 4'd1 && bus_addr_i[11:8] <= 4'(Ports);
  assign port       = 2'(bus_addr_i[9:8] - 2'd1);
  assign write      = bus_sel_i && bus_write_i && !phase_q && !bus_ack_o;

  // First clock: decode and write. Second clock: acknowledge, with the data.
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
    cfg.rx_enable      = PortCtrlReset[PortRxEnableLsb];
    cfg.route          = RouteReset[index][RouteWidth-1:0];
    cfg.ifg_bytes      = IfgReset[IfgWidth-1:0];
    cfg.capacity_words = CapacityReset[CapacityWidth-1:0];
    cfg.discard_mode   = DiscardModeNext;
    return cfg;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned index = 0; index < Ports; index++) cfg_o[index] <= reset_cfg(2'(index));
      seed_low_q <= '0;
    end else if (write && port_hit) begin
      unique case (offset)
        PortCtrlOffset: begin
          cfg_o[port].rx_enable   <= bus_wdata_i[PortRxEnableLsb];
          cfg_o[port].fcs_new     <= bus_wdata_i[PortFcsNewLsb];
          cfg_o[port].stamp_tx    <= bus_wdata_i[PortStampTxLsb];
          cfg_o[port].stamp_rx    <= bus_wdata_i[PortStampRxLsb];
          cfg_o[port].rate_enable <= bus_wdata_i[PortRateLsb];
          cfg_o[port].atm         <= bus_wdata_i[PortAtmLsb];
          cfg_o[port].red_enable  <= bus_wdata_i[PortRedLsb];
        end
        RouteOffset:          cfg_o[port].route                 <= bus_wdata_i[RouteWidth-1:0];
        DelayOffset:          cfg_o[port].delay                 <= 32'(bus_wdata_i[DelayWidth-1:0]);
        IfgOffset:            cfg_o[port].ifg_bytes             <= bus_wdata_i[IfgWidth-1:0];
        ErrorThresholdOffset: cfg_o[port].error_threshold       <= bus_wdata_i;
        SeedLowOffset:        seed_low_q[port]                  <= bus_wdata_i;
        DiscardCtrlOffset:
          cfg_o[port].discard_mode <= discard_mode_e'(bus_wdata_i[DiscardModeLsb +: DiscardModeWidth]);
        DiscardArgOffset:     cfg_o[port].discard_arg           <= bus_wdata_i;
        CapacityOffset:       cfg_o[port].capacity_words        <= bus_wdata_i[CapacityWidth-1:0];
        WordCostOffset:       cfg_o[port].word_cost.time_part   <= 32'(bus_wdata_i[WordCostWidth-1:0]);
        FrameCostOffset:      cfg_o[port].frame_cost.time_part  <= 32'(bus_wdata_i[FrameCostWidth-1:0]);
        CostFractionOffset: begin
          cfg_o[port].word_cost.fraction  <= bus_wdata_i[CostFractionWordLsb +: CostFractionWordWidth];
          cfg_o[port].frame_cost.fraction <= bus_wdata_i[CostFractionFrameLsb +: CostFractionFrameWidth];
        end
        BurstOffset:          cfg_o[port].burst                 <= 32'(bus_wdata_i[BurstWidth-1:0]);
        QueueLimitOffset:     cfg_o[port].queue_limit_tenths_us <= bus_wdata_i[QueueLimitWidth-1:0];
        RedMinOffset:         cfg_o[port].red_min_tenths_us     <= bus_wdata_i[RedMinWidth-1:0];
        RedMaxOffset:         cfg_o[port].red_max_tenths_us     <= bus_wdata_i[RedMaxWidth-1:0];
        RedSlopeOffset:       cfg_o[port].red_slope             <= bus_wdata_i;
        RedWeightOffset:      cfg_o[port].red_weight            <= bus_wdata_i[RedWeightWidth-1:0];
        AtmOverheadOffset:    cfg_o[port].atm_overhead_bytes    <=
          32'(bus_wdata_i[AtmOverheadWidth-1:0]) > AtmOverheadMost ? AtmOverheadWidth'(AtmOverheadMost)
                                                                   : bus_wdata_i[AtmOverheadWidth-1:0];
        StampOffsetOffset:    cfg_o[port].stamp_offset_bytes    <= bus_wdata_i[StampOffsetWidth-1:0];
        default: ;
      endcase
    end
  end

  // Commands last one clock. Settings that the same write carries are valid in that clock.
  always_ff @(posedge clk_i) begin
    cmd_o         <= '0;
    latch_o       <= 1'b0;
    seconds_set_o <= 1'b0;
    table_set_o   <= 1'b0;
    table_flush_o <= 1'b0;
    wdata_o       <= bus_wdata_i;
    if (rst_ni && write && port_hit) begin
      cmd_o[port].discard_arm    <= offset == DiscardCtrlOffset && bus_wdata_i[DiscardArmLsb];
      cmd_o[port].discard_cancel <= offset == DiscardCtrlOffset && bus_wdata_i[DiscardCancelLsb];
      cmd_o[port].seed           <= offset == SeedHighOffset;
      cmd_o[port].seed_value     <= {bus_wdata_i, seed_low_q[port]};
      cmd_o[port].level_clear    <= offset == LevelMaxOffset;
      cmd_o[port].oneway_clear   <= offset == OnewayCountOffset;
    end
    if (rst_ni && write && global_hit) begin
      latch_o       <= offset == CtrlOffset && bus_wdata_i[CtrlLatchLsb];
      seconds_set_o <= offset == GpsSecondsOffset;
      table_set_o   <= offset == MacEntryOffset;
      table_flush_o <= offset == MacFlushOffset;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      switch_o          <= CtrlReset[CtrlSwitchLsb];
      learn_o           <= CtrlReset[CtrlLearnLsb];
      magic_o           <= MagicReset;
      sample_enable_o   <= 1'b0;
      sample_circular_o <= 1'b0;
      sample_port_o     <= '0;
      sample_period_o   <= SamplePeriodReset;
      sample_index_o    <= '0;
      obs_port_o        <= '0;
      obs_point_o       <= ObsPointRx;
      table_address_o   <= '0;
      table_age_o       <= '0;
    end else begin
      if (write && global_hit) begin
        unique case (offset)
          CtrlOffset: begin
            switch_o <= bus_wdata_i[CtrlSwitchLsb];
            learn_o  <= bus_wdata_i[CtrlLearnLsb];
          end
          MagicOffset: magic_o <= bus_wdata_i;
          SampleCtrlOffset: begin
            sample_enable_o   <= bus_wdata_i[SampleEnableLsb];
            sample_circular_o <= bus_wdata_i[SampleCircularLsb];
            sample_port_o     <= bus_wdata_i[SamplePortLsb +: SamplePortWidth];
          end
          SamplePeriodOffset: sample_period_o        <= bus_wdata_i;
          SampleIndexOffset:  sample_index_o         <= SampleDepthLog2'(bus_wdata_i);
          ObsSelectOffset: begin
            obs_port_o  <= bus_wdata_i[ObsPortLsb +: ObsPortWidth];
            obs_point_o <= obs_point_e'(bus_wdata_i[ObsPointLsb +: ObsPointWidth]);
          end
          MacLowOffset:       table_address_o[31:0]  <= bus_wdata_i;
          MacHighOffset:      table_address_o[47:32] <= bus_wdata_i[MacHighWidth-1:0];
          MacAgeOffset:       table_age_o            <= bus_wdata_i;
          default: ;
        endcase
      end
      // Reading SAMPLE_FRAMES advances to the next sample.
      if (bus_ack_o && !bus_write_i && global_hit && offset == SampleFramesOffset) begin
        sample_index_o <= sample_index_o + SampleDepthLog2'(1);
      end
    end
  end

  always_comb begin
    rdata = '0;
    if (global_hit) begin
      unique case (offset)
        IdOffset:           rdata = IdReset;
        VersionOffset:      rdata = VersionReset;
        CtrlOffset: begin
          rdata[CtrlSwitchLsb] = switch_o;
          rdata[CtrlLearnLsb]  = learn_o;
        end
        TimeOffset:         rdata = now_i;
        GpsSecondsOffset:   rdata = gps_i.seconds;
        GpsTenthsOffset:    rdata = 32'(gps_i.tenths_us);
        PpsTicksOffset:     rdata = pps_ticks_i;
        MagicOffset:        rdata = magic_o;
        SampleCtrlOffset: begin
          rdata[SampleEnableLsb]                  = sample_enable_o;
          rdata[SampleCircularLsb]                = sample_circular_o;
          rdata[SamplePortLsb +: SamplePortWidth] = sample_port_o;
        end
        SamplePeriodOffset: rdata = sample_period_o;
        SampleTotalOffset:  rdata = sample_total_i;
        SampleIndexOffset:  rdata = 32'(sample_index_o);
        SampleWordsOffset:  rdata = sample_words_i;
        SampleFramesOffset: rdata = sample_frames_i;
        ObsSelectOffset: begin
          rdata[ObsPortLsb +: ObsPortWidth]   = obs_port_o;
          rdata[ObsPointLsb +: ObsPointWidth] = obs_point_o;
        end
        MacLowOffset:       rdata = table_address_o[31:0];
        MacHighOffset:      rdata = 32'(table_address_o[47:32]);
        MacAgeOffset:       rdata = table_age_o;
        MacValidOffset:     rdata = 32'(table_valid_i);
        default:            rdata = '0;
      endcase
    end else if (port_hit) begin
      unique case (offset)
        PortCtrlOffset: begin
          rdata[PortRxEnableLsb] = cfg_o[port].rx_enable;
          rdata[PortFcsNewLsb]   = cfg_o[port].fcs_new;
          rdata[PortStampTxLsb]  = cfg_o[port].stamp_tx;
          rdata[PortStampRxLsb]  = cfg_o[port].stamp_rx;
          rdata[PortRateLsb]     = cfg_o[port].rate_enable;
          rdata[PortAtmLsb]      = cfg_o[port].atm;
          rdata[PortRedLsb]      = cfg_o[port].red_enable;
        end
        RouteOffset:         rdata = 32'(cfg_o[port].route);
        DelayOffset:         rdata = cfg_o[port].delay;
        IfgOffset:           rdata = 32'(cfg_o[port].ifg_bytes);
        ErrorThresholdOffset: rdata = cfg_o[port].error_threshold;
        SeedLowOffset:       rdata = seed_low_q[port];
        DiscardCtrlOffset: begin
          rdata[DiscardArmedLsb]                    = status_i[port].discard_armed;
          rdata[DiscardModeLsb +: DiscardModeWidth] = cfg_o[port].discard_mode;
        end
        DiscardArgOffset:    rdata = cfg_o[port].discard_arg;
        DiscardStampOffset:  rdata = status_i[port].discard_stamp;
        CapacityOffset:      rdata = 32'(cfg_o[port].capacity_words);
        LevelOffset:         rdata = 32'(status_i[port].level_words);
        LevelMaxOffset:      rdata = 32'(status_i[port].level_max_words);
        WordCostOffset:      rdata = cfg_o[port].word_cost.time_part;
        CostFractionOffset: begin
          rdata[CostFractionWordLsb +: CostFractionWordWidth]   = cfg_o[port].word_cost.fraction;
          rdata[CostFractionFrameLsb +: CostFractionFrameWidth] = cfg_o[port].frame_cost.fraction;
        end
        FrameCostOffset:     rdata = cfg_o[port].frame_cost.time_part;
        BurstOffset:         rdata = cfg_o[port].burst;
        QueueLimitOffset:    rdata = 32'(cfg_o[port].queue_limit_tenths_us);
        RedMinOffset:        rdata = 32'(cfg_o[port].red_min_tenths_us);
        RedMaxOffset:        rdata = 32'(cfg_o[port].red_max_tenths_us);
        RedSlopeOffset:      rdata = cfg_o[port].red_slope;
        RedWeightOffset:     rdata = 32'(cfg_o[port].red_weight);
        AtmOverheadOffset:   rdata = 32'(cfg_o[port].atm_overhead_bytes);
        StampOffsetOffset:   rdata = 32'(cfg_o[port].stamp_offset_bytes);
        OnewayCountOffset:   rdata = status_i[port].oneway_count;
        OnewayLastOffset:    rdata = status_i[port].oneway_last;
        OnewayMinOffset:     rdata = status_i[port].oneway_min;
        OnewayMaxOffset:     rdata = status_i[port].oneway_max;
        OnewaySumLowOffset:  rdata = status_i[port].oneway_sum[31:0];
        OnewaySumHighOffset: rdata = status_i[port].oneway_sum[63:32];
        BacklogOffset:       rdata = 32'(status_i[port].backlog_tenths_us);
        RedAverageOffset:    rdata = 32'(status_i[port].red_average_tenths_us);
        default:         rdata = is_counter ? counters_i[port][4'(counter >> 2)] : '0;
      endcase
    end
  end

  // Each access has one acknowledge.
  AckIsOneClock: assert property (@(posedge clk_i) disable iff (!rst_ni) bus_ack_o |=> !bus_ack_o);
endmodule
