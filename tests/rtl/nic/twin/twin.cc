// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/nic/twin/twin.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/nic/ixgb/regs.h"
#include "tests/rtl/nic/twin/compare.h"
#include "tests/rtl/nic/twin/phase_log.h"
#include "tests/unit/times.h"

namespace longhaul::nic_twin {
namespace {

namespace regs = nic::ixgb::regs;

constexpr std::uint64_t kLead = 10 * kUs;          // from a decision to the phase's begin
constexpr std::uint64_t kReset = 140 * kUs;        // lanes 10 us, EEPROM 97 us
constexpr std::uint64_t kMostRest = 20'000 * kUs;  // a phase that takes longer does not end
constexpr std::uint64_t kAnswer = 2 * kUs;         // of the interrupt handler

void wait_until(std::uint64_t at_ps) {
  if (now_ps() < at_ps) sc_core::wait(from_ps(at_ps - now_ps()));
}

}  // namespace

Twin::Twin(const sc_core::sc_module_name& name, Machine& tlm, Machine& rtl, Source source,
           std::uint32_t phases)
    : sc_module(name), machines_{&tlm, &rtl}, source_(std::move(source)), phases_(phases) {
  SC_HAS_PROCESS(Twin);
  SC_THREAD(tlm_thread);
  SC_THREAD(rtl_thread);
}

/// Waits for the other machine; the later one calls `last`.
void Twin::meet(const std::function<void()>& last) {
  if (++waiting_ < 2) return wait(met_);
  waiting_ = 0;
  last();
  met_.notify();
}

void Twin::work(std::size_t side) {
  wait_until(200 * kUs);  // links are up, addresses read
  for (;;) {
    meet([this] { next_phase(); });
    if (over_) break;
    run_phase(side);
    meet([] {});
    probe(side);
  }
  if (side == 0) sc_core::sc_stop();
}

void Twin::next_phase() {
  if (compared_ != 0 || !seen_[0].readings.empty()) {
    difference_ =
        first_difference(phase_, *machines_[0], *machines_[1], seen_[0], seen_[1], before_);
    if (log_ != nullptr) {
      log_phase(log_, phase_, machines_[0]->nic->function()->bank());
      log_seen(log_, "TLM", *machines_[0], seen_[0]);
      log_seen(log_, "RTL", *machines_[1], seen_[1]);
    }
    if (phase_.cut) machines_[1]->memory.bytes = machines_[0]->memory.bytes;
    ++compared_;
  }
  over_ = !difference_.empty() || compared_ == phases_;
  std::uint32_t head = 0;
  for (const Reading& each : seen_[0].readings)
    if (each.offset == regs::kRdh) head = each.value;
  if (over_) return;
  phase_ = source_(head);
  before_ = machines_[0]->memory.bytes;
  start_ps_ = now_ps() + kLead;
}

void Twin::do_access(std::size_t side, const Access& access) {
  Machine& machine = *machines_[side];
  if (access.is_read) {
    const std::uint32_t value = machine.read(access.offset, access.bytes);
    seen_[side].readings.push_back({now_ps(), access.offset, value});
  } else {
    machine.write(access.offset, access.value, access.bytes);
  }
  if (access.settle_ps != 0) wait(from_ps(access.settle_ps));
}

void Twin::run_phase(std::size_t side) {
  Machine& machine = *machines_[side];
  Seen& seen = seen_[side];
  wait_until(start_ps_);
  seen = {};
  seen.arrivals = machine.far.arrivals.size();
  seen.edges = machine.edges.size();
  seen.writes = machine.memory.writes.size();
  seen.ends = machine.far.ends.size();
  machine.memory.pace = phase_.pace;
  for (const Store& each : phase_.stores)
    std::copy(each.bytes.begin(), each.bytes.end(),
              machine.memory.bytes.begin() + static_cast<std::ptrdiff_t>(each.address));
  if (phase_.reset) {
    machine.write(regs::kCtrl0, regs::kCtrl0Fields.rst);
    wait(from_ps(kReset));
  }
  for (const Access& each : phase_.setup) do_access(side, each);
  seen.begin_ps = start_ps_ + phase_.setup_ps;
  if (now_ps() > seen.begin_ps) throw std::runtime_error("a phase's setup takes too long");
  wait_until(seen.begin_ps);
  std::vector<LineFrame> frames = phase_.frames;
  for (LineFrame& frame : frames) frame.from_ps += seen.begin_ps;
  machine.far.send(frames);
  if (phase_.dark) machine.link.set_up(false);
  for (const Access& each : phase_.actions) {
    wait_until(seen.begin_ps + each.at_ps);
    do_access(side, each);
  }
  if (phase_.dark) {
    wait_until(seen.begin_ps + kDarkPs);
    machine.link.set_up(true);
  }
  wait_for_rest(side);
  for (const Access& each : phase_.closing) do_access(side, each);
  if (!phase_.closing.empty()) wait_for_rest(side);
}

void Twin::wait_for_rest(std::size_t side) {
  Machine& machine = *machines_[side];
  const std::uint64_t begin_ps = now_ps();
  std::size_t answered = machine.edges.size();
  for (;;) {
    const std::uint64_t rest_ps = std::max(begin_ps, machine.last_ps()) + phase_.rest_ps;
    if (machine.far.idle() && now_ps() >= rest_ps) return;
    if (now_ps() > begin_ps + kMostRest)
      throw std::runtime_error(
          fmt::format("{}: no rest in phase {} ({})", machine.name(), compared_ + 1, phase_.name));
    const std::uint64_t until_ps = std::max(rest_ps, now_ps() + kUs);
    wait(from_ps(until_ps - now_ps()), machine.interrupted);
    if (!phase_.handler || machine.edges.size() == answered) continue;
    wait(from_ps(kAnswer));
    seen_[side].causes |= machine.read(regs::kIcr);
    answered = machine.edges.size();
  }
}

/// Reads all registers, ICR first.
void Twin::probe(std::size_t side) {
  Machine& machine = *machines_[side];
  seen_[side].causes |= machine.read(regs::kIcr);
  for (const Reg32* reg : machines_[0]->nic->function()->bank().registers())
    do_access(side, {true, reg->offset(), 0, 4, 0, 0});
}

}  // namespace longhaul::nic_twin
