// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The data for opening a connection.
struct Opening {
  std::uint32_t iss = 0;  ///< initial sequence number
  /// Largest segment that this side can take and the path carries, bytes: MTU without IP and TCP
  /// headers (no options).
  std::uint16_t mss = 536;
};

/// The state of an established connection, for a relay that takes the place of one of its ends
/// after the handshake. `own` are the options on the SYN of the end that it replaces, `peer` those
/// on the other end's SYN.
struct Handover {
  /// Initial sequence number of the end that the relay replaces; segment size of the relay's own
  /// path.
  Opening opening;
  std::uint32_t irs = 0;
  Options own;
  Options peer;
  std::uint64_t offered = 0;    ///< window that was offered to the peer, bytes after its SYN
  std::uint64_t window = 0;     ///< window that the peer offered, bytes
  std::uint32_t timestamp = 0;  ///< the latest timestamp that the peer may have seen, as of now
  std::uint32_t peer_timestamp = 0;  ///< the latest timestamp of the peer
  std::uint64_t rtt = 0;             ///< between the relay and the peer, ps
  bool announce = false;             ///< sends an ACK at once, since the peer may not have had one
};

}  // namespace longhaul::tcp
