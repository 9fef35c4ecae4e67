// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "models/common/ring_buffer.h"
#include "models/toe/messages.h"
#include "models/toe/release_order.h"
#include "models/toe/sides.h"

namespace longhaul::toe {

/// The messages to the host, in order. Those of an event may leave when it is over.
///
/// Received data wait in payload memory, and take no place here.
class ReplyQueue {
 public:
  void post(ToHost message) {
    if (takes_place(message)) ++places_;
    messages_.push_back(std::move(message));
    ++posted_;
  }
  /// Messages that were posted, and that the host has taken, so far.
  std::uint64_t posted() const { return posted_; }
  std::uint64_t delivered() const { return posted_ - messages_.size(); }
  ReleaseOrder order;
  /// Places that the messages which wait take.
  std::size_t places() const { return places_; }
  /// Gives the host what is ready, as far as it takes it. Returns whether it took a message.
  bool deliver(HostSide& host) {
    if (delivering_) return false;
    delivering_ = true;
    bool any = false;
    while (delivered() < order.limit(posted_) && host.deliver(messages_.front())) {
      if (takes_place(messages_.pop_front())) --places_;
      any = true;
    }
    delivering_ = false;
    return any;
  }
  void clear() {
    messages_.clear();
    places_ = 0;
    order.clear();
  }

 private:
  static bool takes_place(const ToHost& message) {
    return !std::holds_alternative<RxData>(message);
  }

  RingBuffer<ToHost> messages_;
  std::size_t places_ = 0;
  std::uint64_t posted_ = 0;
  bool delivering_ = false;
};

}  // namespace longhaul::toe
