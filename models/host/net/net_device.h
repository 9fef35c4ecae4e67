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

/// A packet for a driver: Ethernet header first, in up to kMostExtents pieces of memory.
struct TxPacket {
  /// A header, and 64 KiB of 4 KiB pages that are cut at both ends.
  static constexpr std::uint32_t kMostExtents = 20;
  std::array<Extent, kMostExtents> extents;
  std::uint32_t count = 0;
  std::uint32_t bytes = 0;  ///< sum of the extents
  bool ipv6 = false;
  /// The adapter completes the TCP or UDP checksum; the field has the sum of the pseudo header.
  bool checksum = false;
  bool udp = false;
  std::uint16_t header_bytes = 0;  ///< Ethernet, IP, TCP with options
  std::uint16_t l4_offset = 0;     ///< where TCP begins
  std::uint16_t mss = 0;           ///< not 0: the adapter cuts the packet (TSO)
  std::uint64_t cookie = 0;        ///< set by the sender, returned by sent()
};

/// A frame that a driver took from its adapter, without FCS. The receiver of the frame frees its
/// memory.
struct RxPacket {
  std::uint64_t address = 0;  ///< of the Ethernet header
  std::uint32_t bytes = 0;
  std::uint64_t buffer = 0;  ///< the allocation: address and size, for MemoryPool::free
  std::uint32_t buffer_bytes = 0;
  bool checksum_good = false;  ///< the adapter has verified IP and TCP or UDP checksums
};

/// The user of a driver, which receives packets and notices: the protocol stack.
class DeviceUser {
 public:
  virtual ~DeviceUser() = default;
  /// A frame was received. Called in softirq context (NAPI) or hardirq context, as in the driver's
  /// system.
  virtual void received(const RxPacket& packet) = 0;
  /// The adapter has read the packet, so its memory is free.
  virtual void sent(std::uint64_t cookie) = 0;
  /// There is room in a transmit ring that has refused a packet.
  virtual void has_room() = 0;
  virtual void link_changed(bool up) = 0;
};

/// Capabilities of the driver and its adapter.
struct DeviceFeatures {
  bool scatter_gather = false;
  bool checksum_tx = false;
  bool checksum_rx = false;
  std::uint32_t tso_bytes = 0;   ///< largest IPv4 packet that the adapter cuts; 0: none
  bool tso_ipv6 = false;         ///< also cuts IPv6 packets (Linux: NETIF_F_TSO6, since 2.6.18)
  bool checksum_tx_ipv6 = true;  ///< checksum_tx is meant for IPv6, too (NETIF_F_HW_CSUM)
  /// Free bytes that a packet has in front of its first extent, for a header of the driver's
  /// (Linux: dev->hard_header_len).
  std::uint32_t header_room = 0;
};

class TcpOffload;

/// A network interface, for the protocol stack.
class NetDevice {
 public:
  virtual ~NetDevice() = default;
  /// Sets the receiver of packets and notices; once, before open().
  virtual void attach(DeviceUser& user) = 0;
  /// Brings the adapter up, in process context. May block for as long as the real driver does. The
  /// link comes up later.
  virtual void open() = 0;
  /// Stops the adapter, in process context. Each packet that the adapter still has is returned by
  /// sent(), so that its memory can be freed.
  virtual void close() = 0;
  /// Puts a packet into the ring. Returns false if there is no room; has_room() is called later.
  virtual bool transmit(const TxPacket& packet) = 0;
  /// Also receives frames to this group address (IPv6's neighbour solicitations). Broadcasts are
  /// always received.
  virtual void join(const MacAddress& group) = 0;
  virtual const DeviceFeatures& features() const = 0;
  virtual MacAddress mac() const = 0;  ///< known after open()
  virtual std::uint32_t mtu() const = 0;
  virtual bool link_up() const = 0;
  /// TCP in the adapter; null if it has none, or the driver does not use it.
  virtual TcpOffload* offload() { return nullptr; }
  /// The driver's parameters with evidence and source, in the form of describe(). Empty for a
  /// device without parameters.
  virtual nlohmann::json describe_params() const;
};

}  // namespace longhaul::host
