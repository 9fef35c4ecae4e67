// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/net/frame/frame.h"
#include "models/nic/blocks/blank_ranges.h"
#include "models/nic/blocks/tso.h"

namespace longhaul::nic::intel {

/// A TCP super-frame that is being cut into segments, with its header, with which each segment
/// begins.
struct SuperFrame {
  bool in_use = false;
  bool cut = false;              ///< all its segments are open or gone
  bool bad = false;              ///< its header could not be read
  std::uint32_t header_got = 0;  ///< bytes whose read was started
  std::uint32_t header_reads = 0;
  std::uint32_t segments = 0;  ///< unfinished
  TsoContext context;
  std::array<std::uint8_t, 256> header{};

  bool header_arrived() const { return header_got == context.header_bytes && header_reads == 0; }
  void free_if_done() {
    if (cut && segments == 0 && header_reads == 0) in_use = false;
  }
};

/// A packet in the transmit buffer: from the first read of its data to the frame that leaves.
struct TxPacket {
  FrameRef frame;
  std::uint8_t* data = nullptr;  ///< of the frame, while it is being filled
  std::uint32_t start = 0;       ///< bytes left free at the front for a VLAN tag
  std::uint32_t filled = 0;      ///< bytes whose read was started, header included
  std::uint32_t limit = 0;       ///< bytes that it may take
  std::uint32_t reserved = 0;    ///< bytes of packet buffer
  std::uint32_t reads = 0;       ///< in progress
  bool closed = false;           ///< all reads were started
  bool bad = false;
  bool done = false;
  bool ip_checksum = false;
  bool l4_checksum = false;
  bool tagged = false;
  std::uint16_t tag = 0;
  ChecksumSpan ip;
  ChecksumSpan l4;
  std::int32_t job = -1;  ///< number of the super-frame of which it is a segment
  TsoSegment segment;
  std::uint64_t ready_ps = 0;
  BlankRanges blanks;  ///< of the frame's bytes

  /// A packet of up to `size` bytes, which gets `tag` if it is `tagged`.
  static TxPacket open(std::uint32_t size, bool tagged, std::uint16_t tag);
  /// Called when all data have come. Gives the frame its size, header, checksums and tag, unless it
  /// is `bad`. `super_frame` is the super-frame of which it is a segment, or null.
  void finish(const SuperFrame* super_frame, std::uint16_t vlan_type);

 private:
  std::uint32_t trim(std::uint32_t blank_from);
  void insert_tag(std::uint16_t vlan_type) const;
};

}  // namespace longhaul::nic::intel
