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

/// Counts what blocks of RTL break, by part and rule, from power-up to the run's end. One entry for
/// each rule of a part and each assertion, however often it is broken.
class ViolationBook final : public ViolationListener {
 public:
  /// The taps outlive it.
  explicit ViolationBook(std::vector<ViolationTap*> taps);
  ViolationBook(const ViolationBook&) = delete;
  ViolationBook& operator=(const ViolationBook&) = delete;
  ~ViolationBook() override;

  void on_violation(const ViolationTap& tap, const Violation& violation) override;
  bool empty() const { return entries_.empty(); }
  /// [{"part", "rule", "assertion", "count", "first_ps", "first"}] in order of their first times;
  /// `first` is the message of that time.
  nlohmann::json json() const;
  /// {"part", "rule", "ps"} of what has ended the run; null where nothing has.
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
