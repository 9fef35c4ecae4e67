// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/nic/blocks/delay_timer.h"
#include "models/nic/e1000/parts.h"
#include "models/nic/e1000/regs.h"
#include "models/nic/intel/tx_unit.h"

namespace longhaul::nic::e1000 {

/// The transmit unit of the 82545 and 82546: registers, legacy descriptors beside extended ones,
/// the interrupt delays of TIDV and TADV, statistics.
class E1000Tx final : public intel::TxUnit {
 public:
  E1000Tx(const sc_core::sc_module_name& name, const E1000Parts& parts);

  void reset() override;
  /// PBA was written: the buffer's size after the next reset.
  using TxUnit::set_fifo;
  using TxUnit::set_vlan_type;

 private:
  intel::TxCommand decode(const std::uint8_t* descriptor) const override;
  bool may_insert_tags() const override { return (parts_.ctrl() & regs::ctrl::kVme) != 0; }
  std::uint32_t segment_padding() const override { return tspmt_.value() >> 16; }
  void reported(bool with_delay, bool without) override;
  void ring_emptied() override { parts_.interrupts.post(regs::cause::kTxqe); }
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

  Reg32 tctl_{parts_.bank, "TCTL", regs::kTctl, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                tctl_written(v);
              }};
  Reg32 tdfpc_{parts_.bank, "TDFPC",           regs::kTdfpc,
               0,           Access::kReadOnly, [this] { return buffered(); }};
  Reg32 tdbal_{
      parts_.bank, "TDBAL", regs::kTdbal, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
        tdbal_.set(v & ~0xfU);
        set_base();
      }};
  Reg32 tdbah_{
      parts_.bank, "TDBAH", regs::kTdbah, 0, Access::kReadWrite, {}, [this](std::uint32_t) {
        set_base();
      }};
  Reg32 tdlen_{
      parts_.bank, "TDLEN", regs::kTdlen, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
        tdlen_.set(v & 0xfff80);
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
               tdt_.set(v & 0xffff);
               ring_doorbell(v & 0xffff);
             }};
  Reg32 tidv_{parts_.bank, "TIDV", regs::kTidv, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                tidv_.set(v & 0xffff);
              }};
  Reg32 txdctl_{
      parts_.bank, "TXDCTL", regs::kTxdctl, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
        txdctl_written(v);
      }};
  Reg32 tadv_{parts_.bank, "TADV", regs::kTadv, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                tadv_.set(v & 0xffff);
              }};
  Reg32 tspmt_{parts_.bank, "TSPMT", regs::kTspmt, 0x0100'0400};
};

}  // namespace longhaul::nic::e1000
