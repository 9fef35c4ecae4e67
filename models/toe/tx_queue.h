// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "models/common/packet_fifo.h"
#include "models/net/frame/frame.h"
#include "models/toe/release_order.h"

namespace longhaul::toe {

/// The FIFO between the events and the MAC. Frames of an event may leave when it is over.
///
/// Its last `reserved` bytes are for events without data: their ACKs and RSTs are short. Without
/// them two engines that pause each other would wait forever: each would receive nothing while its
/// FIFO is full of data.
class TxQueue {
 public:
  /// Room that an event without payload needs: an ACK and a RST, with all options.
  static constexpr std::uint32_t kControlBytes = 256;

  TxQueue(Bytes capacity, Bytes reserved, std::uint32_t most_frames)
      : fifo_("tx_fifo", capacity, kWord, most_frames),
        reserved_(static_cast<std::uint32_t>(reserved.count)),
        most_(most_frames) {}

  /// Adds a frame of the event that runs.
  void push(FrameRef frame) {
    fifo_.reserve(frame->size());
    fifo_.push(std::move(frame));
    ++pushed_;
  }
  /// Adds a frame of the host's own stack if it fits. Behind frames of events that are not over it
  /// waits for their end.
  bool add(const FrameRef& frame) {
    if (!fifo_.fits(frame->size() + reserved_)) return false;
    push(frame);
    return true;
  }
  /// Frames that were added so far.
  std::uint64_t pushed() const { return pushed_; }
  /// Whether the first frame may leave.
  bool ready() const { return pushed_ - fifo_.size() < order.limit(pushed_); }
  FrameRef take() {
    FrameRef frame = fifo_.pop();
    fifo_.release(frame->size());
    return frame;
  }
  /// Whether an event that sends up to `bytes` may begin.
  bool has_room(std::uint32_t bytes) const { return fits(bytes + reserved_); }
  /// Whether an event may begin that sends no data.
  bool has_room_to_answer() const { return fits(kControlBytes); }
  /// Frames of `bytes` that there is room for beside those that any event may send.
  std::uint32_t room_for(std::uint32_t bytes) const {
    const std::uint64_t used =
        std::min(fifo_.capacity(), fifo_.fill.value() + kControlBytes + reserved_);
    const std::uint32_t places = most_ - fifo_.size();
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>((fifo_.capacity() - used) / fifo_.footprint(bytes),
                                places - std::min(places, kEventFrames)));
  }
  void clear() {
    fifo_.clear();
    order.clear();
  }

  ReleaseOrder order;

 private:
  static constexpr std::uint32_t kWord = 8;  // bytes
  /// Frames that an event may send without a permit.
  static constexpr std::uint32_t kEventFrames = 4;

  bool fits(std::uint32_t bytes) const {
    return fifo_.size() + kEventFrames < most_ && fifo_.fits(bytes);
  }

  PacketFifo<FrameRef> fifo_;
  const std::uint32_t reserved_;
  const std::uint32_t most_;
  std::uint64_t pushed_ = 0;
};

}  // namespace longhaul::toe
