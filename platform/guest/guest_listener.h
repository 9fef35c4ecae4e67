// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

namespace longhaul::guest {

/// The end of a guest's kernel.
enum class PowerOff { kOff, kRestart };

/// Receives the guests' reports about the run (docs/interfaces.md, Guest).
class GuestListener {
 public:
  virtual ~GuestListener() = default;
  /// A line that the guest wrote to /proc/longhaul/phase, without its newline.
  virtual void on_phase(const std::string& guest, const std::string& text) = 0;
  /// Bytes to append to a report file; `name` is a plain file name.
  virtual void on_report(const std::string& guest, const std::string& name,
                         const std::string& bytes) = 0;
  /// The guest has powered off, or would have restarted. Its machine is off in both cases.
  virtual void on_power_off(const std::string& guest, PowerOff how) = 0;
  /// The guest's process was stopped on the host (true), or continues (false).
  virtual void on_suspended(const std::string& guest, bool suspended) = 0;
  /// The guest has failed, which ends the run.
  virtual void on_failure(const std::string& guest, std::exception_ptr failure) = 0;
  /// Whether the run is over (a failure elsewhere, a signal). Called while a guest's own code
  /// executes and between requests.
  virtual bool should_stop() = 0;
};

}  // namespace longhaul::guest
