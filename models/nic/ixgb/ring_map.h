// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/ring_map.h"
#include "models/nic/ixgb/regs.h"

namespace longhaul::nic::ixgb {

/// The rings of the 82597EX, as models/nic/intel/descriptors.h has their descriptors. They are
/// those of its RTL, too (rtl/nic).
constexpr RingMap ring_map() {
  constexpr std::uint32_t kDescriptorBytes = 16;
  constexpr BitField kIndex{0, 16};
  RingMap map;
  map.transmit.registers = {regs::kTdbal, regs::kTdbah, regs::kTdlen,    regs::kTdh,
                            regs::kTdt,   kIndex,       kDescriptorBytes};
  map.transmit.address = {0, 64};
  map.transmit.length = {64, 20};
  map.transmit.kind = {64 + regs::tx::kTypeShift, 4};
  map.transmit.context = regs::tx::kTypeContext;
  map.transmit.end = {88, 1};
  map.transmit.segment = {90, 1};
  map.receive.registers = {regs::kRdbal, regs::kRdbah, regs::kRdlen,    regs::kRdh,
                           regs::kRdt,   kIndex,       kDescriptorBytes};
  map.receive.address = {0, 64};
  map.receive.length = {64, 16};
  map.receive.end = {97, 1};
  map.receive.size_register = regs::kRctl;
  map.receive.size_field = {16, 2};
  map.receive.size_unit = 2048;
  map.reset_register = regs::kCtrl0;
  map.reset = {26, 1};
  map.cause_register = regs::kIcr;
  return map;
}

}  // namespace longhaul::nic::ixgb
