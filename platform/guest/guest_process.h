// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/common/units.h"
#include "platform/guest/host_time.h"
#include "platform/guest/shared_memory.h"
#include "sw/linux/longhaul_abi.h"

namespace longhaul::guest {

/// Parameters for starting a guest.
struct GuestOptions {
  std::string name;      ///< name of its machine; in messages, and its host name
  std::string kernel;    ///< path of the User-Mode-Linux executable
  std::string root;      ///< image of its read-only root, /dev/lhda; empty: none
  std::string files;     ///< image of the run's files, /dev/lhdb; empty: none
  std::string work_dir;  ///< existing directory for its console.log and its kernel's own files
  std::vector<std::string> arguments;  ///< additional kernel arguments
  Bytes memory = units::GiB(1);
  std::uint64_t seed = 1;
  std::string blocks;  ///< the kernel's table of basic blocks; empty: executed code costs nothing
  std::uint64_t layout = 0;     ///< layout of the kernel's code (models/cpu/text_layout.h)
  std::uint64_t sample_ps = 0;  ///< simulated time between stack samples; 0: none
  /// Most wall time to its next request. Time in which its process or the simulator is stopped does
  /// not count.
  std::chrono::seconds silence_limit{60};
  lh_programs programs = LH_PROGRAMS_ANY;  ///< how the kernel must run its programs
  int console = -1;  ///< socket to the user of its terminal (ConsolePort); negative: no terminal
  std::function<bool()> should_stop = [] {
    return false;
  };  ///< asked while the guest's own code runs
  /// Called when its process was stopped on the host (true) and when it continues (false).
  std::function<void(bool)> on_suspended = [](bool) {};
};

/// One User-Mode-Linux process that runs as a coroutine of the simulation (see
/// sw/linux/longhaul_abi.h).
///
/// The process has its own session; the destructor kills all of it that is left. Not thread-safe.
/// Failures are GuestErrors; std::system_errors if the host cannot start it.
class GuestProcess {
 public:
  /// The result of a turn of the guest: a request, one of two regular ends, or the end of the run
  /// elsewhere.
  enum class Turn { kRequest, kPoweredOff, kRestarted, kStopped };

  explicit GuestProcess(GuestOptions options);
  ~GuestProcess();
  GuestProcess(const GuestProcess&) = delete;
  GuestProcess& operator=(const GuestProcess&) = delete;

  const GuestOptions& options() const { return options_; }
  lh_page& page() { return *reinterpret_cast<lh_page*>(page_memory_.data()); }
  const lh_page& page() const { return *reinterpret_cast<const lh_page*>(page_memory_.data()); }
  SharedMemory& ram() { return ram_; }
  /// Sets the memory of the block counts, before start(). The guest inherits it.
  void set_block_table(const SharedMemory& table) { block_table_fd_ = table.fd(); }

  /// Starts the process and waits for its first request. The page's constants must be set before.
  Turn start();
  /// Runs the guest and waits for its next request, its end, or the end of the run.
  Turn resume();
  /// Kills the process and its children. May be called at any time.
  void kill();
  bool running() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  /// The measured window begins or ends. A second begin restarts it.
  void begin_window() { host_time_.begin_window(pid_); }
  void end_window() { host_time_.end_window(pid_); }
  /// How its kernel runs programs; empty: not yet reported.
  std::string programs_by() const;
  /// CPU time of the host that the guest took in the window.
  const HostTime& host_time() const { return host_time_; }
  /// Throws a GuestError about this guest: name, simulated time, `what`, last console lines.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  [[noreturn]] void exec_kernel();
  Turn wait_for_request();
  Turn end_of_process();      // the kind of its end; throws unless it is a regular one
  bool is_suspended() const;  // by a signal or a debugger
  std::string panic() const;  // why its kernel panicked, from its console; empty if it did not
  bool reap();                // true if the process has ended

  GuestOptions options_;
  SharedMemory page_memory_;
  SharedMemory ram_;
  int block_table_fd_ = -1;
  pid_t pid_ = -1;
  HostTime host_time_;
  int wait_status_ = 0;
};

}  // namespace longhaul::guest
