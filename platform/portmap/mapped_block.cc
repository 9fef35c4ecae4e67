// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <stdexcept>
#include <utility>

#include "models/common/units.h"
#include "platform/portmap/ms_text.h"

namespace longhaul::portmap {
namespace {

constexpr const char* kErrorMark = "%Error: ";
constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;
/// Clocks of the slowest clock from the end of the last reset to SystemC's zero.
constexpr std::uint32_t kClocksAfterReset = 8;

/// Ignores all traces, for an object that was compiled with tracing in a run without it.
class NoTrace final : public cosim::TraceSink {
 public:
  std::uint32_t declare(const std::string&, const std::string&, std::uint32_t) override {
    return kIgnored;
  }
  void change(std::uint32_t, std::uint64_t, std::uint64_t) override {}
  bool records(std::uint64_t) const override { return false; }
};

}  // namespace

MappedBlock::MappedBlock(const sc_core::sc_module_name& name, const BlockMap& map,
                         const cosim::RtlObject& object, const BlockParams& params)
    : sc_core::sc_module(name), map_(map), object_(object), params_(params) {}

void MappedBlock::trace(const observe::WaveScope& scope) {
  if (!object_.traced) return;
  cosim::TraceSelection selection;
  selection.top = map_.name + "." + map_.top;
  selection.levels = ~0U;
  selection.parameters = std::set<std::string>(map_.parameters.begin(), map_.parameters.end());
  trace_ = std::make_unique<cosim::WaveTrace>(scope.scope("rtl"), rtl_, std::move(selection));
}

std::uint64_t MappedBlock::hertz_of(const ClockEntry& clock) const {
  const bool follows = clock.slot || clock.name == bus_clock_;
  return follows && slot_ps_ != 0 ? kPicosecondsPerSecond / slot_ps_ : clock.hertz;
}

std::uint64_t MappedBlock::period_ps(const ClockEntry& clock) const {
  const std::uint64_t hertz = hertz_of(clock);
  return (kPicosecondsPerSecond + hertz - 1) / hertz;
}

void MappedBlock::start(std::uint64_t slot_ps, const std::string& bus_clock) {
  slot_ps_ = slot_ps;
  bus_clock_ = bus_clock;
  static NoTrace no_trace;
  cosim::TraceSink* const sink = trace_ ? static_cast<cosim::TraceSink*>(trace_.get()) : &no_trace;
  instance_.reset(object_.make(map_.name.c_str(), sink, this));
  for (std::size_t i = 0; i < instance_->port_count(); ++i) {
    const cosim::RtlPort& port = instance_->ports()[i];
    ports_.emplace(port.name, port);
  }
  rtl_.set_model(*instance_);
  for (const ConstantEntry& constant : map_.constants) pin_at(constant.pin).set(constant.value);
  for (const auto& [place, value] : params_.inputs.values()) pin_at(place).set(value);
  rtl_.set_gating(params_.gating());
  for (const ClockEntry& entry : map_.clocks) {
    cosim::ClockDomain::Gating gating{entry.gating, entry.settle, {}};
    if (entry.request) gating.request = bit_at(*entry.request);
    clocks_[entry.name] =
        &rtl_.add_clock(bit_at(entry.pin), {{hertz_of(entry)}, entry.ppm, entry.phase_ps, gating});
  }
  if (object_.covered) buses_ = std::make_unique<BusCoverage>();
  add_memories();
  board_.connect(*this);
}

void MappedBlock::add_memories() {
  for (const InterfaceEntry& interface : map_.interfaces) {
    if (interface.kind != "zbt-sram") continue;
    const cosim::ZbtSramPins pins{pin(interface, "address"), pin(interface, "read"),
                                  pin(interface, "write"), pin(interface, "write_data"),
                                  pin(interface, "read_data")};
    memories_.push_back(std::make_unique<cosim::ZbtSram>(pins, pins.address.width()));
    clock(interface.clock).watch(*memories_.back(), false);
  }
}

cosim::BitPin MappedBlock::bit_at(const PinPlace& place) const {
  auto* const byte = static_cast<std::uint8_t*>(ports_.at(place.port).storage) + place.lsb / 8;
  return {byte, static_cast<std::uint8_t>(1U << place.lsb % 8)};
}

void MappedBlock::power_up(const std::function<bool()>& ready) {
  std::uint64_t fastest_ps = kPicosecondsPerSecond;
  std::uint64_t slowest_ps = 0;
  std::map<std::string, std::uint64_t> periods;
  for (const ClockEntry& clock : map_.clocks) {
    const std::uint64_t period = periods[clock.name] = period_ps(clock);
    fastest_ps = std::min(fastest_ps, period);
    slowest_ps = std::max(slowest_ps, period);
  }
  std::uint64_t last_ps = 0;
  for (const ResetEntry& reset : map_.resets) {
    pin_at(reset.pin).set(reset.active_high ? 1 : 0);
    last_ps = std::max(last_ps, reset.clocks * periods.at(reset.clock));
  }
  rtl_.power_up(fastest_ps, [&] {
    const std::uint64_t now_ps = rtl_.zero_ps();
    for (const ResetEntry& reset : map_.resets) {
      if (now_ps >= reset.clocks * periods.at(reset.clock))
        pin_at(reset.pin).set(reset.active_high ? 0 : 1);
    }
    return now_ps >= last_ps + kClocksAfterReset * slowest_ps && (!ready || ready());
  });
  powered_ = true;
  end_if_wrong();
}

cosim::BitPin MappedBlock::first_bit(const InterfaceEntry& interface, const std::string& signal,
                                     cosim::BitPin otherwise) const {
  const auto found = interface.pins.find(signal);
  return found == interface.pins.end() ? otherwise : bit_at(found->second);
}

cosim::Pin MappedBlock::pin_at(const PinPlace& place) const {
  return {ports_.at(place.port).storage, place.lsb, place.width};
}

cosim::Pin MappedBlock::pin(const InterfaceEntry& interface, const std::string& signal,
                            cosim::Pin otherwise) {
  const auto found = interface.pins.find(signal);
  return found == interface.pins.end() ? otherwise : pin_at(found->second);
}

cosim::ResetPin MappedBlock::reset_of(const std::string& clock) {
  for (const ResetEntry& reset : map_.resets) {
    if (reset.clock == clock) return {pin_at(reset.pin), !reset.active_high};
  }
  return {};
}

std::string MappedBlock::at(std::uint64_t ps) const {
  const std::uint64_t zero = powered_ ? rtl_.zero_ps() : 0;
  return ms_text(ps - zero) + (powered_ ? "" : " after power-up");
}

std::string MappedBlock::module_of(const std::string& said) const {
  // "mynic_ring.sv:83: Assertion failed in mynic.mynic_top.u_rx_ring.HeldInRange: ..."
  const std::string top = "failed in " + map_.name + "." + map_.top + ".";
  const std::size_t begin = said.find(top);
  if (begin == std::string::npos) return {};
  const std::string path = said.substr(begin + top.size());
  const std::string place = path.substr(0, path.find(':'));
  const std::size_t dot = place.rfind('.');  // before the assertion's own name
  return dot == std::string::npos ? "" : cosim::without_brackets(place.substr(0, dot));
}

std::vector<std::string> MappedBlock::ports_around(const std::string& signal) const {
  const std::size_t dot = std::min(signal.find('.'), signal.size());
  const auto found = std::find_if(
      map_.interfaces.begin(), map_.interfaces.end(),
      [&](const InterfaceEntry& each) { return signal.compare(0, dot, each.name) == 0; });
  std::vector<std::string> ports;
  if (found == map_.interfaces.end()) return ports;
  for (const ClockEntry& clock : map_.clocks) {
    if (clock.name == found->clock || clock.name == found->tx_clock ||
        clock.name == found->rx_clock)
      ports.push_back(clock.pin.port);
  }
  const std::string pin = dot == signal.size() ? "" : signal.substr(dot + 1);
  const auto in_common = [&](const std::string& name) {
    return std::mismatch(name.begin(), name.end(), pin.begin(), pin.end()).first - name.begin();
  };
  std::vector<std::pair<std::string, std::string>> pins;
  for (const auto& [name, place] : found->pins) pins.emplace_back(name, place.port);
  std::stable_sort(pins.begin(), pins.end(), [&](const auto& a, const auto& b) {
    return in_common(a.first) > in_common(b.first);
  });
  for (const auto& [name, port] : pins) ports.push_back(port);
  return ports;
}

void MappedBlock::violated(const cosim::Rule& rule, std::uint64_t ps, const std::string& signal,
                           const std::string& detail) {
  violations.add();
  observe::Violation violation;
  violation.rule = rule.name;
  violation.signal = signal;
  violation.text = fmt::format("{} breaks the rule {} ({}): {}{}{}", signal, rule.name, rule.clause,
                               rule.text, detail.empty() ? "" : " ", detail);
  violation.ports = ports_around(signal);
  note_wrong(ps, std::move(violation));
}

void MappedBlock::failed(const char* file, int line, const char* hierarchy, const char* message) {
  failures.add();
  observe::Violation violation;
  const std::string path = file;
  violation.rule = fmt::format("{}:{}", path.substr(path.find_last_of('/') + 1), line);
  violation.assertion = true;
  // Verilator has just printed the text of $error or of an assertion, with its place and time.
  const std::string said = std::exchange(last_line_, {});
  const std::size_t begin = said.find(kErrorMark);
  if (begin != std::string::npos) {
    violation.text = said.substr(begin + std::strlen(kErrorMark));
    violation.scope = module_of(violation.text);
  } else {
    violation.text = fmt::format("{}:{}: {}{}{}", file, line, *message != '\0' ? message : "$stop",
                                 *hierarchy == '\0' ? "" : ", in ", hierarchy);
  }
  note_wrong(rtl_.edge_ps(), std::move(violation));
}

void MappedBlock::printed(const char* text) {
  for (; *text != '\0'; ++text) {
    if (*text != '\n') {
      line_ += *text;
      continue;
    }
    std::fprintf(stderr, "%s: %s\n", name(), line_.c_str());
    last_line_ = std::exchange(line_, {});
  }
}

void MappedBlock::finished(const char* file, int line) {
  std::fprintf(stderr, "%s: %s:%d: $finish, which ends no simulation with others in it\n", name(),
               file, line);
}

void MappedBlock::note_wrong(std::uint64_t ps, observe::Violation violation) {
  violation.text = fmt::format("{}: {}", at(ps), violation.text);
  violation.ps = powered_ ? ps - rtl_.zero_ps() : 0;
  std::fprintf(stderr, "%s: %s\n", name(), violation.text.c_str());
  violation.ends = params_.rules() != "count" && wrong_.empty();
  if (violation.ends) {
    wrong_ = fmt::format("{}: {}", name(), violation.text);
    if (powered_) rtl_.call_at_edge(*this);
  }
  broken.report(violation);
}

void MappedBlock::end_if_wrong() const {
  if (!wrong_.empty()) throw std::runtime_error(wrong_);
}

}  // namespace longhaul::portmap
