// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/host/drivers/chelsio/command_queue.h"
#include "models/host/drivers/chelsio/offload/cpl_messages.h"
#include "models/host/drivers/driver_setup.h"
#include "models/host/net/tcp_offload.h"

namespace longhaul::host::chelsio {

/// The order of a message among the others. CPL_TX_DATA, and what must follow it, is kOrdered.
enum class Lane : std::uint8_t { kOrdered, kControl };  // command queues 0 and 1

/// Puts messages of TCP offload into the command queues, each in its order.
///
/// A message that finds no descriptors, or no memory, waits for them. Sockets' limits bound how
/// many wait.
class MessageSender {
 public:
  static constexpr std::uint32_t kLanes = 2;

  /// The driver around it.
  class Chip {
   public:
    virtual ~Chip() = default;
    /// Null while the interface is closed.
    virtual CommandQueue* queue(Lane lane) = 0;
    /// Pays, and tells the chip of descriptors unless it runs through them.
    virtual void ring(Lane lane) = 0;
  };

  MessageSender(const DriverSetup& setup, Chip& chip) : setup_(setup), chip_(chip) {}

  /// Sends a message without data.
  void send(Lane lane, const CplMessage& message);
  /// Sends data of a user, whose header is in the first extent. The user's sent() returns its
  /// cookie.
  void send(OffloadUser& user, const TxPacket& packet);
  /// There are more descriptors, or there is more memory.
  void room(Lane lane);
  /// The chip has read a message.
  void done(std::uint64_t cookie);
  /// Data of this user that wait are not sent.
  void drop(OffloadUser& user);
  /// The interface closes: nothing that waits is sent.
  void clear();
  bool waits() const { return !waiting_[0].empty() || !waiting_[1].empty(); }

 private:
  struct Message {
    OffloadUser* user = nullptr;  ///< of data
    TxPacket packet;
    CplMessage control;
    std::uint64_t memory = 0;  ///< of a message without data
  };

  std::uint32_t take();
  void add(Lane lane, std::uint32_t index);
  bool put(Lane lane, std::uint32_t index);
  void release(std::uint32_t index);

  const DriverSetup& setup_;
  Chip& chip_;
  std::deque<Message> messages_;
  std::vector<std::uint32_t> free_;
  std::array<std::deque<std::uint32_t>, kLanes> waiting_;
};

}  // namespace longhaul::host::chelsio
