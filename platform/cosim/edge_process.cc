// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/edge_process.h"

#include <algorithm>

#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

std::shared_ptr<EdgeProcess> EdgeProcess::get() {
  static std::weak_ptr<EdgeProcess> process;
  std::shared_ptr<EdgeProcess> shared = process.lock();
  if (!shared) process = shared = std::shared_ptr<EdgeProcess>(new EdgeProcess);
  return shared;
}

EdgeProcess::EdgeProcess() {
  sc_core::sc_spawn_options method;
  method.spawn_method();
  sc_core::sc_spawn([this] { run(); }, sc_core::sc_gen_unique_name("clock_edges"), &method);
}

void EdgeProcess::remove(const RtlBlock& block) {
  blocks_.erase(std::find_if(blocks_.begin(), blocks_.end(),
                             [&](const Entry& entry) { return entry.block == &block; }));
}

void EdgeProcess::run() {
  const std::uint64_t now = now_ps();
  tell(now);
  std::uint64_t limit = limit_ps(now);
  for (Entry* entry = first(); entry != nullptr; entry = first()) {
    const std::uint64_t at = entry->next_ps;
    if (at > limit) return sleep_until(at, now);
    RtlBlock& block = *entry->block;
    block.take_edges(block.next_ps_);
    entry->next_ps = block.next_in_kernel_ps();
    if (block.waiting_.empty()) continue;
    if (at > now) return sc_core::next_trigger(from_ps(at - now));
    tell(now);
    limit = limit_ps(now);  // processes that were notified act now
  }
  sleep_until(ClockSource::kNever, now);
}

/// Lets transactors deliver the results of edges at this instant.
void EdgeProcess::tell(std::uint64_t now_ps) {
  for (const auto& [next_ps, block] : blocks_) {
    if (block->edge_ps() == block->zero_ps() + now_ps) block->deliver();
  }
  // Inputs may have been set, or a clock may have started, since the last activation.
  for (auto& [next_ps, block] : blocks_) {
    block->look_again();
    next_ps = block->next_in_kernel_ps();
  }
}

/// The block with the earliest edge, nullptr if there is no edge.
EdgeProcess::Entry* EdgeProcess::first() {
  Entry* first = nullptr;
  std::uint64_t at = ClockSource::kNever;
  for (Entry& entry : blocks_) {
    if (entry.next_ps >= at) continue;
    first = &entry;
    at = entry.next_ps;
  }
  return first;
}

/// The instant up to which no other process can act.
std::uint64_t EdgeProcess::limit_ps(std::uint64_t now_ps) const {
  if (sc_core::sc_pending_activity_at_current_time()) return now_ps;
  std::uint64_t ahead = to_ps(sc_core::sc_time_to_pending_activity());
  for (const Entry& entry : blocks_) ahead = std::min(ahead, entry.block->run_ahead_ps_);
  return now_ps + ahead;
}

/// Sleeps until the next edge, or an earlier edge of a clock that is started.
void EdgeProcess::sleep_until(std::uint64_t next_ps, std::uint64_t now_ps) {
  const bool stopped = std::any_of(blocks_.begin(), blocks_.end(),
                                   [](const Entry& entry) { return entry.block->stands_still(); });
  if (next_ps == ClockSource::kNever) {
    sc_core::next_trigger(goes_on_event_);
  } else if (stopped) {
    sc_core::next_trigger(from_ps(next_ps - now_ps), goes_on_event_);
  } else {
    sc_core::next_trigger(from_ps(next_ps - now_ps));
  }
}

}  // namespace longhaul::cosim
