// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "models/common/ring_buffer.h"
#include "models/toe/engine_core.h"
#include "models/toe/lane.h"
#include "models/toe/sides.h"

namespace longhaul::toe {

/// The queues of a host's messages to its offload engine, and their events.
class MessageEvents {
 public:
  explicit MessageEvents(EngineCore& core) : core_(core) {}

  /// Takes a message. Returns false if the queue is full; the message is untouched then.
  bool offer(HostQueue queue, FromHost&& message);
  bool waits(HostQueue queue) const { return !queues_[index(queue)].empty(); }
  /// Why a queue's first message cannot be taken. A segment of `frame_bytes` must fit for data.
  Stall stall(HostQueue queue, std::uint32_t frame_bytes) const {
    return stall_of(queues_[index(queue)].front(), frame_bytes);
  }
  /// Handles the first message of a queue; the event. Returns whether the queue had refused a
  /// message.
  bool run(HostQueue queue);
  void clear();

 private:
  static constexpr std::size_t index(HostQueue queue) { return static_cast<std::size_t>(queue); }

  struct Waiting {
    FromHost message;
    std::uint32_t epoch = 0;  // of its connection when it came
  };
  Stall stall_of(const Waiting& waiting, std::uint32_t frame_bytes) const;
  /// The connection that the message was meant for; null if it is out of the tables.
  Tcb* named(Tid tid) const { return core_.at(tid, epoch_); }
  /// The connection of a message, if it can take one. Counts a message for no connection.
  Tcb* addressed(Tid tid);

  void handle(std::monostate) {}
  void handle(const ActOpenRequest& request);
  void handle(const PassOpenRequest& request);
  void handle(const CloseServerRequest& request);
  void handle(const PassAcceptReply& reply);
  void handle(const TxData& data);
  void handle(const RxCredits& credits);
  void handle(const CloseRequest& request);
  void handle(const AbortRequest& request);
  void handle(const AbortedReply& reply);
  // moves.cc
  void handle(const TakeRequest& request);
  void handle(const TakeContext& message);
  void handle(const ReturnRequest& request);

  void handle(const GetTcb& request);
  void handle(const SetTcbField& request);
  void handle(const L2tWrite& request);
  void handle(const L2tRead& request);
  void handle(const SmtWrite& request);
  void handle(const SmtRead& request);

  EngineCore& core_;
  std::array<RingBuffer<Waiting>, kHostQueues> queues_;
  std::uint32_t epoch_ = 0;  // of the message that is handled
  std::array<bool, kHostQueues> refused_{};
};

}  // namespace longhaul::toe
