// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/pcix/bus/tenure.h"

namespace longhaul::pcix {

/// The arbiter: REQ# and GNT# of the bridge and of all slots, with the queues of jobs behind them.
/// Decides which master gets the bus next, and when.
///
/// Masters take turns (round robin). Requests of one master keep their order; its completions may
/// pass them, and requests and completions take turns. A master that asks on an idle bus waits for
/// arbitration unless the bus is parked at it. A master that has kept REQ# asserted does not wait.
class Arbiter {
 public:
  /// A grant: which master may begin which job, and when. The job is null if no master asks.
  struct Grant {
    std::uint32_t master = 0;
    BusJob* job = nullptr;
    std::uint64_t start_ps = 0;
  };

  Arbiter(const BusTiming& timing, bool parks, std::uint32_t slots);

  BusJob& new_job(BusJob::Command command, std::uint32_t unit, std::uint64_t address,
                  std::uint32_t bytes);
  /// A master asks for the bus from `at_ps` on, for a request or for a completion.
  void request(std::uint32_t master, BusJob& job, std::uint64_t at_ps);
  void complete(std::uint32_t master, BusJob& job, std::uint64_t at_ps);
  /// A job that is not finished asks for the bus again at `at_ps`.
  static void ask_again(BusJob& job, std::uint64_t at_ps) {
    job.kept_request = true;
    job.requested_ps = at_ps;
  }
  /// The delayed read that this master repeats.
  BusJob& repeated(std::uint32_t master) { return *masters_[master].requests.front(); }
  void remove(const Tenure& tenure);

  /// The next tenure among all masters that have asked so far.
  Grant next();
  /// The earliest time at which another master than the owner of this tenure wants the bus. With
  /// `completions_take_turns` and a completion of the bridge, its other completions count as
  /// rivals, too.
  std::uint64_t rivals_want_from_ps(const Tenure& tenure, bool completions_take_turns) const;

  /// Calls between begin_end() and end_end() belong to the end of this tenure: if its master
  /// continues at once, it has kept REQ# asserted. The bus is free from `free_ps` on.
  void begin_end(const Tenure& tenure, std::uint64_t free_ps);
  void end_end() { ending_ = false; }
  bool ending() const { return ending_; }
  std::uint64_t free_ps() const { return free_ps_; }

  /// For listeners: see PcixBus::horizon_ps() and PcixBus::keeps_request().
  std::uint64_t horizon_ps() const;
  bool keeps_request(std::uint32_t master) const;

 private:
  struct Master {
    RingBuffer<BusJob*> requests;
    std::vector<BusJob*> completions;
    BusJob* candidate = nullptr;  // set by next(): the completion that is ready first
    std::uint64_t wanted_ps = 0;  // set by next(): when the master wants the bus
    bool completion_is_next = false;
  };
  static constexpr std::uint64_t kNever = ~0ULL;

  void raise(BusJob& job, std::uint32_t master, std::uint64_t at_ps) const;
  std::uint64_t ready_ps(std::uint32_t master, const BusJob& job) const {
    // The arbiter parks the bus by leaving GNT# at the last master.
    const bool has_grant = job.kept_request || (parks_ && master == last_master_);
    return job.requested_ps + (has_grant ? 0 : arbitration_ps_);
  }
  BusJob* earliest_completion(std::uint32_t master) const {
    return masters_[master].completions.empty() ? nullptr : pick_completion(master);
  }
  BusJob* pick_completion(std::uint32_t master) const;
  bool behind_posted_write(const BusJob& completion) const;
  std::uint64_t wanted_from_ps(std::uint32_t master, const BusJob* completion) const {
    const RingBuffer<BusJob*>& requests = masters_[master].requests;
    const std::uint64_t from_ps = requests.empty() ? kNever : ready_ps(master, *requests.front());
    return completion == nullptr ? from_ps : std::min(from_ps, ready_ps(master, *completion));
  }
  BusJob* choose(std::uint32_t master, std::uint64_t start_ps) const;

  const BusTiming& timing_;
  const std::uint64_t arbitration_ps_;
  const bool parks_;
  std::vector<Master> masters_;
  std::uint64_t waiting_ = 0;  // masters with jobs, one bit each
  std::vector<std::unique_ptr<BusJob>> owned_jobs_;
  std::vector<BusJob*> free_jobs_;
  std::uint32_t last_master_ = kHostMaster;
  std::uint64_t free_ps_ = 0;  // end of the turn-around after the last tenure
  bool ending_ = false;
};

}  // namespace longhaul::pcix
