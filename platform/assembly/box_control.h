// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/control_socket.h"
#include "platform/assembly/command_socket.h"
#include "platform/observe/output_file.h"
#include "platform/observe/ticker.h"

namespace longhaul::assembly {

/// One access to a box's registers: a write if there is a value, else a read.
struct RegisterAccess {
  std::uint32_t address;  ///< in bytes; the address of a word of 32 bits
  std::optional<std::uint32_t> value;
};

/// Accesses of a scenario, one after another in one instant (if the box answers in one instant).
struct ControlStep {
  sc_core::sc_time at;  ///< from the beginning of the measured window
  std::string box;
  std::vector<RegisterAccess> accesses;
  std::uint32_t times = 1;
  sc_core::sc_time every;  ///< time between two repetitions
};

/// The results of accesses, one after another; empty if the box has no such register.
using RegisterValues = std::vector<std::optional<std::uint32_t>>;

/// Reads [[ADDRESS] or [ADDRESS, VALUE], ...]. Throws ConfigError.
std::vector<RegisterAccess> read_accesses(const nlohmann::json& json, const std::string& where);

/// Writes and reads boxes' registers from outside while the simulation runs: for the scenario's
/// steps, for programs that connect to a socket, and for the program that contains the simulation.
///
/// A request is {"box": NAME, "accesses": [[ADDRESS] or [ADDRESS, VALUE], ...]}. Its answer
/// {"time_ps", "values": [...]} has a value for each access (null: the box refused it), or is
/// {"error": TEXT}. Every access is also a line of `control.csv`: time_ps, box, address, access
/// ("read", "write"), value, by ("scenario", "socket", "program"). An unused socket does not change
/// a run.
class BoxControl final : public sc_core::sc_module {
 public:
  using Targets = std::map<std::string, ControlSocket*>;
  static constexpr const char* kSocketFile = "control.sock";
  static constexpr const char* kLogFile = "control.csv";
  /// How often, in simulated time, the socket is polled.
  static sc_core::sc_time poll_period() { return {100, sc_core::SC_US}; }

  /// Binds each target. Throws ConfigError for a step of an unknown box, std::system_error without
  /// a socket. Without `writes`, socket and log are not made.
  BoxControl(const sc_core::sc_module_name& name, const Targets& targets,
             std::vector<ControlStep> steps, const std::string& folder, observe::Ticker& ticker,
             bool writes = true);

  /// Requests accesses between two pieces of a run; they begin at the next instant. `done` is
  /// called once the box has answered all of them. Throws ConfigError for a box without registers.
  void request(const std::string& box, std::vector<RegisterAccess> accesses,
               std::function<void(RegisterValues)> done);

  /// A listener for each write that a box has accepted: "scenario", "socket" or "program", the box,
  /// and the register's address.
  using WriteListener =
      std::function<void(const char* by, const std::string& box, std::uint32_t address)>;
  void on_write(WriteListener listener) { write_listener_ = std::move(listener); }
  /// The measured window begins; the steps' times count from here.
  void window_opened();
  void close() { log_.close(); }
  void check() const { log_.check(); }

 private:
  using Initiator = tlm_utils::simple_initiator_socket<BoxControl>;
  struct Job {
    sc_core::sc_time due;
    ControlStep step;  ///< `times` is the number of repetitions left
    const char* by;
    std::function<void(RegisterValues)> done;  ///< may be empty
  };

  void poll_socket();
  /// Queues a client's request. Returns the error in it; empty if there is none.
  std::string take_request(const std::string& line, std::uint64_t client);
  std::string no_such(const std::string& box) const;
  void add(Job job);
  /// Wakes the thread for the job that is due first.
  void arm();
  void work_thread();
  void perform(const Job& job);
  /// Empty if the box has no such register.
  static std::optional<std::uint32_t> access(Initiator& box, const RegisterAccess& what);

  std::map<std::string, std::unique_ptr<Initiator>> boxes_;
  const std::vector<ControlStep> steps_;
  CommandSocket socket_;
  observe::OutputFile log_;
  std::deque<Job> jobs_;  // in the order of due times
  WriteListener write_listener_;
  sc_core::sc_event work_event_{"work_event"};
};

}  // namespace longhaul::assembly
