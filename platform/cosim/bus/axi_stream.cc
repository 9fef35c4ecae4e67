// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace longhaul::cosim {

AxiStreamSource::AxiStreamSource(RtlBlock& block, ClockDomain& clock, const AxiStreamPins& pins,
                                 const AxiStreamParams& params, CheckerSink* sink)
    : block_(block),
      clock_(clock),
      pins_(pins),
      with_fcs_(params.with_fcs),
      stalls_(params.stalls) {
  pins.require_widths(params.prefix);
  if (sink != nullptr) checker_ = std::make_unique<AxiStreamChecker>(pins, params.prefix, *sink);
  pins_.tvalid.set(0);
  clock.watch(*this, true);
}

void AxiStreamSource::send(const FrameRef& frame) {
  const std::uint64_t now = block_.input_ps();
  queue_.push_back({frame, now});
  waiting_bytes_ += bytes_of(*frame);
  if (held_) return;
  held_ = true;
  clock_.hold(now);
}

std::uint64_t AxiStreamSource::waiting_bytes() {
  const std::uint64_t now = block_.input_ps();
  while (!played_.empty() && played_.front().edge_ps < now)
    waiting_bytes_ -= played_.pop_front().bytes;
  return waiting_bytes_;
}

void AxiStreamSource::end_frame(std::uint64_t edge_ps) {
  played_.push_back({size_, edge_ps});
  queue_.pop_front();
  size_ = 0;
  if (stalls_told_ != stalled_) block_.call_at_edge(*this);
}

void AxiStreamSource::clocked(std::uint64_t edge_ps) {
  if (checker_) checker_->check(sample_, edge_ps);
  if (sample_.reset) {
    // The frame in progress is lost with the block's state.
    if (size_ != 0) end_frame(edge_ps);
    return pins_.tvalid.set(0);
  }
  if (sample_.taken()) {
    pins_.tvalid.set(0);
    at_ += pins_.bytes();
    if (at_ >= size_) end_frame(edge_ps);
  } else if (sample_.valid) {
    ++stalled_;
    return;
  }
  if (queue_.empty()) {
    if (held_) clock_.release();
    held_ = false;
    return;
  }
  if (size_ == 0) {
    if (queue_.front().from_ps >= edge_ps) return;
    const Frame& frame = *queue_.front().frame;
    at_ = 0;
    size_ = bytes_of(frame);
    bad_ = !frame.fcs_matches();
  }
  if (!stalls_.stalls()) put_beat();
}

void AxiStreamSource::put_beat() {
  const Frame& frame = *queue_.front().frame;
  std::array<std::uint8_t, AxiStreamPins::kMostBytes> data{};
  const std::uint32_t count = std::min(pins_.bytes(), size_ - at_);
  const std::uint32_t of_frame = at_ < frame.size() ? std::min(count, frame.size() - at_) : 0;
  std::memcpy(data.data(), frame.data() + at_, of_frame);
  if (of_frame < count) {
    const std::uint32_t fcs = frame.fcs();
    for (std::uint32_t i = of_frame; i < count; ++i)
      data[i] = static_cast<std::uint8_t>(fcs >> 8 * (at_ + i - frame.size()));
  }
  const bool last = at_ + count == size_;
  pins_.tdata.store(data.data());
  pins_.tkeep.set(low_bits(count));
  pins_.tlast.set(last ? 1 : 0);
  pins_.tuser.set(last && bad_ ? 1 : 0);
  pins_.tvalid.set(1);
}

AxiStreamSink::AxiStreamSink(RtlBlock& block, ClockDomain& clock, const AxiStreamPins& pins,
                             const AxiStreamParams& params, GmiiSink& sink,
                             CheckerSink* checker_sink)
    : block_(block), pins_(pins), with_fcs_(params.with_fcs), stalls_(params.stalls), sink_(sink) {
  pins.require_widths(params.prefix);
  if (checker_sink != nullptr)
    checker_ = std::make_unique<AxiStreamChecker>(pins, params.prefix, *checker_sink);
  pins_.tready.set(0);
  clock.watch(*this, true);
}

void AxiStreamSink::clocked(std::uint64_t edge_ps) {
  if (checker_) checker_->check(sample_, edge_ps);
  if (sample_.reset) {
    frame_.clear();
    return pins_.tready.set(0);
  }
  if (sample_.taken()) {
    take_beat();
  } else if (sample_.valid) {
    ++stalled_;
  }
  if (accepts_from_ps_ < edge_ps) accepts_ = accepts_next_;
  pins_.tready.set(accepts_ && !stalls_.stalls() ? 1 : 0);
}

void AxiStreamSink::take_beat() {
  const std::uint64_t all = pins_.all_kept();
  if (sample_.keep == all) {
    frame_.add(sample_.data.data(), pins_.bytes());
  } else {
    for (std::uint32_t i = 0; i < pins_.bytes(); ++i)
      if ((sample_.keep >> i & 1U) != 0) frame_.add(sample_.data[i]);
  }
  if (!sample_.last) return;
  if (sample_.user) frame_.spoil();
  done_ = with_fcs_ ? frame_.with_fcs() : frame_.without_fcs();
  frame_.clear();
  told_ = false;
  block_.call_at_edge(*this);
}

void AxiStreamSink::deliver() {
  if (std::exchange(told_, true)) return;
  stalls_told_ = stalled_;
  if (!done_) return sink_.fragment_sent();
  sink_.frame_sent(std::exchange(done_, {}));
}

}  // namespace longhaul::cosim
