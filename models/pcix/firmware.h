// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "models/common/param.h"
#include "models/pcix/config_space.h"

namespace longhaul::pcix {

/// Values that a PC's firmware writes into every adapter's configuration space at power-on. The
/// defaults are the power-on values of an ixgb.
struct FirmwareParams {
  Param<std::uint32_t> mmrbc{
      "mmrbc",
      512,
      "Maximum Memory Read Byte Count that firmware sets, bytes",
      {Evidence::kDatasheet,
       "Linux ixgb.rst: register e6h reads 22h after power-on, bits 3:2 = 512 B"},
      Range<std::uint32_t>{512, 4096}};
  Param<std::uint32_t> outstanding{
      "outstanding",
      3,
      "Maximum Outstanding Split Transactions that firmware sets",
      {Evidence::kDatasheet, "Linux ixgb.rst: register e6h reads 22h after power-on, bits 6:4 = 3"},
      Range<std::uint32_t>{1, 32}};
  Param<std::uint32_t> latency_timer{
      "latency_timer",
      64,
      "Latency Timer that firmware sets, bus clocks",
      {Evidence::kStandard, "PCI-X 1.0b, 7.1: reset value in PCI-X mode, bus clocks"},
      Range<std::uint32_t>{0, 255}};
  auto fields() { return std::tie(mmrbc, outstanding, latency_timer); }
};

/// Sets a device up as firmware does. Walks its capability list to the PCI-X command register and
/// writes read byte count, outstanding splits and latency timer. Throws ConfigError whose message
/// starts with `where` for values that the registers cannot hold.
void run_firmware(const FirmwareParams& params, ConfigSpace& config, const std::string& where);

}  // namespace longhaul::pcix
