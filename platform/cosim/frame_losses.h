// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "models/net/frame/frame.h"

namespace longhaul::cosim {

/// Finds the frames that a block of RTL does not pass on. RTL has no frames, but a block that keeps
/// the order of each port shows losses by the frames that leave. When a frame leaves, earlier
/// frames of its port that have not left are lost.
///
/// A frame is recognized by its length and its FCS, which damage does not change. A frame into
/// which the block has written is recognized by its length and its order. So a loss is found when
/// the next frame of its port leaves, and losses after the last frame are not found. Memory is
/// bounded: it keeps the first kMostInside frames of a port, and does not find losses of further
/// frames.
class FrameLosses {
 public:
  static constexpr std::size_t kMostInside = std::size_t{1} << 15;

  /// `lost` is called with the input port of each lost frame, in order.
  FrameLosses(std::size_t ports, std::function<void(std::size_t port, const FrameRef& frame)> lost);

  /// A frame begins to arrive at a port.
  void arrives(std::size_t port, const FrameRef& frame);
  /// A frame has left by some port. A frame that was not seen to arrive is ignored.
  void leaves(const Frame& frame);
  /// Frames that have arrived and neither left nor been found lost.
  std::size_t inside(std::size_t port) const { return ports_.at(port).waiting.size(); }

 private:
  struct Port {
    std::deque<FrameRef> waiting;
    FrameRef last;  // the last that left: a frame for several ports leaves several times
  };
  void pass(std::size_t port, std::size_t turn);

  std::vector<Port> ports_;
  const std::function<void(std::size_t, const FrameRef&)> lost_;
};

}  // namespace longhaul::cosim
