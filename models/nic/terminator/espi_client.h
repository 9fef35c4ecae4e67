// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/net/frame/frame.h"

namespace longhaul::nic::terminator {

/// The Terminator's side of ESPI.
class EspiClient {
 public:
  virtual ~EspiClient() = default;
  /// A received frame is complete in ESPI's receive FIFO. `began` is the time at which its first
  /// bit was on the fibre. Returns whether it was taken; otherwise it stays, and is offered again
  /// after Line::kick_rx().
  virtual bool take_received(const FrameRef& frame, const sc_core::sc_time& began) = 0;
  /// The first bit of a sent frame is on the fibre now.
  virtual void frame_sent(const FrameRef& frame) {}
  /// link_up() has changed.
  virtual void link_changed(bool up) {}
};

}  // namespace longhaul::nic::terminator
