// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/agreement.h"
#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The state of an established connection that goes from one TCP to another of the same end: from a
/// host's to its adapter's, or back. Positions are those of both streams; the SYNs are 0.
struct Context {
  std::uint32_t iss = 0;
  std::uint32_t irs = 0;
  Agreement agreed;
  Position una = 1;                  ///< the oldest byte without an ACK
  Position next = 1;                 ///< after the last byte that was sent
  Position peer_edge = 1;            ///< after the last byte that the peer's window allows
  Position received = 1;             ///< after the last byte in order
  Position offered = 1;              ///< after the last byte that this end's window allows
  std::uint64_t unread = 0;          ///< bytes in order that the program has not read
  bool ack_waits = false;            ///< bytes in order have no ACK yet
  std::uint32_t duplicates = 0;      ///< duplicate ACKs since the last new one
  bool timed_out = false;            ///< the oldest byte has waited for its ACK too long
  std::uint64_t cwnd = 0;            ///< bytes; 0: the new TCP begins with its own initial window
  std::uint64_t ssthresh = 0;        ///< bytes; with cwnd
  std::uint64_t srtt = 0;            ///< ps; 0: no round trip was measured
  std::uint64_t rttvar = 0;          ///< ps
  std::uint32_t peer_timestamp = 0;  ///< the latest one of the peer
  std::uint32_t timestamp = 0;       ///< what this end's clock of timestamps shows now
};

}  // namespace longhaul::tcp
