// SPDX-License-Identifier: Apache-2.0
#include "models/wan/delay_box/delay_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/common/echo.h"

namespace longhaul {

using observe::FrameFate;

namespace {

constexpr std::array<const char*, 8> kWhy{"",
                                          "bit error",
                                          "duplicate",
                                          "duplicate, bit error",
                                          "reordered",
                                          "reordered, bit error",
                                          "reordered, duplicate",
                                          "reordered, duplicate, bit error"};

const sc_core::sc_time kLongestDelay(800, sc_core::SC_MS);

RateLimiter::Mode mode_named(const std::string& text, const std::string& where) {
  if (text == "shape") return RateLimiter::Mode::kShape;
  if (text == "police") return RateLimiter::Mode::kPolice;
  throw ConfigError(
      fmt::format("{}: got \"{}\", wants \"shape\" or \"police\"", where, echo(text)));
}

Probability checked(Probability p, const char* path, const char* what) {
  if (p.share >= 0 && p.share <= 1) return p;
  throw ConfigError(fmt::format("{}: {} of {}, wants 0 to 1", path, what, p.share));
}

}  // namespace

DelayPath::DelayPath(const sc_core::sc_module_name& name, const DelayPathParams& params,
                     std::uint64_t seed, std::uint64_t memory_bytes)
    : sc_core::sc_module(name),
      memory_bytes_(memory_bytes),
      loss_stream_(seed, std::string(sc_module::name()) + ".loss"),
      bit_stream_(seed, std::string(sc_module::name()) + ".bits"),
      reorder_stream_(seed, std::string(sc_module::name()) + ".reorder"),
      duplicate_stream_(seed, std::string(sc_module::name()) + ".duplicate") {
  set_delay(params.delay());
  set_loss(params.loss());
  set_bit_error_rate(params.bit_error_rate());
  set_reorder(params.reorder(), params.reorder_delay());
  set_duplicate(params.duplicate());
  set_rate(params.rate(),
           mode_named(params.rate_mode(),
                      fmt::format("{}: {}", sc_module::name(), params.rate_mode.name)),
           params.rate_burst(), params.rate_queue());
}

void DelayPath::set_delay(sc_core::sc_time delay) {
  if (delay > kLongestDelay) {
    throw ConfigError(fmt::format("{}: delay of {}, wants 0 to {}", name(), to_text(delay),
                                  to_text(kLongestDelay)));
  }
  delay_ps_ = to_ps(delay);
}

void DelayPath::set_loss(Probability per_frame) { loss_ = checked(per_frame, name(), "loss"); }

void DelayPath::set_bit_error_rate(Probability per_bit) {
  bit_error_rate_ = checked(per_bit, name(), "bit error rate");
  if (per_bit.share > 0) bits_to_error_ = bit_stream_.gap(per_bit);
}

void DelayPath::set_reorder(Probability per_frame, sc_core::sc_time extra) {
  reorder_ = checked(per_frame, name(), "reorder");
  reorder_ps_ = to_ps(extra);
}

void DelayPath::set_duplicate(Probability per_frame) {
  duplicate_ = checked(per_frame, name(), "duplicate");
}

void DelayPath::set_rate(BitRate rate, RateLimiter::Mode mode, Bytes burst, Bytes queue) {
  limiter_.set(rate, mode, burst, queue);
}

void DelayPath::take(const DelayPathParams& before, const DelayPathParams& after) {
  const auto differs = [](const auto& a, const auto& b) { return a() < b() || b() < a(); };
  if (differs(before.delay, after.delay)) set_delay(after.delay());
  if (differs(before.loss, after.loss)) set_loss(after.loss());
  if (differs(before.bit_error_rate, after.bit_error_rate))
    set_bit_error_rate(after.bit_error_rate());
  if (differs(before.reorder, after.reorder) || differs(before.reorder_delay, after.reorder_delay))
    set_reorder(after.reorder(), after.reorder_delay());
  if (differs(before.duplicate, after.duplicate)) set_duplicate(after.duplicate());
  if (differs(before.rate, after.rate) || differs(before.rate_mode, after.rate_mode) ||
      differs(before.rate_burst, after.rate_burst) ||
      differs(before.rate_queue, after.rate_queue)) {
    set_rate(after.rate(),
             mode_named(after.rate_mode(), fmt::format("{}: {}", name(), after.rate_mode.name)),
             after.rate_burst(), after.rate_queue());
  }
}

void DelayPath::accept(const FrameRef& arrived) {
  // The rate limit comes before the long line: frames lost on the line have used the rate.
  const auto enters_ps = limiter_.pass(arrived->octets(), now_ps());
  if (!enters_ps) return refuse(arrived, rate_dropped, "rate limit");
  if (loss_stream_.chance(loss_)) return refuse(arrived, lost, "random loss");

  FrameRef frame = arrived;
  std::uint8_t marks = 0;
  if (bit_error_rate_.share > 0 && damage(frame)) marks |= kDamaged;
  const bool twice = duplicate_stream_.chance(duplicate_);
  const std::uint64_t release_ps = *enters_ps + delay_ps_;
  if (twice) {
    hold(frame, release_ps, marks);
    duplicated.add();
    marks |= kDuplicate;
  }
  hold(std::move(frame), release_ps, marks);
}

void DelayPath::refuse(const FrameRef& frame, observe::Counter& counter, const char* why) {
  counter.add();
  tap.report(now(), frame, FrameFate::kDropped, why);
}

/// Flips the bits that are due. Returns true if it flipped any. The run time depends on the number
/// of errors, not of bits.
bool DelayPath::damage(FrameRef& frame) {
  const std::uint64_t bits = std::uint64_t{frame->octets()} * 8;
  if (bits_to_error_ >= bits) {
    bits_to_error_ -= bits;
    return false;
  }
  Frame& changed = frame.writable();
  std::uint64_t bit = bits_to_error_;
  while (bit < bits) {
    changed.flip_bit(static_cast<std::uint32_t>(bit));
    bit_errors.add();
    bit += 1 + bit_stream_.gap(bit_error_rate_);
  }
  bits_to_error_ = bit - bits;
  damaged.add();
  return true;
}

void DelayPath::hold(FrameRef frame, std::uint64_t release_ps, std::uint8_t marks) {
  const std::uint32_t octets = frame->octets();
  if (stored.value() + octets > memory_bytes_)
    return refuse(frame, memory_dropped, "delay memory full");
  stored.add(octets);
  const std::uint64_t before_ps = ready_ps();
  if (reorder_stream_.chance(reorder_)) {
    reordered.add();
    late_.push_back({std::move(frame), release_ps + reorder_ps_, next_order_++,
                     static_cast<std::uint8_t>(marks | kReordered)});
    std::push_heap(late_.begin(), late_.end(), leaves_later);
  } else {
    line_.push_back({std::move(frame), release_ps, next_order_++, marks});
  }
  if (ready_ps() < before_ps) output_->kick();
}

bool DelayPath::late_is_next() const {
  return !late_.empty() && (line_.empty() || leaves_later(line_.front(), late_.front()));
}

std::uint64_t DelayPath::ready_ps() const {
  if (late_is_next()) return late_.front().release_ps;
  return line_.empty() ? kNoFrame : line_.front().release_ps;
}

FrameRef DelayPath::take_frame() {
  Held held;
  if (late_is_next()) {
    std::pop_heap(late_.begin(), late_.end(), leaves_later);
    held = std::move(late_.back());
    late_.pop_back();
  } else {
    held = line_.pop_front();
    if (!line_.empty()) line_.front().frame->prefetch();
  }
  stored.add(-std::int64_t{held.frame->octets()});
  passed.add();
  if (tap.active()) {
    const std::uint64_t preamble_ps = transfer_ps(ethernet::kPreambleBytes, output_->rate());
    tap.report(from_ps(now_ps() + preamble_ps), held.frame, FrameFate::kSent, kWhy[held.marks]);
  }
  return std::move(held.frame);
}

}  // namespace longhaul
