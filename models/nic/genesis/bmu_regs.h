// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of GEnesis' queues, RAM buffers and MAC FIFOs, and its descriptors. Sources: Linux 6.1
/// drivers/net/ethernet/marvell/skge.h; Linux 2.6 drivers/net/sk98lin/h/skgehw.h; FreeBSD
/// sys/dev/sk/if_skreg.h.
namespace longhaul::nic::genesis::regs {

/// What a pair of command bits makes of a setting: one bit says yes, the other no, which counts if
/// both are set; none changes nothing.
constexpr bool after(std::uint32_t command, std::uint32_t yes, std::uint32_t no, bool before) {
  return (command & no) == 0 && ((command & yes) != 0 || before);
}

// Queues: block of each, then offsets in it.
constexpr std::uint32_t kR1 = 0x400;
constexpr std::uint32_t kXs1 = 0x600;
constexpr std::uint32_t kXa1 = 0x680;
// CSR once more in block 0.
constexpr std::uint32_t kR1CsrMirror = 0x060;
constexpr std::uint32_t kXs1CsrMirror = 0x068;
constexpr std::uint32_t kXa1CsrMirror = 0x06c;

namespace q {
constexpr std::uint32_t kD = 0x00;  // eight words: the current descriptor
constexpr std::uint32_t kDaL = 0x20;
constexpr std::uint32_t kDaH = 0x24;
constexpr std::uint32_t kAcL = 0x28;
constexpr std::uint32_t kAcH = 0x2c;
constexpr std::uint32_t kBc = 0x30;
constexpr std::uint32_t kCsr = 0x34;
constexpr std::uint32_t kF = 0x38;
constexpr std::uint32_t kFWatermark = 0x7ff;
}  // namespace q

/// CSR: bits come in pairs, one that does and one that undoes.
namespace csr {
constexpr std::uint32_t kSvIdle = 1U << 24;
constexpr std::uint32_t kRunMask = 0x002a'aa00;  // takes each of seven machines out of reset
constexpr std::uint32_t kResetMask =
    0x0015'5500;  // the bit below each of those: puts it into reset
constexpr std::uint32_t kStop = 1U << 5;
constexpr std::uint32_t kStart = 1U << 4;
constexpr std::uint32_t kIrqClB = 1U << 2;
constexpr std::uint32_t kIrqClF = 1U << 1;
constexpr std::uint32_t kIrqClC = 1U << 0;
}  // namespace csr

// RAM buffers: block of each, then offsets in it.
constexpr std::uint32_t kRbR1 = 0x800;
constexpr std::uint32_t kRbXs1 = 0xa00;
constexpr std::uint32_t kRbXa1 = 0xa80;
namespace rb {
constexpr std::uint32_t kStart = 0x00;  // quadwords, as all of these
constexpr std::uint32_t kEnd = 0x04;
constexpr std::uint32_t kWp = 0x08;
constexpr std::uint32_t kRp = 0x0c;
constexpr std::uint32_t kUtpp = 0x10;
constexpr std::uint32_t kLtpp = 0x14;
constexpr std::uint32_t kUthp = 0x18;
constexpr std::uint32_t kLthp = 0x1c;
constexpr std::uint32_t kPc = 0x20;
constexpr std::uint32_t kLev = 0x24;
constexpr std::uint32_t kCtrl = 0x28;
constexpr std::uint32_t kPointerMask = 0x7'ffff;

constexpr std::uint32_t kEnaStfwd = 1U << 5;
constexpr std::uint32_t kDisStfwd = 1U << 4;
constexpr std::uint32_t kEnaOpMd = 1U << 3;
constexpr std::uint32_t kDisOpMd = 1U << 2;
constexpr std::uint32_t kRstClr = 1U << 1;
constexpr std::uint32_t kRstSet = 1U << 0;
}  // namespace rb

// MAC FIFOs.
constexpr std::uint32_t kRxMff = 0xc00;
constexpr std::uint32_t kTxMff = 0xd00;
namespace mff {
constexpr std::uint32_t kCtrl1 = 0x18;
constexpr std::uint32_t kCtrl2 = 0x1c;
constexpr std::uint32_t kEnaPause = 1U << 7;  // CTRL1, receive
constexpr std::uint32_t kDisPause = 1U << 6;
constexpr std::uint32_t kClrMacRst = 1U << 1;  // CTRL1, transmit
constexpr std::uint32_t kSetMacRst = 1U << 0;
constexpr std::uint32_t kEnaOpMd = 1U << 3;  // CTRL2
constexpr std::uint32_t kDisOpMd = 1U << 2;
constexpr std::uint32_t kRstClr = 1U << 1;
constexpr std::uint32_t kRstSet = 1U << 0;
}  // namespace mff
constexpr RegisterSpec kRxMffCtrl1{"RX_MFF_CTRL1", kRxMff + mff::kCtrl1};
constexpr RegisterSpec kRxMffCtrl2{"RX_MFF_CTRL2", kRxMff + mff::kCtrl2, Access::kAction};
constexpr RegisterSpec kTxMffCtrl1{"TX_MFF_CTRL1", kTxMff + mff::kCtrl1, Access::kAction};
constexpr RegisterSpec kTxMffCtrl2{"TX_MFF_CTRL2", kTxMff + mff::kCtrl2, Access::kAction};

/// Bits of ISRC that the queues set.
namespace isrc {
constexpr std::uint32_t kR1B = 1U << 17;
constexpr std::uint32_t kR1F = 1U << 16;
constexpr std::uint32_t kR1C = 1U << 15;
constexpr std::uint32_t kXa1B = 1U << 8;
constexpr std::uint32_t kXa1F = 1U << 7;
constexpr std::uint32_t kXa1C = 1U << 6;
}  // namespace isrc

/// Control word of a descriptor.
namespace bmu {
constexpr std::uint32_t kOwn = 1U << 31;
constexpr std::uint32_t kStf = 1U << 30;
constexpr std::uint32_t kEof = 1U << 29;
constexpr std::uint32_t kIrqEob = 1U << 28;
constexpr std::uint32_t kIrqEof = 1U << 27;
constexpr std::uint32_t kStatVal = 1U << 25;  // receive
constexpr std::uint32_t kTistVal = 1U << 24;  // receive
constexpr std::uint32_t kCheckShift = 16;
constexpr std::uint32_t kCheckMask = 0xff;
constexpr std::uint32_t kCheckPlain = 0x55;
constexpr std::uint32_t kCheckTcp = 0x56;
constexpr std::uint32_t kCheckUdp = 0x57;
constexpr std::uint32_t kBytesMask = 0xffff;

constexpr std::uint32_t kDescriptorBytes = 32;
constexpr std::uint32_t kStatusOffset = 16;  // of the words that a receive descriptor gets back
constexpr std::uint32_t kStatusBytes = 12;
}  // namespace bmu

}  // namespace longhaul::nic::genesis::regs
