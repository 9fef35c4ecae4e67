// SPDX-License-Identifier: Apache-2.0
#include "models/toe/tcp_counts.h"

namespace longhaul::toe {
namespace {

bool is_established(tcp::State state) {
  return state == tcp::State::kEstablished || state == tcp::State::kCloseWait;
}

}  // namespace

void TcpCounts::moved(tcp::State from, tcp::State to) {
  if (from == to) return;
  const bool opens = from == tcp::State::kSynSent || from == tcp::State::kSynReceived;
  if (from == tcp::State::kClosed && to == tcp::State::kSynSent) active_opens.add();
  if (from == tcp::State::kClosed && to == tcp::State::kSynReceived) passive_opens.add();
  if (to == tcp::State::kClosed && opens) attempt_fails.add();
  if (to == tcp::State::kClosed && is_established(from)) estab_resets.add();
  if (is_established(to) && !is_established(from)) established.add(1);
  if (!is_established(to)) forgotten(from);
}

void TcpCounts::forgotten(tcp::State state) {
  if (is_established(state)) established.add(-1);
}

}  // namespace longhaul::toe
