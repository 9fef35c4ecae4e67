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
  /// The light goes: the frame under way ends in an error, those that wait are lost.
  virtual void cut() = 0;
};

}  // namespace longhaul::cosim
