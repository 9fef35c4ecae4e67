// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/terminator/mac_params.h"
#include "models/nic/terminator/pm3393_egress.h"
#include "models/nic/terminator/pm3393_ingress.h"
#include "models/nic/terminator/pm3393_interrupts.h"
#include "models/nic/terminator/pm3393_mstat.h"
#include "models/nic/terminator/pm3393_parts.h"

namespace longhaul::nic::terminator {

/// PMC-Sierra's PM3393 (S/UNI-1x10GE-XP), the MAC between SPI-4.2 and XAUI, around an EthMac: the
/// registers that Linux's cxgb touches, reset with its times, and both directions of frames.
///
/// While RSTB is low it answers nothing. After the release only DEVICE_STATUS answers until the
/// timers of the reset expire; then SPI-4.2 is in lock, and a while later XAUI is stable. If RSTB
/// was low for too short a time the timers never expire.
class Pm3393 final : public sc_core::sc_module {
 public:
  struct Owner {
    std::function<void()> pin_changed;                ///< interrupt() has changed
    std::function<void()> state_changed;              ///< xaui_stable() or sends() has changed
    std::function<void()> carrier_changed;            ///< light came or went
    std::function<void()> egress_better;              ///< egress().status() may be better
    std::function<void(const FrameRef&)> frame_sent;  ///< its first bit is on the wire
  };
  Pm3393(const sc_core::sc_module_name& name, EthMac& mac, const MacPartParams& params,
         MacLosses losses, IngressReceiver& receiver, Owner owner);

  RegisterBank& bank() { return bank_; }
  /// Whether the register at a byte offset of the bank answers.
  bool answers(std::uint32_t offset) const;
  /// RSTB: false holds the chip in reset.
  void set_running(bool running);
  /// Whether XAUI's other end is there, and has a link.
  void set_phy(bool ready, bool link);

  bool interrupt() const { return interrupts_.pin(); }
  bool operates() const { return expired_; }
  bool xaui_stable() const { return xaui_stable_; }
  bool sends() const { return expired_ && egress_.sends(); }
  Pm3393Ingress& ingress() { return ingress_; }
  Pm3393Egress& egress() { return egress_; }

 private:
  Pm3393Parts parts(MacLosses losses);
  void add_plain_registers();
  std::uint32_t device_status() const;
  std::uint32_t lock_status() const;
  void timers_expired();
  void reset();

  EthMac& mac_;
  const MacPartParams& params_;
  const Owner owner_;
  RegisterBank bank_{pm::offset_of(pm::kRegisters)};
  bool running_ = false;
  bool expired_ = false;
  bool xaui_stable_ = false;
  bool phy_ready_ = false;
  bool link_ = false;
  std::uint64_t held_since_ps_ = 0;
  Timer expires_{[this] { timers_expired(); }};
  Timer stable_{[this] {
    xaui_stable_ = true;
    owner_.state_changed();
  }};
  Pm3393Interrupts interrupts_;
  Pm3393Mstat mstat_;
  Pm3393Ingress ingress_;
  Pm3393Egress egress_;
  Reg32 identification_{bank_, pm::kIdentification};
  Reg32 device_status_{bank_, pm::kDeviceStatus, this, &Pm3393::device_status};
  Reg32 lock_status_{bank_, pm::kPl4IoLockStatus, this, &Pm3393::lock_status};
  Reg32 pl4io_config_;
  Reg32 xrf_error_;
  Reg32 rxoam_status_;
  std::deque<Reg32> plain_;  // registers that only store what is written
};

}  // namespace longhaul::nic::terminator
