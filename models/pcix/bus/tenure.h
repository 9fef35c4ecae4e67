// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tlm>

#include "models/pcix/bus_timing.h"
#include "models/pcix/host_port.h"

namespace longhaul::pcix {

constexpr std::uint32_t kHostMaster = 0;  ///< the bridge; slot n is master n + 1
constexpr std::uint32_t kNoUnit = ~0U;

/// Something that a master wants to do: one or more tenures of the bus.
struct BusJob {
  enum class Command : std::uint8_t {
    kMemoryWrite,
    kMemoryRead,
    kSplitCompletion,
    kHost,
    kHostCompletion
  };
  /// A delayed read of conventional PCI, by a device or by the bridge: what its repetitions meet.
  enum class Delayed : std::uint8_t { kNew, kFetching, kFetched };

  Command command;
  std::uint32_t unit;                 ///< the device's function concerned
  tlm::tlm_generic_payload* payload;  ///< kMemoryWrite, kMemoryRead, kSplitCompletion
  HostRequest* host;                  ///< kHost, kHostCompletion
  std::uint64_t address;
  std::uint32_t bytes;  ///< in all
  std::uint32_t moved;  ///< in earlier tenures
  std::uint64_t arrived_ps;
  std::uint64_t requested_ps;  ///< the edge with REQ#
  /// REQ# was still asserted from the tenure before: no arbitration to wait for.
  bool kept_request;
  bool refused;  ///< by Retry, at the last attempt
  Delayed delayed;
  std::uint64_t fetched_ps;     ///< kFetched: the data (or the error) are there from here on
  std::uint32_t fetched_bytes;  ///< kFetched: from `moved` on
  bool failed;                  ///< kFetched, kHost: the device has an error instead of data

  /// Whether its sender drives strobes with the data in PCI-X's mode 2.
  bool pushes() const {
    return command == Command::kMemoryWrite || command == Command::kSplitCompletion;
  }
};

/// One occupation of the bus, from address phase to the last clock before turn-around.
struct Tenure {
  enum class Outcome : std::uint8_t { kMoves, kSplits, kRetried, kMasterAborted, kTargetAborted };

  BusJob* job = nullptr;  ///< null: none planned
  std::uint32_t master = 0;
  Outcome outcome = Outcome::kMoves;
  std::uint32_t target_unit = 0;  ///< of a host request
  std::uint32_t bytes = 0;
  std::uint32_t width = 0;  ///< bytes a data phase, of all its subphases
  bool cut_by_target = false;
  Phases phases;
  std::uint64_t start_ps = 0;
  std::uint64_t end_ps = 0;  ///< of the last byte or the termination

  std::uint64_t address() const { return job->address + job->moved; }
};

}  // namespace longhaul::pcix
