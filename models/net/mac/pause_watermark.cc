// SPDX-License-Identifier: Apache-2.0
#include "models/net/mac/pause_watermark.h"

namespace longhaul {

PauseWatermark::PauseWatermark(const sc_core::sc_module_name& name, EthMac& mac)
    : sc_core::sc_module(name), mac_(mac) {}

void PauseWatermark::set(std::uint64_t high, std::uint64_t low, std::uint16_t quanta, bool send_xon,
                         std::uint16_t interval) {
  high_ = high;
  low_ = low;
  quanta_ = quanta;
  send_xon_ = send_xon;
  interval_ = interval;
}

void PauseWatermark::update(std::uint64_t fill) {
  if (!holding_ && fill >= high_) {
    holding_ = true;
    send_xoff();
  } else if (holding_ && fill <= low_ && fill < high_) {
    holding_ = false;
    refresh_.cancel();
    if (send_xon_) mac_.send_pause(0);
  }
}

void PauseWatermark::reset() {
  holding_ = false;
  refresh_.cancel();
}

void PauseWatermark::send_xoff() {
  mac_.send_pause(quanta_);
  const std::uint64_t after_ps =
      interval_ != 0 ? mac_.quanta_ps(interval_) : mac_.quanta_ps(quanta_) / 2;
  if (after_ps != 0) refresh_.set_no_later(now_ps() + after_ps);
}

}  // namespace longhaul
