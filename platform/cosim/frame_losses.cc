// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/frame_losses.h"

#include <utility>

namespace longhaul::cosim {
namespace {

bool same(const Frame& a, const Frame& b) { return a.octets() == b.octets() && a.fcs() == b.fcs(); }

}  // namespace

FrameLosses::FrameLosses(std::size_t ports,
                         std::function<void(std::size_t port, const FrameRef& frame)> lost)
    : ports_(ports), lost_(std::move(lost)) {}

void FrameLosses::arrives(std::size_t port, const FrameRef& frame) {
  std::deque<FrameRef>& waiting = ports_.at(port).waiting;
  if (waiting.size() < kMostInside) waiting.push_back(frame);
}

void FrameLosses::leaves(const Frame& frame) {
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    const std::deque<FrameRef>& waiting = ports_[port].waiting;
    for (std::size_t turn = 0; turn < waiting.size(); ++turn) {
      if (same(*waiting[turn], frame)) return pass(port, turn);
    }
  }
  for (const Port& port : ports_) {
    if (port.last && same(*port.last, frame)) return;
  }
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    const std::deque<FrameRef>& waiting = ports_[port].waiting;
    if (!waiting.empty() && waiting.front()->octets() == frame.octets()) return pass(port, 0);
  }
}

void FrameLosses::pass(std::size_t port, std::size_t turn) {
  Port& from = ports_[port];
  for (; turn > 0; --turn) {
    const FrameRef frame = std::move(from.waiting.front());
    from.waiting.pop_front();
    lost_(port, frame);
  }
  from.last = std::move(from.waiting.front());
  from.waiting.pop_front();
}

}  // namespace longhaul::cosim
