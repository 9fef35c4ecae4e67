// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/observe/violation_tap.h"

namespace longhaul::observe {

/// Counts the violations by blocks of RTL, by part and rule, from power-up to the run's end. It has
/// one entry for each rule of a part and each assertion.
class ViolationBook final : public ViolationListener {
 public:
  /// The taps must outlive it.
  explicit ViolationBook(std::vector<ViolationTap*> taps);
  ViolationBook(const ViolationBook&) = delete;
  ViolationBook& operator=(const ViolationBook&) = delete;
  ~ViolationBook() override;

  void on_violation(const ViolationTap& tap, const Violation& violation) override;
  bool empty() const { return entries_.empty(); }
  /// [{"part", "rule", "assertion", "count", "first_ps", "first"}] in the order of the first
  /// violations; `first` is the message of the first one.
  nlohmann::json json() const;
  /// {"part", "rule", "ps"} of the violation that ended the run; null if there was none.
  nlohmann::json end() const;

 private:
  struct Entry {
    std::string part;
    Violation first;
    std::uint64_t count = 0;
  };
  std::vector<ViolationTap*> taps_;
  std::vector<Entry> entries_;
};

}  // namespace longhaul::observe
