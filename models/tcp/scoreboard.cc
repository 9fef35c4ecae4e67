// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/scoreboard.h"

namespace longhaul::tcp {

std::uint64_t Scoreboard::sack(Position begin, Position end) {
  const Position split = std::clamp(retransmitted_to_, begin, end);
  const std::uint64_t low = sacked_.insert(begin, split);
  if (!again_.empty()) again_.erase(begin, end);
  sacked_low_ += low;
  return low + sacked_.insert(split, end);
}

void Scoreboard::sent_short(Position end, std::uint32_t missing) {
  shorts_.push_back({end, missing});
  padding_ += missing;
}

void Scoreboard::advance(Position una) {
  while (!shorts_.empty() && shorts_.front().end <= una) padding_ -= shorts_.pop_front().missing;
  again_.erase_below(una);
  const Position split = std::clamp(retransmitted_to_, una_, una);
  sacked_low_ -= sacked_.erase_below(split);
  sacked_.erase_below(una);
  una_ = una;
  if (retransmitted_to_ < una) {
    retransmitted_to_ = una;
    sacked_low_ = 0;
  }
}

void Scoreboard::forget_sacks() {
  sacked_.clear();
  sacked_low_ = 0;
}

void Scoreboard::retransmitted(Position begin, Position end, Position next) {
  if (!again_.empty()) {
    again_.erase_below(end);
  } else {
    sacked_low_ += begin - retransmitted_to();
    retransmitted_to_ = end;
  }
  if (config_.loss_rule != LossRule::kFack) return;
  if (!passes_.empty()) {
    Pass& last = passes_[passes_.size() - 1];
    if (last.next == next && last.end <= begin && first_missing(last.end) >= begin) {
      last.end = end;
      return;
    }
  }
  passes_.push_back({begin, end, next});
}

std::uint64_t Scoreboard::find_lost_retransmissions() {
  const std::uint64_t margin = reorders_ ? std::uint64_t{threshold_} * mss_ : 1;
  std::uint64_t found = 0;
  while (!passes_.empty() && highest_sacked() >= passes_.front().next + margin) {
    const Pass pass = passes_.pop_front();
    Position at = first_missing(std::max(pass.begin, una_));
    for (std::size_t i = sacked_.first_ending_above(at); at < pass.end; ++i) {
      found +=
          again_.insert(at, std::min(pass.end, sacked_[i].begin));  // one lies above: the highest
      at = sacked_[i].end;
    }
  }
  return found;
}

Position Scoreboard::detected_edge() const {
  if (sacked_.empty()) return una_;
  const std::uint64_t bytes = std::uint64_t{threshold_} * mss_;
  if (config_.loss_rule == LossRule::kFack && !reorders_) {
    const Position top = highest_sacked();
    return top > una_ + bytes ? top - bytes : una_;
  }
  // IsLost(): more than (DupThresh - 1) segments' bytes, or DupThresh ranges, SACKed above.
  std::uint64_t above = 0;
  for (std::size_t i = sacked_.size(); i > 0; --i) {
    above += sacked_[i - 1].bytes();
    if (above > bytes - mss_ || sacked_.size() - i + 1 >= threshold_) return sacked_[i - 1].begin;
  }
  return una_;
}

Position Scoreboard::lost_edge() const { return std::max({una_, forced_edge_, detected_edge()}); }

std::uint64_t Scoreboard::pipe(Position next) const {
  const Position edge = std::min(lost_edge(), next);
  const std::uint64_t not_lost = next - edge - sacked_.bytes_above(edge);
  return not_lost + retransmitted_bytes() + padding_in_pipe(edge);
}

/// Bytes that pipe() must add for short segments. Segments that are SACKed or lost are out of
/// the network.
std::uint64_t Scoreboard::padding_in_pipe(Position edge) const {
  std::uint64_t sum = 0;
  std::size_t range = 0;
  for (std::size_t i = 0; i < shorts_.size(); ++i) {
    const auto [end, missing] = shorts_[i];
    while (range < sacked_.size() && sacked_[range].end < end) ++range;
    if (range < sacked_.size() && sacked_[range].begin < end) continue;
    if (end > edge) sum += missing;
    if (end <= retransmitted_to() && (again_.empty() || !again_.covers(end - 1, end)))
      sum += missing;
  }
  return sum;
}

std::uint64_t Scoreboard::lost_bytes() const {
  const Position edge = lost_edge();
  return edge - una_ - (sacked_.bytes() - sacked_.bytes_above(edge));
}

Range64 Scoreboard::next_hole(Position limit) const {
  if (!again_.empty()) return again_.front();
  const Position begin = first_missing(retransmitted_to());
  if (begin >= limit) return {limit, limit};
  const std::size_t i = sacked_.first_ending_above(begin);
  return {begin, i < sacked_.size() ? std::min(sacked_[i].begin, limit) : limit};
}

void Scoreboard::saw_reordering(std::uint64_t bytes) {
  if (config_.max_reordering <= config_.dup_threshold) return;
  reorders_ = true;
  const std::uint64_t segments = (bytes + mss_ - 1) / mss_;
  threshold_ = std::max(threshold_, static_cast<std::uint32_t>(
                                        std::min<std::uint64_t>(segments, config_.max_reordering)));
}

}  // namespace longhaul::tcp
