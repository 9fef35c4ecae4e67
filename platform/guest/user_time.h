// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>

namespace longhaul::guest {

/// The CPU time that the host spent in the instructions of a guest's programs in the measured window. No simulated time
/// follows from it: it says how much work was not counted.
class UserTime {
 public:
  /// The window begins (again), or ends, with the guest's kernel as process `kernel`.
  void begin_window(pid_t kernel);
  void end_window(pid_t kernel);
  /// Seconds of the window, to the tick of the host's accounting (10 ms); none where there was no window, or where the host
  /// does not tell of a process's children.
  std::optional<double> seconds() const;

 private:
  std::optional<double> begin_;
  std::optional<double> end_;
};

/// Seconds that all children of a process have spent in user mode, those included that have ended and were waited for.
std::optional<double> user_seconds_of_children(pid_t parent);

}  // namespace longhaul::guest
