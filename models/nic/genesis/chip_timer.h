// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/common/event_queue.h"
#include "models/common/register_bank.h"
#include "models/common/units.h"

namespace longhaul::nic::genesis {

/// One of the chip's timers. It counts clocks down from INI; at zero it starts again from INI.
///
/// It has the registers INI, VAL (the present count) and CTRL at `offset`, `offset` + 4 and
/// `offset` + 8. A new INI counts from the next start or the next zero. With INI 0 the timer never
/// reaches zero. It takes events only after tell_at_zero().
class ChipTimer final {
 public:
  /// The commands and status bits of CTRL. `clear` calls `cleared`.
  struct Control {
    const RegisterFields& fields;
    std::uint32_t start;
    std::uint32_t stop;
    std::uint32_t clear = 0;
    std::uint32_t blinks = 0;  ///< a bit that toggles at each zero
  };
  struct Names {
    const char* ini;
    const char* val;
    const char* ctrl;
  };
  /// Callbacks may be empty. `changed` is called when the timer was started or stopped. `zero` is
  /// called after tell_at_zero().
  struct Callbacks {
    std::function<void()> changed;
    std::function<void()> cleared;
    std::function<void()> zero;
  };
  ChipTimer(RegisterBank& bank, Frequency clock, const Names& names, std::uint32_t offset,
            const Control& control, Callbacks callbacks);

  bool running() const { return running_; }
  /// Calls `zero` at the timer's next zero, if it runs; never at the instant of the call.
  void tell_at_zero() { timer_.set_no_later(next_zero_ps()); }
  void reset();

  /// The length of `clocks` clocks in whole picoseconds.
  std::uint64_t length_ps(std::uint64_t clocks) const;

 private:
  void control_written(std::uint32_t value);
  std::uint32_t control_now() const;
  std::uint32_t value_now() const;
  std::uint64_t next_zero_ps() const;
  std::uint64_t zeros() const;
  void load(std::uint64_t from_ps);
  void reload();

  const Frequency clock_;
  const Control control_;
  const Callbacks callbacks_;
  bool running_ = false;
  std::uint64_t first_ps_ = 0;   // time of a zero; later zeros follow at multiples of the period
  std::uint64_t period_ps_ = 0;  // 0: it never reaches zero
  std::uint64_t zeros_before_ = 0;
  std::uint32_t stopped_at_ = 0;
  Timer timer_;
  Reg32 ini_;
  Reg32 val_;
  Reg32 ctrl_;
};

}  // namespace longhaul::nic::genesis
