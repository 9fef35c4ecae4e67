// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul::nic::terminator {

/// The parts between a Terminator's core and the wire, as the core sees them.
class Line {
 public:
  virtual ~Line() = default;
  /// The core may take a frame that it refused.
  virtual void kick_rx() = 0;
  /// The answer of the core's FrameSource::ready_ps() may have become earlier.
  virtual void kick_tx() = 0;
};

}  // namespace longhaul::nic::terminator
