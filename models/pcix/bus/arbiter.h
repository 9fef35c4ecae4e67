// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/pcix/bus/tenure.h"

namespace longhaul::pcix {

/// REQ# and GNT# of the bridge and of all slots, with the jobs behind them: who gets the bus next,
/// and when.
///
/// Masters take turns (round robin). Of one master, requests go in their order; a completion may
/// pass them, and the two kinds take turns. A master that asks on an idle bus waits for arbitration
/// unless the bus is parked at it; one that has kept REQ# asserted does not.
class Arbiter {
 public:
  /// A grant: who may begin which job, and when. Null: nobody asks.
  struct Grant {
    std::uint32_t master = 0;
    BusJob* job = nullptr;
    std::uint64_t start_ps = 0;
  };

  Arbiter(const BusTiming& timing, bool parks, std::uint32_t slots);

  BusJob& new_job(BusJob::Command command, std::uint32_t unit, std::uint64_t address,
                  std::uint32_t bytes);
  /// A master asks for the bus from `at_ps` on.
  void request(std::uint32_t master, BusJob& job, std::uint64_t at_ps);
  void complete(std::uint32_t master, BusJob& job, std::uint64_t at_ps);
  /// A job that is not done asks again.
  static void ask_again(BusJob& job, std::uint64_t at_ps) {
    job.kept_request = true;
    job.requested_ps = at_ps;
  }
  /// The request of a delayed read that a unit repeats.
  BusJob& repeated(std::uint32_t master) { return *masters_[master].requests.front(); }
  void remove(const Tenure& tenure);

  /// The next tenure, of all that have asked until now.
  Grant next();
  /// From when on anybody but the owner of this tenure wants the bus; with
  /// `completions_take_turns`, of one of the bridge's completions, its other ones do, too.
  std::uint64_t rivals_want_from_ps(const Tenure& tenure, bool completions_take_turns) const;

  /// Calls between the two belong to the end of this tenure: its master has kept REQ# asserted
  /// where it goes on at once. The bus is free from `free_ps` on.
  void begin_end(const Tenure& tenure, std::uint64_t free_ps);
  void end_end() { ending_ = false; }
  bool ending() const { return ending_; }
  std::uint64_t free_ps() const { return free_ps_; }

  /// For listeners, as PcixBus has them.
  std::uint64_t horizon_ps() const;
  bool keeps_request(std::uint32_t master) const;

 private:
  struct Master {
    RingBuffer<BusJob*> requests;
    std::vector<BusJob*> completions;
    BusJob* candidate = nullptr;  // of next(): the completion that is ready first
    std::uint64_t wanted_ps = 0;  // of next(): when it wants the bus
    bool completion_is_next = false;
  };
  static constexpr std::uint64_t kNever = ~0ULL;

  void raise(BusJob& job, std::uint32_t master, std::uint64_t at_ps) const;
  std::uint64_t ready_ps(std::uint32_t master, const BusJob& job) const {
    // The arbiter parks the bus by leaving GNT# where it was.
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
  std::uint64_t waiting_ = 0;  // masters with something to do, one bit each
  std::vector<std::unique_ptr<BusJob>> owned_jobs_;
  std::vector<BusJob*> free_jobs_;
  std::uint32_t last_master_ = kHostMaster;
  std::uint64_t free_ps_ = 0;  // end of the last tenure's turn-around
  bool ending_ = false;
};

}  // namespace longhaul::pcix
