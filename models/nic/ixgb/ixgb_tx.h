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
  bool may_insert_tags() const override { return (parts_.ctrl0() & regs::ctrl0::kVme) != 0; }
  std::uint32_t segment_padding() const override { return tspmt_.value() >> 16; }
  std::uint64_t pace_ps(std::uint32_t frame_bytes) const override;
  void reported(bool with_delay, bool without) override;
  void ring_emptied() override { parts_.interrupts.post(regs::cause::kTxqe); }
  void super_frame_ended(bool whole) override {
    parts_.stats.count(whole ? parts_.stats.tso_contexts : parts_.stats.tso_failures);
  }
  void frame_sent(const Frame& frame, std::uint32_t given, std::uint32_t wire_bytes) override;
  void set_base() {
    ring().set_base(static_cast<std::uint64_t>(tdbah_.value()) << 32 | tdbal_.value());
  }

  IxgbParts parts_;
  DelayTimer tidv_timer_;

  Reg32 tctl_{parts_.bank, "TCTL", regs::kTctl, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                enable((v & regs::kTctlTxen) != 0);
              }};
  Reg32 tdbal_{
      parts_.bank, "TDBAL", regs::kTdbal, 0, Access::kReadWrite, {}, [this](std::uint32_t) {
        set_base();
      }};
  Reg32 tdbah_{
      parts_.bank, "TDBAH", regs::kTdbah, 0, Access::kReadWrite, {}, [this](std::uint32_t) {
        set_base();
      }};
  Reg32 tdlen_{
      parts_.bank, "TDLEN", regs::kTdlen, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
        ring().set_length(v & 0xfff80);
      }};
  Reg32 tdh_{parts_.bank,
             "TDH",
             regs::kTdh,
             0,
             Access::kReadWrite,
             [this] { return ring().head(); },
             [this](std::uint32_t v) { set_head(v & 0xffff); }};
  Reg32 tdt_{parts_.bank, "TDT", regs::kTdt, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
               ring_doorbell(v & 0xffff);
             }};
  Reg32 tidv_{parts_.bank, "TIDV", regs::kTidv};
  Reg32 txdctl_{
      parts_.bank, "TXDCTL", regs::kTxdctl, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
        ring().set_thresholds({v & 0x7f, v >> 8 & 0x7f, v >> 16 & 0x7f});
      }};
  Reg32 tspmt_{parts_.bank, "TSPMT", regs::kTspmt, 0x0100'0400};
};

}  // namespace longhaul::nic::ixgb
