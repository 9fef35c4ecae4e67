// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/segment.h"
#include "models/toe/messages.h"
#include "models/toe/payload_memory.h"
#include "models/toe/tcb_owner.h"

namespace longhaul::toe {

/// The bytes that a connection's host sends: in payload memory until the peer has acknowledged
/// them. Offsets count the stream's bytes from 0.
class TxStream {
 public:
  explicit TxStream(TcbOwner& owner) : owner_(owner) {}
  ~TxStream() { release_all(); }
  TxStream(const TxStream&) = delete;
  TxStream& operator=(const TxStream&) = delete;

  /// Begins behind bytes that the host has sent itself. Those from `una` on have no ACK yet, and
  /// the host has them.
  void resume(std::uint64_t una, std::uint64_t next) {
    una_ = told_ = una;
    end_ = next;
  }

  /// Whether payload memory has room for `bytes` more.
  bool has_room(std::uint32_t bytes) const;
  /// Stores a message's bytes. Returns false if there is no room.
  bool store(const TxData& data);
  /// Takes the bytes that TCP gets: all of them, or as many as fill segments of `mss`.
  std::uint64_t push(bool all, std::uint32_t mss);
  /// Bytes that are stored, and that TCP does not have.
  std::uint64_t unpushed() const { return unpushed_; }
  /// TCP sends a segment.
  void sent(const tcp::Segment& segment);
  /// The peer has acknowledged `bytes` more.
  void acknowledged(std::uint64_t bytes);
  /// Returns how many acknowledged bytes the host is told of; it is told of whole pages, and of all
  /// when no ACK is to come that would complete one. `all`: none is to come.
  std::uint64_t tell(bool all);
  std::uint64_t una() const { return una_; }
  void release_all();

  const PayloadStream& stream() const { return stream_; }

 private:
  TcbOwner& owner_;
  PayloadStream stream_;
  std::uint64_t end_ = 0;
  std::uint64_t una_ = 0;
  std::uint64_t told_ = 0;  // acknowledged, as the host knows
  std::uint64_t unpushed_ = 0;
  std::uint64_t sent_ = 0;  // sent once at least
};

}  // namespace longhaul::toe
