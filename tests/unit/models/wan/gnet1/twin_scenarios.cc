// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/wan/gnet1/twin_scenarios.h"

#include <functional>
#include <map>

namespace longhaul::wan::gnet1_test {
namespace {

namespace regs = gnet1_regs;

constexpr std::size_t kPorts = Gnet1::kPorts;

Scenario wire_rate(Draw& draw) {
  for (std::size_t port = 0; port < kPorts; ++port) draw.traffic(port, 60, 100);
  return draw.done(60 * kUs);
}

Scenario delays(Draw& draw) {
  for (std::size_t port = 0; port < kPorts; ++port) {
    draw.set_delay(port, draw.below(port == 0 ? 3'000 : 400'000));
    draw.traffic(port, 50, draw.between(20, 100), true);
  }
  return draw.done(500 * kUs);
}

Scenario delay_changes(Draw& draw) {
  for (std::size_t port = 0; port < kPorts; ++port) {
    draw.set_delay(port, draw.below(100'000));
    for (int i = 0; i < 6; ++i)
      draw.set_delay(port, draw.below(100'000), Draw::kStart + draw.below(300 * kUs));
    draw.traffic(port, 60, draw.between(40, 100));
  }
  return draw.done(600 * kUs);
}

/// Thresholds change between runs of traffic, and the LFSR goes on through those without errors.
Scenario errors(Draw& draw) {
  constexpr std::uint64_t kRun = 2000 * kUs;
  for (std::size_t port = 0; port < kPorts; ++port) {
    draw.set_port(port, regs::kSeedLow, static_cast<std::uint32_t>(draw.random()()));
    draw.set_port(port, regs::kSeedHigh, static_cast<std::uint32_t>(draw.random()()));
    draw.set_delay(port, draw.below(20'000));
    for (std::uint64_t run = 0; run < 4; ++run) {
      const bool none = run == 1;
      const auto threshold =
          static_cast<std::uint32_t>(none ? 0 : draw.below(1ULL << draw.between(24, 32)));
      draw.set_port(port, regs::kErrorThreshold, threshold,
                    run == 0 ? kUs : Draw::kStart + run * kRun - 2 * kUs);
      draw.traffic(port, 20, draw.between(50, 100), true, Draw::kStart + run * kRun);
    }
  }
  return draw.done(500 * kUs);
}

Scenario discards(Draw& draw) {
  for (std::size_t port = 0; port < kPorts; ++port) {
    draw.set_delay(port, draw.one_in(2) ? 0 : draw.below(60'000));
    draw.set_port(port, regs::kErrorThreshold, 1U << 22);
    for (int i = 0; i < 5; ++i) {
      const std::uint64_t at = Draw::kStart + draw.below(300 * kUs);
      const auto mode = static_cast<std::uint32_t>(draw.below(4));
      const bool timed = mode == static_cast<std::uint32_t>(regs::DiscardMode::kAt);
      const std::uint32_t argument = timed ? Gnet1Time::of_ps(at + draw.below(100 * kUs)).word
                                           : static_cast<std::uint32_t>(draw.below(8));
      draw.set_port(port, regs::kDiscardArg, argument, at);
      draw.set_port(port, regs::kDiscardCtrl, mode << regs::kDiscardModeShift | regs::kDiscardArm,
                    at);
      if (draw.one_in(4))
        draw.set_port(port, regs::kDiscardCtrl, regs::kDiscardCancel, at + draw.below(20 * kUs));
    }
    draw.traffic(port, 60, draw.between(30, 100));
  }
  return draw.done(150 * kUs);
}

/// A bottleneck below the line, with what goes with it.
void bottleneck(Draw& draw, std::size_t port, std::uint32_t bits) {
  const bool atm = (bits & regs::kPortAtm) != 0;
  const std::uint64_t word_ns = draw.between(20, 120) * (atm ? 12 : 1);
  draw.set_port(port, regs::kWordCost, Gnet1Time::of_ps(word_ns * 1000).word);
  draw.set_port(port, regs::kFrameCost, Gnet1Time::of_ps(draw.below(400) * 1000).word);
  draw.set_port(port, regs::kCostFraction, static_cast<std::uint32_t>(draw.below(1U << 16)));
  draw.set_port(port, regs::kBurst, Gnet1Time::of_ps(draw.below(30) * kUs).word);
  draw.set_port(port, regs::kPortCtrl, regs::kPortRxEnable | regs::kPortRate | bits);
}

Scenario rate(Draw& draw) {
  for (std::size_t port = 0; port < kPorts; ++port) {
    bottleneck(draw, port, 0);
    draw.set_port(port, regs::kQueueLimit, static_cast<std::uint32_t>(draw.between(100, 1500)));
    draw.set_delay(port, draw.below(30'000));
    draw.traffic(port, 80, draw.between(40, 100), true);
  }
  return draw.done(1500 * kUs);
}

Scenario cells(Draw& draw) {
  for (std::size_t port = 0; port < kPorts; ++port) {
    bottleneck(draw, port, regs::kPortAtm);
    draw.set_port(port, regs::kAtmOverhead, static_cast<std::uint32_t>(draw.below(60)));
    draw.set_port(port, regs::kQueueLimit, static_cast<std::uint32_t>(draw.between(100, 1500)));
    draw.traffic(port, 80, draw.between(40, 100), true);
  }
  return draw.done(1500 * kUs);
}

Scenario red(Draw& draw) {
  for (std::size_t port = 0; port < kPorts; ++port) {
    bottleneck(draw, port, regs::kPortRed | (draw.one_in(3) ? regs::kPortAtm : 0));
    const auto least = static_cast<std::uint32_t>(draw.between(20, 300));
    draw.set_port(port, regs::kSeedLow, static_cast<std::uint32_t>(draw.random()()));
    draw.set_port(port, regs::kSeedHigh, static_cast<std::uint32_t>(draw.random()()));
    draw.set_port(port, regs::kRedMin, least);
    draw.set_port(port, regs::kRedMax, least + static_cast<std::uint32_t>(draw.between(100, 1000)));
    draw.set_port(port, regs::kRedSlope, static_cast<std::uint32_t>(draw.below(1U << 24)));
    draw.set_port(port, regs::kRedWeight, static_cast<std::uint32_t>(draw.below(5)));
    draw.set_port(port, regs::kQueueLimit, 3000);
    draw.traffic(port, 80, draw.between(60, 100));
  }
  return draw.done(1500 * kUs);
}

Scenario memory(Draw& draw) {
  for (std::size_t port = 0; port < kPorts; ++port) {
    draw.set_port(port, regs::kCapacity, static_cast<std::uint32_t>(draw.between(4000, 6000)));
    draw.set_delay(port, draw.between(150'000, 400'000));
    draw.traffic(port, 120, draw.between(80, 100));
  }
  return draw.done(500 * kUs);
}

Scenario contention(Draw& draw) {
  for (std::size_t port = 0; port < kPorts; ++port) {
    draw.set_port(port, regs::kRoute, static_cast<std::uint32_t>(draw.below(16)));
    draw.set_port(port, regs::kIfg, static_cast<std::uint32_t>(draw.below(64)));
    draw.set_delay(port, draw.below(20'000));
    draw.traffic(port, 40, draw.between(10, 60));
  }
  return draw.done(1000 * kUs);
}

Scenario switching(Draw& draw) {
  draw.set(regs::kCtrl, regs::kCtrlSwitch | regs::kCtrlLearn);
  draw.set(regs::kMacLow, 4);
  draw.set(regs::kMacHigh, 0x0200);
  draw.set(regs::kMacEntry, regs::kMacEntryStatic | 2U << regs::kMacEntryPortShift | 7U);
  draw.set(regs::kMacAge, static_cast<std::uint32_t>(draw.between(1000, 4000)));
  draw.set(regs::kMacFlush, 1, Draw::kStart + 150 * kUs);
  for (std::size_t port = 0; port < kPorts; ++port) {
    draw.set_delay(port, draw.below(10'000));
    draw.traffic(port, 50, draw.between(10, 40), true);
  }
  return draw.done(1000 * kUs);
}

Scenario stamps(Draw& draw) {
  constexpr std::uint32_t kMagic = 0x0200'0000;  // as the first bytes of every destination
  draw.set(regs::kMagic, kMagic);
  draw.set(regs::kGpsSeconds, 0x1234'5678);
  draw.pulse(20 * kUs + draw.below(kUs));
  draw.pulse(Draw::kStart + draw.below(200 * kUs));
  for (std::size_t port = 0; port < kPorts; ++port) {
    draw.set_port(port, regs::kPortCtrl,
                  regs::kPortRxEnable | regs::kPortStampTx | regs::kPortStampRx |
                      (draw.one_in(2) ? regs::kPortFcsNew : 0));
    draw.set_port(port, regs::kErrorThreshold, 1U << 23);
    draw.set_delay(port, draw.below(5'000));
    draw.traffic(port, 50, draw.between(30, 100), true);
  }
  return draw.done(100 * kUs);
}

Scenario everything(Draw& draw) {
  if (draw.one_in(2)) draw.set(regs::kCtrl, regs::kCtrlSwitch | regs::kCtrlLearn);
  for (std::size_t port = 0; port < kPorts; ++port) {
    bottleneck(draw, port,
               regs::kPortRed | (draw.one_in(2) ? regs::kPortStampTx : 0) |
                   (draw.one_in(2) ? regs::kPortAtm : 0));
    draw.set_port(port, regs::kRedMin, 50);
    draw.set_port(port, regs::kRedMax, 900);
    draw.set_port(port, regs::kRedSlope, 1U << 20);
    draw.set_port(port, regs::kRedWeight, 2);
    draw.set_port(port, regs::kErrorThreshold, 1U << 22);
    draw.set_port(port, regs::kDiscardArg, static_cast<std::uint32_t>(draw.below(20)));
    draw.set_port(port, regs::kDiscardCtrl, 1U << regs::kDiscardModeShift | regs::kDiscardArm);
    draw.set_delay(port, draw.below(100'000));
    draw.traffic(port, 60, draw.between(10, 60), true);
  }
  return draw.done(3000 * kUs);
}

const std::map<std::string, std::function<Scenario(Draw&)>>& scenarios() {
  static const std::map<std::string, std::function<Scenario(Draw&)>> all{
      {"wire_rate", wire_rate},
      {"delays", delays},
      {"delay_changes", delay_changes},
      {"errors", errors},
      {"discards", discards},
      {"rate", rate},
      {"cells", cells},
      {"red", red},
      {"memory", memory},
      {"contention", contention},
      {"switching", switching},
      {"stamps", stamps},
      {"everything", everything}};
  return all;
}

}  // namespace

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const auto& [name, draw] : scenarios()) names.push_back(name);
  return names;
}

Scenario draw_scenario(const std::string& name, std::uint64_t seed) {
  Draw draw(name, seed);
  return scenarios().at(name)(draw);
}

}  // namespace longhaul::wan::gnet1_test
