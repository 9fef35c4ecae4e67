// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/dma_engine.h"
#include "models/nic/blocks/interrupt_moderator.h"
#include "models/nic/ixgb/ixgb_stats.h"
#include "models/nic/ixgb/params.h"

namespace longhaul::nic::ixgb {

/// What the transmit and receive units share with the rest of the device.
struct IxgbParts {
  const IxgbParams& params;
  RegisterBank& bank;
  DmaEngine& dma;
  EthMac& mac;
  InterruptModerator& interrupts;
  IxgbStats& stats;
  /// CTRL0 as it stands: VME and JFE matter to the units.
  std::function<std::uint32_t()> ctrl0;
  /// Largest frame by MFS, FCS included.
  std::function<std::uint32_t()> max_frame;
};

/// Largest frame without FCS and VLAN tag: MTU 16114 and the Ethernet header (ixgb_hw.h: 0x3F00).
constexpr std::uint32_t kMaxFrameBytes = 0x3f00;
constexpr std::uint32_t kVlanTagBytes = 4;
constexpr std::uint32_t kStandardFrameBytes = 1518;  ///< FCS included, no VLAN tag
constexpr std::uint16_t kVlanType = 0x8100;

/// A timer register's value as time.
inline sc_core::sc_time delay_of(const IxgbParams& params, std::uint32_t units) {
  return from_ps(to_ps(params.delay_unit()) * units);
}

inline std::uint32_t read_le32(const std::uint8_t* p) {
  return static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 |
         static_cast<std::uint32_t>(p[2]) << 16 | static_cast<std::uint32_t>(p[3]) << 24;
}
inline std::uint64_t read_le64(const std::uint8_t* p) {
  return read_le32(p) | static_cast<std::uint64_t>(read_le32(p + 4)) << 32;
}
inline std::uint16_t read_le16(const std::uint8_t* p) { return static_cast<std::uint16_t>(p[0] | p[1] << 8); }
inline void write_le16(std::uint8_t* p, std::uint32_t v) {
  p[0] = static_cast<std::uint8_t>(v);
  p[1] = static_cast<std::uint8_t>(v >> 8);
}

}  // namespace longhaul::nic::ixgb
