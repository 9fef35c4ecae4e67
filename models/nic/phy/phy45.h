// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/nic/blocks/mdio.h"

namespace longhaul::nic {

/// A 10 Gb/s PHY or module of IEEE 802.3, clause 45, at port 0 of its management bus: the registers
/// that its MMDs have in common, with link and light. A kind of PHY derives from it, and adds its
/// own registers.
///
/// Link in 1.1 is latched low until it is read. A reset by 1.0 bit 15 ends at once.
class Phy45 : public MdioDevice {
 public:
  // MMDs.
  static constexpr std::uint32_t kPmaPmd = 1;
  static constexpr std::uint32_t kWis = 2;
  static constexpr std::uint32_t kPcs = 3;
  static constexpr std::uint32_t kPhyXs = 4;

  struct Kind {
    std::uint16_t devices;    ///< a bit for each MMD, as in 1.5
    std::uint16_t type;       ///< 1.7: PMA/PMD type (45.2.1.6)
    std::uint16_t abilities;  ///< bits of 1.8 (45.2.1.7)
  };

  bool mdio_answers(std::uint32_t port, std::uint32_t device) const final;
  std::uint16_t mdio_read(std::uint32_t port, std::uint32_t device, std::uint16_t address) final;
  void mdio_write(std::uint32_t port, std::uint32_t device, std::uint16_t address,
                  std::uint16_t value) final;

  /// Looks at the light. Call it when the light came or went.
  virtual void light_changed();
  /// Whether the PHY asks for an interrupt.
  virtual bool interrupt() const { return false; }
  /// Whether its registers let it transmit.
  virtual bool transmits() const { return true; }
  /// Reset by its pin or by 1.0: all registers get their first values.
  virtual void reset();

 protected:
  /// `has_light` tells whether the medium carries a signal in both directions.
  Phy45(const Kind& kind, std::function<bool()> has_light);

  bool has_light() const { return has_light_(); }
  /// Registers that are not in clause 45, or that a kind has in another form. Called first; a read
  /// that returns false goes on to the common registers.
  virtual bool read_own(std::uint32_t device, std::uint16_t address, std::uint16_t& value) {
    return false;
  }
  virtual void write_own(std::uint32_t device, std::uint16_t address, std::uint16_t value) {}

 private:
  std::uint16_t read_pma(std::uint16_t address);

  const Kind kind_;
  std::function<bool()> has_light_;
  bool link_was_lost_ = true;  // latched low in the status registers until they are read
  std::uint16_t control_ = 0;
};

}  // namespace longhaul::nic
