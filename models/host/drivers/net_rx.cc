// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/net_rx.h"

#include <algorithm>

namespace longhaul::host {

void NetRx::schedule(PolledDevice& device) {
  if (device.listed_) return;
  device.listed_ = true;
  device.quota_ = params_.napi_weight();
  devices_.push_back(&device);
  processor_.raise(*this);
}

bool NetRx::run() {
  std::uint32_t budget = params_.napi_budget();
  const std::uint64_t began = processor_.now_ps() / tick_ps_;
  while (!devices_.empty()) {
    if (budget == 0 || processor_.now_ps() / tick_ps_ > began + 1) return true;
    PolledDevice& device = *devices_.front();
    devices_.pop_front();
    device.listed_ = false;  // an interrupt may list it again while it is polled
    const PolledDevice::Polled polled = device.poll(std::min(budget, device.quota_));
    budget -= std::min(budget, polled.frames);
    device.quota_ -= std::min(device.quota_, polled.frames);
    if (device.quota_ == 0) device.quota_ = params_.napi_weight();
    if (polled.more && !device.listed_) {
      device.listed_ = true;
      devices_.push_back(&device);
    }
  }
  return false;
}

}  // namespace longhaul::host
