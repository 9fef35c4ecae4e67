// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace longhaul::memory {

/// Bookings of a resource that moves one item at a time (a data bus, one direction of a link), by
/// several requesters.
///
/// Each requester is a flow; its own work queues in the order of its calls. A booking spreads work
/// evenly between two instants, so it leaves the rest of that time to other flows. Flows that want
/// more than there is share equally: none gets less than an equal part.
///
/// A later booking may take time that was promised to another flow. That time is owed to the other
/// flow and lengthens its next booking. There are no events: a call costs O(flows), or a few
/// instructions if no other flow has a booking.
class FlowBook {
 public:
  explicit FlowBook(std::size_t flows) : flows_(flows) {}

  /// The earliest start of a flow's next work: `arrival_ps`, or the end of its earlier work.
  std::uint64_t free_ps(std::size_t flow, std::uint64_t arrival_ps) const {
    return arrival_ps > flows_[flow].end_ps ? arrival_ps : flows_[flow].end_ps;
  }
  /// The end of `work_ps` of work, and of the work that the flow is owed, if the flow goes as fast
  /// as the others let it.
  std::uint64_t quote(std::size_t flow, std::uint64_t start_ps, std::uint64_t work_ps) const {
    const std::uint64_t all_ps = work_ps + flows_[flow].owed_ps;
    return alone(flow, start_ps) ? start_ps + all_ps : shared_quote(flow, start_ps, all_ps);
  }
  /// Books that work, spread evenly until `end_ps`, which is not before the quote(). Bookings
  /// before `now_ps` are dropped.
  void book(std::size_t flow, std::uint64_t now_ps, std::uint64_t start_ps, std::uint64_t end_ps,
            std::uint64_t work_ps, bool write);
  /// Lengthens the next booking of a flow by `ps`.
  void owe(std::size_t flow, std::uint64_t ps) { flows_[flow].owed_ps += ps; }
  std::uint64_t owed_ps(std::size_t flow) const { return flows_[flow].owed_ps; }

  /// The mean wait of a single item of `flow` at `at_ps`. It meets an item of `item_ps` of each
  /// other flow with that flow's share of the time.
  std::uint64_t wait_ps(std::size_t flow, std::uint64_t at_ps, std::uint64_t item_ps) const {
    return alone(flow, at_ps) ? 0 : shared_wait_ps(flow, at_ps, item_ps);
  }
  /// Work that other flows have booked between two instants in the opposite direction to `write`.
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
    std::uint64_t share = 0;  // of the time between, in units of 1/kWhole
    std::uint64_t owed_ps = 0;
    bool write = false;

    bool active(std::uint64_t at_ps) const { return start_ps <= at_ps && at_ps < end_ps; }
  };
  /// Bookings of the other flows at one instant.
  struct Others {
    std::uint64_t share = 0;
    std::uint64_t until_ps = ~0ULL;  // no booking begins or ends before this time
    std::uint32_t count = 0;
    std::uint64_t left() const { return share < kWhole ? kWhole - share : 0; }
    /// The share of a new flow: the part that is left, or an equal part if that is larger.
    std::uint64_t rate() const {
      // Avoids the division in nearly all cases.
      const std::uint64_t part = count <= 1 ? kWhole >> count : kWhole / (count + 1);
      return left() > part ? left() : part;
    }
  };
  /// Whether no other flow has bookings beyond `at_ps`. It compares bounds only, so it may return
  /// false although the answer is true.
  bool alone(std::size_t flow, std::uint64_t at_ps) const {
    return (flow == latest_flow_ ? others_end_ps_ : latest_end_ps_) <= at_ps;
  }
  /// Updates the bounds for alone().
  void note_end(std::size_t flow, std::uint64_t end_ps);
  /// Fills in an argument instead of returning a value: copying a value right after it was written
  /// in parts stalls the host's CPU.
  void others_at(std::size_t flow, std::uint64_t at_ps, Others& others) const;
  std::uint64_t shared_quote(std::size_t flow, std::uint64_t start_ps, std::uint64_t all_ps) const;
  std::uint64_t shared_wait_ps(std::size_t flow, std::uint64_t at_ps, std::uint64_t item_ps) const;
  std::uint64_t shared_opposite_ps(std::size_t flow, std::uint64_t from_ps, std::uint64_t to_ps,
                                   bool write) const;
  /// Charges the others for work that overlaps theirs. Returns when the work is done.
  std::uint64_t charge_others(std::size_t flow, std::uint64_t start_ps, std::uint64_t end_ps,
                              std::uint64_t all_ps);
  /// Notes the time that `flow` owes the others: the part of its `share` of a piece of time that
  /// exceeds what they leave.
  void charge(std::size_t flow, std::uint64_t at_ps, std::uint64_t span_ps, const Others& others,
              std::uint64_t share);
  static std::uint64_t scaled(std::uint64_t ps, std::uint64_t share) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(ps) * share >> kShareBits);
  }
  static std::uint64_t time_of(std::uint64_t work_ps, std::uint64_t rate);
  static std::uint64_t share_of(std::uint64_t work_ps, std::uint64_t time_ps) {
    if (time_ps == 0 || work_ps >= time_ps) return time_ps == 0 ? 0 : kWhole;
    if (work_ps >> (64 - kShareBits) == 0) return (work_ps << kShareBits) / time_ps;
    return work_ps / (time_ps >> kShareBits);  // for work of seconds; time_ps is larger
  }

  /// A piece of the duration of some work, in which no booking of the others begins or ends.
  struct Piece {
    std::uint64_t at_ps;
    std::uint64_t span_ps;
    Others others;
    std::uint64_t rate;  // share that they leave
  };
  /// The last result of quote(), for the booking that follows. Holds no flow after a booking.
  struct Quoted {
    std::size_t flow = ~std::size_t{0};
    std::uint64_t start_ps = 0;
    std::uint64_t all_ps = 0;
    std::uint64_t end_ps = 0;
  };

  std::vector<Flow> flows_;
  mutable Quoted quoted_;
  mutable std::vector<Piece> pieces_;  // of the last quote
  std::size_t latest_flow_ = 0;        // flow with the latest end of a booking, now or in the past
  std::uint64_t latest_end_ps_ = 0;    // no booking of any flow ends later
  std::uint64_t others_end_ps_ = 0;    // no booking of a flow other than latest_flow_ ends later
};

}  // namespace longhaul::memory
