// SPDX-License-Identifier: Apache-2.0
#include "models/memory/dram_banks.h"

#include <algorithm>

namespace longhaul::memory {

DramBanks::DramBanks(const DramParams& params)
    : page_(params.page().count),
      bank_(params.banks()),
      ras_to_cas_(to_ps(params.ras_to_cas())),
      row_precharge_(to_ps(params.row_precharge())),
      row_active_(to_ps(params.row_active())),
      row_cycle_(to_ps(params.row_cycle())),
      write_recovery_(to_ps(params.write_recovery())),
      refresh_time_(to_ps(params.refresh_time())),
      refresh_interval_(to_ps(params.refresh_interval())),
      banks_(params.banks()) {}

DramBanks::Opened DramBanks::activate(Bank& bank, std::uint64_t row, std::uint64_t at_ps,
                                      bool ahead) {
  const bool is_open = bank.row != ~0ULL && bank.refresh >= refresh_number(at_ps);
  const bool counts = bank.row != ~0ULL && (bank.active_ps <= at_ps || !bank.ahead);
  std::uint64_t activate_ps = counts ? std::max(at_ps, bank.active_ps + row_cycle_) : at_ps;
  if (is_open) {
    std::uint64_t precharge_ps = at_ps;
    if (counts) precharge_ps = std::max(precharge_ps, bank.active_ps + row_active_);
    if (bank.written_ps <= at_ps)
      precharge_ps = std::max(precharge_ps, bank.written_ps + write_recovery_);
    activate_ps = std::max(activate_ps, precharge_ps + row_precharge_);
  }
  bank.row = row;
  bank.active_ps = activate_ps;
  bank.ahead = ahead;
  bank.refresh = refresh_number(activate_ps);
  return {activate_ps + ras_to_cas_ - at_ps, is_open};
}

}  // namespace longhaul::memory
