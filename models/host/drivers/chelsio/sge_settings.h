// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/nic/terminator/regs_pl.h"
#include "models/nic/terminator/regs_sge.h"

/// Values that cxgb writes to the SGE and to the interrupt tree, and what buffers begin with.
namespace longhaul::host::chelsio {

namespace regs = nic::terminator::regs;

inline constexpr std::uint32_t kHeadBytes = 8;  // of CPL_RX_PKT (cpl5_cmd.h)
inline constexpr std::uint32_t kIpAlign = 2;    // sge.c: NET_IP_ALIGN
inline constexpr std::uint32_t kSlowCauses =
    regs::kPlIntrFields.pl_intr_sge_err | regs::kPlIntrFields.pl_intr_tp |
    regs::kPlIntrFields.pl_intr_espi | regs::kPlIntrFields.pl_intr_pcix;
inline constexpr std::uint32_t kAllCauses =
    kSlowCauses | regs::kPlIntrFields.pl_intr_ext | regs::kPlIntrFields.pl_intr_sge_data;
inline constexpr std::uint32_t kSgeErrors =
    regs::kSgIntFields.respq_exhausted | regs::kSgIntFields.respq_overflow |
    regs::kSgIntFields.fl_exhausted | regs::kSgIntFields.packet_too_big |
    regs::kSgIntFields.packet_mismatch;
inline constexpr std::uint32_t kBothLists =
    regs::kSgDoorbellFields.fl0_enable | regs::kSgDoorbellFields.fl1_enable;

}  // namespace longhaul::host::chelsio
