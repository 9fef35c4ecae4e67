// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/nic/intel/descriptors.h"
#include "models/nic/intel/regs.h"

/// Registers and descriptors of the Intel 82597EX: offsets in BAR 0, and bits. Reserved bits are
/// left out. Source: facts read from Linux 6.1 drivers/net/ethernet/intel/ixgb/ixgb_hw.h; names as
/// there.
namespace longhaul::nic::ixgb::regs {

namespace eecd = intel::eecd;

namespace cause {
using namespace intel::cause;  // NOLINT: what all controllers have
constexpr std::uint32_t kAll = 0x7bdf;
}  // namespace cause

// General
constexpr RegisterSpec kCtrl0{"CTRL0", 0x000};
constexpr RegisterSpec kCtrl1{"CTRL1", 0x008};
constexpr RegisterSpec kStatus{"STATUS", 0x010, Access::kReadOnly};
constexpr RegisterSpec kEecd{"EECD", 0x018};
constexpr RegisterSpec kMfs{"MFS", 0x020, Access::kReadWrite, intel::kStandardFrameBytes << 16};
// Interrupts
constexpr RegisterSpec kIcr{"ICR", 0x080, Access::kReadOnly};
constexpr RegisterSpec kIcs{"ICS", 0x088, Access::kAction, 0, cause::kAll};
constexpr RegisterSpec kIms{"IMS", 0x090, Access::kAction, 0, cause::kAll};
constexpr RegisterSpec kImc{"IMC", 0x098, Access::kAction};
// Receive
constexpr RegisterSpec kRctl{"RCTL", 0x100};
constexpr RegisterSpec kFcrtl{"FCRTL", 0x108};
constexpr RegisterSpec kFcrth{"FCRTH", 0x110};
constexpr RegisterSpec kRdbal{"RDBAL", 0x118};
constexpr RegisterSpec kRdbah{"RDBAH", 0x11c};
constexpr RegisterSpec kRdlen{"RDLEN", 0x120};
constexpr RegisterSpec kRdh{"RDH", 0x128, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kRdt{"RDT", 0x130};
constexpr RegisterSpec kRdtr{"RDTR", 0x138};
constexpr RegisterSpec kRxdctl{"RXDCTL", 0x140};
constexpr RegisterSpec kRaidc{"RAIDC", 0x148};
constexpr RegisterSpec kRxcsum{"RXCSUM", 0x158};
constexpr std::uint32_t kRal = 0x180;   // 16 pairs RAL, RAH
constexpr std::uint32_t kMta = 0x200;   // 128 words
constexpr std::uint32_t kVfta = 0x400;  // 128 words
// Transmit
constexpr RegisterSpec kTctl{"TCTL", 0x600};
constexpr RegisterSpec kTdbal{"TDBAL", 0x608};
constexpr RegisterSpec kTdbah{"TDBAH", 0x60c};
constexpr RegisterSpec kTdlen{"TDLEN", 0x610};
constexpr RegisterSpec kTdh{"TDH", 0x618, Access::kReadWrite, 0, 0xffff};
constexpr RegisterSpec kTdt{"TDT", 0x620};
constexpr RegisterSpec kTidv{"TIDV", 0x628};
constexpr RegisterSpec kTxdctl{"TXDCTL", 0x630};
constexpr RegisterSpec kTspmt{"TSPMT", 0x638, Access::kReadWrite, 0x0100'0400};
constexpr RegisterSpec kPap{"PAP", 0x640};
// Physical layer
constexpr RegisterSpec kPcsc1{"PCSC1", 0x700};
constexpr RegisterSpec kPcsc2{"PCSC2", 0x708, Access::kReadWrite, 1};  // 10GBASE-X, the XAUI side
constexpr RegisterSpec kPcss1{"PCSS1", 0x710, Access::kReadOnly};
constexpr RegisterSpec kPcss2{"PCSS2", 0x718, Access::kReadOnly};
constexpr RegisterSpec kXpcss{"XPCSS", 0x720, Access::kReadOnly};
constexpr RegisterSpec kUccr{"UCCR", 0x728};
constexpr RegisterSpec kXpcstc{"XPCSTC", 0x730};
constexpr RegisterSpec kMaca{"MACA", 0x738};
constexpr RegisterSpec kApae{"APAE", 0x740};
constexpr RegisterSpec kArd{"ARD", 0x748, Access::kReadOnly};
constexpr RegisterSpec kAis{"AIS", 0x750, Access::kReadOnly};
constexpr RegisterSpec kMsca{"MSCA", 0x758};
constexpr RegisterSpec kMsrwd{"MSRWD", 0x760};
// Wake-up
constexpr RegisterSpec kWufc{"WUFC", 0x808};
constexpr RegisterSpec kWus{"WUS", 0x810, Access::kReadOnly};
// Statistics: 0x2000 to 0x21d8, see ixgb_stats.cc
constexpr std::uint32_t kBar0Bytes = 0x20000;

constexpr std::uint32_t kExactAddresses = 16;
constexpr std::uint32_t kTableWords = 128;

namespace ctrl0 {
using namespace intel::ctrl;  // NOLINT: what all controllers have
constexpr std::uint32_t kJfe = 1U << 4;
constexpr std::uint32_t kCmdc = 1U << 7;
constexpr std::uint32_t kSdp0 = 1U << 18;  // low: the LED is on
constexpr std::uint32_t kRpe = 1U << 27;
constexpr std::uint32_t kTpe = 1U << 28;
}  // namespace ctrl0

using intel::kEeRst;  // of CTRL1

namespace status {
using namespace intel::status;  // NOLINT: what all controllers have
constexpr std::uint32_t kLocalFault = 1U << 9;
constexpr std::uint32_t kRevisionShift = 16;
}  // namespace status

namespace rctl {
using namespace intel::rctl;              // NOLINT: what all controllers have
constexpr std::uint32_t kCff = 1U << 23;  // control frames are filtered
}  // namespace rctl

using intel::kFcrtlXone;
constexpr std::uint32_t kFcMask = 0x3fff8;
constexpr std::uint32_t kRdtFpdb = 1U << 31;
constexpr std::uint32_t kRahValid = 1U << 31;
constexpr std::uint32_t kRahBySource = 1U << 16;

namespace raidc {
constexpr std::uint32_t kThresholdMask = 0x3f;  // units of eight descriptors
constexpr std::uint32_t kDelayShift = 11;
constexpr std::uint32_t kDelayMask = 0x1ff;
constexpr std::uint32_t kPollShift = 20;
constexpr std::uint32_t kPollMask = 0x1ff;
constexpr std::uint32_t kRxtGate = 1U << 30;
constexpr std::uint32_t kEnable = 1U << 31;
}  // namespace raidc

namespace rxcsum = intel::rxcsum;

using intel::kTctlEn;

namespace msca {
constexpr std::uint32_t kDeviceShift = 16;
constexpr std::uint32_t kPortShift = 21;
constexpr std::uint32_t kOpShift = 26;
constexpr std::uint32_t kOldProtocol = 1U << 28;
constexpr std::uint32_t kCommand = 1U << 30;
}  // namespace msca

namespace rx_status = intel::rx_status;
namespace rx_error = intel::rx_error;
namespace tx = intel::tx;

}  // namespace longhaul::nic::ixgb::regs
