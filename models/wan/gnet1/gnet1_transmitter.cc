// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_transmitter.h"

#include <algorithm>
#include <cstring>

#include "models/net/frame/ethernet_header.h"
#include "models/wan/gnet1/gnet1_regs.h"

namespace longhaul::wan {
namespace {

constexpr std::uint32_t kMagicBytes = 4;
constexpr std::uint32_t kStampBytes = 8;

/// Returns a copy of a frame, with a correct FCS. The caller may change its bytes.
FrameRef fresh_copy(const Frame& frame) {
  FrameRef copy = Frame::allocate(frame.size());
  std::memcpy(copy.writable().data(), frame.data(), frame.size());
  return copy;
}

}  // namespace

std::int64_t Gnet1Transmitter::InFifo::pop_tick(std::uint64_t number) const {
  const std::uint64_t place = number - first;
  if (place < stamps) return stamp_pops[place];
  // The MAC feeds its four registers that many clocks before the pins. It removes a word with the
  // word's last byte.
  const std::uint64_t word = place - stamps + 1;
  const std::uint64_t fed = word == words ? bytes : 4 * word;
  return start + 4 + static_cast<std::int64_t>(fed);
}

std::uint64_t Gnet1Transmitter::drained_from() const {
  return last_.words == 0 ? 0 : seen_after(last_.pop_tick(last_.end() - 1));
}

/// Returns the first clock from `earliest` on at which word `number` has a place. The word before
/// it by the depth must have been seen to leave.
std::uint64_t Gnet1Transmitter::room_at(std::uint64_t number, std::uint64_t earliest) {
  if (number < kDepth) return earliest;
  const std::uint64_t before = number - kDepth;
  while (!fifo_.empty() && fifo_.front().end() <= before) fifo_.pop_front();
  const InFifo& holder = fifo_.empty() ? last_ : fifo_.front();
  if (before < holder.first) return earliest;
  return std::max(earliest, seen_after(holder.pop_tick(before)));
}

std::uint64_t Gnet1Transmitter::begin(std::uint64_t clock, std::uint32_t bytes) {
  if (last_.words != 0) fifo_.push_back(last_);
  last_ = {};
  last_.first = written_;
  last_.bytes = bytes;
  last_.words = to_write_ = (bytes + 3) / 4;
  if (!settings_.stamp) return clock + 1;
  last_.stamps = kStampWords;
  std::int64_t idle = mac_idle_;
  for (std::uint32_t i = 0; i < kStampWords; ++i) {
    clock = room_at(written_++, clock + 1);
    stamp_clocks_[i] = clock;
    idle = std::max(seen_by_mac(clock), idle + 1);
    last_.stamp_pops[i] = idle;
  }
  return clock;
}

/// Computes the MAC's start: some time after it sees the first word, and after the gap.
void Gnet1Transmitter::first_word_written(std::uint64_t clock) {
  const std::int64_t idle = last_.stamps != 0 ? last_.stamp_pops[kStampWords - 1] : mac_idle_;
  const std::int64_t seen = std::max(seen_by_mac(clock), idle + 1);
  const std::int64_t gap = std::max(settings_.ifg, gnet1_regs::kIfgLeast);
  last_.start = std::max(seen + kStartDelay, mac_idle_ + gap);
  mac_idle_ = last_.start + static_cast<std::int64_t>(kPreamble + last_.bytes);
}

std::uint64_t Gnet1Transmitter::write_word(std::uint64_t earliest) {
  const std::uint64_t clock = room_at(written_, earliest);
  ++written_;
  if (to_write_-- == last_.words) first_word_written(clock);
  register_free_ = clock;
  return clock;
}

void Gnet1Transmitter::write_all(std::uint64_t first) {
  first_word_written(first);
  written_ += last_.words;
  register_free_ = first + last_.words - 1;
  to_write_ = 0;
  fifo_.clear();
}

FrameRef Gnet1Transmitter::finish(const FrameRef& frame, const Gnet1Timebase& time) const {
  FrameRef out = frame;
  const std::uint32_t at = settings_.stamp_offset + kMagicBytes;
  if (settings_.stamp && at < frame->size() &&
      read_be32(frame->data() + settings_.stamp_offset) == settings_.magic) {
    // A bad FCS stays bad: its difference from the correct FCS is kept.
    out = fresh_copy(*frame);
    const std::uint32_t wrong = frame->fcs_matches() ? 0 : frame->fcs() ^ out->fcs();
    std::uint8_t stamp[kStampBytes];
    write_be32(stamp, time.at(stamp_clocks_[0] - 1).seconds);
    write_be32(stamp + 4, time.at(stamp_clocks_[1] - 1).tenths);
    Frame& changed = out.writable();
    std::memcpy(changed.data() + at, stamp,
                std::min<std::size_t>(kStampBytes, changed.size() - at));
    if (wrong != 0) changed.set_fcs(changed.fcs() ^ wrong);
  }
  if (settings_.fcs_new && !out->fcs_matches()) out = fresh_copy(*out);
  return out;
}

}  // namespace longhaul::wan
