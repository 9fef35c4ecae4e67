// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/net/frame/frame.h"

namespace longhaul::cosim {

/// Plays frames into a block's receiver; called in SystemC's time.
class WirePlayer {
 public:
  virtual ~WirePlayer() = default;
  /// A frame's first preamble bit arrives now.
  virtual void begin(const FrameRef& frame) = 0;
  /// The carrier is lost: the present frame ends in an error, and waiting frames are lost. Before
  /// the simulation: there is none at its begin.
  virtual void cut() = 0;
  /// The carrier is back.
  virtual void mend() {}
};

}  // namespace longhaul::cosim
