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
  /// Whether a fall of a clock must be evaluated at its own time (waveforms show it) and not with
  /// the next edge of any clock.
  virtual bool shows_falls() const { return false; }
};

}  // namespace longhaul::cosim
