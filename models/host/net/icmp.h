// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/host/kernel/process.h"
#include "models/host/net/address.h"
#include "models/host/net/socket.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/ip_protocol.h"

namespace longhaul::host {

class Stack;

/// ICMP (RFC 792) and ICMPv6 (RFC 4443) messages in Ethernet frames.
namespace icmp {

inline constexpr std::uint8_t kEchoReply4 = 0;
inline constexpr std::uint8_t kEchoRequest4 = 8;
inline constexpr std::uint8_t kEchoRequest6 = 128;
inline constexpr std::uint8_t kEchoReply6 = 129;
inline constexpr std::uint8_t kSolicitation = 135;
inline constexpr std::uint8_t kAdvertisement = 136;
/// Offset of the message in a frame.
inline constexpr std::uint32_t kIpv4Begin = ethernet::kHeaderBytes + 20;
inline constexpr std::uint32_t kIpv6Begin = ethernet::kHeaderBytes + 40;
inline constexpr std::uint32_t kEchoBytes = 8;  ///< header of an echo message

/// Completes a frame that contains a message of `bytes`: sets EtherType, IP header and both
/// checksums.
void finish(std::uint8_t* frame, bool ipv6, const HostBytes& source, const HostBytes& destination,
            std::uint32_t bytes, std::uint8_t hop_limit, std::uint16_t identification);
/// Whether the checksum of an IPv4 header without options is right.
bool intact_header(const std::uint8_t* frame);
/// Whether the message's checksum is right.
bool intact(const std::uint8_t* frame, bool ipv6, const std::uint8_t* message, std::uint32_t bytes);

}  // namespace icmp

/// A raw socket that sends echo requests and waits for the answers, as ping uses it.
class Echo {
 public:
  /// `id` is the identifier of its requests. It must be unique on a host.
  Echo(Stack& stack, std::uint16_t id);
  ~Echo();
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;

  /// Sends a request with `bytes` of data; a system call. Returns false if the host is not
  /// reachable or there is no room.
  bool send(Process& process, const Address& to, std::uint16_t sequence, std::uint32_t bytes);
  /// Waits for the answer to `sequence`, the last request. Returns its round-trip time in ps, from
  /// the call of send() to when the process has it; nothing after `timeout_ps`.
  std::optional<std::uint64_t> wait(Process& process, std::uint16_t sequence,
                                    std::uint64_t timeout_ps);
  /// Called by the stack, in softirq context.
  void replied(std::uint16_t sequence);

 private:
  static constexpr std::uint32_t kNone = ~0U;

  Stack& stack_;
  const std::uint16_t id_;
  std::uint64_t sent_at_ = 0;
  std::uint32_t awaited_ = kNone;  // sequence of the last request, until it is answered
  WaitQueue waiting_;
};

}  // namespace longhaul::host
