// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/pcix/bus_timing.h"

namespace longhaul::pcix {

/// How a tenure of the bus ended.
enum class Ending : std::uint8_t {
  kComplete,  ///< the master had no more bytes, or its latency timer had run out and it stopped at
              ///< a boundary
  kDisconnect,  ///< the target stopped: at a boundary in PCI-X, after any data phase in
                ///< conventional PCI
  kSplit,       ///< Split Response
  kRetry,
  kMasterAbort,  ///< no target claimed the address
  kTargetAbort,
};

/// One tenure of the bus with everything that its pins show, for listeners that trace or check it.
struct TenureRecord {
  static constexpr std::uint32_t kBridge = ~0U;

  const char* label;     ///< static text, as in the timeline
  std::uint8_t command;  ///< C/BE[3:0]# of the address phase
  bool is_pcix;
  bool is_read;        ///< the target drives the data
  bool is_dword;       ///< a command of one DWORD: FRAME# covers no burst
  bool is_completion;  ///< addressed by requester number, not by address
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
  std::uint32_t width;          ///< bytes a data phase, or a subphase
  std::uint32_t subphases = 1;  ///< subphases of a data phase
  Phases phases;
  std::uint64_t requested_ps;  ///< clock edge at which REQ# was asserted
  bool kept_request;           ///< REQ# has stayed asserted since the master's last tenure
  bool refused_before;         ///< the attempt before ended in Retry
  std::uint64_t start_ps;      ///< of FRAME#, or of the address if that is driven ahead of it
  const std::uint8_t* data;    ///< `bytes` bytes; null if none move
};

/// Receives every tenure after it has ended.
class BusListener {
 public:
  virtual ~BusListener() = default;
  virtual void on_tenure(const TenureRecord& tenure) = 0;
};

}  // namespace longhaul::pcix
