// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/observe/wave_scope.h"

namespace longhaul::observe {

/// A part that adds its own signals to the waves of a run beside its probes, such as those
/// inside an RTL block.
class TracedPart {
 public:
  virtual ~TracedPart() = default;
  /// Adds the signals in `scope`. Called once, before the simulation starts, if `--waves rtl` was
  /// given.
  virtual void trace(const WaveScope& scope) = 0;
};

}  // namespace longhaul::observe
