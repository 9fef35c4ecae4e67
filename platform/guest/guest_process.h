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

/// What a guest is started with.
struct GuestOptions {
  std::string name;      ///< of its machine; in messages and as its host name
  std::string kernel;    ///< path of the User-Mode-Linux executable
  std::string root;      ///< image of its read-only root, /dev/lhda; empty: none
  std::string files;     ///< image of the run's files, /dev/lhdb; empty: none
  std::string work_dir;  ///< existing directory for its console.log and its kernel's own files
  std::vector<std::string> arguments;  ///< more kernel arguments
  Bytes memory = units::GiB(1);
  std::uint64_t seed = 1;
  std::string blocks;  ///< the kernel's table of basic blocks; empty: executed code costs nothing
  std::uint64_t layout = 0;     ///< where the kernel's code lies (models/cpu/text_layout.h)
  std::uint64_t sample_ps = 0;  ///< simulated time between stack samples; 0: none
  /// Wall time in which it must come back with a request; time in which its process or the
  /// simulator is stopped is left out.
  std::chrono::seconds silence_limit{60};
  lh_programs programs = LH_PROGRAMS_ANY;  ///< how it shall run its programs
  int console = -1;  ///< socket to the user of its terminal (ConsolePort); negative: it has none
  std::function<bool()> should_stop = [] {
    return false;
  };  ///< asked while the guest's own code runs
  /// Told when somebody has stopped its process (true) and when that goes on (false).
  std::function<void(bool)> on_suspended = [](bool) {};
};

/// One User-Mode-Linux process that runs as a coroutine of the simulation (see
/// sw/linux/longhaul_abi.h).
///
/// The process is a session of its own; the destructor kills whatever is left of it. Not
/// thread-safe. All failures are GuestErrors, std::system_errors when the host cannot start it.
class GuestProcess {
 public:
  /// What came of giving the guest its turn: a request, its regular end in one of two ways, or the
  /// end of the run elsewhere.
  enum class Turn { kRequest, kPoweredOff, kRestarted, kStopped };

  explicit GuestProcess(GuestOptions options);
  ~GuestProcess();
  GuestProcess(const GuestProcess&) = delete;
  GuestProcess& operator=(const GuestProcess&) = delete;

  const GuestOptions& options() const { return options_; }
  lh_page& page() { return *reinterpret_cast<lh_page*>(page_memory_.data()); }
  const lh_page& page() const { return *reinterpret_cast<const lh_page*>(page_memory_.data()); }
  SharedMemory& ram() { return ram_; }
  /// The memory that its blocks are counted in, to be set before start(): inherited by the guest.
  void set_block_table(const SharedMemory& table) { block_table_fd_ = table.fd(); }

  /// Starts the process and waits for its first request. The page's constants must be set before.
  Turn start();
  /// Gives the guest its turn and waits for its next request, its end, or the end of the run.
  Turn resume();
  /// Kills the process and its children; may be called at any time.
  void kill();
  bool running() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  /// The measured window begins (again), or ends.
  void begin_window() { host_time_.begin_window(pid_); }
  void end_window() { host_time_.end_window(pid_); }
  /// How its kernel runs programs; empty: it has not said so yet.
  std::string programs_by() const;
  /// What it took of the host in the window.
  const HostTime& host_time() const { return host_time_; }
  /// A GuestError about this guest: name, simulated time, `what`, last console lines.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  [[noreturn]] void exec_kernel();
  Turn wait_for_request();
  Turn end_of_process();      // what its end was; throws unless it is a regular one
  bool is_suspended() const;  // by a signal or a debugger
  std::string panic() const;  // why its kernel panicked, as its console says; empty if it did not
  bool reap();                // true when the process has ended

  GuestOptions options_;
  SharedMemory page_memory_;
  SharedMemory ram_;
  int block_table_fd_ = -1;
  pid_t pid_ = -1;
  HostTime host_time_;
  int wait_status_ = 0;
};

}  // namespace longhaul::guest
