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

/// One access to a box's registers: a write if there is a value.
struct RegisterAccess {
  std::uint32_t address;  ///< in bytes, of a word of 32 bits
  std::optional<std::uint32_t> value;
};

/// Accesses that a scenario makes by itself, one after another in one instant (as far as the box
/// answers in one).
struct ControlStep {
  sc_core::sc_time at;  ///< from the begin of the measured window
  std::string box;
  std::vector<RegisterAccess> accesses;
  std::uint32_t times = 1;
  sc_core::sc_time every;  ///< from one time to the next
};

/// What came of accesses, one after another; nothing where the box has no such register.
using RegisterValues = std::vector<std::optional<std::uint32_t>>;

/// Reads [[ADDRESS] or [ADDRESS, VALUE], ...]; throws ConfigError.
std::vector<RegisterAccess> read_accesses(const nlohmann::json& json, const std::string& where);

/// Writes and reads boxes' registers from outside while the simulation runs: by the scenario's own
/// steps, for programs that ask on a socket, and for the program that the simulation is part of.
///
/// A request is {"box": NAME, "accesses": [[ADDRESS] or [ADDRESS, VALUE], ...]}; its answer
/// {"time_ps", "values": [...]} has a value for each access (null: the box refused it), or is
/// {"error": TEXT}. Every access is also a line of `control.csv`: time_ps, box, address, access
/// ("read", "write"), value, by ("scenario", "socket", "program"). A run whose socket nobody used
/// is not changed by it.
class BoxControl final : public sc_core::sc_module {
 public:
  using Targets = std::map<std::string, ControlSocket*>;
  static constexpr const char* kSocketFile = "control.sock";
  static constexpr const char* kLogFile = "control.csv";
  /// How often, in simulated time, the socket is looked at.
  static sc_core::sc_time poll_period() { return {100, sc_core::SC_US}; }

  /// Binds each target. Throws ConfigError for a step of a box that is not among them,
  /// std::system_error without a socket. Unless it `writes`, socket and log do not come to be.
  BoxControl(const sc_core::sc_module_name& name, const Targets& targets,
             std::vector<ControlStep> steps, const std::string& folder, observe::Ticker& ticker,
             bool writes = true);

  /// Between two pieces of a run: accesses that begin with the next instant; `done` is told once
  /// the box has answered them all. Throws ConfigError for a box without registers.
  void request(const std::string& box, std::vector<RegisterAccess> accesses,
               std::function<void(RegisterValues)> done);

  /// Whom to tell of each write that a box has taken: "scenario", "socket" or "program", the box,
  /// the register's address.
  using WriteListener =
      std::function<void(const char* by, const std::string& box, std::uint32_t address)>;
  void on_write(WriteListener listener) { write_listener_ = std::move(listener); }
  /// The measured window begins: the steps' time counts from here.
  void window_opened();
  void close() { log_.close(); }
  void check() const { log_.check(); }

 private:
  using Initiator = tlm_utils::simple_initiator_socket<BoxControl>;
  struct Job {
    sc_core::sc_time due;
    ControlStep step;  ///< `times`: those left
    const char* by;
    std::function<void(RegisterValues)> done;  ///< may be empty
  };

  void poll_socket();
  /// Queues what a client asks for; returns what is wrong with it, empty if nothing is.
  std::string take_request(const std::string& line, std::uint64_t client);
  std::string no_such(const std::string& box) const;
  void add(Job job);
  /// Wakes the thread for the job that is due first.
  void arm();
  void work_thread();
  void perform(const Job& job);
  /// Nothing: the box has no such register.
  static std::optional<std::uint32_t> access(Initiator& box, const RegisterAccess& what);

  std::map<std::string, std::unique_ptr<Initiator>> boxes_;
  const std::vector<ControlStep> steps_;
  CommandSocket socket_;
  observe::OutputFile log_;
  std::deque<Job> jobs_;  // by due time
  WriteListener write_listener_;
  sc_core::sc_event work_event_{"work_event"};
};

}  // namespace longhaul::assembly
