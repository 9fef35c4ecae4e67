// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/tpi.h"

namespace longhaul::nic::terminator {

Tpi::Tpi(RegisterBank& bank, Frequency core_clock, std::uint32_t base_clocks)
    : clock_ps_(core_clock.period_ps()),
      base_clocks_(base_clocks),
      addr_(bank, mac_regs::kTpiAddr),
      wr_data_(bank, mac_regs::kTpiWrData),
      rd_data_(bank, mac_regs::kTpiRdData),
      csr_(bank, mac_regs::kTpiCsr, this, &Tpi::status, &Tpi::command),
      par_(bank, mac_regs::kTpiPar) {}

std::uint64_t Tpi::access_ps() const {
  return clock_ps_ * (base_clocks_ + par_.get(mac_regs::kTpiParFields.par));
}

std::uint32_t Tpi::status() const { return busy() ? 0U : mac_regs::kTpiCsrFields.rdy.mask(); }

void Tpi::command(std::uint32_t value) {
  if (busy()) return;
  writes_ = (value & mac_regs::kTpiCsrFields.wr) != 0;
  address_ = addr_.value();
  write_data_ = wr_data_.value();
  end_.set(now_ps() + access_ps());
}

void Tpi::finish() {
  std::uint32_t data = ~0U;
  for (const Chip& chip : chips_) {
    if (address_ < chip.base || address_ - chip.base >= chip.bank->size()) continue;
    const std::uint32_t offset = address_ - chip.base;
    if (chip.answers && !chip.answers(offset)) break;
    if (writes_) return chip.bank->write(offset, write_data_);
    data = chip.bank->read(offset);
    break;
  }
  if (!writes_) rd_data_.set(data);
}

void Tpi::reset() { end_.cancel(); }

}  // namespace longhaul::nic::terminator
