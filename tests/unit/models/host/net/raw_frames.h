// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/common/big_endian.h"
#include "models/host/net/icmp.h"
#include "models/tcp/wire.h"
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host::testing {

using RawFrame = FakeDevice::Bytes;

/// An address without a port.
inline Address ip(const std::string& text) { return address_from(text, 0, "test"); }

/// An ICMP or ICMPv6 message of type, code 0, id, sequence and `data`, from the rig's station 1 to
/// its station 2.
inline RawFrame icmp_frame(std::uint8_t type, const Address& from, const Address& to,
                           std::uint16_t id, std::uint16_t sequence,
                           const std::vector<std::uint8_t>& data = {}) {
  const std::uint32_t at = to.ipv6 ? icmp::kIpv6Begin : icmp::kIpv4Begin;
  RawFrame frame{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
  frame.resize(at + icmp::kEchoBytes);
  frame[at] = type;
  write_be16(frame.data() + at + 4, id);
  write_be16(frame.data() + at + 6, sequence);
  frame.insert(frame.end(), data.begin(), data.end());
  icmp::finish(frame.data(), to.ipv6, from.host, to.host,
               static_cast<std::uint32_t>(frame.size()) - at, 64, 7);
  return frame;
}

/// A TCP segment from the rig's station 1 to its station 2, with as many bytes as it says, all 0.
inline RawFrame tcp_frame(const tcp::Segment& segment, const Address& from, const Address& to) {
  struct Zeros final : tcp::PayloadSource {
    void fill(std::uint64_t /*offset*/, std::uint8_t* out, std::uint32_t length) override {
      std::fill_n(out, length, std::uint8_t{0});
    }
  } zeros;
  const tcp::Endpoints ends{to.ipv6, from.host, to.host, from.port, to.port};
  RawFrame frame{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
  frame.resize(ethernet::kHeaderBytes);
  write_be16(frame.data() + 12, to.ipv6 ? ethernet::kTypeIpv6 : ethernet::kTypeIpv4);
  frame.resize(frame.size() + tcp::header_bytes(segment, to.ipv6) + segment.length);
  tcp::write_packet(segment, ends, {}, tcp::TcpChecksum::kComplete, zeros,
                    frame.data() + ethernet::kHeaderBytes,
                    static_cast<std::uint32_t>(frame.size()) - ethernet::kHeaderBytes);
  return frame;
}

/// A segment as it was sent, its checksums verified.
inline tcp::Packet tcp_packet(const RawFrame& frame) {
  tcp::Packet packet;
  EXPECT_EQ(tcp::read_packet(frame.data() + ethernet::kHeaderBytes,
                             static_cast<std::uint32_t>(frame.size()) - ethernet::kHeaderBytes,
                             false, packet),
            tcp::Refusal::kNone);
  return packet;
}

inline bool is_tcp_frame(const RawFrame& frame) {
  const std::uint16_t type = read_be16(frame.data() + 12);
  return (type == ethernet::kTypeIpv4 && frame[14 + 9] == 6) ||
         (type == ethernet::kTypeIpv6 && frame[14 + 6] == 6);
}

/// Sends frames as they are, one after the other, from a program of the host, which sleeps for
/// `gap_ps` after each.
inline void send_raw(NetTest& test, RigHost& host, const std::vector<RawFrame>& frames,
                     std::uint64_t gap_ps = 0) {
  test.program(host, "raw", [&host, frames, gap_ps](Program& self) {
    const Process::Syscall call(self);
    for (const RawFrame& frame : frames) {
      TxSlot* const slot = host.interface().take_frame(static_cast<std::uint32_t>(frame.size()));
      std::copy(frame.begin(), frame.end(), host.pool.to_write(slot->header, frame.size()));
      EXPECT_TRUE(host.interface().send(*slot));
      if (gap_ps != 0) self.sleep(gap_ps);
    }
  });
}

}  // namespace longhaul::host::testing
