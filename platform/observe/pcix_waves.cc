// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/pcix_waves.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/observe/output_file.h"
#include "platform/observe/pcix_waves_bus.h"

namespace longhaul::observe {
namespace {

/// Clocks by which REQ#, GNT# or the end of a kept REQ# may lie before what a bus calls its horizon.
constexpr std::uint64_t kMarginClocks = 8;

}  // namespace

PcixWaves::PcixWaves(const std::string& path, std::string layout_path, const sc_core::sc_time& length)
    : file_(path), path_(path), layout_path_(std::move(layout_path)), length_ps_(to_ps(length)) {}

PcixWaves::~PcixWaves() = default;

void PcixWaves::watch(pcix::PcixBus& bus, const std::string& scope, const std::vector<std::string>& slots) {
  buses_.push_back(std::make_unique<Bus>(*this, bus, scope, slots));
}

void PcixWaves::begin(const sc_core::sc_time& delay) {
  if (begin_ps_ != ~0ULL) return;
  begin_ps_ = now_ps() + to_ps(delay);
  end_ps_ = begin_ps_ + length_ps_;
  for (const auto& bus : buses_) bus->rest(begin_ps_);
}

void PcixWaves::push(Change change) {
  if (!in_window(change.ps)) return;
  change.number = number_++;
  changes_.push(std::move(change));
}

void PcixWaves::flush() {
  if (begin_ps_ == ~0ULL || closed_) return;
  std::uint64_t limit_ps = end_ps_;
  for (const auto& bus : buses_) {
    bus->settle();
    const std::uint64_t horizon_ps = bus->horizon_ps();
    limit_ps = std::min(limit_ps, horizon_ps - std::min(horizon_ps, kMarginClocks * bus->period_ps()));
  }
  flush_until(limit_ps);
  if (now_ps() < end_ps_) return;
  // The window is over: nothing more is worth the listening.
  for (const auto& bus : buses_) bus->stop();
  flush_until(end_ps_);
}

void PcixWaves::flush_until(std::uint64_t limit_ps) {
  while (!changes_.empty() && changes_.top().ps < limit_ps) {
    clocks_until(changes_.top().ps);
    write(changes_.top());
    changes_.pop();
  }
  clocks_until(limit_ps - std::min<std::uint64_t>(limit_ps, 1));
}

void PcixWaves::clocks_until(std::uint64_t limit_ps) {
  for (;;) {
    const auto next = std::min_element(buses_.begin(), buses_.end(), [](const auto& a, const auto& b) {
      return a->next_edge_ps() < b->next_edge_ps();
    });
    if (next == buses_.end() || (*next)->next_edge_ps() > limit_ps) return;
    (*next)->write_edge(file_);
  }
}

void PcixWaves::write(const Change& change) {
  file_.at(change.ps);
  switch (change.kind) {
    case Change::Kind::kBits: file_.set(change.var, change.width, change.value); break;
    case Change::Kind::kHalves:
      file_.set_halves(change.var, change.value, change.driven_low, change.driven_high);
      break;
    case Change::Kind::kUndriven: file_.set_undriven(change.var, change.width); break;
    case Change::Kind::kText: file_.set_text(change.var, change.text); break;
  }
}

void PcixWaves::close() {
  if (closed_) return;
  if (begin_ps_ != ~0ULL) {
    for (const auto& bus : buses_) {
      bus->stop();
      bus->settle();
    }
    flush_until(std::min(end_ps_, now_ps()));
  }
  closed_ = true;
  file_.close();

  // GTKWave's layout: a header, then rows, each behind its display flags.
  constexpr unsigned kHex = 0x22;    // right-justified, hexadecimal
  constexpr unsigned kBit = 0x28;    // right-justified, binary
  constexpr unsigned kText = 0x820;  // right-justified, ASCII
  constexpr unsigned kComment = 0x200;
  // The first transaction with some clocks before it, some 20 pixels a clock at 133 MHz.
  constexpr std::uint64_t kBeforePs = 100'000;
  constexpr double kZoom = 16;
  const std::uint64_t first_ps = first_tenure_ps_ == ~0ULL ? 0 : first_tenure_ps_;
  const std::uint64_t shown_ps = first_ps - std::min(first_ps, kBeforePs);
  std::string layout = fmt::format("[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 900\n*{:.6f} {}\n",
                                   path_.substr(path_.find_last_of('/') + 1), shown_ps, -kZoom, first_ps);
  for (const auto& bus : buses_) {
    layout += fmt::format("@{:x}\n-{}\n", kComment, bus->scope());
    for (const Bus::Row& row : bus->rows()) {
      const unsigned flags = row.show == Bus::Row::Show::kHex ? kHex : row.show == Bus::Row::Show::kBit ? kBit : kText;
      layout += fmt::format("@{:x}\n{}.{}\n", flags, bus->scope(), row.name);
    }
  }
  OutputFile file(layout_path_);
  file.write(layout.data(), layout.size());
  file.close();
}

}  // namespace longhaul::observe
