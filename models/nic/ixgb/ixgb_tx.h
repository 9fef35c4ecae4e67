// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/nic/blocks/delay_timer.h"
#include "models/nic/intel/tx_unit.h"
#include "models/nic/ixgb/parts.h"
#include "models/nic/ixgb/regs.h"

namespace longhaul::nic::ixgb {

/// The transmit unit of the 82597EX: registers, the interrupt delay of TIDV, PAP's pacing and
/// statistics.
class IxgbTx final : public intel::TxUnit {
 public:
  IxgbTx(const sc_core::sc_module_name& name, const IxgbParts& parts);

  void reset() override;

 private:
  intel::TxCommand decode(const std::uint8_t* descriptor) const override;
  bool may_insert_tags() const override { return parts_.ctrl0.has(regs::kCtrl0Fields.vme); }
  std::uint32_t segment_padding() const override { return tspmt_.get(intel::kTspmtFields.tspbp); }
  std::uint64_t pace_ps(std::uint32_t frame_bytes) const override;
  void reported(bool with_delay, bool without) override;
  void flushed() override { parts_.interrupts.post(regs::kCauseFields.txdw); }
  void ring_emptied() override { parts_.interrupts.post(regs::kCauseFields.txqe); }
  void super_frame_ended(bool whole) override {
    parts_.stats.count(whole ? parts_.stats.tso_contexts : parts_.stats.tso_failures);
  }
  void frame_sent(const Frame& frame, std::uint32_t given, std::uint32_t wire_bytes) override;
  void set_base() {
    ring().set_base(static_cast<std::uint64_t>(tdbah_.value()) << 32 | tdbal_.value());
  }
  void tctl_written(std::uint32_t value) { enable((value & regs::kTctlFields.en) != 0); }
  void tdlen_written(std::uint32_t value) {
    ring().set_length(value & intel::kRingLengthFields.len);
  }
  void txdctl_written(std::uint32_t value) {
    ring().set_thresholds({regs::kTxdctlFields.pthresh.get(value),
                           regs::kTxdctlFields.hthresh.get(value),
                           regs::kTxdctlFields.wthresh.get(value)});
  }

  IxgbParts parts_;
  DelayTimer tidv_timer_;

  Reg32 tctl_{parts_.bank, regs::kTctl, this, &IxgbTx::tctl_written};
  Reg32 tdbal_{parts_.bank, regs::kTdbal, this, &IxgbTx::set_base};
  Reg32 tdbah_{parts_.bank, regs::kTdbah, this, &IxgbTx::set_base};
  Reg32 tdlen_{parts_.bank, regs::kTdlen, this, &IxgbTx::tdlen_written};
  Reg32 tdh_{parts_.bank, regs::kTdh, this, &IxgbTx::head, &IxgbTx::set_head};
  Reg32 tdt_{parts_.bank, regs::kTdt, [this](auto value) { ring_doorbell(value & 0xffff); }};
  Reg32 tidv_{parts_.bank, regs::kTidv};
  Reg32 txdctl_{parts_.bank, regs::kTxdctl, this, &IxgbTx::txdctl_written};
  Reg32 tspmt_{parts_.bank, regs::kTspmt};
};

}  // namespace longhaul::nic::ixgb
