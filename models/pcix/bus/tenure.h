// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tlm>

#include "models/pcix/bus_timing.h"
#include "models/pcix/host_port.h"

namespace longhaul::pcix {

constexpr std::uint32_t kHostMaster = 0;  ///< the bridge; slot n is master n + 1
constexpr std::uint32_t kNoUnit = ~0U;

/// A master's job: one transaction, which takes one or more tenures of the bus.
struct BusJob {
  enum class Command : std::uint8_t {
    kMemoryWrite,
    kMemoryRead,
    kSplitCompletion,
    kHost,
    kHostCompletion
  };
  /// The state of a delayed read of conventional PCI, by a device or by the bridge. It decides how
  /// the next attempt ends.
  enum class Delayed : std::uint8_t { kNew, kFetching, kFetched };

  Command command;
  std::uint32_t unit;                 ///< number of the device's function on the bus
  tlm::tlm_generic_payload* payload;  ///< kMemoryWrite, kMemoryRead, kSplitCompletion
  HostRequest* host;                  ///< kHost, kHostCompletion
  std::uint64_t address;
  std::uint32_t bytes;  ///< of the whole job
  std::uint32_t moved;  ///< in earlier tenures
  std::uint64_t arrived_ps;
  std::uint64_t requested_ps;  ///< the clock edge at which REQ# is asserted
  /// REQ# has stayed asserted since the tenure before, so there is no arbitration.
  bool kept_request;
  bool refused;  ///< the last attempt ended in Retry
  Delayed delayed;
  std::uint64_t fetched_ps;     ///< kFetched: when the data (or the error) are available
  std::uint32_t fetched_bytes;  ///< kFetched: bytes available, from `moved` on
  bool failed;                  ///< kFetched, kHost: the device answered with an error

  /// Whether the sender drives strobes with its data in mode 2 of PCI-X.
  bool pushes() const {
    return command == Command::kMemoryWrite || command == Command::kSplitCompletion;
  }
};

/// One occupation of the bus, from the address phase to the last clock before the turn-around.
struct Tenure {
  enum class Outcome : std::uint8_t { kMoves, kSplits, kRetried, kMasterAborted, kTargetAborted };

  BusJob* job = nullptr;  ///< null if no tenure is planned
  std::uint32_t master = 0;
  Outcome outcome = Outcome::kMoves;
  std::uint32_t target_unit = 0;  ///< of a host request
  std::uint32_t bytes = 0;
  std::uint32_t width = 0;  ///< bytes a data phase, all subphases together
  bool cut_by_target = false;
  Phases phases;
  std::uint64_t start_ps = 0;
  std::uint64_t end_ps = 0;  ///< when the last byte has moved or the termination is seen

  std::uint64_t address() const { return job->address + job->moved; }
};

}  // namespace longhaul::pcix
