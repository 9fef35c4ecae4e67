// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// What is known when a connection opens.
struct Opening {
  std::uint32_t iss = 0;    ///< initial sequence number
  std::uint16_t mss = 536;  ///< largest segment this side can take and the path carries: MTU
                            ///< without IP and TCP headers (no options)
};

/// What is known of an established connection to whoever goes on with it in the place of one of its
/// ends: a relay that has seen the handshake pass. `own` are the options on the SYN of the end that
/// it stands in for, `peer` those on the other's.
struct Handover {
  Opening opening;  ///< initial sequence number of the end that it stands in for; what its own path
                    ///< carries
  std::uint32_t irs = 0;
  Options own;
  Options peer;
  std::uint64_t offered = 0;    ///< window that the peer has been offered, bytes behind its SYN
  std::uint64_t window = 0;     ///< window that the peer has offered, bytes
  std::uint32_t timestamp = 0;  ///< the latest that the peer may have seen, as of now
  std::uint32_t peer_timestamp = 0;  ///< the peer's latest
  std::uint64_t rtt = 0;             ///< between the relay and the peer, ps
  bool announce = false;             ///< an ACK goes out at once: the peer may not have had one
};

}  // namespace longhaul::tcp
