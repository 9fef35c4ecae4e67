// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/receiver.h"
#include "models/tcp/segment.h"
#include "models/toe/messages.h"
#include "models/toe/payload_memory.h"
#include "models/toe/tcb_owner.h"

namespace longhaul::toe {

/// The received bytes of a connection: in payload memory, gathered for the host, held until the
/// host has taken them. Offsets count the stream's bytes from 0.
class RxStream {
 public:
  RxStream(TcbOwner& owner, Tid tid, std::uint32_t epoch)
      : owner_(owner), tid_(tid), epoch_(epoch) {}
  ~RxStream();
  RxStream(const RxStream&) = delete;
  RxStream& operator=(const RxStream&) = delete;

  /// Begins behind bytes that the host has received itself; it has credited all but `unread`.
  void resume(std::uint64_t offset, std::uint64_t unread) {
    in_order_ = given_ = taken_ = offset;
    credited_ = offset - unread;
  }

  /// A segment's place in the stream, as the receiver sees it before it takes the segment.
  struct Place {
    std::int64_t begin = 0;  ///< positions as in tcp::Position; may lie before the SYN
    std::int64_t end = 0;    ///< cut to the window
    std::int64_t next = 0;   ///< expected
    bool stores = false;     ///< there may be bytes to store
    bool waited = false;     ///< all of it has arrived above a hole before
    bool beyond() const { return begin > next; }
  };
  static Place place(const tcp::Receiver& receiver, const tcp::Segment& segment);
  /// Takes pages for the new bytes of a segment. Returns false if the segment must be dropped.
  bool make_room(const tcp::Receiver& receiver, const Place& place);
  /// Stores the bytes that the receiver has taken. `stored` of them are at `payload`, the rest is
  /// zero. Returns whether the segment has filled a hole.
  bool store(const tcp::Receiver& receiver, const Place& place, const std::uint8_t* payload,
             std::uint32_t stored);

  /// `fresh` more bytes are in order. Gives them to the host, or lets them wait for more. Returns
  /// whether the time of gathering has begun.
  bool gather(std::uint64_t fresh, bool at_once, bool push, std::uint32_t irs);
  /// Gives the host all bytes in order.
  void give_all(bool push, std::uint32_t irs);
  /// When bytes that are gathered go to the host; kNever if none are.
  std::uint64_t gather_until() const { return gather_until_; }
  static constexpr std::uint64_t kNever = ~0ULL;

  /// The host has taken `bytes`. `holes`: bytes beyond a hole have arrived.
  void taken(std::uint32_t bytes, bool holes);
  /// The host credits `bytes`. Returns how many of them it had been given.
  std::uint64_t credit(std::uint32_t bytes);
  /// Bytes that there is room for beyond those in order and `fresh` ones.
  std::uint64_t room(std::uint64_t fresh) const;

 private:
  void write(std::int64_t begin, std::int64_t end, const Place& place, const std::uint8_t* payload,
             std::uint32_t stored);
  void give(std::uint64_t bytes, bool push, std::uint32_t irs);
  std::uint64_t pending() const { return in_order_ - given_; }

  TcbOwner& owner_;
  const Tid tid_;
  const std::uint32_t epoch_;
  PayloadStream stream_;
  std::uint64_t in_order_ = 0;
  std::uint64_t given_ = 0;     // to the host, in RxData
  std::uint64_t taken_ = 0;     // by the host
  std::uint64_t credited_ = 0;  // of what was given
  std::uint64_t gather_until_ = kNever;
};

}  // namespace longhaul::toe
