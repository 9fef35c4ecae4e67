// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::host::chelsio {

/// The registers of an adapter with a Terminator's core, as its driver reaches them.
class RegisterAccess {
 public:
  virtual ~RegisterAccess() = default;
  virtual std::uint32_t read_register(std::uint32_t offset) = 0;
  virtual void write_register(std::uint32_t offset, std::uint32_t value) = 0;
  /// Busy-waits.
  virtual void wait(std::uint64_t ps) = 0;
};

/// The set-up of an adapter with a Terminator's core: its TP, and the parts between TP and the
/// wire, which boards have of their own.
class Board {
 public:
  /// Clocks of the core.
  struct Clocks {
    std::uint64_t tick_ps;    ///< SG_INTRTIMER counts them
    std::uint32_t separator;  ///< between modulation events of TP
  };
  Board(RegisterAccess& registers, const Clocks& clocks) : registers_(registers), clocks_(clocks) {}
  virtual ~Board() = default;

  /// The value of SG_INTRTIMER for this time.
  std::uint32_t hold_off_ticks(std::uint64_t ps) const {
    return static_cast<std::uint32_t>(ps / clocks_.tick_ps);
  }

  // TP (tp.c, subr.c; illumos, tp.c).
  /// Sets up TP for an adapter without offload.
  virtual void start_tp();
  /// Sets up TP for offload: connections of this MTU.
  void start_tp_offload(std::uint32_t mtu);
  /// TP forgets all of its connections.
  void reset_tp();

  // The parts between TP and the wire.
  /// Takes PHY and MAC out of reset, once.
  virtual void bring_up() = 0;
  /// Sets up the bus between TP and the MAC.
  virtual void configure_bus() = 0;
  /// Sets the MAC's filters, marks and largest frame.
  virtual void configure_mac(const MacAddress& mac, std::uint32_t largest_frame) = 0;
  virtual void enable_mac(bool flow_control) = 0;
  virtual void disable_mac() = 0;
  /// The MAC takes frames for this group, too.
  virtual void join(const MacAddress& group) = 0;
  virtual void enable_interrupts() = 0;
  virtual void disable_interrupts() = 0;
  /// Reads and clears the interrupt of a changed link, unless link() does.
  virtual void take_link_interrupt() = 0;
  virtual bool link() = 0;
  /// Whether a change of the link interrupts. Otherwise the driver polls link().
  virtual bool link_interrupts() const = 0;

 protected:
  RegisterAccess& registers() { return registers_; }

 private:
  void configure_tp(std::uint32_t in, std::uint32_t global);

  RegisterAccess& registers_;
  const Clocks clocks_;
};

/// Makes the board of a driver.
using MakeBoard = std::function<std::unique_ptr<Board>(RegisterAccess&)>;

}  // namespace longhaul::host::chelsio
