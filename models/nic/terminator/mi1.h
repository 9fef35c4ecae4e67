// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/common/units.h"
#include "models/nic/blocks/mdio.h"
#include "models/nic/terminator/regs_mac.h"

namespace longhaul::nic::terminator {

/// Elmer0's station of the management interface, with a programmable MDC.
///
/// A write of MI1_OP starts a frame with the address and data of the other registers; it is ignored
/// while a frame is in progress. A frame has 32 bits of preamble, unless MI1_CFG leaves it out, and
/// 32 bits of its own. If MI1_MDI_INVERT is not as the board needs it, data that are read have
/// their bits inverted.
class Mi1 {
 public:
  /// `clock` is Elmer0's. `mdi_inverted`: the board inverts the data that come from the PHY.
  Mi1(MdioDevice& device, Frequency clock, bool mdi_inverted);

  RegisterBank& bank() { return bank_; }
  /// The time of a frame with the present settings.
  std::uint64_t frame_ps() const;
  void reset();

 private:
  void op_written(std::uint32_t value);
  std::uint32_t op_now() const;
  std::uint32_t data_now() const;
  void data_written(std::uint32_t) { shows_read_ = false; }

  const Frequency clock_;
  const bool mdi_inverted_;
  MdioStation station_;
  bool shows_read_ = false;  // MI1_DATA has what was read, not what was written
  RegisterBank bank_{mac_regs::kMi1Bytes};
  Reg32 cfg_{bank_, mac_regs::kMi1Cfg};
  Reg32 addr_{bank_, mac_regs::kMi1Addr};
  Reg32 data_{bank_, mac_regs::kMi1Data, this, &Mi1::data_now, &Mi1::data_written};
  Reg32 op_{bank_, mac_regs::kMi1Op, this, &Mi1::op_now, &Mi1::op_written};
};

}  // namespace longhaul::nic::terminator
