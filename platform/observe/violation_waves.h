// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/observe/violation_tap.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Traces the violations by blocks of RTL. For each part with RTL it has `violation`, a pulse for
/// each violation, and `last_violation`, the rule and the signal as text until the next violation.
/// A part has its rows from its first violation on. Violations at the end are shown with the
/// trigger's cause, with the pins of the interface of the first violation, or the signals of the
/// module whose assertion failed.
class ViolationWaves final : public ViolationListener, public WaveSource {
 public:
  /// With `triggers`, the first violation triggers the file's window. The taps must outlive it.
  ViolationWaves(WaveFile& file, std::uint32_t rank, std::vector<ViolationTap*> taps,
                 bool triggers);

  void on_violation(const ViolationTap& tap, const Violation& violation) override;
  void waves_begin() override;
  void waves_end() override;

 private:
  struct Rows {
    std::string part;
    Wave pulse;
    Wave last;
    std::uint64_t ps = 0;            // time of the last violation
    std::vector<std::string> ports;  // ports of the first violation's interface
    std::string scope;               // scope of the first violation's module
  };
  Rows& rows_of(const std::string& part);

  WaveFile& file_;
  const std::uint32_t rank_;
  const std::vector<ViolationTap*> taps_;
  const bool triggers_;
  std::vector<Rows> rows_;  // in order of their first violation
};

}  // namespace longhaul::observe
