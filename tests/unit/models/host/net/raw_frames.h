// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/common/big_endian.h"
#include "models/host/net/icmp.h"
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host::testing {

using RawFrame = FakeDevice::Bytes;

/// An ICMP or ICMPv6 message of type, code 0, id, sequence and `data`, from the rig's station 1 to its station 2.
inline RawFrame icmp_frame(std::uint8_t type, const Address& from, const Address& to, std::uint16_t id,
                           std::uint16_t sequence, const std::vector<std::uint8_t>& data = {}) {
  const std::uint32_t at = to.ipv6 ? icmp::kIpv6Begin : icmp::kIpv4Begin;
  RawFrame frame{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
  frame.resize(at + icmp::kEchoBytes);
  frame[at] = type;
  write_be16(frame.data() + at + 4, id);
  write_be16(frame.data() + at + 6, sequence);
  frame.insert(frame.end(), data.begin(), data.end());
  icmp::finish(frame.data(), to.ipv6, from.host, to.host, static_cast<std::uint32_t>(frame.size()) - at, 64, 7);
  return frame;
}

/// Sends frames as they are, one after the other, from a program of the host, which sleeps for `gap_ps` after each.
inline void send_raw(NetTest& test, RigHost& host, const std::vector<RawFrame>& frames, std::uint64_t gap_ps = 0) {
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
