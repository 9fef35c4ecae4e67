// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/pcix_waves.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/units.h"

namespace longhaul::observe {
namespace {

/// Clocks by which REQ#, GNT# or the end of a kept REQ# may be earlier than the bus's horizon.
constexpr std::uint64_t kMarginClocks = 8;
/// If only buses are traced, a viewer shows the first tenure and this many clocks.
constexpr std::uint64_t kShownClocks = 60;

using pcix::Ending;
using pcix::Pins;
using pcix::TenureRecord;

/// Even parity: PAR makes the number of ones even.
bool parity(std::uint32_t lines, std::uint32_t enables) {
  return (__builtin_popcount(lines) + __builtin_popcount(enables)) % 2 != 0;
}

const char* ending_text(Ending ending) {
  switch (ending) {
    case Ending::kComplete: return "";
    case Ending::kDisconnect: return ", disconnected";
    case Ending::kSplit: return ", split response";
    case Ending::kRetry:
    case Ending::kMasterAbort:
    case Ending::kTargetAbort: return "";
  }
  return "";
}

}  // namespace

PcixWaves::PcixWaves(const WaveScope& scope, pcix::PcixBus& bus,
                     const std::vector<std::string>& slots)
    : file_(scope.file()), bus_(bus) {
  scope.add_clock("CLK", period_ps());
  transaction_ = scope.add_text("transaction");
  phase_ = scope.add_text("phase");
  frame_.wave = scope.add_bit("FRAME_n");
  irdy_.wave = scope.add_bit("IRDY_n");
  devsel_.wave = scope.add_bit("DEVSEL_n");
  trdy_.wave = scope.add_bit("TRDY_n");
  stop_.wave = scope.add_bit("STOP_n");
  req64_.wave = scope.add_bit("REQ64_n");
  ack64_.wave = scope.add_bit("ACK64_n");
  ad_ = scope.add_bits("AD", 64);
  cbe_ = scope.add_bits("CBE_n", 8);
  par_.wave = scope.add_bit("PAR");
  par64_.wave = scope.add_bit("PAR64");
  masters_.push_back({"bridge", {}, {}});
  for (const std::string& slot : slots) masters_.push_back({slot, {}, {}});
  for (Master& master : masters_) {
    if (master.name.empty()) continue;
    master.req = scope.add_bit("REQ_n_" + master.name);
    master.gnt = scope.add_bit("GNT_n_" + master.name);
  }
  file_.add_source(*this);
  bus_.listen(this);
}

void PcixWaves::waves_begin() {
  const std::uint64_t ps = file_.begin_ps();
  for (Bit* pin : {&frame_, &irdy_, &devsel_, &trdy_, &stop_, &req64_, &ack64_})
    bit(*pin, ps, false);
  for (Bit* pin : {&par_, &par64_}) pin->wave.undriven_at(ps);
  ad_.halves_at(ps, 0, false, false);
  cbe_.undriven_at(ps);
  transaction_.text_at(ps, "");
  phase_.text_at(ps, "idle");
  for (const Master& master : masters_) {
    if (master.name.empty()) continue;
    level(master.req, ps, false);
    level(master.gnt, ps, false);
  }
}

void PcixWaves::waves_end() {
  bus_.ignore(this);
  settle();
}

std::uint64_t PcixWaves::waves_horizon_ps() {
  settle();
  std::uint64_t horizon_ps = std::min(bus_.horizon_ps(), last_free_ps_);
  for (const Master& master : masters_) horizon_ps = std::min(horizon_ps, master.release_ps);
  if (now_ps() - horizon_ps > WaveFile::kLatenessPs) {
    // After a long idle time no master waits for the bus. An arbiter that does not park it has
    // removed GNT#.
    if (granted_ != kNobody && !bus_.params().parks_on_last_master()) {
      level(masters_[granted_].gnt, last_free_ps_, false);
      granted_ = kNobody;
    }
    return now_ps() - WaveFile::kLatenessPs;
  }
  return horizon_ps - std::min(horizon_ps, kMarginClocks * period_ps());
}

void PcixWaves::level(const Wave& wave, std::uint64_t ps, bool asserted) {
  // Active low. A change before the window is shown at the window's begin.
  wave.set_at(std::max(ps, file_.begin_ps()), asserted ? 0 : 1);
}

void PcixWaves::bit(Bit& bit, std::uint64_t ps, bool asserted) {
  if (bit.known && bit.value == asserted) return;
  bit.known = true;
  bit.value = asserted;
  level(bit.wave, ps, asserted);
}

void PcixWaves::settle() {
  for (std::uint32_t i = 0; i < masters_.size(); ++i) {
    Master& master = masters_[i];
    if (master.release_ps == kNever || bus_.keeps_request(i)) continue;
    level(master.req, master.release_ps, false);
    master.release_ps = kNever;
  }
}

void PcixWaves::trace_request_and_grant(const TenureRecord& tenure) {
  const std::uint32_t index = tenure.master == TenureRecord::kBridge ? 0 : tenure.master + 1;
  const std::uint64_t period = period_ps();
  const bool registered = bus_.timing().is_pcix();
  const std::uint64_t grant_to_frame = (registered ? 2 : 1) * period;
  for (std::uint32_t i = 0; i < masters_.size(); ++i) {
    Master& master = masters_[i];
    const bool continues =
        i == index ? tenure.kept_request && !tenure.refused_before : bus_.keeps_request(i);
    if (master.release_ps == kNever || continues) continue;
    level(master.req, master.release_ps, false);
    master.release_ps = kNever;
  }
  Master& master = masters_[index];
  // A refused master deasserts REQ# and asserts it again in time. The master on which the bus is
  // parked needs no REQ#.
  std::uint64_t requested_ps = tenure.requested_ps;
  if (tenure.refused_before) requested_ps -= 2 * grant_to_frame;
  const bool parked = granted_ == index && requested_ps + grant_to_frame > tenure.start_ps;
  if (master.release_ps == kNever && !parked) level(master.req, requested_ps, true);
  if (!parked || master.release_ps != kNever) master.release_ps = tenure.start_ps + period;
  if (granted_ == index && (parked || tenure.kept_request)) return;
  // The arbiter grants during the previous tenure, at the earliest one clock after its FRAME#. An
  // arbiter that does not park the bus removes GNT# when the bus is idle.
  const std::uint64_t earliest = std::max(requested_ps + grant_to_frame, last_start_ps_ + period);
  const std::uint64_t grant_ps =
      std::min(earliest, tenure.start_ps - std::min(tenure.start_ps, grant_to_frame));
  const bool parks = bus_.params().parks_on_last_master();
  if (granted_ != kNobody)
    level(masters_[granted_].gnt, parks ? grant_ps : std::min(grant_ps, last_free_ps_), false);
  level(master.gnt, grant_ps, true);
  granted_ = index;
}

void PcixWaves::on_tenure(const TenureRecord& tenure) {
  const std::uint64_t period = period_ps();
  if (file_.traces(tenure.start_ps)) {
    file_.look_at(tenure.start_ps, kShownClocks * period_ps());
    trace_request_and_grant(tenure);
    transaction_.text_at(tenure.start_ps, describe(tenure));
    pcix::trace(tenure, clocks_);
    Pins::Phase phase = Pins::Phase::kTurnAround;
    std::uint64_t ps = tenure.start_ps;
    for (const Pins& pins : clocks_) {
      if (pins.phase != phase || ps == tenure.start_ps) phase_.text_at(ps, to_text(pins.phase));
      phase = pins.phase;
      trace_clock(pins, ps);
      ps += period;
    }
    transaction_.text_at(ps, "");
    phase_.text_at(ps, "idle");
  }
  last_start_ps_ = tenure.start_ps;
  last_free_ps_ =
      tenure.start_ps + bus_.timing().ps(tenure.phases.clocks() + pcix::BusTiming::kTurnAround);
  file_.flush();
}

void PcixWaves::trace_clock(const Pins& pins, std::uint64_t ps) {
  bit(frame_, ps, pins.frame);
  bit(irdy_, ps, pins.irdy);
  bit(devsel_, ps, pins.devsel);
  bit(trdy_, ps, pins.trdy);
  bit(stop_, ps, pins.stop);
  bit(req64_, ps, pins.req64);
  bit(ack64_, ps, pins.ack64);
  if (pins.ad != before_.ad || pins.ad_driven != before_.ad_driven ||
      pins.ad_upper_driven != before_.ad_upper_driven) {
    ad_.halves_at(ps, pins.ad, pins.ad_driven, pins.ad_upper_driven);
  }
  if (!pins.cbe_driven) {
    if (before_.cbe_driven) cbe_.undriven_at(ps);
  } else if (!before_.cbe_driven || before_.cbe != pins.cbe) {
    cbe_.set_at(ps, pins.cbe);
  }
  // PAR and PAR64 cover the lines of one clock before. They are driven if those lines were driven.
  const auto trace_parity = [this, ps](Bit& line, bool driven, bool value) {
    if (driven) {
      if (!line.known || line.value != value) line.wave.set_at(ps, value ? 1 : 0);
    } else if (line.known) {
      line.wave.undriven_at(ps);
    }
    line.known = driven;
    line.value = value;
  };
  trace_parity(par_, before_.ad_driven,
               parity(static_cast<std::uint32_t>(before_.ad), before_.cbe & 0xfU));
  trace_parity(par64_, before_.ad_upper_driven,
               parity(static_cast<std::uint32_t>(before_.ad >> 32), before_.cbe >> 4U));
  before_ = pins;
}

std::string PcixWaves::who(std::uint32_t agent) const {
  return masters_.at(agent == TenureRecord::kBridge ? 0 : agent + 1).name;
}

std::string PcixWaves::describe(const TenureRecord& tenure) const {
  const std::string count = tenure.bytes > 0 ? fmt::format("{} B", tenure.bytes)
                                             : fmt::format("of {} B", tenure.byte_count);
  const std::string target = tenure.ending == Ending::kMasterAbort ? "nobody" : who(tenure.target);
  return fmt::format("{} to {}: {} {:x} {}{}", who(tenure.master), target, tenure.label,
                     tenure.address, count, ending_text(tenure.ending));
}

}  // namespace longhaul::observe
