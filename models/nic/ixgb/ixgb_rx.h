// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/nic/blocks/delay_timer.h"
#include "models/nic/intel/rx_unit.h"
#include "models/nic/ixgb/parts.h"
#include "models/nic/ixgb/regs.h"

namespace longhaul::nic::ixgb {

/// The receive unit of the 82597EX: registers, the receive timer (RDTR, or RAIDC in its place) and
/// statistics.
class IxgbRx final : public intel::RxUnit {
 public:
  IxgbRx(const sc_core::sc_module_name& name, const IxgbParts& parts,
         std::function<void()> carrier_changed, std::function<void(bool)> enabled_changed);

  void reset(const MacAddress& own_address) override;
  /// Called when CTRL0 or MFS has changed.
  void update_sizes();
  /// Called when FCRTL, FCRTH or PAP has changed.
  void update_thresholds();

 private:
  std::uint32_t largest_frame(bool tagged) const override;
  bool strips_tags() const override { return parts_.ctrl0.has(regs::kCtrl0Fields.vme); }
  Checks checks() const override {
    return {rxcsum_.has(regs::kRxcsumFields.ipofl | regs::kRxcsumFields.tuofl),
            rxcsum_.has(regs::kRxcsumFields.tuofl)};
  }
  void packet_written() override;
  void flushed() override { parts_.interrupts.post(regs::kCauseFields.rxt0); }
  void descriptors_low() override { parts_.interrupts.post(regs::kCauseFields.rxdmt0); }
  void count_any(std::uint32_t octets) override { parts_.stats.received_any(octets); }
  void count_good(const Frame& frame, std::uint32_t octets, bool tagged) override;
  void count_oversize() override { parts_.stats.count(parts_.stats.receive_oversize); }
  void count_length_error() override { parts_.stats.count(parts_.stats.receive_length_errors); }
  void count_refused(RxFault fault, bool damaged) override;
  void count_missed() override;
  void count_no_descriptor() override { parts_.stats.count(parts_.stats.receive_no_buffers); }

  void timer_expired() { ring().flush(); }
  void set_base() {
    ring().set_base(static_cast<std::uint64_t>(rdbah_.value()) << 32 | rdbal_.value());
  }
  void rdlen_written(std::uint32_t value) {
    ring().set_length(value & intel::kRingLengthFields.len);
  }
  void doorbell_written(std::uint32_t value);
  void rxdctl_written(std::uint32_t value) {
    set_thresholds({regs::kRxdctlFields.pthresh.get(value), regs::kRxdctlFields.hthresh.get(value),
                    regs::kRxdctlFields.wthresh.get(value)});
  }
  void rctl_written(std::uint32_t value);

  IxgbParts parts_;
  DelayTimer delay_timer_;  // RDTR, or RAIDC.DELAY
  DelayTimer poll_timer_;   // RAIDC.POLL

  Reg32 rctl_{parts_.bank, regs::kRctl, this, &IxgbRx::rctl_written};
  Reg32 fcrtl_{parts_.bank, regs::kFcrtl, this, &IxgbRx::update_thresholds};
  Reg32 fcrth_{parts_.bank, regs::kFcrth, this, &IxgbRx::update_thresholds};
  Reg32 rdbal_{parts_.bank, regs::kRdbal, this, &IxgbRx::set_base};
  Reg32 rdbah_{parts_.bank, regs::kRdbah, this, &IxgbRx::set_base};
  Reg32 rdlen_{parts_.bank, regs::kRdlen, this, &IxgbRx::rdlen_written};
  Reg32 rdh_{parts_.bank, regs::kRdh, this, &IxgbRx::head, &IxgbRx::set_head};
  Reg32 rdt_{parts_.bank, regs::kRdt, this, &IxgbRx::tail, &IxgbRx::doorbell_written};
  Reg32 rdtr_{parts_.bank, regs::kRdtr};
  Reg32 rxdctl_{parts_.bank, regs::kRxdctl, this, &IxgbRx::rxdctl_written};
  Reg32 raidc_{parts_.bank, regs::kRaidc};
  Reg32 rxcsum_{parts_.bank, regs::kRxcsum};
};

}  // namespace longhaul::nic::ixgb
