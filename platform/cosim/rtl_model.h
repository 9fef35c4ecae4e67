// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// A Verilated block without its type: what the scheduler needs of it.
class RtlModel {
 public:
  virtual ~RtlModel() = default;
  /// Evaluates the block with its present inputs at `ps` of its time.
  virtual void eval(std::uint64_t ps) = 0;
  /// Lets outputs settle on inputs that were set, just before an edge at `ps`: as eval(), but there
  /// is nothing to show in waveforms, which have one record of an instant.
  virtual void settle(std::uint64_t ps) { eval(ps); }
  /// Whether a fall of a clock must be evaluated at its own time (waveforms show it) and not with
  /// the next edge of any clock.
  virtual bool shows_falls() const { return false; }
};

}  // namespace longhaul::cosim
