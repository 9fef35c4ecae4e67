// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/pcix/bus_timing.h"

namespace longhaul::pcix {

/// How a tenure of the bus ended.
enum class Ending : std::uint8_t {
  kComplete,  ///< the master had no more bytes, or stopped at a boundary because its latency timer
              ///< had run out
  kDisconnect,  ///< the target took no more: at a boundary in PCI-X, after any data phase in
                ///< conventional PCI
  kSplit,       ///< Split Response
  kRetry,
  kMasterAbort,  ///< nobody claimed the address
  kTargetAbort,
};

/// One tenure of the bus with all that its pins show: for listeners that trace or check it.
struct TenureRecord {
  static constexpr std::uint32_t kBridge = ~0U;

  const char* label;     ///< static text, as in the timeline
  std::uint8_t command;  ///< C/BE[3:0]# of the address phase
  bool is_pcix;
  bool is_read;        ///< the target drives the data
  bool is_dword;       ///< one DWORD by its nature: FRAME# covers no burst
  bool is_completion;  ///< addressed by requester, not by address
  bool relaxed_ordering;
  Ending ending;
  std::uint32_t master;     ///< slot, or kBridge
  std::uint32_t target;     ///< slot, or kBridge
  std::uint32_t requester;  ///< slot of the sequence's requester, or kBridge
  std::uint32_t requester_function;
  std::uint8_t tag;
  std::uint64_t address;        ///< of the first byte
  std::uint32_t bytes;          ///< moved in this tenure
  std::uint32_t byte_count;     ///< left in the sequence when the tenure began
  std::uint32_t width;          ///< bytes a data phase, or a subphase of one
  std::uint32_t subphases = 1;  ///< of a data phase
  Phases phases;
  std::uint64_t requested_ps;  ///< REQ# was asserted; on a clock edge
  bool kept_request;           ///< REQ# has been asserted since the master's tenure before
  bool refused_before;         ///< the attempt before was answered by Retry
  std::uint64_t start_ps;      ///< FRAME#, or the address driven ahead of it
  const std::uint8_t* data;    ///< `bytes` of them; null when none move
};

/// Is told of every tenure when it has ended.
class BusListener {
 public:
  virtual ~BusListener() = default;
  virtual void on_tenure(const TenureRecord& tenure) = 0;
};

}  // namespace longhaul::pcix
