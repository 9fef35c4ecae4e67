// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::cosim {

/// The part of a Verilated block that the scheduler uses, without its type.
class RtlModel {
 public:
  virtual ~RtlModel() = default;
  /// Evaluates the block with its present inputs at `ps` of its time.
  virtual void eval(std::uint64_t ps) = 0;
  /// Lets outputs settle after inputs were set, just before an edge at `ps`. Like eval(), but adds
  /// nothing to waves, which have one record of an instant.
  virtual void settle(std::uint64_t ps) { eval(ps); }
  /// Whether a fall of a clock must be evaluated at its own time, for waves, and not with the
  /// next edge of any clock.
  virtual bool shows_falls() const { return false; }
};

}  // namespace longhaul::cosim
