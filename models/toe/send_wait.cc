// SPDX-License-Identifier: Apache-2.0
#include "models/toe/send_wait.h"

#include <algorithm>

namespace longhaul::toe {
namespace {

SendWait wait_of(const tcp::Connection& connection, bool turn) {
  const tcp::State state = connection.state();
  if (state != tcp::State::kEstablished && state != tcp::State::kCloseWait) return SendWait::kNone;
  if (turn) return SendWait::kTurn;
  const tcp::Sender& sender = connection.sender();
  const std::uint64_t unsent = sender.unsent();
  if (unsent == 0) return SendWait::kHost;
  const std::uint64_t room = sender.recovery().room(sender.next());
  const std::uint64_t needed = std::min<std::uint64_t>(unsent, sender.mss());
  if (std::min(room, sender.window()) >= needed) return SendWait::kHost;  // Nagle's rule
  return sender.window() <= room ? SendWait::kWindow : SendWait::kCwnd;
}

}  // namespace

void CountedWait::update(const tcp::Connection* connection, bool turn) {
  const SendWait wait = connection != nullptr ? wait_of(*connection, turn) : SendWait::kNone;
  if (wait == wait_) return;
  counts_.change(wait_, wait);
  wait_ = wait;
}

}  // namespace longhaul::toe
