// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>

namespace longhaul::guest {

/// CPU time that the host has spent, in seconds: in a program's own instructions, and in the host's
/// kernel for it.
struct CpuSeconds {
  double user = 0;
  double system = 0;

  CpuSeconds operator-(const CpuSeconds& other) const {
    return {user - other.user, system - other.system};
  }
};

/// What a guest takes of the host: its kernel, which is a process there, and its programs, which
/// are that one's children.
struct GuestSeconds {
  CpuSeconds kernel;
  CpuSeconds programs;

  GuestSeconds operator-(const GuestSeconds& other) const {
    return {kernel - other.kernel, programs - other.programs};
  }
};

/// The CPU time of the host in the measured window. No simulated time follows from it. It says
/// where a run's wall time goes, and, of programs in user mode, how much work was not counted.
class HostTime {
 public:
  /// The window begins (again), or ends, with the guest's kernel as process `kernel`.
  void begin_window(pid_t kernel);
  void end_window(pid_t kernel);
  /// Of the window, to the tick of the host's accounting (10 ms); none where there was no window,
  /// or where the host does not tell of a process's children.
  std::optional<GuestSeconds> seconds() const;

 private:
  std::optional<GuestSeconds> begin_;
  std::optional<GuestSeconds> end_;
};

/// What a guest's kernel and all its programs have taken so far, those included that have ended and
/// were waited for.
std::optional<GuestSeconds> seconds_of_guest(pid_t kernel);

/// What this process has taken so far.
CpuSeconds own_seconds();

}  // namespace longhaul::guest
