// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/common/observe/probe.h"
#include "models/tcp/connection.h"

namespace longhaul::toe {

/// The cause for which the next byte of an open connection waits.
enum class SendWait : std::uint8_t {
  kNone,    ///< the connection is not open for sending
  kHost,    ///< the host has given nothing to send, or TCP waits for more of it
  kTurn,    ///< an event of the engine that sends
  kCwnd,    ///< the congestion window
  kWindow,  ///< the peer's window
};
inline constexpr std::size_t kSendWaits = 5;

/// Counts open connections by what they wait for. The mean of such a level is the time of all
/// connections with that wait, divided by the time that has passed.
class SendWaits {
 public:
  observe::Level host{"send_waits_host", "1", "open connections without data to send"};
  observe::Level turn{"send_waits_turn", "1", "connections whose data wait for the engine"};
  observe::Level cwnd{"send_waits_cwnd", "1", "connections that wait for the congestion window"};
  observe::Level window{"send_waits_window", "1", "connections that wait for the peer's window"};

  void change(SendWait from, SendWait to) {
    if (observe::Level* const level = of(from)) level->add(-1);
    if (observe::Level* const level = of(to)) level->add(1);
  }

 private:
  observe::Level* of(SendWait wait) {
    return std::array<observe::Level*, kSendWaits>{nullptr, &host, &turn, &cwnd, &window}.at(
        static_cast<std::size_t>(wait));
  }
};

/// A connection's wait, in the counts of its engine.
class CountedWait {
 public:
  explicit CountedWait(SendWaits& counts) : counts_(counts) {}
  ~CountedWait() { counts_.change(wait_, SendWait::kNone); }
  CountedWait(const CountedWait&) = delete;
  CountedWait& operator=(const CountedWait&) = delete;

  SendWait now() const { return wait_; }
  /// An event has changed the connection; null if it is not open. `turn`: it waits for an event.
  void update(const tcp::Connection* connection, bool turn);

 private:
  SendWaits& counts_;
  SendWait wait_ = SendWait::kNone;
};

}  // namespace longhaul::toe
