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

/// The one port of the adapter's packet memory. Four users share it: receive and transmit, each for
/// writes and reads.
///
/// A single user moves `bytes_per_clock` each clock; several users share that equally, as if they
/// took turns of a few quadwords. Each user has one transfer at a time. One timer serves all.
class RamPort final : public sc_core::sc_module {
 public:
  enum User : std::size_t { kRxWrite, kRxRead, kTxWrite, kTxRead };
  static constexpr std::size_t kUsers = 4;

  RamPort(const sc_core::sc_module_name& name, Frequency clock, std::uint32_t bytes_per_clock);

  /// Sets the function that is called when the user's transfer has ended. Set it before the first
  /// transfer.
  void attach(User user, std::function<void()> ended) { ended_[user] = std::move(ended); }
  /// Starts moving `bytes`, rounded up to whole clocks. The user must not have another transfer.
  void start(User user, std::uint32_t bytes);
  /// Drops the user's transfer, if there is one, without a call.
  void cancel(User user);
  bool busy(User user) const { return (active_ & 1U << user) != 0; }
  /// The time for `bytes` of a user that is alone, in ps.
  std::uint64_t alone_ps(std::uint32_t bytes) const;

  observe::Counter moved{"moved", "B", "bytes written to the packet memory and read from it"};
  observe::StateClock state{
      "state", "whether the packet memory's port is in use", {"idle", "busy"}};

 private:
  /// Fractions of a picosecond: a multiple of every number of users.
  static constexpr std::uint64_t kShares = 12;

  void settle();
  void arm();
  void due();
  std::uint32_t users() const { return static_cast<std::uint32_t>(__builtin_popcount(active_)); }

  const Divisor hz_;
  const Divisor bytes_per_clock_;
  std::array<std::function<void()>, kUsers> ended_;
  std::array<std::uint64_t, kUsers> left_{};  // time of the port, in fractions of a picosecond
  std::uint32_t active_ = 0;                  // bit mask of users
  std::uint32_t over_ = 0;                    // users whose transfer has ended and who are not yet
                                              // called
  std::uint64_t settled_ps_ = 0;
  Timer timer_{[this] { due(); }};
};

}  // namespace longhaul::nic::genesis
