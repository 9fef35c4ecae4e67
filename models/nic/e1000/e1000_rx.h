// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/nic/blocks/delay_timer.h"
#include "models/nic/e1000/parts.h"
#include "models/nic/e1000/regs.h"
#include "models/nic/intel/rx_unit.h"

namespace longhaul::nic::e1000 {

/// The receive unit of the 82545 and 82546: registers, the receive timers (RDTR, RADV), statistics.
class E1000Rx final : public intel::RxUnit {
 public:
  /// `loopback_changed` is called when loopback() may have changed.
  E1000Rx(const sc_core::sc_module_name& name, const E1000Parts& parts,
          std::function<void()> carrier_changed, std::function<void(bool)> enabled_changed,
          std::function<void()> loopback_changed);

  void reset(const MacAddress& own_address) override;
  /// The bits of RCTL.LBM, in their place in the register.
  std::uint32_t loopback() const { return rctl_.value() & regs::kRctlFields.lbm; }
  /// Called when CTRL, FCRTL, FCRTH or FCTTV has changed.
  void update_thresholds();
  /// Called when PBA was written: the buffer's size after the next reset.
  using RxUnit::set_fifo;
  using RxUnit::set_vlan_type;

 private:
  std::uint32_t largest_frame(bool) const override {
    return rctl_.has(regs::kRctlFields.lpe) ? kLongFrameBytes : kShortFrameBytes;
  }
  bool strips_tags() const override { return parts_.ctrl.has(regs::kCtrlFields.vme); }
  Checks checks() const override {
    return {rxcsum_.has(regs::kRxcsumFields.ipofl), rxcsum_.has(regs::kRxcsumFields.tuofl)};
  }
  std::uint16_t packet_checksum(const std::uint8_t* data, std::uint32_t length,
                                std::uint32_t stored) const override;
  void packet_written() override;
  void flushed() override { parts_.interrupts.post(regs::kCauseFields.rxt0); }
  void descriptors_low() override { parts_.interrupts.post(regs::kCauseFields.rxdmt0); }
  void count_any(std::uint32_t octets) override { parts_.stats.received_any(octets); }
  void count_good(const Frame& frame, std::uint32_t octets, bool) override {
    parts_.stats.received_good(frame, octets);
  }
  void count_oversize() override { E1000Stats::count(parts_.stats.receive_oversize); }
  void count_length_error() override { E1000Stats::count(parts_.stats.receive_length_errors); }
  void count_refused(RxFault fault, bool damaged) override;
  void count_missed() override;
  void count_no_descriptor() override { E1000Stats::count(parts_.stats.receive_no_buffers); }

  void timer_expired();
  void rctl_written(std::uint32_t value);
  void rdtr_written(std::uint32_t value);
  /// While the unit is off, the register reads as the written value; otherwise as the ring's head.
  std::uint32_t rdh_now() const { return enabled() ? head() : rdh_.value(); }
  void rxdctl_written(std::uint32_t value);
  void set_base() {
    ring().set_base(static_cast<std::uint64_t>(rdbah_.value()) << 32 | rdbal_.value());
  }

  E1000Parts parts_;
  std::function<void()> on_loopback_;
  DelayTimer packet_timer_;    // RDTR
  DelayTimer absolute_timer_;  // RADV

  Reg32 rctl_{parts_.bank, regs::kRctl, this, &E1000Rx::rctl_written};
  Reg32 fcttv_{parts_.bank, regs::kFcttv, this, &E1000Rx::update_thresholds};
  Reg32 fcrtl_{parts_.bank, regs::kFcrtl, this, &E1000Rx::update_thresholds};
  Reg32 fcrth_{parts_.bank, regs::kFcrth, this, &E1000Rx::update_thresholds};
  Reg32 rdfpc_{parts_.bank, regs::kRdfpc, [this] { return buffered(); }};
  Reg32 rdbal_{parts_.bank, regs::kRdbal, this, &E1000Rx::set_base};
  Reg32 rdbah_{parts_.bank, regs::kRdbah, this, &E1000Rx::set_base};
  Reg32 rdlen_{parts_.bank, regs::kRdlen, [this](auto length) { ring().set_length(length); }};
  Reg32 rdh_{parts_.bank, regs::kRdh, this, &E1000Rx::rdh_now, &E1000Rx::set_head};
  Reg32 rdt_{parts_.bank, regs::kRdt, this, &E1000Rx::ring_doorbell};
  Reg32 rdtr_{parts_.bank, regs::kRdtr, this, &E1000Rx::rdtr_written};
  Reg32 rxdctl_{parts_.bank, regs::kRxdctl, this, &E1000Rx::rxdctl_written};
  Reg32 radv_{parts_.bank, regs::kRadv};
  Reg32 rxcsum_{parts_.bank, regs::kRxcsum};
};

}  // namespace longhaul::nic::e1000
