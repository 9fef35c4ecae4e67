// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/common/divisor.h"
#include "models/memory/dram_params.h"

namespace longhaul::memory {

/// Rows and banks of one node: the open row of each bank, and how long an access waits for its row.
///
/// Consecutive rows' worth of addresses lie in consecutive banks. A row stays open until another
/// row of its bank is needed or a refresh closes all rows. Times: JESD79 (precharge not before tRAS
/// or tWR, activation not before tRC).
class DramBanks {
 public:
  struct Opened {
    std::uint64_t delay_ps = 0;  ///< from `at_ps` until the row can take a column command
    bool conflict = false;       ///< another row was closed first
  };
  explicit DramBanks(const DramParams& params);

  std::uint64_t row_of(std::uint64_t address) const { return page_.quotient(address); }
  bool same_bank(std::uint64_t row, std::uint64_t other) const {
    return bank_.remainder(row) == bank_.remainder(other);
  }
  /// Opens `row` (see row_of) in its bank, for an access that reaches the controller at `at_ps`.
  /// `ahead`: the access is a later part of a stream and is reported in advance. Its activation
  /// does not delay accesses that are reported after it.
  Opened open(std::uint64_t row, std::uint64_t at_ps, bool ahead = false) {
    Bank& bank = banks_[bank_.remainder(row)];
    if (bank.row == row && bank.refresh >= refresh_number(at_ps)) return {};
    return activate(bank, row, at_ps, ahead);
  }
  /// Data are written to the row until `end_ps`. The row may not be closed until they are in the
  /// cells.
  void written(std::uint64_t row, std::uint64_t end_ps) {
    banks_[bank_.remainder(row)].written_ps = end_ps;
  }

  /// The first instant from `at_ps` on without a refresh in progress.
  std::uint64_t after_refresh(std::uint64_t at_ps) const {
    const std::uint64_t into_ps = at_ps - refresh_number(at_ps) * refresh_interval_;
    return at_ps >= refresh_interval_ && into_ps < refresh_time_ ? at_ps - into_ps + refresh_time_
                                                                 : at_ps;
  }
  /// Refreshes that begin after `from_ps` and up to `to_ps`.
  std::uint64_t refreshes(std::uint64_t from_ps, std::uint64_t to_ps) const {
    return refresh_number(to_ps) - refresh_number(from_ps);
  }
  std::uint64_t refresh_ps() const { return refresh_time_; }
  std::uint64_t page_bytes() const { return page_.value(); }
  /// The time to open a row of a closed bank, and the time to close another row first.
  std::uint64_t activate_ps() const { return ras_to_cas_; }
  std::uint64_t conflict_ps() const { return row_precharge_ + ras_to_cas_; }

 private:
  struct Bank {
    std::uint64_t row = ~0ULL;
    std::uint64_t refresh = 0;  // number of the last refresh before the activation
    std::uint64_t active_ps = 0;
    std::uint64_t written_ps = 0;
    bool ahead = false;
  };

  Opened activate(Bank& bank, std::uint64_t row, std::uint64_t at_ps, bool ahead);
  /// Refreshes that have begun up to `at_ps`. Most calls are about the same interval as the call
  /// before.
  std::uint64_t refresh_number(std::uint64_t at_ps) const {
    if (at_ps - asked_from_ps_ >= refresh_interval_) {
      asked_number_ = at_ps / refresh_interval_;
      asked_from_ps_ = asked_number_ * refresh_interval_;
    }
    return asked_number_;
  }

  const Divisor page_;
  const Divisor bank_;
  const std::uint64_t ras_to_cas_;
  const std::uint64_t row_precharge_;
  const std::uint64_t row_active_;
  const std::uint64_t row_cycle_;
  const std::uint64_t write_recovery_;
  const std::uint64_t refresh_time_;
  const std::uint64_t refresh_interval_;
  std::vector<Bank> banks_;
  mutable std::uint64_t asked_number_ = 0;
  mutable std::uint64_t asked_from_ps_ = 0;
};

}  // namespace longhaul::memory
