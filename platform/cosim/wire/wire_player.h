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
  /// The light is lost: the present frame ends in an error, and waiting frames are lost.
  virtual void cut() = 0;
};

}  // namespace longhaul::cosim
