// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "models/common/register_bank.h"
#include "models/nic/blocks/tx_sums.h"
#include "models/nic/terminator/cpl.h"
#include "models/nic/terminator/regs_tp.h"
#include "models/nic/terminator/regs_tp_tcp.h"

namespace longhaul::nic::terminator {

/// The registers of TP that its path of frames and its offload engine obey. Its other registers
/// hold what was written.
class Tp final {
 public:
  explicit Tp(RegisterBank& bank)
      : in_config_(bank, regs::kTpInConfig, [this] { call(calls_.set_up); }),
        out_config_(bank, regs::kTpOutConfig),
        global_config_(bank, regs::kTpGlobalConfig),
        separator_(bank, regs::kTpTimerSeparator, [this] { call(calls_.set_up); }),
        shift_count_(bank, regs::kTpShiftCnt, [this] { call(calls_.set_up); }),
        reset_(bank, regs::kTpReset, this, &Tp::reset_written),
        mib_index_(bank, regs::kTpMibIndex),
        mib_data_(bank, regs::kTpMibData, this, &Tp::read_mib) {
    for (const RegisterSpec* spec : regs::kTpMtuRegs)
      mtus_.emplace_back(bank, *spec, [this] { call(calls_.set_up); });
  }

  struct Calls {
    std::function<void()> set_up;  ///< settings of the offload engine were written
    std::function<void()> reset;   ///< TP_RESET was written
    std::function<std::uint32_t(std::uint32_t)> mib;  ///< a word of TP's statistics
  };
  void set_calls(Calls calls) { calls_ = std::move(calls); }

  /// The checksums to insert into a packet of the driver's.
  TxSums sums(const cpl::TxPkt& packet) const {
    constexpr const auto& kGlobal = regs::kTpGlobalConfigFields;
    constexpr const auto& kOut = regs::kTpOutConfigFields;
    const bool l4 = !packet.no_l4_sum && out_config_.has(kOut.tp_out_espi_generate_tcp_csum);
    TxSums wanted;
    wanted.ip = !packet.no_ip_sum && out_config_.has(kOut.tp_out_espi_generate_ip_csum) &&
                global_config_.has(kGlobal.ip_csum);
    wanted.tcp = l4 && global_config_.has(kGlobal.tcp_csum);
    wanted.udp = l4 && global_config_.has(kGlobal.udp_csum);
    return wanted;
  }

  // Of the offload engine.
  bool offload_disabled() const { return in_config_.has(regs::kTpInConfigFields.offload_disable); }
  std::uint32_t modulation_separator() const {
    return separator_.get(regs::kTpTimerSeparatorFields.modulation_timer_separator);
  }
  std::uint32_t timer_separator() const {
    return separator_.get(regs::kTpTimerSeparatorFields.global_timer_separator);
  }
  /// 0 as long as no driver has set it.
  std::uint32_t retransmissions() const {
    return shift_count_.get(regs::kTpShiftCntFields.retransmission_max);
  }
  std::size_t mtus() const { return mtus_.size(); }
  std::uint32_t mtu(std::size_t index) const { return mtus_.at(index).value(); }

 private:
  static void call(const std::function<void()>& callback) {
    if (callback) callback();
  }
  void reset_written(std::uint32_t value) {
    if ((value & regs::kTpResetFields.tp_reset) != 0) call(calls_.reset);
  }

  /// The words are read one after the other: reading one moves the index.
  std::uint32_t read_mib() {
    const std::uint32_t index = mib_index_.value();
    mib_index_.set(index + 1);
    return calls_.mib ? calls_.mib(index) : 0;
  }

  Calls calls_;
  Reg32 in_config_;
  Reg32 out_config_;
  Reg32 global_config_;
  Reg32 separator_;
  Reg32 shift_count_;
  Reg32 reset_;
  Reg32 mib_index_;
  Reg32 mib_data_;
  std::deque<Reg32> mtus_;
};

}  // namespace longhaul::nic::terminator
