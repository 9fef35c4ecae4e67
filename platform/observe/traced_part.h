// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/observe/wave_scope.h"

namespace longhaul::observe {

/// A part that adds signals of its own to the waveforms of a run: what is more than a probe, such
/// as the inside of an RTL block.
class TracedPart {
 public:
  virtual ~TracedPart() = default;
  /// Adds them in `scope`. Called once, before the simulation starts, when `--waves rtl` asks for
  /// it.
  virtual void trace(const WaveScope& scope) = 0;
};

}  // namespace longhaul::observe
