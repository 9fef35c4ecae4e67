// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/cosim/pin.h"
#include "platform/cosim/watcher.h"

namespace longhaul::cosim {

/// A rule of a bus's standard. There is one object of static storage for each rule.
struct Rule {
  const char* name;    ///< "axi.valid_stable"
  const char* clause;  ///< in the standard: "AMBA AXI (IHI 0022E) A3.2.1"
  const char* text;    ///< one sentence
};

/// Receives violations of rules.
class CheckerSink {
 public:
  virtual ~CheckerSink() = default;
  /// `signal` broke `rule` at the edge at `ps`, in the block's time (later than SystemC's time by
  /// RtlBlock::zero_ps()). The block may be ahead of SystemC, so change only the sink's own state.
  virtual void violated(const Rule& rule, std::uint64_t ps, const std::string& signal,
                        const std::string& detail) = 0;
};

/// A rule that is not checked because a pin is not connected.
struct Unchecked {
  const Rule* rule;
  std::string pin;
};
using UncheckedRules = std::vector<Unchecked>;

/// A reset input of the block.
struct ResetPin {
  Pin pin;
  bool active_low = true;

  /// Whether it is active; never if it is not connected.
  bool active() const { return pin && pin.high() != active_low; }
  /// Makes a reset end the watcher's sleep.
  void wakes(Watcher& watcher) const { watcher.wake_by(pin, active_low ? 1 : 0); }
};

}  // namespace longhaul::cosim
