// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "models/common/ring_buffer.h"
#include "models/toe/messages.h"
#include "models/toe/sides.h"

namespace longhaul::toe {

/// The messages to the host, in order. Those of the event that runs are not ready until finish().
class ReplyQueue {
 public:
  void post(ToHost message) {
    messages_.push_back(std::move(message));
    ++posted_;
  }
  /// Messages that were posted, and that the host has taken, so far.
  std::uint64_t posted() const { return posted_; }
  std::uint64_t delivered() const { return posted_ - messages_.size(); }
  void finish() { ready_ = messages_.size(); }
  std::size_t size() const { return messages_.size(); }
  /// Gives the host what is ready, as far as it takes it. Returns whether it took a message.
  bool deliver(HostSide& host) {
    if (delivering_) return false;
    delivering_ = true;
    bool any = false;
    while (ready_ > 0 && host.deliver(messages_.front())) {
      messages_.pop_front();
      --ready_;
      any = true;
    }
    delivering_ = false;
    return any;
  }
  void clear() {
    messages_.clear();
    ready_ = 0;
  }

 private:
  RingBuffer<ToHost> messages_;
  std::size_t ready_ = 0;
  std::uint64_t posted_ = 0;
  bool delivering_ = false;
};

}  // namespace longhaul::toe
