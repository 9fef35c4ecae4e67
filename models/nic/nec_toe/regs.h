// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"

/// Registers of the line. The others are the Terminator's (models/nic/terminator/regs.h). Neither
/// adapter's registers are public: these are chosen.
namespace longhaul::nic::nec_toe::regs {

inline constexpr std::uint32_t kMemoryBytes = 4096;

struct LineControlFields : RegisterFields {
  RegisterField transmit = bit("TRANSMIT", 0, "the MAC sends");
  RegisterField receive = bit("RECEIVE", 1, "the MAC receives");
  RegisterField send_pause = bit("SEND_PAUSE", 2, "a receive FIFO that fills sends PAUSE");
  RegisterField obey_pause = bit("OBEY_PAUSE", 3, "received PAUSE holds the transmitter");
};
inline constexpr LineControlFields kLineControlFields;
constexpr RegisterSpec kLineControl{"LINE_CONTROL",     0xf00, kLineControlFields,
                                    Access::kReadWrite, 0,     kLineControlFields.mask()};

struct LineStatusFields : RegisterFields {
  RegisterField link = bit("LINK", 0, "the line has a carrier");
};
inline constexpr LineStatusFields kLineStatusFields;
constexpr RegisterSpec kLineStatus{"LINE_STATUS",     0xf04, kLineStatusFields,
                                   Access::kReadOnly, 0,     0};

struct LineMaxFrameFields : RegisterFields {
  RegisterField bytes = bits("BYTES", 0, 16, "largest frame that is received, FCS included");
};
inline constexpr LineMaxFrameFields kLineMaxFrameFields;
constexpr RegisterSpec kLineMaxFrame{"LINE_MAX_FRAME",   0xf08, kLineMaxFrameFields,
                                     Access::kReadWrite, 1518,  kLineMaxFrameFields.mask()};

}  // namespace longhaul::nic::nec_toe::regs
