// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/pcix_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/cosim/bus/pcix_rules.h"

namespace longhaul::cosim {
namespace {

namespace command = pcix_command;
namespace group = pcix_group;
namespace rules = pcix_rules;

constexpr std::size_t kMostClocks = 16;             // from FRAME# to the first data
constexpr std::size_t kAbortClocks = 8;             // from the address to a Master-Abort
constexpr std::size_t kIrdyClocks = 3;              // from the address to IRDY#
constexpr std::size_t kMostLogged = 2048;           // clocks of a transaction
constexpr std::uint32_t kSplitFixed = 0xc000'0080;  // reserved bits of a Split Completion's address

struct Signal {
  std::uint32_t bit;
  const char* name;
};
constexpr Signal kGroups[] = {
    {group::kAd, "ad"},       {group::kAd64, "ad"},     {group::kCbe, "cbe"},
    {group::kCbe64, "cbe"},   {group::kPar, "par"},     {group::kPar64, "par64"},
    {group::kFrame, "frame"}, {group::kIrdy, "irdy"},   {group::kTarget, "devsel"},
    {group::kReq64, "req64"}, {group::kAck64, "ack64"}, {group::kPerr, "perr"}};

const char* name_of(std::uint32_t groups) {
  for (const Signal& each : kGroups) {
    if ((groups & each.bit) != 0) return each.name;
  }
  return "";
}

/// The groups of control signals that are asserted.
std::uint32_t asserted(const PcixClock& clock) {
  return (clock.frame ? group::kFrame : 0) | (clock.irdy ? group::kIrdy : 0) |
         (clock.trdy || clock.stop || clock.devsel ? group::kTarget : 0) |
         (clock.req64 ? group::kReq64 : 0) | (clock.ack64 ? group::kAck64 : 0) |
         (clock.perr ? group::kPerr : 0);
}

}  // namespace

void PcixChecker::broken(const Rule& rule, std::uint64_t ps, const char* signal,
                         const std::string& detail) {
  if (sink_ != nullptr) sink_->violated(rule, ps, prefix_ + signal, detail);
}

bool PcixChecker::need(bool good, const Rule& rule, const char* signal, const std::string& detail) {
  if (good || told_) return good;
  told_ = !log_.empty();  // one mistake of a transaction is reported once
  broken(rule, ps_, signal, detail);
  return false;
}

void PcixChecker::reset() {
  log_.clear();
  told_ = false;
  last_ = before_ = device_ = {};
  host_drove_ = granted_ = 0;
}

void PcixChecker::clock(std::uint64_t ps, const PcixClock& bus, const PcixClock& device,
                        const PcixClock& host, bool granted, bool wide) {
  if (sink_ == nullptr) return;
  ps_ = ps;
  wide_ = wide;
  granted_ = granted_ << 1U | (granted ? 1U : 0U);
  check_drivers(device, host);
  check_parity(bus, device, host);
  if (!log_.empty() || bus.frame) {
    if (log_.empty()) {
      by_device_ = (device.drives & group::kFrame) != 0;
      if (by_device_) {
        need(!last_.frame && !last_.irdy, rules::kIdleBefore, "frame");
        need((granted_ >> 2U & 1U) != 0, rules::kGrant, "frame");
      }
    }
    if (log_.size() < kMostLogged) log_.push_back(bus);
    if (!bus.frame && !bus.irdy) {
      if (!told_) check_transaction();
      log_.clear();
      told_ = false;
    }
  } else {
    need(!(device.irdy && !bus.frame), rules::kIrdy, "irdy", "without FRAME#");
    need(!device.answers(), rules::kNoTarget, "devsel", "without a transaction");
  }
  before_ = last_;
  last_ = bus;
  device_ = device;
  host_drove_ = host.drives;
}

void PcixChecker::check_drivers(const PcixClock& device, const PcixClock& host) {
  const std::uint32_t both = device.drives & host.drives;
  need(both == 0, rules::kOneDriver, name_of(both));
  const std::uint32_t hasty = device.drives & host_drove_;
  need(hasty == 0 || both != 0, rules::kTurnAround, name_of(hasty));
  if (!wide_) {
    const std::uint32_t upper = device.drives & (group::kAd64 | group::kCbe64 | group::kPar64);
    need(upper == 0, rules::kNarrow, name_of(upper));
  }
  const std::uint32_t let_go = device_.drives & ~device.drives & group::kSustained;
  const std::uint32_t low = let_go & asserted(device_);
  need(low == 0, rules::kHighBefore, name_of(low));
}

void PcixChecker::check_parity(const PcixClock& bus, const PcixClock& device,
                               const PcixClock& host) {
  struct Half {
    std::uint32_t ad, cbe, par;
    const char* name;
  };
  constexpr Half kHalves[] = {{group::kAd, group::kCbe, group::kPar, "par"},
                              {group::kAd64, group::kCbe64, group::kPar64, "par64"}};
  for (std::uint32_t half = 0; half < 2; ++half) {
    const Half& of = kHalves[half];
    const bool drove = (device_.drives & of.ad) != 0;
    const bool drives = (device.drives & of.par) != 0;
    if (!need(drove == drives || (host.drives & of.par) != 0, rules::kParity, of.name,
              drives ? "is driven, and AD was not" : "is not driven after AD"))
      continue;
    if (!drives || !drove) continue;
    // Of its own AD a target knows C/BE# of the clock before.
    const std::uint8_t levels = (device_.drives & of.cbe) != 0 ? last_.cbe : before_.cbe;
    const bool wanted =
        pcix_parity(static_cast<std::uint32_t>(last_.ad >> 32U * half), levels >> 4U * half);
    need((half == 0 ? bus.par : bus.par64) == wanted, rules::kParity, of.name,
         fmt::format("is {}, the parity of AD is {}", wanted ? 0 : 1, wanted ? 1 : 0));
  }
}

void PcixChecker::check_transaction() {
  Header header;
  header.at = log_[0].command() == command::kDual ? 1 : 0;
  const std::size_t end = log_.size() - 1;
  if (!need(end > header.at + 2, rules::kFrame, "frame",
            fmt::format("a transaction of {} clocks", log_.size())))
    return;
  header.command = log_[header.at].command();
  header.address = log_[0].low();
  if (header.at == 1) header.address |= std::uint64_t{log_[1].low()} << 32U;
  header.attributes = log_[header.at + 1].low();
  header.count = command::is_dword(header.command)
                     ? 4
                     : pcix_count(log_[header.at + 1].cbe, header.attributes);
  const auto frame_off =
      std::find_if(log_.begin(), log_.end(), [](const PcixClock& each) { return !each.frame; });
  const auto end_frame = static_cast<std::size_t>(frame_off - log_.begin());
  if (by_device_) {
    check_header(header);
    check_initiator(header, end_frame);
  }
  const bool claimed =
      std::any_of(log_.begin(), log_.end(), [](const PcixClock& each) { return each.devsel; });
  if (!claimed) return check_no_answer(header, end_frame);
  if (!by_device_ && !check_target(header)) return;
  if (by_device_) check_target(header);  // of the host: finds the first data phase
  if (!check_data(header)) return;
  check_silence(header);
  if (by_device_) check_end(header, end_frame);
}

void PcixChecker::check_header(const Header& header) {
  need(header.command == command::kReadDword || header.command == command::kReadBlock ||
           header.command == command::kSplitCompletion || command::is_memory_write(header.command),
       rules::kCommand, "cbe", fmt::format("command {:X}h", header.command));
  need(header.at == 0 || header.address >> 32U != 0, rules::kCommand, "cbe",
       "a dual address cycle below 4 GiB");
  if (header.command != command::kSplitCompletion) {
    need(header.attributes >> 31U == 0, rules::kAttributes, "ad", "bit 31 of the attributes");
    return;
  }
  need((header.address & kSplitFixed) == 0, rules::kAttributes, "ad", "the address");
  need((header.attributes >> 24U & 0x1fU) == 0, rules::kAttributes, "ad", "the attributes");
  if ((header.attributes >> 29U & 1U) == 0) return;
  need(header.count == 4 && (header.address & 0x7fU) == 0, rules::kAttributes, "ad", "a message");
  need(header.attributes >> 31U == 0, rules::kAttributes, "ad", "BCM with a message");
}

void PcixChecker::check_initiator(const Header& header, std::size_t end_frame) {
  const std::size_t end = log_.size() - 1;
  for (std::size_t clock = 0; clock < end; ++clock) {
    const PcixClock& now = log_[clock];
    need(now.frame == (clock < end_frame), rules::kFrame, "frame", "comes again");
    need(now.irdy == (clock >= header.at + kIrdyClocks), rules::kIrdy, "irdy",
         fmt::format("{} clocks after the address", clock - header.at));
    need(now.req64 == (log_[0].req64 && now.frame), rules::kReq64, "req64");
  }
  need(!log_[0].req64 || (wide_ && header.count > 4), rules::kReq64, "req64",
       fmt::format("for {} bytes", header.count));
}

void PcixChecker::check_no_answer(const Header& header, std::size_t end_frame) {
  const bool silent =
      std::none_of(log_.begin(), log_.end(), [](const PcixClock& each) { return each.answers(); });
  if (!by_device_) {
    need(silent, rules::kNoTarget, "devsel", "TRDY# or STOP# without DEVSEL#");
    return;
  }
  need(end_frame == header.at + kAbortClocks && log_.size() - 1 == end_frame, rules::kMasterAbort,
       "frame", fmt::format("IRDY# goes high in clock {}", log_.size() - 1 - header.at));
}

bool PcixChecker::check_target(Header& header) {
  header.claim = 0;
  while (!log_[header.claim].devsel) ++header.claim;
  const std::size_t decode = header.claim - std::min(header.claim, header.at);
  if (!need(decode == 2 || decode == 3 || decode == 4 || decode == 6, rules::kDecode, "devsel",
            fmt::format("after {} clocks", decode)))
    return false;
  header.first = header.claim + 1;
  const auto waits = [](const PcixClock& each) { return each.devsel && !each.trdy && !each.stop; };
  while (header.first < log_.size() && waits(log_[header.first])) ++header.first;
  if (!need(header.first < log_.size() && header.first <= kMostClocks, rules::kFirstData, "trdy",
            fmt::format("clock {} after FRAME#", header.first)))
    return false;
  for (std::size_t clock = 0; clock < header.first; ++clock) {
    if (!need(!log_[clock].trdy && !log_[clock].stop, rules::kNoTarget, "trdy", "before DEVSEL#"))
      return false;
  }
  header.wide = log_[header.claim].ack64;
  return need(command::is_read(header.command) || (header.first - header.claim) % 2 == 1,
              rules::kWaits, "trdy",
              fmt::format("{} wait states of a write", header.first - header.claim - 1)) &&
         need(!header.wide || log_[0].req64, rules::kAck64, "ack64", "without REQ64#");
}

/// Finds the last data phase, or the answer without data.
bool PcixChecker::check_data(Header& header) {
  const PcixClock& answer = log_[header.first];
  header.last = header.first;
  late_abort_ = false;
  if (!answer.devsel || !answer.trdy)
    return need(answer.trdy || answer.stop, rules::kAnswer, "trdy");
  const bool completes = header.command == command::kSplitCompletion;
  const std::uint64_t from = completes ? header.address & 0x7fU : header.address;
  const std::uint32_t total =
      command::is_dword(header.command) ? 1 : pcix_phases(from, header.count, header.wide);
  std::uint32_t told = ~0U;  // the data phase with the first STOP#
  std::uint32_t moved = 0;
  for (std::size_t clock = header.first; moved < total && clock + 1 < log_.size(); ++clock) {
    const PcixClock& now = log_[clock];
    late_abort_ = !now.devsel && now.stop && !now.trdy;
    if (late_abort_ || (!now.trdy && !now.devsel)) break;
    if (!need(now.trdy && now.devsel, rules::kWaits, "trdy",
              fmt::format("in data phase {}", moved + 1)))
      return false;
    if (told != ~0U && !need(now.stop, rules::kAnswer, "stop", "goes high in a burst"))
      return false;
    if (now.stop && told == ~0U) told = moved;
    header.last = clock;
    ++moved;
  }
  if (late_abort_ || moved >= total) return true;
  const std::uint32_t size = header.wide ? 8 : 4;
  const bool at_boundary = (from / size + moved) * size % kPcixBoundary == 0;
  const std::uint32_t stops = told == ~0U ? 0 : pcix_stop_phases(from, header.wide, told);
  // An initiator that ends by itself may have made up its mind before it saw STOP#.
  const bool own_cut = moved >= 4 && (told == ~0U || moved < told + 4);
  return need(at_boundary && (moved == stops || own_cut), rules::kBoundary,
              by_device_ ? "frame" : "trdy",
              fmt::format("{} of {} data phases have moved", moved, total));
}

void PcixChecker::check_silence(const Header& header) {
  if (by_device_) return;
  const std::size_t over = header.last + (late_abort_ ? 1 : 0);
  for (std::size_t clock = std::max(over, header.first) + 1; clock < log_.size(); ++clock)
    need(!log_[clock].answers(), rules::kNoTarget, "devsel", "after the last data phase");
  for (std::size_t clock = 0; clock < header.first; ++clock)
    need(!log_[clock].ack64 || log_[clock].devsel, rules::kAck64, "ack64", "without DEVSEL#");
}

void PcixChecker::check_end(const Header& header, std::size_t end_frame) {
  const std::size_t end =
      late_abort_ ? header.last + 3 : std::max(header.last, header.first + 1) + 1;
  need(log_.size() - 1 == end, rules::kIrdy, "irdy",
       fmt::format("goes high in clock {}, the last data phase was {}", log_.size() - 1,
                   header.last));
  if (!late_abort_) {
    need(end_frame == std::max(header.last - 1, header.first + 2), rules::kFrame, "frame",
         fmt::format("goes high in clock {}, the last data phase was {}", end_frame, header.last));
  }
  if (header.command == command::kWrite || command::is_dword(header.command)) return;
  for (std::size_t clock = header.first; clock <= header.last; ++clock)
    need((log_[clock].cbe & 0xfU) == 0xf, rules::kEnables, "cbe");
}

}  // namespace longhaul::cosim
