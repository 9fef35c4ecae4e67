// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "platform/cosim/bus/rule.h"

namespace longhaul::cosim {

/// One direction of XGMII (IEEE 802.3, clause 46): 32 or 64 bits of data and a control bit for each
/// byte, all at one edge of the clock. 64 bits are two columns of four lanes, the first one in the
/// low bits.
struct XgmiiPins {
  Pin data;
  Pin control;

  std::uint32_t lanes() const { return data.bytes(); }
  /// Throws std::invalid_argument, with `name`, unless data has 32 or 64 bits and control an eighth
  /// of that.
  void require_widths(const std::string& name) const;
};

/// Control characters (Table 46-3).
namespace xgmii {
constexpr std::uint8_t kLowPowerIdle = 0x06;
constexpr std::uint8_t kIdle = 0x07;
constexpr std::uint8_t kSequence = 0x9c;
constexpr std::uint8_t kStart = 0xfb;
constexpr std::uint8_t kTerminate = 0xfd;
constexpr std::uint8_t kError = 0xfe;
constexpr std::uint32_t kColumn = 4;

/// A word of idle characters, of 4 or 8 lanes.
constexpr std::uint64_t idle_data(std::uint32_t lanes) {
  return lanes == kColumn ? 0x0707'0707U : 0x0707'0707'0707'0707U;
}
constexpr std::uint32_t idle_control(std::uint32_t lanes) { return lanes == kColumn ? 0xf : 0xff; }

/// Behind sequence in lane 0 of a column come three bytes of data (Table 46-5): 0, 0 and one of
/// these.
constexpr std::uint8_t kLocalFault = 0x01;
constexpr std::uint8_t kRemoteFault = 0x02;
constexpr std::uint8_t kLinkInterruption = 0x03;
}  // namespace xgmii

}  // namespace longhaul::cosim
