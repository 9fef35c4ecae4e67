// SPDX-License-Identifier: Apache-2.0
#include "models/memory/flow_book.h"

#include <algorithm>

#include "models/common/wide_math.h"

namespace longhaul::memory {

/// The time that work takes at a share `rate` of the resource.
std::uint64_t FlowBook::time_of(std::uint64_t work_ps, std::uint64_t rate) {
  return rate == kWhole ? work_ps : times_over(work_ps, kWhole, rate - 1, rate);
}

void FlowBook::others_at(std::size_t flow, std::uint64_t at_ps, Others& others) const {
  others = {};
  const Flow* const own = &flows_[flow];
  for (const Flow& other : flows_) {
    if (&other == own || other.end_ps <= at_ps || other.share == 0) continue;
    if (other.start_ps <= at_ps) {
      others.share += other.share;
      ++others.count;
      others.until_ps = std::min(others.until_ps, other.end_ps);
    } else {
      others.until_ps = std::min(others.until_ps, other.start_ps);
    }
  }
}

std::uint64_t FlowBook::shared_wait_ps(std::size_t flow, std::uint64_t at_ps,
                                       std::uint64_t item_ps) const {
  Others others;
  others_at(flow, at_ps, others);
  return scaled(item_ps, others.share);
}

std::uint64_t FlowBook::shared_quote(std::size_t flow, std::uint64_t start_ps,
                                     std::uint64_t all_ps) const {
  if (quoted_.flow == flow && quoted_.start_ps == start_ps && quoted_.all_ps == all_ps)
    return quoted_.end_ps;
  pieces_.clear();
  std::uint64_t at_ps = start_ps;
  for (std::uint64_t left_ps = all_ps; left_ps > 0;) {
    Piece& piece = pieces_.emplace_back();
    others_at(flow, at_ps, piece.others);
    piece.at_ps = at_ps;
    piece.rate = piece.others.rate();
    const std::uint64_t needed_ps = time_of(left_ps, piece.rate);
    piece.span_ps = std::min(needed_ps, piece.others.until_ps - at_ps);
    at_ps += piece.span_ps;
    if (piece.span_ps == needed_ps) break;
    left_ps -= std::min(left_ps, scaled(piece.span_ps, piece.rate));
  }
  quoted_ = {flow, start_ps, all_ps, at_ps};
  return at_ps;
}

std::uint64_t FlowBook::charge_others(std::size_t flow, std::uint64_t start_ps,
                                      std::uint64_t end_ps, std::uint64_t all_ps) {
  const std::uint64_t quoted_ps = shared_quote(flow, start_ps, all_ps);
  const std::uint64_t least_ps = std::max(end_ps, start_ps + all_ps);
  const bool they_come_later =
      pieces_.empty() || (pieces_[0].others.count == 0 && pieces_[0].others.until_ps >= least_ps);
  if (they_come_later) return least_ps;
  if (end_ps <= quoted_ps) {
    for (const Piece& piece : pieces_)
      charge(flow, piece.at_ps, piece.span_ps, piece.others, piece.rate);
    return quoted_ps;
  }
  const std::uint64_t share = share_of(all_ps, end_ps - start_ps);
  for (std::uint64_t at_ps = start_ps; at_ps < end_ps;) {
    Others others;
    others_at(flow, at_ps, others);
    const std::uint64_t span_ps = std::min(end_ps, others.until_ps) - at_ps;
    charge(flow, at_ps, span_ps, others, std::min(share, others.rate()));
    at_ps += span_ps;
  }
  return end_ps;
}

void FlowBook::book(std::size_t flow, std::uint64_t now_ps, std::uint64_t start_ps,
                    std::uint64_t end_ps, std::uint64_t work_ps, bool write) {
  Flow& own = flows_[flow];
  std::uint64_t all_ps = work_ps + own.owed_ps;
  own.owed_ps = 0;
  end_ps = alone(flow, start_ps) ? std::max(end_ps, start_ps + all_ps)
                                 : charge_others(flow, start_ps, end_ps, all_ps);
  own.write = write;
  std::uint64_t from_ps = start_ps;
  if (own.end_ps > now_ps) {
    // Earlier work is not done yet. The two are treated as one even stretch.
    from_ps = std::max(now_ps, own.start_ps);
    all_ps += scaled(own.end_ps - from_ps, own.share);
  }
  quoted_ = {};
  own.start_ps = from_ps;
  own.end_ps = end_ps;
  own.share = share_of(all_ps, end_ps - from_ps);
  note_end(flow, end_ps);
}

void FlowBook::note_end(std::size_t flow, std::uint64_t end_ps) {
  if (flow == latest_flow_) {
    latest_end_ps_ = std::max(latest_end_ps_, end_ps);
  } else if (end_ps > latest_end_ps_) {
    others_end_ps_ = latest_end_ps_;
    latest_flow_ = flow;
    latest_end_ps_ = end_ps;
  } else {
    others_end_ps_ = std::max(others_end_ps_, end_ps);
  }
}

void FlowBook::charge(std::size_t flow, std::uint64_t at_ps, std::uint64_t span_ps,
                      const Others& others, std::uint64_t share) {
  if (share <= others.left()) return;
  const std::uint64_t taken_ps = scaled(span_ps, share - others.left());
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    if (i == flow || !flows_[i].active(at_ps)) continue;
    const std::uint64_t its_share = flows_[i].share;
    flows_[i].owed_ps +=
        its_share == others.share ? taken_ps : times_over(taken_ps, its_share, 0, others.share);
  }
}

std::uint64_t FlowBook::shared_opposite_ps(std::size_t flow, std::uint64_t from_ps,
                                           std::uint64_t to_ps, bool write) const {
  std::uint64_t sum_ps = 0;
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const Flow& other = flows_[i];
    if (i == flow || other.write == write) continue;
    const std::uint64_t first = std::max(from_ps, other.start_ps);
    const std::uint64_t last = std::min(to_ps, other.end_ps);
    if (first < last) sum_ps += scaled(last - first, other.share);
  }
  return sum_ps;
}

}  // namespace longhaul::memory
