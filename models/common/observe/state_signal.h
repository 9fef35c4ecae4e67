// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/common/observe/probe.h"

namespace longhaul::observe {

/// A state with a name, for waves. A change costs a comparison and one branch while no sink
/// listens.
class StateSignal final : public Probe {
 public:
  StateSignal(const char* name, const char* description, std::vector<std::string> states)
      : Probe(name, "1", description), states_(std::move(states)) {}
  const std::vector<std::string>& states() const { return states_; }
  /// Bits that number all states.
  std::uint32_t width() const {
    std::uint32_t bits = 1;
    while (states_.size() > std::size_t{1} << bits) ++bits;
    return bits;
  }
  std::uint64_t value() const { return value_; }
  void set(std::uint64_t value) {
    if (value == value_) return;
    value_ = value;
    if (listeners_.any())
      listeners_.tell([&](ValueListener& listener) { listener.on_value(*this, value); });
  }
  void listen(ValueListener* listener) { listeners_.add(listener); }
  void ignore(ValueListener* listener) { listeners_.remove(listener); }

 private:
  const std::vector<std::string> states_;
  std::uint64_t value_ = 0;
  Listeners<ValueListener> listeners_;
};

}  // namespace longhaul::observe
