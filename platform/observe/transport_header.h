// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "models/net/frame/frame.h"

namespace longhaul::observe {

/// The two ends of a connection or a stream of datagrams, seen from the sender: addresses (IPv4 in
/// the first four bytes, the rest zero) and ports in the order of the wire.
struct FlowKey {
  std::array<std::uint8_t, 36> bytes{};

  bool operator==(const FlowKey& other) const { return bytes == other.bytes; }
  /// The same connection, seen from its other end.
  FlowKey reversed() const;
  /// The texts of source and destination: "10.10.0.1:5001".
  std::string from() const { return end_text(0); }
  std::string to() const { return end_text(1); }

 private:
  std::string end_text(std::size_t end) const;
};

/// The key of data that `from` sends to `to`. IPv4 addresses are in the first four bytes.
FlowKey flow_key(const std::array<std::uint8_t, 16>& from, std::uint16_t from_port,
                 const std::array<std::uint8_t, 16>& to, std::uint16_t to_port);

/// The standard library's hash of the key's bytes.
struct FlowKeyHash {
  std::size_t operator()(const FlowKey& key) const;
};

/// The contents of a frame's transport header.
struct TransportHeader {
  enum class Protocol : std::uint8_t { kTcp, kUdp };
  static constexpr std::uint8_t kSyn = 0x02, kRst = 0x04, kAck = 0x10;

  Protocol protocol = Protocol::kTcp;
  FlowKey flow;                      ///< ports are zero in a later fragment
  std::uint32_t sequence = 0;        ///< TCP: of the first byte, or of the SYN
  std::uint32_t acknowledgment = 0;  ///< TCP with kAck
  std::uint8_t flags = 0;            ///< TCP
  std::uint32_t payload = 0;         ///< bytes of user data in this frame
  /// A later fragment of an IP packet: all of it is user data, at an unknown place in the flow.
  bool later_fragment = false;
};

/// Reads Ethernet (with or without an IEEE 802.1Q tag), IPv4 or IPv6, then TCP or UDP. Empty for
/// other protocols, headers that do not fit their lengths, and IPv6 extension headers except the
/// fragment header.
std::optional<TransportHeader> transport_header(const Frame& frame);

}  // namespace longhaul::observe
