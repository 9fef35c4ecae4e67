// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_channel.h"

#include <algorithm>

namespace longhaul::wan {
namespace {

using gnet1_regs::Counter;
using gnet1_regs::DiscardMode;

// Clocks of 31.25 MHz through the box without waiting, from rtl/gnet1; README.md#timing has them
// together.
// Shaper, FIFO, memory, FIFO, error stage: up to the register of the discard stage.
constexpr std::uint64_t kTakeToStage = 11;
constexpr std::uint64_t kReleaseToGrant = 3;  // lookup has the destination, crossbar decides
constexpr std::uint64_t kTakeToWritten = 3;   // shaper, FIFO: into the memory
// From the clock at which the error stage takes a word to the memory's next read.
constexpr std::uint64_t kReaderLag = 2;
// Words between the memory's reader and the error stage while that stage waits: its FIFO and the
// words already on their way.
constexpr std::uint64_t kReadAhead = 15;
// While a frame waits, its stamp is in the discard stage and its first word in the error stage.
constexpr std::uint64_t kInStages = 2;
constexpr std::uint64_t kStampWord = 1;
constexpr std::uint32_t kLeastCapacity = 4096;  // words; more than the largest frame and its stamp

}  // namespace

void Gnet1Channel::accept(const Gnet1Arrival& arrival) {
  const std::int64_t stamp = static_cast<std::int64_t>(arrival.stamp) * Gnet1Time::kQuadsPerClock;
  const Gnet1Shaper::Answer answer = shaper_.offer(arrival.take, stamp, arrival.bytes);
  if (answer.verdict != Gnet1Shaper::Verdict::kPass) {
    const bool tail = answer.verdict == Gnet1Shaper::Verdict::kTailDrop;
    counters_.add(tail ? Counter::kTailDrop : Counter::kRedDrop);
    return listener_.frame_lost(arrival.frame, arrival.take, tail ? Loss::kTail : Loss::kRed);
  }
  queue_.push_back({arrival, answer.departs, Admission::kOpen});
  ++open_;
  // The memory has room for the whole frame now, so there is nothing to wait for.
  std::uint64_t outstanding = 0;
  for (std::size_t i = queue_.size() - open_; i < queue_.size(); ++i) {
    outstanding += kStampWord + queue_[i].arrival.words();
  }
  const std::uint64_t gone = last_.words == 0 ? 0 : last_base_;
  if (open_ == 1 && written_ + outstanding - gone <= capacity_) settle_admission(queue_.back());
}

/// Returns the first clock after whose edge the frame's last word has been written or found no
/// room.
std::uint64_t Gnet1Channel::check_clock(const Stored& stored) const {
  return Gnet1Receiver::end_of(stored.arrival) + kTakeToWritten;
}

void Gnet1Channel::settle_admissions(std::uint64_t clock) {
  while (open_ != 0) {
    Stored& oldest = queue_[queue_.size() - open_];
    if (check_clock(oldest) > clock) return;
    settle_admission(oldest);
  }
}

/// The memory fills and empties by at most one word a clock. A frame that does not fit therefore
/// fails with its last word.
void Gnet1Channel::settle_admission(Stored& stored) {
  --open_;
  const std::uint32_t words = stored.arrival.words();
  const std::uint64_t end = Gnet1Receiver::end_of(stored.arrival);
  const std::uint64_t read = std::min(written_, read_ahead(end));
  const std::uint64_t before_last = written_ + words - read;
  if (before_last >= capacity_) {
    stored.admission = Admission::kOut;
    counters_.add(Counter::kSramDrop);
    listener_.frame_lost(stored.arrival.frame, end + kTakeToWritten, Loss::kMemory);
    level_max_ = std::max(level_max_, static_cast<std::uint32_t>(capacity_));
    return;
  }
  stored.admission = Admission::kIn;
  written_ += kStampWord + words;
  newest_take_ = stored.arrival.take;
  newest_words_ = words;
  newest_seen_ = false;
}

void Gnet1Channel::advance(std::uint64_t clock) {
  while (true) {
    while (!queue_.empty() && queue_.front().admission == Admission::kOut) queue_.pop_front();
    if (queue_.empty()) break;
    if (queue_.front().admission == Admission::kOpen) {
      if (check_clock(queue_.front()) > clock) break;
      settle_admission(queue_.front());
      continue;
    }
    find_head();
    if (head_.at_head > clock) break;
    if (!decided_) {
      settle_admissions(head_.at_head);
      if (!decide_head()) continue;
    }
    if (!released_) {
      const std::uint64_t release = release_clock();
      if (release > clock) break;
      settle_admissions(release);
      level_max_ = std::max(level_max_, level(release + kReaderLag));  // from here on it empties
      head_.released = release;
      released_ = true;
      damage(queue_.front().arrival.frame, head_.bytes, 2, head_.words);
    }
    break;
  }
  settle_admissions(clock);
  // The level is highest when a frame has been written, or when the next frame begins to leave.
  const std::uint64_t newest_end = newest_take_ + newest_words_ + kTakeToWritten;
  if (newest_end <= clock && !newest_seen_) {
    level_max_ = std::max(level_max_, level(newest_end));
    newest_seen_ = true;
  }
}

void Gnet1Channel::find_head() {
  if (head_known_) return;
  head_known_ = true;
  decided_ = released_ = false;
  const Gnet1Arrival& arrival = queue_.front().arrival;
  head_ = {arrival.words(), arrival.bytes, std::max(arrival.take + kTakeToStage, stage_free_)};
}

/// Moves the head's stamp into the discard stage. Returns false if the frame is discarded.
bool Gnet1Channel::decide_head() {
  Stored& stored = queue_.front();
  const std::uint64_t at = head_.at_head;
  bool due = true;
  if (discard_mode_ == DiscardMode::kNth) due = left_ == 0;
  if (discard_mode_ == DiscardMode::kAt)
    due = reached(Gnet1Time::of_clocks(at - 1), {discard_argument_});
  decided_ = true;
  damage(stored.arrival.frame, head_.bytes, 1, 1);
  if (!armed_) return true;
  if (!due) {
    --left_;
    return true;
  }
  armed_ = false;
  counters_.add(Counter::kDiscards);
  discard_stamp_ = Gnet1Time::of_quads(static_cast<std::uint64_t>(stored.departs)).word;
  damage(stored.arrival.frame, head_.bytes, 2, head_.words);
  listener_.frame_lost(stored.arrival.frame, at, Loss::kDiscard);
  // A discarded frame leaves at one word a clock without filling the lookup. Counted by leaving
  // words, this is four clocks earlier.
  head_.released = at + 1;
  leave({at, at + head_.words + 4, at + head_.words + 1});
  crossbar_free_ = 0;
  return false;
}

/// Returns the first clock at whose edge the box's time has reached stamp plus delay.
std::uint64_t Gnet1Channel::release_clock() const {
  const std::uint64_t due =
      static_cast<std::uint64_t>(queue_.front().departs) + delay_.length_quads();
  const std::uint64_t clocks = (due + Gnet1Time::kQuadsPerClock - 1) / Gnet1Time::kQuadsPerClock;
  return std::max({head_.at_head + 1, clocks + 1, not_before_});
}

std::uint64_t Gnet1Channel::request() {
  while (!queue_.empty() && queue_.front().admission == Admission::kOut) queue_.pop_front();
  if (queue_.empty()) return kNever;
  if (queue_.front().admission == Admission::kOpen) return check_clock(queue_.front());
  find_head();
  const std::uint64_t released = released_ ? head_.released : release_clock();
  return std::max(released + kReleaseToGrant, crossbar_free_);
}

Gnet1Arrival Gnet1Channel::leave(const Flow& flow) {
  done_.words += last_.words;
  done_.bytes += last_.bytes;
  done_.frames += last_.words != 0 ? 1 : 0;
  last_ = head_;
  last_.leaves = flow.last - head_.words;
  last_base_ = head_base_;
  head_base_ += kStampWord + head_.words;
  // A frame that fits into the lookup makes room as soon as it is there.
  stage_free_ = head_.words < kReleaseToGrant ? head_.released + head_.words : flow.tail_in;
  crossbar_free_ = flow.last + 1;
  head_known_ = decided_ = released_ = false;
  return queue_.pop_front().arrival;
}

/// Returns the data words that the error stage has taken at the edge of `clock`. It takes the first
/// when the stamp moves on, three more while the lookup fills, and the rest as words leave the
/// lookup.
std::uint32_t Gnet1Channel::Passage::passed_by(std::uint64_t clock) const {
  if (words == 0 || at_head == kNever || clock < at_head) return 0;
  std::uint64_t count = 1;
  if (released != kNever && clock >= released)
    count += std::min<std::uint64_t>(clock - released + 1, 3);
  if (leaves != kNever && clock + 5 > leaves) count = std::max(count, clock + 5 - leaves);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, words));
}

Gnet1Channel::Passed Gnet1Channel::passed(std::uint64_t clock) const {
  // The registers of the stage and of the counters are two clocks late.
  const std::uint64_t taken = clock < 2 ? 0 : clock - 2;
  Passed sum = done_;
  Passage head = head_known_ ? head_ : Passage{};
  if (head_known_ && !released_) head.released = release_clock();
  for (const Passage& passage : {last_, head}) {
    const std::uint32_t words = passage.passed_by(taken);
    const bool whole = words != 0 && words == passage.words;
    sum.words += words;
    sum.bytes += whole ? passage.bytes : 4 * words;
    sum.frames += whole ? 1 : 0;
  }
  return sum;
}

/// Returns the words of the stream, with stamps, that the memory's reader has taken. The count is
/// as the writer sees it at the edge of `clock`, and assumes that all of the words were there.
///
/// While a frame waits, the reader is kReadAhead words ahead of the error stage, and never more.
/// When a frame leaves, the reader follows by one word a clock, kReaderLag clocks later. It also
/// reads while the crossbar stops the stage for a clock: its lead covers that clock.
std::uint64_t Gnet1Channel::read_ahead(std::uint64_t clock) const {
  const auto since = [](std::uint64_t now, std::uint64_t then) {
    return now < then ? 0 : now - then + 1;
  };
  const auto follow = [&](std::uint64_t released) { return since(clock, released + kReaderLag); };
  std::uint64_t count = 0;
  if (last_.words != 0) {
    // After a leaving frame, the next one's stamp and first word move up.
    std::uint64_t taken = std::min<std::uint64_t>(since(clock, last_.released), 3);
    taken = std::max(taken, since(clock + 3, last_.leaves));
    taken = std::min({taken, follow(last_.released), std::uint64_t{last_.words} + 1});
    count = last_base_ + kInStages + taken;
  }
  if (head_known_ && clock >= head_.at_head + kReaderLag) {
    const std::uint64_t released = released_ ? head_.released : kNever - kReaderLag;
    count = std::max(count, head_base_ + kInStages + std::min<std::uint64_t>(follow(released), 3));
  }
  return count + kReadAhead;
}

std::uint32_t Gnet1Channel::level(std::uint64_t clock) const {
  const std::uint64_t newest_end = newest_take_ + newest_words_ + kTakeToWritten;
  const std::uint64_t coming =
      clock >= newest_end ? 0
                          : std::min<std::uint64_t>(newest_end - clock, newest_words_ + kStampWord);
  const std::uint64_t there = written_ < coming ? 0 : written_ - coming;
  const std::uint64_t read = std::min(there, read_ahead(clock < 2 ? 0 : clock - 2));
  return static_cast<std::uint32_t>(there - read);
}

void Gnet1Channel::set_capacity(std::uint32_t words) {
  capacity_ = std::clamp(words, kLeastCapacity, 1U << 22);
}

void Gnet1Channel::arm() {
  armed_ = true;
  left_ = discard_argument_;
}

void Gnet1Channel::seed(std::uint64_t seed) {
  lfsr_.seed(seed);
  shaper_.seed(~seed);
}

/// Words `from_word` to `to_word` (from 1) pass the error stage: each draws a number.
void Gnet1Channel::damage(FrameRef& frame, std::uint32_t bytes, std::uint32_t from_word,
                          std::uint32_t to_word) {
  if (to_word < from_word) return;
  if (threshold_ == 0) return lfsr_.skip(to_word - from_word + 1);
  for (std::uint32_t word = from_word; word <= to_word; ++word) {
    if (static_cast<std::uint32_t>(lfsr_.state()) < threshold_) flip(frame, bytes, word);
    lfsr_.step();
  }
}

void Gnet1Channel::flip(FrameRef& frame, std::uint32_t bytes, std::uint32_t word) {
  const auto place = static_cast<std::uint32_t>(lfsr_.state() >> 32) & 31U;
  const std::uint32_t byte = 4 * (word - 1) + 3 - place / 8;
  if (byte >= bytes) return;  // beside the last bytes
  frame.writable().flip_bit(8 * byte + place % 8);
  counters_.add(Counter::kFlips);
}

}  // namespace longhaul::wan
