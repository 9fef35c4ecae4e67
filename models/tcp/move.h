// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/context.h"
#include "models/tcp/segment.h"
#include "models/tcp/stats.h"
#include "models/tcp/timers.h"

namespace longhaul::tcp {

class Connection;
class Sender;

/// Lets a connection go from one TCP to another of the same end, as between a host and its adapter.
/// The TCP that has it stops, and the other one continues with its state. No segment is sent for
/// that.
class Move {
 public:
  /// Whether another TCP may continue the connection: it is established, open in both directions,
  /// and nothing is known to be lost.
  static bool is_possible(const Connection& connection);
  /// The state with which another TCP can continue.
  static Context context(const Connection& connection);
  /// Stops the connection, and returns that state.
  static Context leave(Connection& connection);
  /// Continues a connection that another TCP has left. `end` is the position after the last byte
  /// that was written; `earlier` has what this TCP has counted before. Environment::established()
  /// is not called.
  static void resume(Connection& connection, const Context& context, Position end,
                     const Stats& earlier = {});

  // Events that a TCP without error handling leaves to the other one.
  /// Whether a segment is more than data in order, or an ACK that shows no loss.
  static bool is_exception(const Connection& connection, const Segment& segment);
  /// Whether a timer that has gone off means that the peer has not answered.
  static bool is_unanswered(const Connection& connection, Timer timer);

 private:
  static void describe(const Sender& sender, Context& context);
  static void resume(Sender& sender, const Context& context, Position end);
  static bool is_last_duplicate(const Sender& sender, const Segment& segment, std::int64_t seq,
                                std::int64_t ack);
};

}  // namespace longhaul::tcp
