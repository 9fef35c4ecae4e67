// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Bits of registers that Intel's controllers share (8254x, 82597EX); each controller's own regs.h
/// adds to them. Sources: Intel 8254x Software Developer's Manual, chapter 13; Linux 6.1 e1000_hw.h
/// and ixgb_hw.h. Names as there.
namespace longhaul::nic::intel {

/// CTRL, and CTRL0 of the 82597EX.
namespace ctrl {
constexpr std::uint32_t kLrst = 1U << 3;
constexpr std::uint32_t kRst = 1U << 26;
constexpr std::uint32_t kVme = 1U << 30;  // VLAN tags are stripped and inserted
}  // namespace ctrl

/// CTRL_EXT, and CTRL1 of the 82597EX: read the EEPROM anew.
constexpr std::uint32_t kEeRst = 1U << 13;

namespace status {
constexpr std::uint32_t kLinkUp = 1U << 1;
constexpr std::uint32_t kTxOff = 1U << 4;
}  // namespace status

namespace eecd {
constexpr std::uint32_t kSk = 1U << 0;
constexpr std::uint32_t kCs = 1U << 1;
constexpr std::uint32_t kDi = 1U << 2;
constexpr std::uint32_t kDo = 1U << 3;
}  // namespace eecd

/// ICR, ICS, IMS and IMC.
namespace cause {
constexpr std::uint32_t kTxdw = 1U << 0;    // transmit descriptor written back
constexpr std::uint32_t kTxqe = 1U << 1;    // transmit ring empty
constexpr std::uint32_t kLsc = 1U << 2;     // link status changed
constexpr std::uint32_t kRxdmt0 = 1U << 4;  // few receive descriptors left
constexpr std::uint32_t kRxo = 1U << 6;     // receive overrun
constexpr std::uint32_t kRxt0 = 1U << 7;    // receive timer
}  // namespace cause

namespace rctl {
constexpr std::uint32_t kEn = 1U << 1;
constexpr std::uint32_t kSbp = 1U << 2;
constexpr std::uint32_t kUpe = 1U << 3;
constexpr std::uint32_t kMpe = 1U << 4;
constexpr std::uint32_t kRdmtsShift = 8;
constexpr std::uint32_t kMoShift = 12;
constexpr std::uint32_t kBam = 1U << 15;
constexpr std::uint32_t kBsizeShift = 16;
constexpr std::uint32_t kVfe = 1U << 18;
constexpr std::uint32_t kCfien = 1U << 19;
constexpr std::uint32_t kCfi = 1U << 20;
constexpr std::uint32_t kSecrc = 1U << 26;
}  // namespace rctl

constexpr std::uint32_t kTctlEn = 1U << 1;
constexpr std::uint32_t kFcrtlXone = 1U << 31;

namespace rxcsum {
constexpr std::uint32_t kIpofl = 1U << 8;
constexpr std::uint32_t kTuofl = 1U << 9;
}  // namespace rxcsum

/// RDLEN and TDLEN: whole groups of eight descriptors.
constexpr std::uint32_t kRingLengthMask = 0xfff80;

}  // namespace longhaul::nic::intel
