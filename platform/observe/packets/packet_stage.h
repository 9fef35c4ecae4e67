// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/common/observe/probe.h"

namespace longhaul::observe {

/// The kind of a stretch of a packet's life.
enum class Stage : std::uint8_t {
  kDoorbell,   ///< the driver writes the ring's tail
  kFetch,      ///< a tenure brings the adapter a descriptor of the packet
  kRead,       ///< a tenure brings the adapter bytes of the packet
  kBuffer,     ///< in the adapter: from the last byte that came to the first that leaves
  kWire,       ///< on a link, from the first bit to the last, at the near end
  kWrite,      ///< a tenure carries bytes of the packet to memory
  kWriteBack,  ///< a tenure carries its descriptor back to memory
  kInterrupt,  ///< from the write-back until the driver has read the adapter's causes
  kLost,       ///< a part drops the frame
};

/// How bytes that leave an adapter part from those that came, or from what a receiver accepts.
enum class Fault : std::uint8_t {
  kNone,
  kDiffers,     ///< the byte at `fault_at` of the frame is another
  kIpChecksum,  ///< the sum of the IPv4 header is wrong
  kL4Checksum,  ///< that of TCP or UDP
  kFcs,
};

/// One stretch of a packet's life. A packet's number is Frame::id(), which captures have, too.
struct PacketStage {
  std::uint64_t packet = 0;
  std::uint64_t start_ps = 0;
  std::uint64_t end_ps = 0;
  std::uint64_t address = 0;  ///< on the bus; 0 for others
  std::uint32_t bytes = 0;
  std::uint32_t fault_at = 0;
  std::uint16_t place = 0;  ///< its number in PacketBook
  Stage kind = Stage::kWire;
  Fault fault = Fault::kNone;
};

/// Receives the stages of packets, at the latest when the packet has left its adapter, in any order
/// of time.
class PacketListener {
 public:
  virtual ~PacketListener() = default;
  virtual void on_stage(const PacketStage& stage) = 0;
  /// The packet in words, once for each number.
  virtual void on_packet(std::uint64_t packet, const std::string& text) {}
};

}  // namespace longhaul::observe
