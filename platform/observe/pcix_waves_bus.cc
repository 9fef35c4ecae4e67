// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/pcix_waves_bus.h"

#include <fmt/format.h>

#include <algorithm>

namespace longhaul::observe {
namespace {

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

PcixWaves::Bus::Bus(PcixWaves& waves, pcix::PcixBus& bus, std::string scope, const std::vector<std::string>& slots)
    : waves_(waves), bus_(bus), scope_(std::move(scope)) {
  FstFile& file = waves_.file_;
  file.enter(scope_);
  clk_ = add("CLK", 1, Row::Show::kBit);
  transaction_ = add("transaction", 0, Row::Show::kText);
  phase_ = add("phase", 0, Row::Show::kText);
  frame_ = add_bit("FRAME_n");
  irdy_ = add_bit("IRDY_n");
  devsel_ = add_bit("DEVSEL_n");
  trdy_ = add_bit("TRDY_n");
  stop_ = add_bit("STOP_n");
  req64_ = add_bit("REQ64_n");
  ack64_ = add_bit("ACK64_n");
  ad_ = add("AD", 64, Row::Show::kHex);
  cbe_ = add("CBE_n", 8, Row::Show::kHex);
  par_ = add_bit("PAR");
  par64_ = add_bit("PAR64");
  masters_.push_back({"bridge", 0, 0});
  for (const std::string& slot : slots) masters_.push_back({slot, 0, 0});
  for (Master& master : masters_) {
    if (master.name.empty()) continue;
    master.req = add(("REQ_n_" + master.name).c_str(), 1, Row::Show::kBit);
    master.gnt = add(("GNT_n_" + master.name).c_str(), 1, Row::Show::kBit);
  }
  file.leave();
  bus_.listen(this);
}

FstFile::Var PcixWaves::Bus::add(const char* name, std::uint32_t width, Row::Show show) {
  rows_.push_back({width > 1 ? fmt::format("{}[{}:0]", name, width - 1) : name, show});
  if (show == Row::Show::kText) return waves_.file_.add_text(name);
  return waves_.file_.add_bits(rows_.back().name, width);
}

void PcixWaves::Bus::rest(std::uint64_t ps) {
  next_edge_ps_ = bus_.timing().edge_ps(ps);
  for (Bit* pin : {&frame_, &irdy_, &devsel_, &trdy_, &stop_, &req64_, &ack64_}) bit(*pin, ps, false);
  for (Bit* pin : {&par_, &par64_}) waves_.push({ps, 0, pin->var, Change::Kind::kUndriven, 1, 0, false, false, {}});
  waves_.push({ps, 0, ad_, Change::Kind::kHalves, 64, 0, false, false, {}});
  waves_.push({ps, 0, cbe_, Change::Kind::kUndriven, 8, 0, false, false, {}});
  text(transaction_, ps, "");
  text(phase_, ps, "idle");
  for (const Master& master : masters_) {
    if (master.name.empty()) continue;
    level(master.req, ps, false);
    level(master.gnt, ps, false);
  }
}

void PcixWaves::Bus::write_edge(FstFile& file) {
  clk_high_ = !clk_high_;
  file.at(next_edge_ps_);
  file.set(clk_, 1, clk_high_ ? 1 : 0);
  const std::uint64_t high_ps = period_ps() / 2;
  next_edge_ps_ += clk_high_ ? high_ps : period_ps() - high_ps;
}

std::uint64_t PcixWaves::Bus::horizon_ps() const {
  std::uint64_t horizon_ps = std::min(bus_.horizon_ps(), last_free_ps_);
  for (const Master& master : masters_) horizon_ps = std::min(horizon_ps, master.release_ps);
  return horizon_ps;
}

void PcixWaves::Bus::level(FstFile::Var var, std::uint64_t ps, bool asserted) {
  // Active low. What was so before the window is so at its begin.
  bits(var, 1, std::max(ps, waves_.begin_ps_), asserted ? 0 : 1);
}

void PcixWaves::Bus::bit(Bit& bit, std::uint64_t ps, bool asserted) {
  if (bit.known && bit.value == asserted) return;
  bit.known = true;
  bit.value = asserted;
  level(bit.var, ps, asserted);
}

void PcixWaves::Bus::bits(FstFile::Var var, std::uint32_t width, std::uint64_t ps, std::uint64_t value) {
  waves_.push({ps, 0, var, Change::Kind::kBits, width, value, true, true, {}});
}

void PcixWaves::Bus::text(FstFile::Var var, std::uint64_t ps, std::string words) {
  waves_.push({ps, 0, var, Change::Kind::kText, 0, 0, false, false, std::move(words)});
}

void PcixWaves::Bus::settle() {
  for (std::uint32_t i = 0; i < masters_.size(); ++i) {
    Master& master = masters_[i];
    if (master.release_ps == kNever || bus_.keeps_request(i)) continue;
    level(master.req, master.release_ps, false);
    master.release_ps = kNever;
  }
}

void PcixWaves::Bus::draw_request_and_grant(const TenureRecord& tenure) {
  const std::uint32_t index = tenure.master == TenureRecord::kBridge ? 0 : tenure.master + 1;
  const std::uint64_t period = period_ps();
  const bool registered = bus_.timing().is_pcix();
  const std::uint64_t grant_to_frame = (registered ? 2 : 1) * period;
  for (std::uint32_t i = 0; i < masters_.size(); ++i) {
    Master& master = masters_[i];
    const bool continues = i == index ? tenure.kept_request && !tenure.refused_before : bus_.keeps_request(i);
    if (master.release_ps == kNever || continues) continue;
    level(master.req, master.release_ps, false);
    master.release_ps = kNever;
  }
  Master& master = masters_[index];
  // A refused master takes REQ# back and asserts it again in time; one that the bus is parked at needs none.
  std::uint64_t requested_ps = tenure.requested_ps;
  if (tenure.refused_before) requested_ps -= 2 * grant_to_frame;
  const bool parked = granted_ == index && requested_ps + grant_to_frame > tenure.start_ps;
  if (master.release_ps == kNever && !parked) level(master.req, requested_ps, true);
  if (!parked || master.release_ps != kNever) master.release_ps = tenure.start_ps + period;
  if (granted_ == index && (parked || tenure.kept_request)) return;
  // The arbiter grants while the tenure before still runs, at the earliest a clock after its FRAME#; one that does not park
  // the bus takes GNT# back when the bus has nothing to do.
  const std::uint64_t earliest = std::max(requested_ps + grant_to_frame, last_start_ps_ + period);
  const std::uint64_t grant_ps = std::min(earliest, tenure.start_ps - std::min(tenure.start_ps, grant_to_frame));
  const bool parks = bus_.params().parks_on_last_master();
  if (granted_ != kNobody) level(masters_[granted_].gnt, parks ? grant_ps : std::min(grant_ps, last_free_ps_), false);
  level(master.gnt, grant_ps, true);
  granted_ = index;
}

void PcixWaves::Bus::on_tenure(const TenureRecord& tenure) {
  const std::uint64_t period = period_ps();
  if (waves_.in_window(tenure.start_ps)) {
    waves_.first_tenure_ps_ = std::min(waves_.first_tenure_ps_, tenure.start_ps);
    draw_request_and_grant(tenure);
    text(transaction_, tenure.start_ps, describe(tenure));
    pcix::draw(tenure, clocks_);
    Pins::Phase phase = Pins::Phase::kTurnAround;
    std::uint64_t ps = tenure.start_ps;
    for (const Pins& pins : clocks_) {
      if (pins.phase != phase || ps == tenure.start_ps) text(phase_, ps, to_text(pins.phase));
      phase = pins.phase;
      draw_clock(pins, ps);
      ps += period;
    }
    text(transaction_, ps, "");
    text(phase_, ps, "idle");
  }
  last_start_ps_ = tenure.start_ps;
  last_free_ps_ = tenure.start_ps + bus_.timing().ps(tenure.phases.clocks() + pcix::BusTiming::kTurnAround);
  waves_.flush();
}

void PcixWaves::Bus::draw_clock(const Pins& pins, std::uint64_t ps) {
  bit(frame_, ps, pins.frame);
  bit(irdy_, ps, pins.irdy);
  bit(devsel_, ps, pins.devsel);
  bit(trdy_, ps, pins.trdy);
  bit(stop_, ps, pins.stop);
  bit(req64_, ps, pins.req64);
  bit(ack64_, ps, pins.ack64);
  if (pins.ad != before_.ad || pins.ad_driven != before_.ad_driven || pins.ad_upper_driven != before_.ad_upper_driven) {
    waves_.push({ps, 0, ad_, Change::Kind::kHalves, 64, pins.ad, pins.ad_driven, pins.ad_upper_driven, {}});
  }
  if (!pins.cbe_driven) {
    if (before_.cbe_driven) waves_.push({ps, 0, cbe_, Change::Kind::kUndriven, 8, 0, false, false, {}});
  } else if (!before_.cbe_driven || before_.cbe != pins.cbe) {
    bits(cbe_, 8, ps, pins.cbe);
  }
  // PAR and PAR64 cover what was on the lines one clock before; they are driven when those were.
  const auto draw_parity = [this, ps](Bit& line, bool driven, bool value) {
    if (driven) {
      if (!line.known || line.value != value) bits(line.var, 1, ps, value ? 1 : 0);
    } else if (line.known) {
      waves_.push({ps, 0, line.var, Change::Kind::kUndriven, 1, 0, false, false, {}});
    }
    line.known = driven;
    line.value = value;
  };
  draw_parity(par_, before_.ad_driven, parity(static_cast<std::uint32_t>(before_.ad), before_.cbe & 0xfU));
  draw_parity(par64_, before_.ad_upper_driven, parity(static_cast<std::uint32_t>(before_.ad >> 32), before_.cbe >> 4U));
  before_ = pins;
}

std::string PcixWaves::Bus::who(std::uint32_t agent) const {
  return masters_.at(agent == TenureRecord::kBridge ? 0 : agent + 1).name;
}

std::string PcixWaves::Bus::describe(const TenureRecord& tenure) const {
  const std::string count =
      tenure.bytes > 0 ? fmt::format("{} B", tenure.bytes) : fmt::format("of {} B", tenure.byte_count);
  const std::string target = tenure.ending == Ending::kMasterAbort ? "nobody" : who(tenure.target);
  return fmt::format("{} to {}: {} {:x} {}{}", who(tenure.master), target, tenure.label, tenure.address, count,
                     ending_text(tenure.ending));
}

}  // namespace longhaul::observe
