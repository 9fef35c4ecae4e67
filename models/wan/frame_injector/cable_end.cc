// SPDX-License-Identifier: Apache-2.0
#include "models/wan/frame_injector/cable_end.h"

#include <algorithm>

namespace longhaul::wan::frame_injector {

void CableEnd::attach(FrameSource& source, FrameSink& sink) {
  source_ = &source;
  sink_ = &sink;
}

void CableEnd::kick() {
  if (in_kick_) return;  // the loop looks again
  in_kick_ = true;
  while (send_next()) {
  }
  in_kick_ = false;
}

bool CableEnd::send_next() {
  const std::uint64_t ready = source_->ready_ps();
  if (ready == FrameSource::kNoFrame) return false;
  const std::uint64_t start = std::max(ready, free_ps_);
  if (start > now_ps()) {
    wake_.set_no_later(start);
    return false;
  }
  const FrameRef frame = source_->take_frame();
  if (frame) free_ps_ = now_ps() + to_ps(port.eth_tx->transmit(frame));
  return true;
}

void CableEnd::enable_laser(bool on) {
  if (bound()) port.eth_tx->enable(on);
}

void CableEnd::carrier_changed(bool up) {
  sink_->carrier_changed(up);
  if (up) kick();
}

}  // namespace longhaul::wan::frame_injector
