// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/register_bank.h"
#include "models/nic/blocks/tx_sums.h"
#include "models/nic/terminator/cpl.h"
#include "models/nic/terminator/regs_tp.h"

namespace longhaul::nic::terminator {

/// The registers of TP that its path of frames obeys. Its other registers hold what was written.
class Tp final {
 public:
  explicit Tp(RegisterBank& bank)
      : out_config_(bank, regs::kTpOutConfig), global_config_(bank, regs::kTpGlobalConfig) {}

  /// The checksums to insert into a packet of the driver's.
  TxSums sums(const cpl::TxPkt& packet) const {
    constexpr const auto& kGlobal = regs::kTpGlobalConfigFields;
    constexpr const auto& kOut = regs::kTpOutConfigFields;
    const bool l4 = !packet.no_l4_sum && out_config_.has(kOut.tp_out_espi_generate_tcp_csum);
    TxSums wanted;
    wanted.ip = !packet.no_ip_sum && out_config_.has(kOut.tp_out_espi_generate_ip_csum) &&
                global_config_.has(kGlobal.ip_csum);
    wanted.tcp = l4 && global_config_.has(kGlobal.tcp_csum);
    wanted.udp = l4 && global_config_.has(kGlobal.udp_csum);
    return wanted;
  }

 private:
  Reg32 out_config_;
  Reg32 global_config_;
};

}  // namespace longhaul::nic::terminator
