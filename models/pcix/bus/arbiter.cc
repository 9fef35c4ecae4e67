// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bus/arbiter.h"

#include "models/common/units.h"
#include "models/pcix/ordering.h"
#include "models/pcix/transaction.h"

namespace longhaul::pcix {
namespace {

using Command = BusJob::Command;

/// The lowest number in a set.
std::uint32_t first_of(std::uint64_t masters) {
  return static_cast<std::uint32_t>(__builtin_ctzll(masters));
}
/// A set without that.
std::uint64_t without_first(std::uint64_t masters) { return masters & (masters - 1); }

}  // namespace

Arbiter::Arbiter(const BusTiming& timing, bool parks, std::uint32_t slots)
    : timing_(timing),
      arbitration_ps_(timing.ps(timing.arbitration_clocks())),
      parks_(parks),
      masters_(slots + 1) {}

BusJob& Arbiter::new_job(Command command, std::uint32_t unit, std::uint64_t address,
                         std::uint32_t bytes) {
  if (free_jobs_.empty()) {
    owned_jobs_.push_back(std::make_unique<BusJob>());
    free_jobs_.reserve(owned_jobs_.size());
    free_jobs_.push_back(owned_jobs_.back().get());
  }
  BusJob& job = *free_jobs_.back();
  free_jobs_.pop_back();
  job = BusJob{};
  job.command = command;
  job.unit = unit;
  job.address = address;
  job.bytes = bytes;
  return job;
}

void Arbiter::request(std::uint32_t master, BusJob& job, std::uint64_t at_ps) {
  raise(job, master, at_ps);
  masters_[master].requests.push_back(&job);
  waiting_ |= std::uint64_t{1} << master;
}

void Arbiter::complete(std::uint32_t master, BusJob& job, std::uint64_t at_ps) {
  raise(job, master, at_ps);
  masters_[master].completions.push_back(&job);
  waiting_ |= std::uint64_t{1} << master;
}

void Arbiter::raise(BusJob& job, std::uint32_t master, std::uint64_t at_ps) const {
  // A master that has more to do when its tenure ends has kept REQ# asserted.
  job.arrived_ps = at_ps;
  job.kept_request = ending_ && master == last_master_ && at_ps <= free_ps_;
  job.requested_ps = job.kept_request ? free_ps_ : timing_.edge_ps(at_ps);
}

void Arbiter::remove(const Tenure& tenure) {
  Master& master = masters_[tenure.master];
  if (!master.requests.empty() && master.requests.front() == tenure.job) {
    master.requests.pop_front();
  } else {
    master.completions.erase(
        std::find(master.completions.begin(), master.completions.end(), tenure.job));
  }
  if (master.requests.empty() && master.completions.empty())
    waiting_ &= ~(std::uint64_t{1} << tenure.master);
  free_jobs_.push_back(tenure.job);
}

Arbiter::Grant Arbiter::next() {
  std::uint64_t first_ps = kNever;
  for (std::uint64_t left = waiting_; left != 0; left = without_first(left)) {
    const std::uint32_t number = first_of(left);
    Master& master = masters_[number];
    master.candidate = earliest_completion(number);
    master.wanted_ps = wanted_from_ps(number, master.candidate);
    first_ps = std::min(first_ps, master.wanted_ps);
  }
  if (first_ps == kNever) return {};
  const std::uint64_t start_ps = std::max(free_ps_, first_ps);
  std::uint64_t ready = 0;
  for (std::uint64_t left = waiting_; left != 0; left = without_first(left)) {
    if (masters_[first_of(left)].wanted_ps <= start_ps) ready |= std::uint64_t{1} << first_of(left);
  }
  // Round robin: those behind the last master come first.
  const std::uint64_t behind = ready & ~std::uint64_t{1} << last_master_;
  const std::uint32_t master = first_of(behind != 0 ? behind : ready);
  return {master, choose(master, start_ps), start_ps};
}

void Arbiter::begin_end(const Tenure& tenure, std::uint64_t free_ps) {
  ending_ = true;
  free_ps_ = free_ps;
  last_master_ = tenure.master;
  Master& master = masters_[tenure.master];
  master.completion_is_next = !master.requests.empty() && master.requests.front() == tenure.job;
}

bool Arbiter::behind_posted_write(const BusJob& completion) const {
  if (completion.command != Command::kSplitCompletion || masters_[kHostMaster].requests.empty())
    return false;
  const bool relaxed = attributes_of(*completion.payload)->relaxed_ordering;
  if (passing(OrderClass::kReadCompletion, OrderClass::kPostedWrite, relaxed) != Passing::kMustNot)
    return false;
  const RingBuffer<BusJob*>& requests = masters_[kHostMaster].requests;
  for (std::size_t i = 0; i < requests.size() && requests[i]->arrived_ps <= completion.arrived_ps;
       ++i) {
    if (requests[i]->host->kind == HostRequest::Kind::kMmioWrite) return true;
  }
  return false;
}

BusJob* Arbiter::pick_completion(std::uint32_t master) const {
  const bool may_wait = !masters_[kHostMaster].requests.empty();
  BusJob* best = nullptr;
  std::uint64_t best_ps = kNever;
  for (BusJob* job : masters_[master].completions) {
    const std::uint64_t at_ps = ready_ps(master, *job);
    if (at_ps < best_ps && !(may_wait && behind_posted_write(*job))) {
      best = job;
      best_ps = at_ps;
    }
  }
  return best;
}

std::uint64_t Arbiter::rivals_want_from_ps(const Tenure& tenure,
                                           bool completions_take_turns) const {
  std::uint64_t from_ps = kNever;
  const std::uint64_t others = waiting_ & ~(std::uint64_t{1} << tenure.master);
  for (std::uint64_t left = others; left != 0; left = without_first(left)) {
    from_ps =
        std::min(from_ps, wanted_from_ps(first_of(left), earliest_completion(first_of(left))));
  }
  if (completions_take_turns) {
    for (const BusJob* other : masters_[kHostMaster].completions) {
      if (other != tenure.job && !behind_posted_write(*other))
        from_ps = std::min(from_ps, ready_ps(kHostMaster, *other));
    }
  }
  return from_ps;
}

BusJob* Arbiter::choose(std::uint32_t master, std::uint64_t start_ps) const {
  const RingBuffer<BusJob*>& requests = masters_[master].requests;
  BusJob* request = requests.empty() ? nullptr : requests.front();
  if (request != nullptr && ready_ps(master, *request) > start_ps) request = nullptr;
  BusJob* completion = masters_[master].candidate;
  if (completion != nullptr && ready_ps(master, *completion) > start_ps) completion = nullptr;
  if (request == nullptr || completion == nullptr) return request != nullptr ? request : completion;
  return masters_[master].completion_is_next ? completion : request;
}

std::uint64_t Arbiter::horizon_ps() const {
  std::uint64_t horizon_ps = std::min(now_ps(), free_ps_);
  for (const Master& master : masters_) {
    for (std::size_t i = 0; i < master.requests.size(); ++i)
      horizon_ps = std::min(horizon_ps, master.requests[i]->requested_ps);
    for (const BusJob* job : master.completions)
      horizon_ps = std::min(horizon_ps, job->requested_ps);
  }
  return horizon_ps;
}

bool Arbiter::keeps_request(std::uint32_t master) const {
  const Master& who = masters_[master];
  if (!who.requests.empty() && who.requests.front()->kept_request && !who.requests.front()->refused)
    return true;
  return std::any_of(who.completions.begin(), who.completions.end(),
                     [](const BusJob* job) { return job->kept_request; });
}

}  // namespace longhaul::pcix
