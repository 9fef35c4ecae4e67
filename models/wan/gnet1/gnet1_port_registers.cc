// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_port_registers.h"

#include <algorithm>

namespace longhaul::wan {

namespace regs = gnet1_regs;

namespace {

constexpr std::array<const char*, regs::kCounterCount> kCounterNames{
    "RX_FRAMES", "RX_FCS_BAD", "RX_ERROR", "RX_LOST",  "RX_NO_SFD", "TAIL_DROP", "RED_DROP",    "SRAM_DROP",
    "WORDS",     "FRAMES",     "FLIPS",    "DISCARDS", "BYTES",     "TX_FRAMES", "TX_UNDERRUN", "NO_ROUTE"};

/// A cost in 1/256 of 4 ns, from a time and the fraction below it.
std::int64_t parts(std::uint32_t time, std::uint32_t fraction) {
  return static_cast<std::int64_t>(Gnet1Time{time}.length_quads() << 8 | (fraction & 0xffU));
}

}  // namespace

Gnet1Registers::PortRegisters::PortRegisters(Gnet1Registers& registers, Gnet1TwinPort& port, std::size_t index)
    : registers_(registers),
      port_(port),
      ctrl_(registers.bank_, "PORT_CTRL", regs::port_base(index) + regs::kPortCtrl, regs::kPortRxEnable,
            Access::kReadWrite, {}, [this](Value v) { write_port_ctrl(v); }),
      route_(registers.bank_, "ROUTE", regs::port_base(index) + regs::kRoute, 1U << (index ^ 1U), Access::kReadWrite,
             {},
             [this](Value v) {
               limit(route_, regs::kRouteMask);
               port_.route = v & regs::kRouteMask;
             }),
      delay_(registers.bank_, "DELAY", regs::port_base(index) + regs::kDelay, 0, Access::kReadWrite, {},
             [this](Value v) {
               limit(delay_, regs::kTime30Mask);
               port_.channel.set_delay(clock(), {v & regs::kTime30Mask});
             }),
      ifg_(registers.bank_, "IFG", regs::port_base(index) + regs::kIfg, 12, Access::kReadWrite, {},
           [this](Value) {
             limit(ifg_, regs::kIfgMask);
             set_transmitter();
           }),
      error_threshold_(registers.bank_, "ERROR_THRESHOLD", regs::port_base(index) + regs::kErrorThreshold, 0,
                       Access::kReadWrite, {}, [this](Value v) { port_.channel.set_threshold(v); }),
      seed_low_(registers.bank_, "SEED_LOW", regs::port_base(index) + regs::kSeedLow),
      seed_high_(registers.bank_, "SEED_HIGH", regs::port_base(index) + regs::kSeedHigh, 0, Access::kWriteOnly, {},
                 [this](Value v) {
                   port_.channel.advance(clock() + 1);
                   port_.channel.seed(std::uint64_t{v} << 32 | seed_low_.value());
                 }),
      discard_ctrl_(
          registers.bank_, "DISCARD_CTRL", regs::port_base(index) + regs::kDiscardCtrl, 0, Access::kReadWrite,
          [this] { return discard_ctrl_.value() | (port_.channel.armed() ? regs::kDiscardArm : 0); },
          [this](Value v) { write_discard_ctrl(v); }),
      discard_arg_(registers.bank_, "DISCARD_ARG", regs::port_base(index) + regs::kDiscardArg, 0, Access::kReadWrite,
                   {}, [this](Value v) { port_.channel.set_discard_argument(v); }),
      discard_stamp_(registers.bank_, "DISCARD_STAMP", regs::port_base(index) + regs::kDiscardStamp, 0,
                     Access::kReadOnly, [this] { return port_.channel.discard_stamp(); }),
      capacity_(registers.bank_, "CAPACITY", regs::port_base(index) + regs::kCapacity, 4U << 20, Access::kReadWrite, {},
                [this](Value v) {
                  limit(capacity_, regs::kCapacityMask);
                  port_.channel.set_capacity(v & regs::kCapacityMask);
                }),
      level_(registers.bank_, "LEVEL", regs::port_base(index) + regs::kLevel, 0, Access::kReadOnly,
             [this] { return port_.channel.level(clock()); }),
      level_max_(
          registers.bank_, "LEVEL_MAX", regs::port_base(index) + regs::kLevelMax, 0, Access::kReadWrite,
          [this] { return port_.channel.level_max(); }, [this](Value) { port_.channel.clear_level_max(); }),
      word_cost_(registers.bank_, "WORD_COST", regs::port_base(index) + regs::kWordCost, 0, Access::kReadWrite, {},
                 [this](Value) {
                   limit(word_cost_, regs::kTime18Mask);
                   set_shaper();
                 }),
      cost_fraction_(registers.bank_, "COST_FRACTION", regs::port_base(index) + regs::kCostFraction, 0,
                     Access::kReadWrite, {},
                     [this](Value) {
                       limit(cost_fraction_, 0xffff);
                       set_shaper();
                     }),
      frame_cost_(registers.bank_, "FRAME_COST", regs::port_base(index) + regs::kFrameCost, 0, Access::kReadWrite, {},
                  [this](Value) {
                    limit(frame_cost_, regs::kTime18Mask);
                    set_shaper();
                  }),
      burst_(registers.bank_, "BURST", regs::port_base(index) + regs::kBurst, 0, Access::kReadWrite, {},
             [this](Value) {
               limit(burst_, regs::kTime30Mask);
               set_shaper();
             }),
      queue_limit_(registers.bank_, "QUEUE_LIMIT", regs::port_base(index) + regs::kQueueLimit, 0, Access::kReadWrite,
                   {},
                   [this](Value) {
                     limit(queue_limit_, regs::kTenths27Mask);
                     set_shaper();
                   }),
      red_min_(registers.bank_, "RED_MIN", regs::port_base(index) + regs::kRedMin, 0, Access::kReadWrite, {},
               [this](Value) {
                 limit(red_min_, regs::kTenths27Mask);
                 set_shaper();
               }),
      red_max_(registers.bank_, "RED_MAX", regs::port_base(index) + regs::kRedMax, 0, Access::kReadWrite, {},
               [this](Value) {
                 limit(red_max_, regs::kTenths27Mask);
                 set_shaper();
               }),
      red_slope_(registers.bank_, "RED_SLOPE", regs::port_base(index) + regs::kRedSlope, 0, Access::kReadWrite, {},
                 [this](Value) { set_shaper(); }),
      red_weight_(registers.bank_, "RED_WEIGHT", regs::port_base(index) + regs::kRedWeight, 0, Access::kReadWrite, {},
                  [this](Value) {
                    limit(red_weight_, 0xf);
                    set_shaper();
                  }),
      atm_overhead_(registers.bank_, "ATM_OVERHEAD", regs::port_base(index) + regs::kAtmOverhead, 0, Access::kReadWrite,
                    {},
                    [this](Value v) {
                      atm_overhead_.set(std::min(v & 0x3fU, regs::kMostAtmOverhead));
                      set_shaper();
                    }),
      stamp_offset_(registers.bank_, "STAMP_OFFSET", regs::port_base(index) + regs::kStampOffset, 0, Access::kReadWrite,
                    {},
                    [this](Value v) {
                      limit(stamp_offset_, regs::kStampOffsetMask);
                      port_.stamp_offset = v & regs::kStampOffsetMask;
                      set_transmitter();
                    }),
      oneway_count_(
          registers.bank_, "ONEWAY_COUNT", regs::port_base(index) + regs::kOnewayCount, 0, Access::kReadWrite,
          [this] { return port_.oneway.count; }, [this](Value) { port_.oneway = {}; }),
      oneway_last_(registers.bank_, "ONEWAY_LAST", regs::port_base(index) + regs::kOnewayLast, 0, Access::kReadOnly,
                   [this] { return port_.oneway.last; }),
      oneway_min_(registers.bank_, "ONEWAY_MIN", regs::port_base(index) + regs::kOnewayMin, 0xffff'ffff,
                  Access::kReadOnly, [this] { return port_.oneway.min; }),
      oneway_max_(registers.bank_, "ONEWAY_MAX", regs::port_base(index) + regs::kOnewayMax, 0, Access::kReadOnly,
                  [this] { return port_.oneway.max; }),
      oneway_sum_low_(registers.bank_, "ONEWAY_SUM_LOW", regs::port_base(index) + regs::kOnewaySumLow, 0,
                      Access::kReadOnly, [this] { return static_cast<Value>(port_.oneway.sum); }),
      oneway_sum_high_(registers.bank_, "ONEWAY_SUM_HIGH", regs::port_base(index) + regs::kOnewaySumHigh, 0,
                       Access::kReadOnly, [this] { return static_cast<Value>(port_.oneway.sum >> 32); }),
      backlog_(registers.bank_, "BACKLOG", regs::port_base(index) + regs::kBacklog, 0, Access::kReadOnly,
               [this] { return port_.channel.shaper().backlog_tenths(clock()); }),
      red_average_(registers.bank_, "RED_AVERAGE", regs::port_base(index) + regs::kRedAverage, 0, Access::kReadOnly,
                   [this] { return port_.channel.shaper().average_tenths(clock()); }) {
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    counters_[i] = std::make_unique<Reg32>(registers.bank_, kCounterNames[i],
                                           regs::port_base(index) + regs::kCounters + 4 * static_cast<Value>(i), 0,
                                           Access::kReadOnly, [this, i] { return port_.counters.held(i); });
  }
}

void Gnet1Registers::PortRegisters::write_port_ctrl(Value value) {
  limit(ctrl_, 0x7f);
  port_.rx_enable = (value & regs::kPortRxEnable) != 0;
  port_.stamp_rx = (value & regs::kPortStampRx) != 0;
  set_transmitter();
  set_shaper();
}

void Gnet1Registers::PortRegisters::write_discard_ctrl(Value value) {
  constexpr Value kModeBits = 3U << regs::kDiscardModeShift;
  limit(discard_ctrl_, kModeBits);
  // Mode 3 is not defined; the box takes it as "next".
  const Value mode = (value & kModeBits) >> regs::kDiscardModeShift;
  port_.channel.set_discard_mode(mode == 3 ? regs::DiscardMode::kNext : static_cast<regs::DiscardMode>(mode));
  // A command reaches its stage a clock after the settings of the same write.
  port_.channel.advance(clock() + 1);
  if ((value & regs::kDiscardArm) != 0) {
    port_.channel.arm();
  } else if ((value & regs::kDiscardCancel) != 0) {
    port_.channel.cancel();
  }
}

void Gnet1Registers::PortRegisters::set_transmitter() {
  Gnet1Transmitter::Settings settings;
  settings.ifg = ifg_.value();
  settings.fcs_new = ctrl_.has(regs::kPortFcsNew);
  settings.stamp = ctrl_.has(regs::kPortStampTx);
  settings.stamp_offset = stamp_offset_.value();
  settings.magic = registers_.magic_.value();
  port_.transmitter.set(settings);
}

void Gnet1Registers::PortRegisters::set_shaper() {
  Gnet1Shaper::Settings settings;
  settings.rate = ctrl_.has(regs::kPortRate);
  settings.atm = ctrl_.has(regs::kPortAtm);
  settings.red = ctrl_.has(regs::kPortRed);
  settings.word_cost = parts(word_cost_.value(), cost_fraction_.value());
  settings.frame_cost = parts(frame_cost_.value(), cost_fraction_.value() >> 8);
  settings.burst = static_cast<std::int64_t>(Gnet1Time{burst_.value()}.length_quads());
  settings.queue_limit = queue_limit_.value();
  settings.red_min = red_min_.value();
  settings.red_max = red_max_.value();
  settings.red_slope = red_slope_.value();
  settings.red_weight = red_weight_.value();
  settings.atm_overhead = atm_overhead_.value();
  port_.channel.shaper().change(clock(), settings);
}

}  // namespace longhaul::wan
