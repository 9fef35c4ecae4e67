// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::host {

/// Bytes in physical memory.
struct Extent {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

/// A packet on its way to a driver: Ethernet header first, in up to kMostExtents pieces of memory.
struct TxPacket {
  static constexpr std::uint32_t kMostExtents =
      20;  ///< header, and 64 KiB of 4 KiB pages with both ends cut
  std::array<Extent, kMostExtents> extents;
  std::uint32_t count = 0;
  std::uint32_t bytes = 0;  ///< sum of the extents
  bool ipv6 = false;
  bool checksum = false;  ///< the adapter completes the TCP or UDP checksum; the field has the
                          ///< pseudo header's sum
  bool udp = false;
  std::uint16_t header_bytes = 0;  ///< Ethernet, IP, TCP with options
  std::uint16_t l4_offset = 0;     ///< where TCP begins
  std::uint16_t mss = 0;           ///< not 0: the adapter cuts it (TSO)
  std::uint64_t cookie = 0;        ///< the sender's, given back with sent()
};

/// A frame that a driver took from its adapter, without FCS. Whoever takes it frees the memory.
struct RxPacket {
  std::uint64_t address = 0;  ///< of the Ethernet header
  std::uint32_t bytes = 0;
  std::uint64_t buffer = 0;  ///< what was allocated: address and size, for MemoryPool::free
  std::uint32_t buffer_bytes = 0;
  bool checksum_good = false;  ///< the adapter has verified IP and TCP or UDP checksums
};

/// What a driver hands packets and notices to: the protocol stack.
class DeviceUser {
 public:
  virtual ~DeviceUser() = default;
  /// In softirq context (NAPI) or hardirq context (as the driver's system has it).
  virtual void received(const RxPacket& packet) = 0;
  /// The adapter has read the packet: its memory is no longer needed by it.
  virtual void sent(std::uint64_t cookie) = 0;
  /// There is room in a transmit ring that had refused a packet.
  virtual void has_room() = 0;
  virtual void link_changed(bool up) = 0;
};

/// What the driver and its adapter can do.
struct DeviceFeatures {
  bool scatter_gather = false;
  bool checksum_tx = false;
  bool checksum_rx = false;
  std::uint32_t tso_bytes = 0;  ///< largest IPv4 packet that the adapter cuts; 0: none
  bool tso_ipv6 = false;        ///< IPv6 packets, too (Linux: NETIF_F_TSO6, which came with 2.6.18)
};

/// A network interface as the protocol stack sees it.
class NetDevice {
 public:
  virtual ~NetDevice() = default;
  /// Whom packets and notices go to; before open(), once.
  virtual void attach(DeviceUser& user) = 0;
  /// Brings the adapter up; in process context, may block for as long as the real driver does. The
  /// link comes later.
  virtual void open() = 0;
  /// Stops the adapter; in process context. Each packet that is still with it comes back with
  /// sent(), its memory is given back.
  virtual void close() = 0;
  /// Puts a packet into the ring; false when it has no room: has_room() will tell.
  virtual bool transmit(const TxPacket& packet) = 0;
  /// Frames to this group address are wanted, too (IPv6's neighbour solicitations); broadcasts
  /// always are.
  virtual void join(const MacAddress& group) = 0;
  virtual const DeviceFeatures& features() const = 0;
  virtual MacAddress mac() const = 0;  ///< known once it has been opened
  virtual std::uint32_t mtu() const = 0;
  virtual bool link_up() const = 0;
  /// The driver's numbers with evidence and source, as describe() has them; none of a device
  /// without parameters.
  virtual nlohmann::json describe_params() const;
};

}  // namespace longhaul::host
