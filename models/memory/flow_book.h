// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace longhaul::memory {

/// Bookings of one resource that moves one thing at a time (a data bus, one direction of a link) by
/// several requesters.
///
/// A requester is a flow: its own work queues in the order of its calls. A booking is work that a
/// flow does evenly between two instants, so it leaves the rest of that time to others. Flows that
/// want more than there is share alike: none gets less than an equal part. What a later caller
/// takes of time that was promised to another flow already is owed to that flow, and lengthens its
/// next booking. No events: a call costs O(flows), or a few instructions while nobody else has
/// booked anything.
class FlowBook {
 public:
  explicit FlowBook(std::size_t flows) : flows_(flows) {}

  /// When a flow's next work can begin: at `arrival_ps` or when its earlier work is done.
  std::uint64_t free_ps(std::size_t flow, std::uint64_t arrival_ps) const {
    return arrival_ps > flows_[flow].end_ps ? arrival_ps : flows_[flow].end_ps;
  }
  /// When `work_ps` of a flow would be done if it went as fast as the others let it, with what the
  /// flow is owed.
  std::uint64_t quote(std::size_t flow, std::uint64_t start_ps, std::uint64_t work_ps) const {
    const std::uint64_t all_ps = work_ps + flows_[flow].owed_ps;
    return alone(flow, start_ps) ? start_ps + all_ps : shared_quote(flow, start_ps, all_ps);
  }
  /// Books that work, done evenly until `end_ps`, which is no earlier than quote() said. Times
  /// before `now_ps` are forgotten.
  void book(std::size_t flow, std::uint64_t now_ps, std::uint64_t start_ps, std::uint64_t end_ps,
            std::uint64_t work_ps, bool write);
  /// Lengthens the next booking of a flow.
  void owe(std::size_t flow, std::uint64_t ps) { flows_[flow].owed_ps += ps; }
  std::uint64_t owed_ps(std::size_t flow) const { return flows_[flow].owed_ps; }

  /// How long a single item of `flow` waits at `at_ps` if it finds an item of `item_ps` of each
  /// other flow before it as often as that flow has one.
  std::uint64_t wait_ps(std::size_t flow, std::uint64_t at_ps, std::uint64_t item_ps) const {
    return alone(flow, at_ps) ? 0 : shared_wait_ps(flow, at_ps, item_ps);
  }
  /// Work that other flows have booked between two instants in the direction that is not `write`.
  std::uint64_t opposite_ps(std::size_t flow, std::uint64_t from_ps, std::uint64_t to_ps,
                            bool write) const {
    return alone(flow, from_ps) ? 0 : shared_opposite_ps(flow, from_ps, to_ps, write);
  }

 private:
  static constexpr std::uint32_t kShareBits = 20;
  static constexpr std::uint64_t kWhole = 1ULL << kShareBits;

  struct Flow {
    std::uint64_t start_ps = 0;
    std::uint64_t end_ps = 0;
    std::uint64_t share = 0;  // of the time between, in kWhole-ths
    std::uint64_t owed_ps = 0;
    bool write = false;

    bool active(std::uint64_t at_ps) const { return start_ps <= at_ps && at_ps < end_ps; }
  };
  /// Others' bookings at one instant.
  struct Others {
    std::uint64_t share = 0;
    std::uint64_t until_ps = ~0ULL;  // no booking begins or ends before
    std::uint32_t count = 0;
    std::uint64_t left() const { return share < kWhole ? kWhole - share : 0; }
    /// What a newcomer gets: what is left, or an equal part.
    std::uint64_t rate() const {
      const std::uint64_t part =
          count <= 1 ? kWhole >> count : kWhole / (count + 1);  // nearly always without a division
      return left() > part ? left() : part;
    }
  };
  /// Whether no other flow has booked anything beyond `at_ps`. It may say no where the answer is
  /// yes: it looks at bounds only.
  bool alone(std::size_t flow, std::uint64_t at_ps) const {
    return (flow == latest_flow_ ? others_end_ps_ : latest_end_ps_) <= at_ps;
  }
  /// Keeps the bounds for alone().
  void note_end(std::size_t flow, std::uint64_t end_ps);
  /// Into an argument: what is copied right after it was written in parts is waited for.
  void others_at(std::size_t flow, std::uint64_t at_ps, Others& others) const;
  std::uint64_t shared_quote(std::size_t flow, std::uint64_t start_ps, std::uint64_t all_ps) const;
  std::uint64_t shared_wait_ps(std::size_t flow, std::uint64_t at_ps, std::uint64_t item_ps) const;
  std::uint64_t shared_opposite_ps(std::size_t flow, std::uint64_t from_ps, std::uint64_t to_ps,
                                   bool write) const;
  /// Charges the others for work among theirs, and returns when it is done.
  std::uint64_t charge_others(std::size_t flow, std::uint64_t start_ps, std::uint64_t end_ps,
                              std::uint64_t all_ps);
  /// Notes what `flow`, which takes `share` of a piece of time, owes the others: what it takes
  /// beyond what they leave.
  void charge(std::size_t flow, std::uint64_t at_ps, std::uint64_t span_ps, const Others& others,
              std::uint64_t share);
  static std::uint64_t scaled(std::uint64_t ps, std::uint64_t share) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(ps) * share >> kShareBits);
  }
  static std::uint64_t time_of(std::uint64_t work_ps, std::uint64_t rate);
  static std::uint64_t share_of(std::uint64_t work_ps, std::uint64_t time_ps) {
    if (time_ps == 0 || work_ps >= time_ps) return time_ps == 0 ? 0 : kWhole;
    if (work_ps >> (64 - kShareBits) == 0) return (work_ps << kShareBits) / time_ps;
    return work_ps / (time_ps >> kShareBits);  // work of seconds; time_ps is more than that
  }

  /// A piece of the time that work takes, during which nothing of the others begins or ends.
  struct Piece {
    std::uint64_t at_ps;
    std::uint64_t span_ps;
    Others others;
    std::uint64_t rate;  // that they leave
  };
  /// What quote() said last, for the booking that follows; of no flow after one.
  struct Quoted {
    std::size_t flow = ~std::size_t{0};
    std::uint64_t start_ps = 0;
    std::uint64_t all_ps = 0;
    std::uint64_t end_ps = 0;
  };

  std::vector<Flow> flows_;
  mutable Quoted quoted_;
  mutable std::vector<Piece> pieces_;  // of what was quoted
  std::size_t latest_flow_ = 0;        // whose bookings reach furthest, or have
  std::uint64_t latest_end_ps_ = 0;    // no booking of any flow ends later
  std::uint64_t others_end_ps_ = 0;    // nor one of the other flows than that than this
};

}  // namespace longhaul::memory
