// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/observe/probe.h"
#include "models/tcp/state.h"

namespace longhaul::toe {

/// Counts of TCP over all connections of an engine, as RFC 4022 (TCP-MIB) defines them.
struct TcpCounts {
  observe::Counter active_opens{"active_opens", "1", "connections that a host has opened"};
  observe::Counter passive_opens{"passive_opens", "1", "connections that a peer has opened"};
  observe::Counter attempt_fails{"attempt_fails", "1", "connections that ended in their handshake"};
  observe::Counter estab_resets{"estab_resets", "1",
                                "established connections that ended without a FIN of their host"};
  observe::Counter resets_sent{"resets_sent", "1", "segments sent with RST"};
  observe::Counter tx_resent{"tx_resent", "1", "segments sent with bytes that were sent before"};
  observe::Level established{"established", "1", "connections in ESTABLISHED or CLOSE-WAIT"};

  /// A connection has gone from one state to another within an event.
  void moved(tcp::State from, tcp::State to);
  /// The engine forgets a connection in this state.
  void forgotten(tcp::State state);
};

}  // namespace longhaul::toe
