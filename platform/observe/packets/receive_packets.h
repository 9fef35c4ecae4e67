// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/common/ring_map.h"
#include "models/net/frame/frame.h"
#include "platform/observe/packets/packet_book.h"
#include "platform/observe/packets/packet_bytes.h"
#include "platform/observe/packets/ring_follower.h"
#include "platform/observe/packets/transmit_packets.h"

namespace longhaul::observe {

/// Finds out which frame of the wire, which tenures of the bus and which descriptors are one
/// packet, for an adapter's receive rings. An adapter with several completes them in one order.
///
/// A packet is the bytes in the buffers of descriptors, up to the next one marked as the end. It is
/// the oldest frame of the next kLookAhead with the same bytes. Frames before that one did not come
/// to memory, since the adapter refused or lost them. If no frame has these bytes, it is the oldest
/// frame of its size, with a fault. A packet or frame that fits nothing is counted.
class ReceivePackets {
 public:
  static constexpr std::size_t kLookAhead = 64;
  /// Frames that have come and are not in memory; the oldest beyond them are given up.
  static constexpr std::size_t kMostWaiting = 4096;

  ReceivePackets(const std::vector<ReceiveRing>& rings, PacketBook& book,
                 const AdapterPlaces& places)
      : lists_(rings.begin(), rings.end()), book_(book), places_(places) {}

  void write_register(std::uint32_t offset, std::uint32_t value, const BusMove& move);
  /// The driver has read the adapter's causes.
  void causes_read(const BusMove& move);
  void reset();
  void adapter_reads(const BusMove& move);
  void adapter_writes(const BusMove& move);
  /// An entry of a CompletionRing: the oldest buffer of a ring is filled.
  struct Completion {
    std::size_t list = 0;
    std::uint32_t length = 0;
    bool is_last = false;
    bool is_message = false;  ///< and no frame
  };
  void completed(const Completion& completion, const BusMove& entry);
  /// A frame whose last bit reaches the adapter at `ps`; in the order of their coming.
  void frame_comes(const Frame& frame, std::uint64_t ps);

  std::uint64_t matched() const { return matched_; }
  std::uint64_t strange_packets() const { return strange_packets_; }
  std::uint64_t frames_without_packet() const { return frames_without_packet_; }
  std::uint64_t faults() const { return faults_; }

 private:
  struct Buffer {
    std::uint64_t address;
    std::uint32_t size;
    PacketStage fetched;
    std::vector<PacketStage> moves;
    PacketBytes bytes;
  };
  struct List {
    explicit List(const ReceiveRing& of);
    ReceiveRing map;
    RingFollower ring;
    std::uint32_t buffer_bytes;  // of all buffers, if a register has their size
    std::uint64_t first = 0;     // position of the oldest buffer
    std::deque<Buffer> buffers;  // that the adapter has and has not written back
  };
  struct Arrival {
    std::uint64_t number;
    std::uint64_t ps;
    PacketBytes bytes;
  };
  struct Told {
    std::uint64_t number;
    std::uint64_t ps;
  };

  void forget(List& list);
  void done(List& list, std::uint64_t position, const BusMove& move);
  void take(List& list, std::uint32_t length, const PacketStage& told);
  bool fill(List& list, const BusMove& move);
  void finish();
  /// Index of the arrival that has these bytes; their number if there is none.
  std::size_t arrival_of(const PacketBytes& bytes) const;

  std::vector<List> lists_;
  PacketBook& book_;
  const AdapterPlaces places_;
  std::vector<PacketStage> moves_;  // of the packet whose descriptors are written back
  PacketBytes bytes_;
  std::deque<Arrival> arrivals_;
  std::vector<Told> untold_;  // packets whose interrupt the driver has not served
  std::uint64_t matched_ = 0;
  std::uint64_t strange_packets_ = 0;
  std::uint64_t frames_without_packet_ = 0;
  std::uint64_t faults_ = 0;
};

}  // namespace longhaul::observe
