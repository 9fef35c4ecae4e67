// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/host/drivers/chelsio/board.h"
#include "models/nic/terminator/phy_board.h"
#include "models/nic/terminator/pm3393_regs.h"

namespace longhaul::host::chelsio {

/// The set-up of an N110 or T110: the Terminator's ESPI, and the chips beside it, Elmer0, the
/// PM3393, the PHY. Sources: subr.c, pm3393.c, mv88x201x.c, and illumos, xpak.c, for fibre.
class T1Board final : public Board {
 public:
  using Kind = nic::terminator::Board;
  T1Board(RegisterAccess& registers, Kind kind);

  /// Takes 1.1 s, as the driver's waits do. An XPAK module needs 5 s more; link() switches its
  /// laser on then.
  void bring_up() override;
  void start_tp() override;
  void configure_bus() override;
  void configure_mac(const MacAddress& mac, std::uint32_t largest_frame) override;
  void enable_mac(bool flow_control) override;
  void disable_mac() override;
  void join(const MacAddress& group) override;
  void enable_interrupts() override;
  void disable_interrupts() override;
  void take_link_interrupt() override;
  bool link() override;
  bool link_interrupts() const override { return kind_ == Kind::kN110; }

 private:
  std::uint32_t tpi_read(std::uint32_t address);
  void tpi_write(std::uint32_t address, std::uint32_t value);
  void tpi_wait();
  void mac_write(std::uint32_t number, std::uint32_t value);
  void mac_write(const nic::terminator::pm::Spec& reg, std::uint32_t value);
  std::uint32_t mdio_read(std::uint32_t device, std::uint32_t reg);
  void mdio_write(std::uint32_t device, std::uint32_t reg, std::uint32_t value);
  void mdio_address(std::uint32_t device, std::uint32_t reg);
  void mdio_operate(std::uint32_t operation);
  void write_hash();
  void clear_phy();
  void gpo(std::uint32_t set);
  bool module_has_link();

  const Kind kind_;
  std::uint32_t outputs_ = 0;  // of Elmer0
  std::uint64_t module_ready_ps_ = 0;
  std::uint64_t groups_ = 0;
  bool up_ = false;
};

}  // namespace longhaul::host::chelsio
