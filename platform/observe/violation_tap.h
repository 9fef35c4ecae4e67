// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/observe/probe.h"

namespace longhaul::observe {

/// A rule of an interface that a block of RTL broke, or an assertion of its own that failed.
struct Violation {
  std::string rule;    ///< "axi.write_last"; for an assertion its file and line, "ring.sv:88"
  std::string signal;  ///< "host_memory.wlast"; empty for an assertion
  std::string text;    ///< the whole message, with its time
  /// Simulated time. It may be ahead of SystemC's time, as a block may have run ahead. It is 0
  /// before SystemC's zero, while the block powers up.
  std::uint64_t ps = 0;
  bool assertion = false;
  bool ends = false;  ///< it ends the run, instead of being counted
  /// Ports of the block's top level that explain it, the nearest first.
  std::vector<std::string> ports;
  std::string scope;  ///< of an assertion: its module below the top level, "u_rx_ring"
};

class ViolationTap;

/// Receives violations from a ViolationTap.
class ViolationListener {
 public:
  virtual ~ViolationListener() = default;
  virtual void on_violation(const ViolationTap& tap, const Violation& violation) = 0;
};

/// The probe by which a block of RTL reports broken rules and failed assertions.
class ViolationTap final : public Probe {
 public:
  ViolationTap(const char* name, const char* description) : Probe(name, "1", description) {}
  /// The part that contains the RTL: "own.eth0".
  std::string part() const {
    const sc_core::sc_object* const block = get_parent_object();
    const sc_core::sc_object* const owner = block == nullptr ? nullptr : block->get_parent_object();
    return owner != nullptr ? owner->name() : block != nullptr ? block->name() : name();
  }
  void listen(ViolationListener* listener) { listeners_.add(listener); }
  void ignore(ViolationListener* listener) { listeners_.remove(listener); }
  void report(const Violation& violation) {
    listeners_.tell([&](ViolationListener& told) { told.on_violation(*this, violation); });
  }

 private:
  Listeners<ViolationListener> listeners_;
};

}  // namespace longhaul::observe
