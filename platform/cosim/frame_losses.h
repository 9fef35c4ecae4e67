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
/// the order of each port tells by what leaves: when a frame leaves, those that came in before it
/// at the same port and have not left are lost.
///
/// A frame is known again by its length and its FCS, which damage leaves as it was; one that the
/// block has written into, by its length and its turn. So a loss is found when the next frame of
/// its port leaves, and those behind the last frame are not found. Bounded: it holds the
/// kMostInside frames of a port that came in first; the losses of what comes in beside them are not
/// found.
class FrameLosses {
 public:
  static constexpr std::size_t kMostInside = std::size_t{1} << 15;

  /// `lost` is called with the port at which a frame came in, in order.
  FrameLosses(std::size_t ports, std::function<void(std::size_t port, const FrameRef& frame)> lost);

  /// A frame begins to arrive at a port.
  void arrives(std::size_t port, const FrameRef& frame);
  /// A frame has left, by whatever port. One that nobody saw arrive is passed over.
  void leaves(const Frame& frame);
  /// Frames that have arrived and neither left nor been found lost.
  std::size_t inside(std::size_t port) const { return ports_.at(port).waiting.size(); }

 private:
  struct Port {
    std::deque<FrameRef> waiting;
    FrameRef last;  // that left: a frame for several ports leaves as often
  };
  void pass(std::size_t port, std::size_t turn);

  std::vector<Port> ports_;
  const std::function<void(std::size_t, const FrameRef&)> lost_;
};

}  // namespace longhaul::cosim
