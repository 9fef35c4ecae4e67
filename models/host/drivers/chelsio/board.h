// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/terminator/phy_board.h"
#include "models/nic/terminator/pm3393_regs.h"

namespace longhaul::host::chelsio {

/// The registers of a Terminator, as its driver reaches them.
class RegisterAccess {
 public:
  virtual ~RegisterAccess() = default;
  virtual std::uint32_t read_register(std::uint32_t offset) = 0;
  virtual void write_register(std::uint32_t offset, std::uint32_t value) = 0;
  /// Busy-waits.
  virtual void wait(std::uint64_t ps) = 0;
};

/// The set-up of an N110 or T110: the Terminator's TP and ESPI, and the chips beside it, Elmer0,
/// the PM3393, the PHY. Sources: subr.c, pm3393.c, mv88x201x.c, and illumos, xpak.c, for fibre.
class Board {
 public:
  using Kind = nic::terminator::Board;
  Board(RegisterAccess& registers, Kind kind) : registers_(registers), kind_(kind) {}

  /// Takes PHY and MAC out of reset, once. Takes 1.1 s, as the driver's waits do. An XPAK module
  /// needs 5 s more; link() switches its laser on then.
  void bring_up();
  /// Sets up TP for an adapter without offload (tp.c, subr.c).
  void start_tp();
  /// Sets up TP for offload (illumos, tp.c): connections of this MTU.
  void start_tp_offload(std::uint32_t mtu);
  /// TP forgets all of its connections.
  void reset_tp();
  /// Sets up ESPI, the Terminator's side of the bus to the MAC.
  void configure_espi();
  /// Sets the MAC's filters, marks and largest frame.
  void configure_mac(const MacAddress& mac, std::uint32_t largest_frame);
  void enable_mac(bool flow_control);
  void disable_mac();
  /// Adds a group address to the MAC's hash table.
  void join(const MacAddress& group);
  void enable_interrupts();
  void disable_interrupts();
  /// Reads and clears the interrupt of the PHY. Returns true if there was one.
  bool take_phy_interrupt();
  bool link();
  /// Whether the PHY interrupts when its link changes. Otherwise the driver polls link().
  bool phy_interrupts() const { return kind_ == Kind::kN110; }

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
  void configure_tp(std::uint32_t in, std::uint32_t global);
  bool module_has_link();

  RegisterAccess& registers_;
  const Kind kind_;
  std::uint32_t outputs_ = 0;  // of Elmer0
  std::uint64_t module_ready_ps_ = 0;
  std::uint64_t groups_ = 0;
  bool up_ = false;
};

}  // namespace longhaul::host::chelsio
