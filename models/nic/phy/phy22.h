// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>

#include "models/common/param.h"
#include "models/nic/blocks/mdio.h"

namespace longhaul::nic::phy {

struct Phy22Params {
  Param<std::uint32_t> id{
      "id",
      0x0200'0001,
      "PHY identifier: register 2 in the upper half, register 3 in the lower one",
      {Evidence::kChosen,
       "models/nic/phy/README.md: an identifier of no maker, so that Linux "
       "takes its driver for any PHY"}};
  Param<std::uint32_t> ability{
      "ability",
      0x0149,
      "status register without link and end of negotiation",
      {Evidence::kStandard,
       "IEEE 802.3, 22.2.4.2: extended status, short preamble, negotiation, extended registers"},
      Range<std::uint32_t>{0, 0xffff}};
  Param<std::uint32_t> control{
      "control",
      0x1140,
      "control register after a reset",
      {Evidence::kStandard, "IEEE 802.3, 22.2.4.1: negotiation, full duplex, 1000 Mb/s"},
      Range<std::uint32_t>{0, 0xffff}};
  auto fields() { return std::tie(id, ability, control); }
};

/// A PHY with the registers of clause 22 at port 0: control, status, identifier, and registers 4 to
/// 31 as data.
///
/// Link in the status register is the carrier; it is latched low until it is read. Negotiation is
/// over as soon as there is link. Registers 0 and 4 to 31 can be written, except 5, 6, 10 and 15. A
/// reset gives all registers their first values. The control register moves no data: loopback,
/// power-down and isolation hold nothing back.
///
/// Source: IEEE 802.3, 22.2.4.
class Phy22 final : public MdioDevice {
 public:
  using Registers = std::array<std::uint16_t, 32>;

  /// `registers` are values of registers 4 to 31; the others of them are 0. `carrier_losses` counts
  /// the losses of the carrier so far.
  Phy22(const Phy22Params& params, const std::map<std::uint16_t, std::uint16_t>& registers,
        std::function<bool()> has_carrier, std::function<std::uint64_t()> carrier_losses);

  bool mdio_answers(std::uint32_t port, std::uint32_t device) const override {
    return port == 0 && device == kMdioClause22;
  }
  bool mdio_takes_short_preamble() const override;
  std::uint16_t mdio_read(std::uint32_t port, std::uint32_t device, std::uint16_t address) override;
  void mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                  std::uint16_t value) override;

 private:
  std::uint16_t status();

  const Registers first_;  // values after a reset
  Registers registers_;
  std::function<bool()> has_carrier_;
  std::function<std::uint64_t()> carrier_losses_;
  bool link_was_lost_ = true;  // latched low in the status register until it is read
  std::uint64_t seen_losses_ = 0;
};

}  // namespace longhaul::nic::phy
