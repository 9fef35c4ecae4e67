// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/espi_lane.h"

#include <algorithm>
#include <utility>

namespace longhaul::nic::terminator {
namespace {

constexpr std::uint32_t kWordBytes = 2;  // OIF-SPI4-02.1: 16 bits of data

}  // namespace

EspiLane::EspiLane(BitRate rate, Ends ends) : rate_(rate), ends_(std::move(ends)) {}

void EspiLane::set_training(std::uint64_t training, std::uint64_t data) {
  training_ = data == 0 ? 0 : training;
  training_data_ = std::max<std::uint64_t>(data, 1);
}

std::uint64_t EspiLane::duration_ps(std::uint32_t bytes) const {
  const std::uint64_t bursts = (bytes + burst_bytes_ - 1) / burst_bytes_;
  const std::uint64_t words = (bytes + kWordBytes - 1) / kWordBytes + bursts;
  const std::uint64_t ps = transfer_ps(words * kWordBytes, rate_);
  return ps + times_over(ps, training_, 0, training_data_);
}

void EspiLane::begin(std::uint32_t bytes, std::uint64_t from_ps, std::uint64_t not_before_ps) {
  left_ = bytes;
  portion_ = 0;
  not_before_ps_ = not_before_ps;
  next(std::max(from_ps, free_ps_));
}

void EspiLane::next(std::uint64_t from_ps) {
  portion_ = std::min(left_, ends_.credit());
  if (portion_ == 0) return;
  std::uint64_t end_ps = std::max(from_ps + duration_ps(portion_), now_ps());
  if (portion_ == left_) end_ps = std::max(end_ps, not_before_ps_);
  end_.set(end_ps);
}

void EspiLane::kick() {
  if (left_ != 0 && portion_ == 0) next(now_ps());
}

void EspiLane::arrived() {
  const std::uint32_t bytes = std::exchange(portion_, 0);
  left_ -= bytes;
  free_ps_ = now_ps();
  ends_.moved(bytes);
  if (left_ != 0) return next(now_ps());
  ends_.done();
}

void EspiLane::cancel() {
  end_.cancel();
  left_ = portion_ = 0;
}

}  // namespace longhaul::nic::terminator
