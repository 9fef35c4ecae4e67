// SPDX-License-Identifier: Apache-2.0
// Made from rtl/gnet1/gnet1.rdl by `./longhaul registers`; a change here is lost.
//
// Registers of GNET-1. Offsets are within a block; Width is the number of
// bits that a register or field has, from bit 0 or Lsb on.
package gnet1_csr_pkg;
  // Blocks of registers, of the kind port.
  localparam int unsigned PortCount = 4;
  localparam int unsigned PortBase = 256;
  localparam int unsigned PortStride = 256;

  typedef enum logic [1:0] {
    // Words that the port received.
    ObsPointRx = 2'd0,
    // Words that left the external memory.
    ObsPointSram = 2'd1,
    // Words that left the discard stage.
    ObsPointDiscard = 2'd2,
    // Words that the delay released.
    ObsPointRelease = 2'd3
  } obs_point_e;

  typedef enum logic [1:0] {
    // Discard the first frame to arrive.
    DiscardModeNext = 2'd0,
    // Discard the frame after DISCARD_ARG others.
    DiscardModeNth = 2'd1,
    // Discard the first frame to arrive at or after the time DISCARD_ARG.
    DiscardModeAt = 2'd2
  } discard_mode_e;

  // ID: "GNT1".
  localparam logic [7:0] IdOffset = 8'h00;
  localparam logic [31:0] IdReset = 32'h474E5431;
  localparam int unsigned IdWidth = 32;

  // VERSION: Version of the box.
  localparam logic [7:0] VersionOffset = 8'h04;
  localparam logic [31:0] VersionReset = 32'h00010000;
  localparam int unsigned VersionMinorLsb = 0;
  localparam int unsigned VersionMinorWidth = 16;
  localparam int unsigned VersionMajorLsb = 16;
  localparam int unsigned VersionMajorWidth = 16;

  // CTRL: Switches of the box.
  localparam logic [7:0] CtrlOffset = 8'h08;
  localparam logic [31:0] CtrlReset = 32'h00000004;
  localparam int unsigned CtrlLatchLsb = 0;
  localparam int unsigned CtrlSwitchLsb = 1;
  localparam int unsigned CtrlLearnLsb = 2;

  // TIME: Running time.
  localparam logic [7:0] TimeOffset = 8'h0C;
  localparam int unsigned TimeWidth = 32;

  // GPS_SECONDS: Seconds of the GPS time.
  localparam logic [7:0] GpsSecondsOffset = 8'h10;
  localparam logic [31:0] GpsSecondsReset = 32'h00000000;
  localparam int unsigned GpsSecondsNowLsb = 0;
  localparam int unsigned GpsSecondsNowWidth = 32;
  localparam int unsigned GpsSecondsNextLsb = 0;
  localparam int unsigned GpsSecondsNextWidth = 32;

  // GPS_TENTHS: Time since the last GPS pulse.
  localparam logic [7:0] GpsTenthsOffset = 8'h14;
  localparam int unsigned GpsTenthsWidth = 24;

  // PPS_TICKS: Time between the last two GPS pulses.
  localparam logic [7:0] PpsTicksOffset = 8'h18;
  localparam logic [31:0] PpsTicksReset = 32'h00000000;
  localparam int unsigned PpsTicksWidth = 32;

  // MAGIC: Number ahead of a GPS stamp in a frame.
  localparam logic [7:0] MagicOffset = 8'h1C;
  localparam logic [31:0] MagicReset = 32'h474E5431;
  localparam int unsigned MagicWidth = 32;

  // SAMPLE_CTRL: Runs the sampler.
  localparam logic [7:0] SampleCtrlOffset = 8'h20;
  localparam logic [31:0] SampleCtrlReset = 32'h00000000;
  localparam int unsigned SampleEnableLsb = 0;
  localparam int unsigned SampleCircularLsb = 1;
  localparam int unsigned SamplePortLsb = 4;
  localparam int unsigned SamplePortWidth = 2;

  // SAMPLE_PERIOD: Time between samples; 625 is the paper's 20 us.
  localparam logic [7:0] SamplePeriodOffset = 8'h24;
  localparam logic [31:0] SamplePeriodReset = 32'h00000271;
  localparam int unsigned SamplePeriodLeast = 1;
  localparam int unsigned SamplePeriodWidth = 32;

  // SAMPLE_TOTAL: Samples taken.
  localparam logic [7:0] SampleTotalOffset = 8'h28;
  localparam logic [31:0] SampleTotalReset = 32'h00000000;
  localparam int unsigned SampleTotalWidth = 32;

  // SAMPLE_INDEX: Sample that the next two registers show; moves on after SAMPLE_FRAMES was read.
  localparam logic [7:0] SampleIndexOffset = 8'h2C;
  localparam logic [31:0] SampleIndexReset = 32'h00000000;
  localparam int unsigned SampleIndexWidth = 14;

  // SAMPLE_WORDS: WORDS at the sample.
  localparam logic [7:0] SampleWordsOffset = 8'h30;
  localparam int unsigned SampleWordsWidth = 32;

  // SAMPLE_FRAMES: FRAMES at the sample.
  localparam logic [7:0] SampleFramesOffset = 8'h34;
  localparam int unsigned SampleFramesWidth = 32;

  // OBS_SELECT: What the observation port shows.
  localparam logic [7:0] ObsSelectOffset = 8'h38;
  localparam logic [31:0] ObsSelectReset = 32'h00000000;
  localparam int unsigned ObsPortLsb = 0;
  localparam int unsigned ObsPortWidth = 2;
  localparam int unsigned ObsPointLsb = 4;
  localparam int unsigned ObsPointWidth = 2;

  // MAC_LOW: Address for MAC_ENTRY, low 32 bits.
  localparam logic [7:0] MacLowOffset = 8'h40;
  localparam logic [31:0] MacLowReset = 32'h00000000;
  localparam int unsigned MacLowWidth = 32;

  // MAC_HIGH: Address for MAC_ENTRY, high 16 bits.
  localparam logic [7:0] MacHighOffset = 8'h44;
  localparam logic [31:0] MacHighReset = 32'h00000000;
  localparam int unsigned MacHighWidth = 16;

  // MAC_ENTRY: A write sets an entry of the address table.
  localparam logic [7:0] MacEntryOffset = 8'h48;
  localparam logic [31:0] MacEntryReset = 32'h00000000;
  localparam int unsigned MacEntryEntryLsb = 0;
  localparam int unsigned MacEntryEntryWidth = 4;
  localparam int unsigned MacEntryPortLsb = 8;
  localparam int unsigned MacEntryPortWidth = 2;
  localparam int unsigned MacEntryStaticLsb = 16;

  // MAC_FLUSH: Any write: learned entries leave.
  localparam logic [7:0] MacFlushOffset = 8'h4C;
  localparam logic [31:0] MacFlushReset = 32'h00000000;
  localparam int unsigned MacFlushWidth = 32;

  // MAC_AGE: Ageing period; 0: none.
  localparam logic [7:0] MacAgeOffset = 8'h50;
  localparam logic [31:0] MacAgeReset = 32'h00000000;
  localparam int unsigned MacAgeWidth = 32;

  // MAC_VALID: Entries in use, a bit each.
  localparam logic [7:0] MacValidOffset = 8'h54;
  localparam logic [31:0] MacValidReset = 32'h00000000;
  localparam int unsigned MacValidWidth = 16;

  // Counters of a block, in the order of their registers.
  typedef enum logic [3:0] {
    // Frames received, good or bad.
    CounterRxFrames = 4'd0,
    // Frames received with a wrong FCS.
    CounterRxFcsBad = 4'd1,
    // Frames received with RX_ER, or cut.
    CounterRxError = 4'd2,
    // Frames that found no room, or the port off.
    CounterRxLost = 4'd3,
    // Carrier without a start delimiter.
    CounterRxNoSfd = 4'd4,
    // Frames dropped by QUEUE_LIMIT.
    CounterTailDrop = 4'd5,
    // Frames dropped by RED.
    CounterRedDrop = 4'd6,
    // Frames dropped for want of memory.
    CounterSramDrop = 4'd7,
    // Data words at the error stage, FCS included.
    CounterWords = 4'd8,
    // Frames at the error stage, those discarded later too.
    CounterFrames = 4'd9,
    // Bits flipped.
    CounterFlips = 4'd10,
    // Frames discarded.
    CounterDiscards = 4'd11,
    // Bytes at the error stage.
    CounterBytes = 4'd12,
    // Frames that this port sent.
    CounterTxFrames = 4'd13,
    // Frames that this port had to cut; none, unless a clock is off by far.
    CounterTxUnderrun = 4'd14,
    // Frames of this port without a destination.
    CounterNoRoute = 4'd15
  } counter_e;

  localparam int unsigned CounterCount = 16;
  localparam logic [7:0] CounterBase = 8'h80;

  // PORT_CTRL: Switches of the port.
  localparam logic [7:0] PortCtrlOffset = 8'h00;
  localparam logic [31:0] PortCtrlReset = 32'h00000001;
  localparam int unsigned PortRxEnableLsb = 0;
  localparam int unsigned PortFcsNewLsb = 1;
  localparam int unsigned PortStampTxLsb = 2;
  localparam int unsigned PortStampRxLsb = 3;
  localparam int unsigned PortRateLsb = 4;
  localparam int unsigned PortAtmLsb = 5;
  localparam int unsigned PortRedLsb = 6;

  // ROUTE: Ports that received frames go to, a bit each; 2, 1, 8, 4 for ports 0 to 3.
  localparam logic [7:0] RouteOffset = 8'h04;
  localparam logic [3:0][31:0] RouteReset = {  // of block 3 first
    32'h00000004, 32'h00000008, 32'h00000001, 32'h00000002};
  localparam int unsigned RouteWidth = 4;

  // DELAY: Delay of the line: below 3.36 s.
  localparam logic [7:0] DelayOffset = 8'h08;
  localparam logic [31:0] DelayReset = 32'h00000000;
  localparam int unsigned DelayWidth = 30;

  // IFG: Least gap between frames that leave here, 8 to 63 bytes.
  localparam logic [7:0] IfgOffset = 8'h0C;
  localparam logic [31:0] IfgReset = 32'h0000000C;
  localparam int unsigned IfgLeast = 8;
  localparam int unsigned IfgWidth = 6;

  // ERROR_THRESHOLD: A word is hit if its random number is below this.
  localparam logic [7:0] ErrorThresholdOffset = 8'h10;
  localparam logic [31:0] ErrorThresholdReset = 32'h00000000;
  localparam int unsigned ErrorThresholdWidth = 32;

  // SEED_LOW: Low half of the seed.
  localparam logic [7:0] SeedLowOffset = 8'h14;
  localparam logic [31:0] SeedLowReset = 32'h00000000;
  localparam int unsigned SeedLowWidth = 32;

  // SEED_HIGH: High half of the seed. A write loads both halves into the error stage's LFSR and
  // their complement into RED's. Sparse seeds take some thousand words to look random.
  localparam logic [7:0] SeedHighOffset = 8'h18;
  localparam logic [31:0] SeedHighReset = 32'h00000000;
  localparam int unsigned SeedHighWidth = 32;

  // DISCARD_CTRL: Arms the discard of one frame.
  localparam logic [7:0] DiscardCtrlOffset = 8'h1C;
  localparam logic [31:0] DiscardCtrlReset = 32'h00000000;
  localparam int unsigned DiscardArmLsb = 0;
  localparam int unsigned DiscardArmedLsb = 0;
  localparam int unsigned DiscardCancelLsb = 1;
  localparam int unsigned DiscardModeLsb = 2;
  localparam int unsigned DiscardModeWidth = 2;

  // DISCARD_ARG: Mode NTH: frames to let pass first. Mode AT: a time in the format T.
  localparam logic [7:0] DiscardArgOffset = 8'h20;
  localparam logic [31:0] DiscardArgReset = 32'h00000000;
  localparam int unsigned DiscardArgWidth = 32;

  // DISCARD_STAMP: Time stamp of the last frame discarded.
  localparam logic [7:0] DiscardStampOffset = 8'h24;
  localparam logic [31:0] DiscardStampReset = 32'h00000000;
  localparam int unsigned DiscardStampWidth = 32;

  // CAPACITY: Words of memory to use; at least 4096 are.
  localparam logic [7:0] CapacityOffset = 8'h28;
  localparam logic [31:0] CapacityReset = 32'h00400000;
  localparam int unsigned CapacityWidth = 23;

  // LEVEL: Words in the memory.
  localparam logic [7:0] LevelOffset = 8'h2C;
  localparam logic [31:0] LevelReset = 32'h00000000;
  localparam int unsigned LevelWidth = 23;

  // LEVEL_MAX: Largest LEVEL seen.
  localparam logic [7:0] LevelMaxOffset = 8'h30;
  localparam logic [31:0] LevelMaxReset = 32'h00000000;
  localparam int unsigned LevelMaxWidth = 23;

  // WORD_COST: Time that a word takes at the bottleneck, below 0.82 ms; with ATM, a cell. Last
  // words count whole.
  localparam logic [7:0] WordCostOffset = 8'h34;
  localparam logic [31:0] WordCostReset = 32'h00000000;
  localparam int unsigned WordCostWidth = 18;

  // COST_FRACTION: Fractions of the two costs.
  localparam logic [7:0] CostFractionOffset = 8'h38;
  localparam logic [31:0] CostFractionReset = 32'h00000000;
  localparam int unsigned CostFractionWordLsb = 0;
  localparam int unsigned CostFractionWordWidth = 8;
  localparam int unsigned CostFractionFrameLsb = 8;
  localparam int unsigned CostFractionFrameWidth = 8;

  // FRAME_COST: Time that each frame takes besides, below 0.82 ms.
  localparam logic [7:0] FrameCostOffset = 8'h3C;
  localparam logic [31:0] FrameCostReset = 32'h00000000;
  localparam int unsigned FrameCostWidth = 18;

  // BURST: Time that an idle bottleneck saves up, below 3.36 s.
  localparam logic [7:0] BurstOffset = 8'h40;
  localparam logic [31:0] BurstReset = 32'h00000000;
  localparam int unsigned BurstWidth = 30;

  // QUEUE_LIMIT: Tail drop from this queueing time on; 0: from 3.36 s on.
  localparam logic [7:0] QueueLimitOffset = 8'h44;
  localparam logic [31:0] QueueLimitReset = 32'h00000000;
  localparam int unsigned QueueLimitWidth = 27;

  // RED_MIN: Average queueing time from which RED drops.
  localparam logic [7:0] RedMinOffset = 8'h48;
  localparam logic [31:0] RedMinReset = 32'h00000000;
  localparam int unsigned RedMinWidth = 27;

  // RED_MAX: Average queueing time from which RED drops every frame.
  localparam logic [7:0] RedMaxOffset = 8'h4C;
  localparam logic [31:0] RedMaxReset = 32'h00000000;
  localparam int unsigned RedMaxWidth = 27;

  // RED_SLOPE: Probability, in 2^-32, for each 100 ns over RED_MIN.
  localparam logic [7:0] RedSlopeOffset = 8'h50;
  localparam logic [31:0] RedSlopeReset = 32'h00000000;
  localparam int unsigned RedSlopeWidth = 32;

  // RED_WEIGHT: The average moves 2^-w of the way at each frame.
  localparam logic [7:0] RedWeightOffset = 8'h54;
  localparam logic [31:0] RedWeightReset = 32'h00000000;
  localparam int unsigned RedWeightWidth = 4;

  // ATM_OVERHEAD: Bytes that a frame needs in cells besides its own, to 47; AAL5: 8.
  localparam logic [7:0] AtmOverheadOffset = 8'h58;
  localparam logic [31:0] AtmOverheadReset = 32'h00000000;
  localparam int unsigned AtmOverheadMost = 47;
  localparam int unsigned AtmOverheadWidth = 6;

  // STAMP_OFFSET: Bytes from the destination address to the magic number.
  localparam logic [7:0] StampOffsetOffset = 8'h5C;
  localparam logic [31:0] StampOffsetReset = 32'h00000000;
  localparam int unsigned StampOffsetWidth = 14;

  // ONEWAY_COUNT: Frames measured; a write clears all six ONEWAY registers.
  localparam logic [7:0] OnewayCountOffset = 8'h60;
  localparam logic [31:0] OnewayCountReset = 32'h00000000;
  localparam int unsigned OnewayCountWidth = 32;

  // ONEWAY_LAST: Latency of the last frame.
  localparam logic [7:0] OnewayLastOffset = 8'h64;
  localparam logic [31:0] OnewayLastReset = 32'h00000000;
  localparam int unsigned OnewayLastWidth = 32;

  // ONEWAY_MIN: Least latency.
  localparam logic [7:0] OnewayMinOffset = 8'h68;
  localparam logic [31:0] OnewayMinReset = 32'hFFFFFFFF;
  localparam int unsigned OnewayMinWidth = 32;

  // ONEWAY_MAX: Largest latency.
  localparam logic [7:0] OnewayMaxOffset = 8'h6C;
  localparam logic [31:0] OnewayMaxReset = 32'h00000000;
  localparam int unsigned OnewayMaxWidth = 32;

  // ONEWAY_SUM_LOW: Sum of all latencies in 100 ns, low half.
  localparam logic [7:0] OnewaySumLowOffset = 8'h70;
  localparam logic [31:0] OnewaySumLowReset = 32'h00000000;
  localparam int unsigned OnewaySumLowWidth = 32;

  // ONEWAY_SUM_HIGH: Sum of all latencies, high half.
  localparam logic [7:0] OnewaySumHighOffset = 8'h74;
  localparam logic [31:0] OnewaySumHighReset = 32'h00000000;
  localparam int unsigned OnewaySumHighWidth = 32;

  // BACKLOG: Queueing time now.
  localparam logic [7:0] BacklogOffset = 8'h78;
  localparam logic [31:0] BacklogReset = 32'h00000000;
  localparam int unsigned BacklogWidth = 27;

  // RED_AVERAGE: Average queueing time.
  localparam logic [7:0] RedAverageOffset = 8'h7C;
  localparam logic [31:0] RedAverageReset = 32'h00000000;
  localparam int unsigned RedAverageWidth = 27;
endpackage
