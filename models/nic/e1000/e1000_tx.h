// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/nic/blocks/delay_timer.h"
#include "models/nic/e1000/parts.h"
#include "models/nic/e1000/regs.h"
#include "models/nic/intel/tx_unit.h"

namespace longhaul::nic::e1000 {

/// The transmit unit of the 82545 and 82546: registers, legacy and extended descriptors, the
/// interrupt delays of TIDV and TADV, statistics.
class E1000Tx final : public intel::TxUnit {
 public:
  E1000Tx(const sc_core::sc_module_name& name, const E1000Parts& parts);

  void reset() override;
  /// Called when PBA was written: the buffer's size after the next reset.
  using TxUnit::set_fifo;
  using TxUnit::set_vlan_type;

 private:
  intel::TxCommand decode(const std::uint8_t* descriptor) const override;
  bool may_insert_tags() const override { return parts_.ctrl.has(regs::kCtrlFields.vme); }
  std::uint32_t segment_padding() const override { return tspmt_.get(intel::kTspmtFields.tspbp); }
  void reported(bool with_delay, bool without) override;
  void flushed() override { parts_.interrupts.post(regs::kCauseFields.txdw); }
  void ring_emptied() override { parts_.interrupts.post(regs::kCauseFields.txqe); }
  void super_frame_ended(bool whole) override {
    E1000Stats::count(whole ? parts_.stats.tso_contexts : parts_.stats.tso_failures);
  }
  void frame_sent(const Frame& frame, std::uint32_t, std::uint32_t wire_bytes) override {
    parts_.stats.sent(frame, wire_bytes);
  }
  void delay_over();
  void tctl_written(std::uint32_t value);
  void txdctl_written(std::uint32_t value);
  void set_base() {
    ring().set_base(static_cast<std::uint64_t>(tdbah_.value()) << 32 | tdbal_.value());
  }

  E1000Parts parts_;
  DelayTimer packet_timer_;    // TIDV
  DelayTimer absolute_timer_;  // TADV

  Reg32 tctl_{parts_.bank, regs::kTctl, this, &E1000Tx::tctl_written};
  Reg32 tdfpc_{parts_.bank, regs::kTdfpc, [this] { return buffered(); }};
  Reg32 tdbal_{parts_.bank, regs::kTdbal, this, &E1000Tx::set_base};
  Reg32 tdbah_{parts_.bank, regs::kTdbah, this, &E1000Tx::set_base};
  Reg32 tdlen_{parts_.bank, regs::kTdlen, [this](auto length) { ring().set_length(length); }};
  Reg32 tdh_{parts_.bank, regs::kTdh, this, &E1000Tx::head, &E1000Tx::set_head};
  Reg32 tdt_{parts_.bank, regs::kTdt, this, &E1000Tx::ring_doorbell};
  Reg32 tidv_{parts_.bank, regs::kTidv};
  Reg32 txdctl_{parts_.bank, regs::kTxdctl, this, &E1000Tx::txdctl_written};
  Reg32 tadv_{parts_.bank, regs::kTadv};
  Reg32 tspmt_{parts_.bank, regs::kTspmt};
};

}  // namespace longhaul::nic::e1000
