// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/wave_scope.h"

#include <fmt/format.h>

#include "models/common/units.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

using Kind = WaveChange::Kind;

void Wave::set(std::uint64_t value) const { set_at(now_ps(), value); }

void Wave::set_at(std::uint64_t ps, std::uint64_t value) const {
  file_->push({ps, var_, Kind::kBits, value, true, true, {}});
}

void Wave::text_at(std::uint64_t ps, std::string text) const {
  file_->push({ps, var_, Kind::kText, 0, true, true, std::move(text)});
}

void Wave::pulse_at(std::uint64_t ps) const {
  file_->push({ps, var_, Kind::kEvent, 0, true, true, {}});
}

void Wave::halves_at(std::uint64_t ps, std::uint64_t value, bool driven_low,
                     bool driven_high) const {
  file_->push({ps, var_, Kind::kHalves, value, driven_low, driven_high, {}});
}

void Wave::undriven_at(std::uint64_t ps) const {
  file_->push({ps, var_, Kind::kUndriven, 0, false, false, {}});
}

WaveScope WaveScope::scope(const std::string& name) const {
  return {*file_, path_.empty() ? name : path_ + "." + name, rank_, group_};
}

std::uint32_t WaveScope::declare(const std::string& name, std::uint32_t width, WaveShow show,
                                 WaveStates states, std::uint64_t period_ps) const {
  return file_->declare({path_, name, group_.empty() ? path_ : group_,
                         label_.empty() ? "" : label_ + name, width, show, rank_, std::move(states),
                         period_ps, 0});
}

Wave WaveScope::add_bits(const std::string& name, std::uint32_t width, WaveShow show) const {
  const std::string full = width > 1 ? fmt::format("{}[{}:0]", name, width - 1) : name;
  return {*file_, declare(full, width, show, {}, 0)};
}

Wave WaveScope::add_text(const std::string& name) const {
  return {*file_, declare(name, 0, WaveShow::kText, {}, 0)};
}

Wave WaveScope::add_event(const std::string& name) const {
  return {*file_, declare(name, 1, WaveShow::kEvent, {}, 0)};
}

Wave WaveScope::add_states(const std::string& name, std::uint32_t width, WaveStates names) const {
  const std::string full = width > 1 ? fmt::format("{}[{}:0]", name, width - 1) : name;
  return {*file_, declare(full, width, WaveShow::kStates, std::move(names), 0)};
}

void WaveScope::add_clock(const std::string& name, std::uint64_t period_ps) const {
  declare(name, 1, WaveShow::kBit, {}, period_ps);
}

}  // namespace longhaul::observe
