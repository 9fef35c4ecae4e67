// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/receiver.h"

#include <algorithm>

namespace longhaul::tcp {
namespace {

// Bytes, for a window that grows; Linux, tcp_event_data_recv().
constexpr std::uint64_t kTooSmallToTell = 128;

}  // namespace

void Receiver::start(std::uint32_t mss, bool sack, bool timestamps, std::uint8_t shift) {
  mss_ = mss;
  sack_ = sack;
  timestamps_ = timestamps;
  quick_left_ = config_.quick_acks;
  window_.start(mss, shift);
}

Receiver::Accepted Receiver::accept(std::int64_t first, std::uint32_t length, bool fin) {
  Accepted result;
  const auto next = static_cast<std::int64_t>(next_);
  std::int64_t last = first + length;
  const auto edge = static_cast<std::int64_t>(window_.edge());
  if (last > edge) {
    last = std::max(edge, first);
    fin = false;
    ack_now_ = true;
  }
  if (first < next && length > 0) {
    const std::int64_t old_end = std::min(last, next);
    stats_.duplicate_bytes_received += static_cast<std::uint64_t>(old_end - first);
    if (first > 0 && config_.dsack && sack_)
      duplicate_ = {static_cast<Position>(first), static_cast<Position>(old_end)};
    ack_now_ = true;
  }
  if (fin && last >= next) fin_at_ = static_cast<Position>(last);
  const auto begin = static_cast<Position>(std::max(first, next));
  const auto end = static_cast<Position>(std::max(last, next));
  if (end > begin) {
    full_ = std::max(full_, std::min(length, mss_));
    if (begin > next_) {
      ++stats_.out_of_order_segments;
      const std::uint64_t added = waiting_.insert(begin, end);
      if (added < end - begin) {  // part of it was here: RFC 2883, 4.2
        stats_.duplicate_bytes_received += end - begin - added;
        if (added == 0 && config_.dsack && sack_) duplicate_ = {begin, end};
      }
      note_recent(begin);
      ack_now_ = true;  // RFC 5681, 4.2
    } else {
      const bool had_holes = !waiting_.empty();
      stats_.duplicate_bytes_received += waiting_.erase_below(end);
      next_ = end;
      if (!waiting_.empty() && waiting_.front().begin == next_) {
        next_ = waiting_.front().end;
        waiting_.erase_below(next_);
      }
      result.delivered = next_ - begin;
      in_order(result.delivered, had_holes);
    }
  } else if (begin > next_ && fin) {
    ack_now_ = true;
  }
  if (!finished_ && next_ == fin_at_) {
    finished_ = true;
    ++next_;
    ack_now_ = true;
    result.finished = true;
  }
  return result;
}

void Receiver::in_order(std::uint64_t bytes, bool filled_hole) {
  stats_.data_bytes_received += bytes;
  pending_ += bytes;
  window_.delivered(bytes);
  const bool grown = window_.grow(full_ == 0 ? 0 : bytes / full_);
  if (grown && bytes >= kTooSmallToTell && config_.quick_ack_on_growth)
    quick_left_ |= 1;  // Linux, tcp_grow_window()
  if (filled_hole) ack_now_ = true;
  if (quick_left_ > 0) {
    --quick_left_;
    ack_now_ = true;
  }
  if (!held_ && pending_ >= std::uint64_t{config_.ack_every} * full_ &&
      (!config_.ack_follows_reader || window_.opening(next_) >= pending_)) {
    ack_now_ = true;
  }
  if (!ack_now_ && !timers_.running(Timer::kDelayedAck)) {
    timers_.set(Timer::kDelayedAck,
                fires_at(environment_.now(), config_.delayed_ack, config_.delayed_ack_tick));
  }
}

bool Receiver::read(std::uint64_t bytes) {
  window_.read(bytes);
  const bool stretched = config_.ack_follows_reader && full_ != 0 &&
                         pending_ >= std::uint64_t{config_.ack_every} * full_ &&
                         window_.opening(next_) > 0;
  // After a FIN no more data comes, and the peer may be gone. No window update is sent then
  // (Linux, __tcp_cleanup_rbuf()).
  if (!finished() && (stretched || window_.worth_telling(next_))) ack_now_ = true;
  return ack_now_;
}

void Receiver::note_recent(Position at) {
  if (!sack_) return;
  // Moves `at` to the front. Another entry in the same range is left out when the blocks are
  // listed.
  std::uint32_t keep = std::min(recent_count_, Options::kMaxSackBlocks - 1);
  const std::size_t range = waiting_.first_ending_above(at);
  for (std::uint32_t i = 0; i < recent_count_; ++i) {
    if (waiting_.first_ending_above(recent_[i]) == range) {
      keep = i;
      recent_count_ = std::max(recent_count_, 1U) - 1;
      break;
    }
  }
  for (std::uint32_t i = keep; i > 0; --i) recent_[i] = recent_[i - 1];
  recent_[0] = at;
  recent_count_ = std::min(recent_count_ + 1, Options::kMaxSackBlocks);
}

std::uint8_t Receiver::list_blocks(std::array<SackBlock, Options::kMaxSackBlocks>& blocks,
                                   std::uint32_t most) const {
  std::uint8_t count = 0;
  if (duplicate_.bytes() != 0) blocks[count++] = on_wire(duplicate_);
  std::array<std::size_t, Options::kMaxSackBlocks> listed{};
  std::uint32_t ranges = 0;
  for (std::uint32_t i = 0; i < recent_count_ && count < most; ++i) {
    const std::size_t range = waiting_.first_ending_above(recent_[i]);
    if (range >= waiting_.size() || waiting_[range].begin > recent_[i])
      continue;  // in order in the meantime
    if (std::find(listed.begin(), listed.begin() + ranges, range) != listed.begin() + ranges)
      continue;
    listed[ranges++] = range;
    blocks[count++] = on_wire(waiting_[range]);
  }
  return count;
}

std::uint32_t Receiver::most_blocks() const {
  return timestamps_ ? Options::kMaxSackBlocks - 1
                     : Options::kMaxSackBlocks;  // 40 bytes of options
}

std::uint32_t Receiver::sack_option_bytes() const {
  if (!sack_ || (waiting_.empty() && duplicate_.bytes() == 0)) return 0;
  std::array<SackBlock, Options::kMaxSackBlocks> blocks;
  const std::uint32_t count = list_blocks(blocks, most_blocks());
  return count == 0 ? 0 : 4 + 8 * count;
}

void Receiver::complete(Segment& segment) {
  segment.flags |= kAck;
  segment.ack = to_wire(irs_, next_);
  segment.window = window_.offer(next_, !segment.has(kSyn));
  if (sack_ && (!waiting_.empty() || duplicate_.bytes() != 0)) {
    segment.options.sack_count = list_blocks(segment.options.sack, most_blocks());
  }
}

void Receiver::sent() {
  last_ack_sent_ = next_;
  pending_ = 0;
  ack_now_ = false;
  duplicate_ = {};
  if (waiting_.empty()) recent_count_ = 0;
  timers_.cancel(Timer::kDelayedAck);
}

}  // namespace longhaul::tcp
