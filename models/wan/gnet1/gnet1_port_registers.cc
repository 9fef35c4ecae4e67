// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_port_registers.h"

#include <algorithm>

namespace longhaul::wan {

namespace regs = gnet1_regs;
namespace info = regs::info;

namespace {

/// A cost in 1/256 of 4 ns, from a time and the fraction below it.
std::int64_t parts(std::uint32_t time, std::uint32_t fraction) {
  return static_cast<std::int64_t>(Gnet1Time{time}.length_quads() << 8 | fraction);
}

}  // namespace

Gnet1Registers::PortRegisters::PortRegisters(Gnet1Registers& registers, Gnet1TwinPort& port,
                                             std::size_t index)
    : registers_(registers),
      bank_(registers.bank_),
      base_(regs::port_base(index)),
      port_(port),
      ctrl_(make(info::kPortCtrl, {}, [this](Value v) { write_port_ctrl(v); })),
      route_(make(with_reset(info::kRoute, regs::kRouteReset[index]), {},
                  [this](Value v) {
                    limit(route_, info::kRoute);
                    port_.route = v & regs::kRouteMask;
                  })),
      delay_(make(info::kDelay, {},
                  [this](Value v) {
                    limit(delay_, info::kDelay);
                    port_.channel.set_delay(clock(), {v & regs::kDelayMask});
                  })),
      ifg_(make(info::kIfg, {},
                [this](Value) {
                  limit(ifg_, info::kIfg);
                  set_transmitter();
                })),
      error_threshold_(
          make(info::kErrorThreshold, {}, [this](Value v) { port_.channel.set_threshold(v); })),
      seed_low_(make(info::kSeedLow)),
      seed_high_(make(info::kSeedHigh, {},
                      [this](Value v) {
                        port_.channel.advance(clock() + 1);
                        port_.channel.seed(std::uint64_t{v} << 32 | seed_low_.value());
                      })),
      discard_ctrl_(make(
          info::kDiscardCtrl,
          [this] {
            return discard_ctrl_.value() | (port_.channel.armed() ? regs::kDiscardArmed : 0);
          },
          [this](Value v) { write_discard_ctrl(v); })),
      discard_arg_(
          make(info::kDiscardArg, {}, [this](Value v) { port_.channel.set_discard_argument(v); })),
      discard_stamp_(make(info::kDiscardStamp, [this] { return port_.channel.discard_stamp(); })),
      capacity_(make(info::kCapacity, {},
                     [this](Value v) {
                       limit(capacity_, info::kCapacity);
                       port_.channel.set_capacity(v & regs::kCapacityMask);
                     })),
      level_(make(info::kLevel, [this] { return port_.channel.level(clock()); })),
      level_max_(make(
          info::kLevelMax, [this] { return port_.channel.level_max(); },
          [this](Value) { port_.channel.clear_level_max(); })),
      word_cost_(make(info::kWordCost, {},
                      [this](Value) {
                        limit(word_cost_, info::kWordCost);
                        set_shaper();
                      })),
      cost_fraction_(make(info::kCostFraction, {},
                          [this](Value) {
                            limit(cost_fraction_, info::kCostFraction);
                            set_shaper();
                          })),
      frame_cost_(make(info::kFrameCost, {},
                       [this](Value) {
                         limit(frame_cost_, info::kFrameCost);
                         set_shaper();
                       })),
      burst_(make(info::kBurst, {},
                  [this](Value) {
                    limit(burst_, info::kBurst);
                    set_shaper();
                  })),
      queue_limit_(make(info::kQueueLimit, {},
                        [this](Value) {
                          limit(queue_limit_, info::kQueueLimit);
                          set_shaper();
                        })),
      red_min_(make(info::kRedMin, {},
                    [this](Value) {
                      limit(red_min_, info::kRedMin);
                      set_shaper();
                    })),
      red_max_(make(info::kRedMax, {},
                    [this](Value) {
                      limit(red_max_, info::kRedMax);
                      set_shaper();
                    })),
      red_slope_(make(info::kRedSlope, {}, [this](Value) { set_shaper(); })),
      red_weight_(make(info::kRedWeight, {},
                       [this](Value) {
                         limit(red_weight_, info::kRedWeight);
                         set_shaper();
                       })),
      atm_overhead_(make(info::kAtmOverhead, {},
                         [this](Value v) {
                           atm_overhead_.set(
                               std::min(v & regs::kAtmOverheadMask, regs::kAtmOverheadMost));
                           set_shaper();
                         })),
      stamp_offset_(make(info::kStampOffset, {},
                         [this](Value v) {
                           limit(stamp_offset_, info::kStampOffset);
                           port_.stamp_offset = v & regs::kStampOffsetMask;
                           set_transmitter();
                         })),
      oneway_count_(make(
          info::kOnewayCount, [this] { return port_.oneway.count; },
          [this](Value) { port_.oneway = {}; })),
      oneway_last_(make(info::kOnewayLast, [this] { return port_.oneway.last; })),
      oneway_min_(make(info::kOnewayMin, [this] { return port_.oneway.min; })),
      oneway_max_(make(info::kOnewayMax, [this] { return port_.oneway.max; })),
      oneway_sum_low_(
          make(info::kOnewaySumLow, [this] { return static_cast<Value>(port_.oneway.sum); })),
      oneway_sum_high_(make(info::kOnewaySumHigh,
                            [this] { return static_cast<Value>(port_.oneway.sum >> 32); })),
      backlog_(
          make(info::kBacklog, [this] { return port_.channel.shaper().backlog_tenths(clock()); })),
      red_average_(make(info::kRedAverage,
                        [this] { return port_.channel.shaper().average_tenths(clock()); })) {
  // Descriptions of the counters follow each other in the order of Counter.
  std::size_t next = 0;
  for (const RegisterInfo& each : info::kPortRegisters) {
    if (each.offset < regs::counter_offset(regs::Counter{})) continue;
    counters_.at(next) =
        std::make_unique<Reg32>(bank_, each.name, base_ + each.offset, each.reset, each.access(),
                                [this, next] { return port_.counters.held(next); });
    ++next;
  }
}

void Gnet1Registers::PortRegisters::write_port_ctrl(Value value) {
  limit(ctrl_, info::kPortCtrl);
  port_.rx_enable = (value & regs::kPortRxEnable) != 0;
  port_.stamp_rx = (value & regs::kPortStampRx) != 0;
  set_transmitter();
  set_shaper();
}

void Gnet1Registers::PortRegisters::write_discard_ctrl(Value value) {
  limit(discard_ctrl_, info::kDiscardCtrl);
  // Mode 3 is undefined. The box treats it as "next".
  const Value mode = (value & regs::kDiscardModeMask) >> regs::kDiscardModeShift;
  port_.channel.set_discard_mode(mode == 3 ? regs::DiscardMode::kNext
                                           : static_cast<regs::DiscardMode>(mode));
  // A command takes effect one clock after the settings of the same write.
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
  settings.word_cost =
      parts(word_cost_.value(),
            (cost_fraction_.value() & regs::kCostFractionWordMask) >> regs::kCostFractionWordShift);
  settings.frame_cost =
      parts(frame_cost_.value(), (cost_fraction_.value() & regs::kCostFractionFrameMask) >>
                                     regs::kCostFractionFrameShift);
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
