// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/common/ring_map.h"
#include "models/net/frame/frame.h"
#include "platform/observe/packets/packet_book.h"
#include "platform/observe/packets/packet_bytes.h"
#include "platform/observe/packets/ring_follower.h"

namespace longhaul::observe {

/// The places of one adapter in a PacketBook.
struct AdapterPlaces {
  std::uint16_t bus = 0;
  std::uint16_t transmit = 0;
  std::uint16_t receive = 0;
};

/// Finds out which descriptor, which tenures of the bus and which frame on the wire are one packet,
/// for an adapter's transmit ring.
///
/// A packet is a row of descriptors up to one marked as its end. Data that the adapter reads belong
/// to the oldest descriptor that wants most of these bytes. A frame belongs to the oldest
/// packet with its headers, of the next kLookAhead; packets before that one have left no frame. If
/// no headers fit, a frame of the oldest packet's size is that packet, with a fault. A packet or
/// frame that fits nothing is counted. Messages in front of frames are taken off.
class TransmitPackets {
 public:
  static constexpr std::size_t kLookAhead = 64;
  /// A packet with more bytes is not followed.
  static constexpr std::uint32_t kMostBytes = 1U << 20;

  TransmitPackets(const TransmitRing& ring, PacketBook& book, const AdapterPlaces& places)
      : map_(ring), ring_(ring.registers), book_(book), places_(places) {}

  void write_register(std::uint32_t offset, std::uint32_t value, const BusMove& move);
  void reset();
  void adapter_reads(const BusMove& move);
  /// Returns whether it was the ring that the adapter wrote.
  bool adapter_writes(const BusMove& move);
  /// The adapter says in `entry` that it is done with `count` further descriptors.
  void completed(std::uint64_t count, const BusMove& entry);
  /// The first bit of a frame is on the wire at `ps`.
  void frame_leaves(const Frame& frame, std::uint64_t ps);

  std::uint64_t matched() const { return matched_; }
  std::uint64_t strange_frames() const { return strange_frames_; }
  std::uint64_t packets_without_frame() const { return packets_without_frame_; }
  std::uint64_t faults() const { return faults_; }

 private:
  struct Piece {
    std::uint64_t address;
    std::uint32_t length;
    std::uint32_t offset;  // in the packet
    std::uint32_t filled;
  };
  struct Move {
    PacketStage stage;
    std::uint32_t from;  // bytes of the packet, [from, until)
    std::uint32_t until;
  };
  struct Packet {
    std::uint64_t end = 0;  // position after its last descriptor
    std::vector<Piece> pieces;
    std::vector<Move> moves;
    std::vector<std::uint64_t> frames;  // the numbers of those that have left
    PacketStage written;                // its write-back
    PacketBytes bytes;
    std::uint32_t total = 0;
    std::uint32_t filled = 0;
    std::uint32_t sent = 0;  // bytes of user data in frames that have left
    bool segment = false;
    bool whole = false;  // its last descriptor is here
    bool is_written = false;
    bool has_headers = false;
  };

  void forget();
  void take(std::uint64_t position, const BusMove& move);
  Packet& open();
  Packet* packet_of(const Frame& frame);
  bool has_bytes_of(Packet& packet, const Frame& frame) const;
  void left(Packet& packet, const Frame& frame, std::uint64_t ps);
  void all_here();
  void done(std::uint64_t end, const BusMove& move);
  void fill(const BusMove& move);
  static std::uint64_t shared_bytes(const BusMove& move, const Piece& piece);

  const TransmitRing map_;
  RingFollower ring_;
  PacketBook& book_;
  const AdapterPlaces places_;
  std::deque<Packet> packets_;   // that frames may still come of
  std::deque<Packet> sent_;      // that wait for their write-back
  std::size_t unread_ = 0;       // packets_ before this one have all their bytes
  std::uint64_t completed_ = 0;  // positions below are done, with a CompletionRing
  std::uint64_t matched_ = 0;
  std::uint64_t strange_frames_ = 0;
  std::uint64_t packets_without_frame_ = 0;
  std::uint64_t faults_ = 0;
};

}  // namespace longhaul::observe
