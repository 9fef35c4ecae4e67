// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/pcix_checker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "platform/cosim/bus/pcix_rules.h"

namespace longhaul::cosim::pcix_test {
namespace {

namespace group = pcix_group;

struct Sink final : CheckerSink {
  std::vector<std::string> rules;
  void violated(const Rule& rule, std::uint64_t, const std::string& signal,
                const std::string&) override {
    rules.emplace_back(rule.name);
    EXPECT_EQ(signal.rfind("slot.", 0), 0U) << signal;
  }
};

constexpr std::uint32_t kHeader = group::kAd | group::kAd64 | group::kCbe | group::kCbe64;

/// Clocks of a bus, with parity added, as two agents drive them.
class Bus {
 public:
  struct Clock {
    PcixClock device;
    PcixClock host;
    bool granted = true;
  };
  std::vector<Clock> clocks;

  Clock& at(std::size_t clock) {
    if (clocks.size() <= clock) clocks.resize(clock + 1);
    return clocks[clock];
  }
  /// Adds a transaction of `by`, whose target is `to`, from clock 4 on: address, attributes,
  /// decode A, `phases` data phases of 64 bits.
  void burst(PcixClock Clock::*by, PcixClock Clock::*to, std::uint8_t command, std::uint32_t bytes,
             std::uint64_t address = 0x1000) {
    const std::size_t phases = pcix_phases(address, bytes, true);
    const std::size_t first = kStart + 3;
    const std::size_t last = first + phases - 1;
    const std::size_t end = std::max(last, first + 1) + 1;
    const std::size_t frame = std::max(last - 1, first + 2);
    for (std::size_t clock = kStart; clock <= end; ++clock) {
      PcixClock& own = at(clock).*by;
      if (clock < end) own.drives |= kHeader;
      own.drives |= group::kFrame | group::kReq64;
      if (clock > frame) own.drives &= ~(group::kFrame | group::kReq64);
      if (clock >= kStart + 3) own.drives |= group::kIrdy;
      own.frame = own.req64 = clock < frame;
      own.irdy = clock >= kStart + 3 && clock < end;
      own.ad = clock == kStart ? address : 0x1122'3344'5566'7788ULL * clock;
      own.cbe = 0xff;
      PcixClock& other = at(clock).*to;
      if (clock < kStart + 2) continue;
      if (clock > last + 1) continue;
      other.drives |= group::kTarget | group::kAck64;
      other.devsel = other.ack64 = clock <= last;
      other.trdy = clock >= first && clock <= last;
    }
    PcixClock& header = at(kStart).*by;
    header.cbe = static_cast<std::uint8_t>(command << 4U | command);
    PcixClock& attributes = at(kStart + 1).*by;
    attributes.ad = 0x0000'0800U | (bytes & 0xffU);
    attributes.cbe = static_cast<std::uint8_t>(0xf0U | (bytes >> 8U & 0xfU));
    at(end + 2);
  }
  /// Sets PAR of each agent's AD, a clock later.
  void add_parity() {
    for (std::size_t clock = clocks.size() - 1; clock > 0; --clock) {
      for (PcixClock Clock::*agent : {&Clock::device, &Clock::host}) {
        const PcixClock& before = at(clock - 1).*agent;
        PcixClock& now = at(clock).*agent;
        if ((before.drives & group::kAd) == 0) continue;
        now.drives |= group::kPar | group::kPar64;
        now.par = pcix_parity(before.low(), before.cbe);
        now.par64 = pcix_parity(static_cast<std::uint32_t>(before.ad >> 32U), before.cbe >> 4U);
      }
    }
  }
  std::vector<std::string> check(bool wide = true) {
    Sink sink;
    PcixChecker checker("slot.", &sink);
    std::uint64_t ps = 0;
    for (const Clock& clock : clocks) {
      PcixClock bus;
      for (const PcixClock* each : {&clock.host, &clock.device}) {
        if ((each->drives & group::kAd) != 0) bus.ad = each->ad;
        if ((each->drives & group::kCbe) != 0) bus.cbe = each->cbe;
        if ((each->drives & group::kPar) != 0) bus.par = each->par;
        if ((each->drives & group::kPar64) != 0) bus.par64 = each->par64;
        bus.frame |= each->frame;
        bus.irdy |= each->irdy;
        bus.trdy |= each->trdy;
        bus.stop |= each->stop;
        bus.devsel |= each->devsel;
        bus.req64 |= each->req64;
        bus.ack64 |= each->ack64;
      }
      checker.clock(ps += 7500, bus, clock.device, clock.host, clock.granted, wide);
    }
    return sink.rules;
  }

  static constexpr std::size_t kStart = 4;
};

using Clock = Bus::Clock;
constexpr std::size_t kStart = Bus::kStart;

/// Eight data phases: the first is clock 7, the last 14, FRAME# is high from 13, IRDY# from 15 on.
Bus write_of_device() {
  Bus bus;
  bus.burst(&Clock::device, &Clock::host, pcix_command::kWriteBlock, 64);
  return bus;
}
/// A Split Completion of the host, for the device as the target.
Bus completion_of_host() {
  Bus bus;
  bus.burst(&Clock::host, &Clock::device, pcix_command::kSplitCompletion, 64, 0x100);
  return bus;
}

TEST(PcixChecker, GoodTransactionsBreakNoRule) {
  for (const std::uint32_t bytes : {8U, 16U, 24U, 32U, 64U, 512U}) {
    Bus bus;
    bus.burst(&Clock::device, &Clock::host, pcix_command::kWriteBlock, bytes);
    bus.add_parity();
    EXPECT_EQ(bus.check(), std::vector<std::string>{}) << bytes;
    Bus other;
    other.burst(&Clock::host, &Clock::device, pcix_command::kSplitCompletion, bytes, 0x100);
    other.add_parity();
    EXPECT_EQ(other.check(), std::vector<std::string>{}) << bytes;
  }
}

/// A mistake of the device, and the rule that it breaks.
struct Mistake {
  const Rule& rule;
  std::function<Bus()> good;
  std::function<void(Bus&)> breaks;
  bool after_parity = false;
};

const std::vector<Mistake>& mistakes() {
  namespace rules = pcix_rules;
  static const std::vector<Mistake> kList{
      {rules::kOneDriver, completion_of_host,
       [](Bus& bus) { bus.at(8).device.drives |= group::kCbe; }, true},
      {rules::kTurnAround, completion_of_host,
       [](Bus& bus) {
         for (std::size_t clock = 15; clock < 17; ++clock)
           bus.at(clock).device.drives |= group::kCbe;
       },
       true},
      {rules::kHighBefore, completion_of_host, [](Bus& bus) { bus.at(15).device = {}; }, true},
      {rules::kParity, write_of_device,
       [](Bus& bus) { bus.at(9).device.par = !bus.at(9).device.par; }, true},
      {rules::kGrant, write_of_device, [](Bus& bus) { bus.at(kStart - 2).granted = false; }},
      {rules::kIdleBefore, write_of_device,
       [](Bus& bus) {
         bus.at(kStart - 1).host.irdy = true;
         bus.at(kStart - 1).host.drives |= group::kIrdy;
       }},
      {rules::kCommand, write_of_device, [](Bus& bus) { bus.at(kStart).device.cbe = 0x55; }},
      {rules::kAttributes, write_of_device,
       [](Bus& bus) { bus.at(kStart + 1).device.ad |= 0x8000'0000; }},
      {rules::kFrame, write_of_device,
       [](Bus& bus) {
         bus.at(12).device.frame = bus.at(12).device.req64 = false;
         bus.at(13).device.drives &= ~(group::kFrame | group::kReq64);
       }},
      {rules::kIrdy, write_of_device, [](Bus& bus) { bus.at(10).device.irdy = false; }},
      {rules::kReq64, write_of_device, [](Bus& bus) { bus.at(9).device.req64 = false; }},
      {rules::kEnables, write_of_device, [](Bus& bus) { bus.at(9).device.cbe = 0xfe; }},
      {rules::kBoundary, write_of_device, [](Bus& bus) { bus.at(kStart + 1).device.ad = 0x0880; }},
      {rules::kMasterAbort, write_of_device,
       [](Bus& bus) {
         for (Clock& clock : bus.clocks) clock.host = {};
       }},
      {rules::kDecode, completion_of_host,
       [](Bus& bus) {
         bus.at(kStart + 1).device.drives |= group::kTarget;
         bus.at(kStart + 1).device.devsel = true;
       }},
      {rules::kNoTarget, completion_of_host,
       [](Bus& bus) {
         bus.at(1).device.drives |= group::kTarget;
         bus.at(1).device.devsel = true;
         bus.at(2).device.drives |= group::kTarget;
       }},
      {rules::kWaits, completion_of_host, [](Bus& bus) { bus.at(10).device.trdy = false; }},
      {rules::kAck64, completion_of_host,
       [](Bus& bus) {
         for (Clock& clock : bus.clocks) {
           clock.host.req64 = false;
           clock.host.drives &= ~group::kReq64;
         }
       }},
      {rules::kFirstData,
       [] {
         Bus bus;
         bus.burst(&Clock::host, &Clock::device, pcix_command::kSplitCompletion, 512, 0x100);
         return bus;
       },
       [](Bus& bus) {
         for (std::size_t clock = kStart + 3; clock < kStart + 19; ++clock)
           bus.at(clock).device.trdy = false;
       }},
      {rules::kAnswer, completion_of_host,
       [](Bus& bus) {
         for (std::size_t clock = kStart + 3; clock <= 14; ++clock) {
           PcixClock& now = bus.at(clock).device;
           now.devsel = now.trdy = now.stop = now.ack64 = false;
         }
       }},
  };
  return kList;
}

TEST(PcixChecker, EachMistakeBreaksItsRule) {
  for (const Mistake& mistake : mistakes()) {
    Bus bus = mistake.good();
    if (mistake.after_parity) bus.add_parity();
    mistake.breaks(bus);
    if (!mistake.after_parity) bus.add_parity();
    const std::vector<std::string> broken = bus.check();
    EXPECT_EQ(std::set<std::string>(broken.begin(), broken.end()),
              std::set<std::string>{mistake.rule.name})
        << mistake.rule.name;
  }
}

TEST(PcixChecker, NobodyDrivesTheUpperHalfOfANarrowSlot) {
  Bus bus = write_of_device();
  bus.add_parity();
  const std::vector<std::string> broken = bus.check(false);
  EXPECT_NE(std::find(broken.begin(), broken.end(), "pcix.narrow_slot"), broken.end());
}

TEST(PcixChecker, EachOfItsRulesIsBrokenByATest) {
  namespace rules = pcix_rules;
  std::set<std::string> tested{rules::kNarrow.name};
  for (const Mistake& mistake : mistakes()) tested.insert(mistake.rule.name);
  // The host reports these two: pcix_accesses_test.cc.
  tested.insert({rules::kReadAnswered.name, rules::kCompletion.name});
  for (const Rule* rule : rules::kAll) EXPECT_EQ(tested.count(rule->name), 1U) << rule->name;
}

}  // namespace
}  // namespace longhaul::cosim::pcix_test
