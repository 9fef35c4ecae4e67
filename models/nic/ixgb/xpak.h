// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>

#include "models/common/param.h"
#include "models/nic/phy/phy45.h"

namespace longhaul::nic::ixgb {

/// Numbers of a transceiver that stands beside a block of RTL. An adapter of this folder has them
/// among its own.
struct XpakParams {
  Param<std::string> vendor{
      "vendor",
      "INTEL",
      "maker that the transceiver names",
      {Evidence::kChosen, "ixgb_hw.c: INTEL tells TXN17201 from G6005 optics"}};
  Param<std::string> reach{
      "reach",
      "sr",
      "10GBASE-SR or 10GBASE-LR",
      {Evidence::kStandard, "IEEE 802.3, 45.2.1.6: PMA/PMD types 10GBASE-LR and 10GBASE-SR"},
      {"sr", "lr"}};
  auto fields() { return std::tie(vendor, reach); }
};

/// The optical transceiver (XENPAK or XPAK) behind the adapter's management bus. It has the clause
/// 45 registers for its identity and light, and the vendor name of its non-volatile memory
/// (registers 1.803A and on, one byte each).
///
/// Sources: IEEE 802.3 clause 45; XENPAK MSA issue 3.0, table 28.
class Xpak final : public Phy45 {
 public:
  /// `long_reach`: 10GBASE-LR, else -SR. `has_light` tells whether the fibre is lit in both
  /// directions.
  Xpak(std::string vendor, bool long_reach, std::function<bool()> has_light);

 private:
  bool read_own(std::uint32_t device, std::uint16_t address, std::uint16_t& value) override;
  void write_own(std::uint32_t device, std::uint16_t address, std::uint16_t value) override;

  std::string vendor_;
  std::uint16_t vendor_specific_ = 0;  // register 1.C001 of the G6005 and G6104 modules
};

}  // namespace longhaul::nic::ixgb
