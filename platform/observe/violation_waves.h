// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/observe/violation_tap.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Traces what blocks of RTL break: for each part with RTL a pulse a violation, `violation`, and
/// beside it as text which rule and signal, `last_violation`, until the next one. A part has its
/// rows from its first violation on. What is traced at the end is part of the trigger's cause, with
/// the pins of the interface whose rule the first violation broke, or the signals of the module
/// whose assertion failed.
class ViolationWaves final : public ViolationListener, public WaveSource {
 public:
  /// Where it `triggers`, the first violation is what the file waits for. The taps outlive it.
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
    std::uint64_t ps = 0;            // of the last one
    std::vector<std::string> ports;  // of the first one's interface
    std::string scope;               // of the first one's module
  };
  Rows& rows_of(const std::string& part);

  WaveFile& file_;
  const std::uint32_t rank_;
  const std::vector<ViolationTap*> taps_;
  const bool triggers_;
  std::vector<Rows> rows_;  // in order of their first violation
};

}  // namespace longhaul::observe
