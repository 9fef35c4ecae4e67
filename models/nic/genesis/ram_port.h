// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/divisor.h"
#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/units.h"

namespace longhaul::nic::genesis {

/// The one port of the adapter's packet memory, which four users share: both directions, each in
/// and out.
///
/// A user alone moves `bytes_per_clock` each clock; several at once share that equally, as turns of
/// a few quadwords do. Each has one transfer at a time. One timer for all.
class RamPort final : public sc_core::sc_module {
 public:
  enum User : std::size_t { kRxWrite, kRxRead, kTxWrite, kTxRead };
  static constexpr std::size_t kUsers = 4;

  RamPort(const sc_core::sc_module_name& name, Frequency clock, std::uint32_t bytes_per_clock);

  /// Who is told that the user's transfer has ended; set before the first one.
  void attach(User user, std::function<void()> ended) { ended_[user] = std::move(ended); }
  /// Starts moving `bytes`, rounded up to whole clocks; the user has no other transfer.
  void start(User user, std::uint32_t bytes);
  /// Gives a transfer up, if there is one: nothing is told.
  void cancel(User user);
  bool busy(User user) const { return (active_ & 1U << user) != 0; }
  /// Time that so many bytes take a user that is alone, in ps.
  std::uint64_t alone_ps(std::uint32_t bytes) const;

  observe::Counter moved{"moved", "B", "bytes written to the packet memory and read from it"};
  observe::StateClock state{
      "state", "whether the packet memory's port is in use", {"idle", "busy"}};

 private:
  /// Shares of a picosecond: a multiple of every number of users.
  static constexpr std::uint64_t kShares = 12;

  void settle();
  void arm();
  void due();
  std::uint32_t users() const { return static_cast<std::uint32_t>(__builtin_popcount(active_)); }

  const Divisor hz_;
  const Divisor bytes_per_clock_;
  std::array<std::function<void()>, kUsers> ended_;
  std::array<std::uint64_t, kUsers> left_{};  // of the port's time, in shares of a picosecond
  std::uint32_t active_ = 0;                  // bit mask of users
  std::uint32_t over_ = 0;                    // those whose transfer has ended, to be told
  std::uint64_t settled_ps_ = 0;
  Timer timer_{[this] { due(); }};
};

}  // namespace longhaul::nic::genesis
