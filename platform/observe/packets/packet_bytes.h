// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/net/frame/frame.h"
#include "platform/observe/packets/packet_stage.h"

namespace longhaul::observe {

/// A packet's bytes in memory, and where its headers end.
class PacketBytes {
 public:
  static constexpr std::uint32_t kSame = ~0U;

  void resize(std::uint32_t size) { bytes_.resize(size); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }
  void store(std::uint32_t offset, const std::uint8_t* data, std::uint32_t count);
  void append(const std::uint8_t* data, std::uint32_t count) {
    bytes_.insert(bytes_.end(), data, data + count);
  }
  const std::uint8_t* data() const { return bytes_.data(); }
  void drop_front(std::uint32_t count) {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  /// Reads the headers, once the bytes are here: Ethernet, IPv4 or IPv6, TCP or UDP.
  void read_headers();
  /// Bytes of all headers; for a packet without TCP or UDP all bytes up to the end of IP's.
  std::uint32_t header_bytes() const { return header_; }

  /// The first byte of the frame that is not as the adapter was given it; kSame if there is none.
  /// Checksums may differ, an 802.1Q tag may have come, and padding. `segment`: the frame is the
  /// part of the packet whose user data begin at `from`, with headers of its own.
  std::uint32_t first_difference(const Frame& frame, bool segment, std::uint32_t from) const;
  /// The first byte of these that is not the frame's, counted in the frame; a tag may be gone.
  std::uint32_t first_difference(const PacketBytes& frame) const;
  /// Whether the headers are those of the frame, in the sense of first_difference().
  bool has_headers_of(const Frame& frame, bool segment, std::uint32_t from) const;

 private:
  bool may_differ(std::uint32_t at, bool segment) const;
  std::uint32_t header_difference(const Frame& frame, std::uint32_t tag, std::uint32_t count,
                                  bool segment, std::uint32_t from) const;

  std::vector<std::uint8_t> bytes_;
  std::uint32_t ip_ = 0;  // offset of the header of IP; 0: another protocol
  std::uint32_t l4_ = 0;  // of TCP or UDP; 0: another one
  std::uint32_t header_ = 0;
  bool is_ipv6_ = false;
  bool is_tcp_ = false;
};

/// The first thing that a receiver would find wrong with a frame: its FCS or a checksum.
Fault fault_of(const Frame& frame);

}  // namespace longhaul::observe
