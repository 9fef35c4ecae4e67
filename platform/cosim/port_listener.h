// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/net/frame/frame.h"

namespace longhaul::cosim {

/// Receives the frames at a port of a block, at the instant of a frame's last bit, and changes of
/// the carrier.
class PortListener {
 public:
  virtual ~PortListener() = default;
  virtual void frame_arrived(const FrameRef& frame) = 0;
  virtual void frame_left(const FrameRef& frame) = 0;
  /// The carrier came or went (EthReceiver::carrier_changed).
  virtual void carrier_changed(bool /*up*/) {}
};

}  // namespace longhaul::cosim
