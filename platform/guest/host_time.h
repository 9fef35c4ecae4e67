// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>

namespace longhaul::guest {

/// CPU time on the host, in seconds: in a program's own instructions, and in the host's kernel for
/// it.
struct CpuSeconds {
  double user = 0;
  double system = 0;

  CpuSeconds operator-(const CpuSeconds& other) const {
    return {user - other.user, system - other.system};
  }
};

/// CPU time of a guest on the host: of its kernel, which is a process there, and of its programs,
/// which are that process's children.
struct GuestSeconds {
  CpuSeconds kernel;
  CpuSeconds programs;

  GuestSeconds operator-(const GuestSeconds& other) const {
    return {kernel - other.kernel, programs - other.programs};
  }
};

/// The guest's CPU time on the host in the measured window. No simulated time depends on it. It
/// shows where a run's wall time goes and, for programs in user mode, how much work was not
/// counted.
class HostTime {
 public:
  /// The window begins or ends, with the guest's kernel as process `kernel`. A second begin
  /// restarts it.
  void begin_window(pid_t kernel);
  void end_window(pid_t kernel);
  /// CPU time of the window, with the resolution of the host's accounting (10 ms). Empty without a
  /// window, or if the host does not report a process's children.
  std::optional<GuestSeconds> seconds() const;

 private:
  std::optional<GuestSeconds> begin_;
  std::optional<GuestSeconds> end_;
};

/// CPU time so far of a guest's kernel and all its programs, including those that have ended and
/// were waited for.
std::optional<GuestSeconds> seconds_of_guest(pid_t kernel);

/// CPU time so far of this process.
CpuSeconds own_seconds();

}  // namespace longhaul::guest
