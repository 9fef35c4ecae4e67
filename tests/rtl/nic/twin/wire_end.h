// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

#include "models/common/event_queue.h"
#include "models/net/eth.h"
#include "models/net/frame/ethernet_header.h"

namespace longhaul::nic_twin {

/// A frame for the adapter.
struct LineFrame {
  std::vector<std::uint8_t> bytes;  ///< without FCS, of any length
  std::uint64_t from_ps = 0;        ///< it starts then, or when the wire is free
  std::uint32_t broken_bit = 0;     ///< this bit of the frame is wrong, counted from 1; 0: none
};

/// The far end of the adapter's link: sends frames as they are, runts and giants among them, obeys
/// no PAUSE, and records what comes.
class WireEnd final : public sc_core::sc_module, private EthReceiver {
 public:
  struct Arrival {
    std::uint64_t start_ps;  ///< of its preamble
    std::vector<std::uint8_t> bytes;
    bool good;  ///< its FCS is right
  };

  EthPort port{"port"};
  std::vector<Arrival> arrivals;
  std::vector<std::uint64_t> ends;  ///< when the last bit of each frame left

  explicit WireEnd(const sc_core::sc_module_name& name) : sc_module(name) {
    port.eth_rx.bind(*this);
  }

  /// Sends frames; all that were given before have left.
  void send(const std::vector<LineFrame>& frames) {
    frames_ = frames;
    next_ = 0;
    go_on();
  }
  bool idle() const { return next_ == frames_.size(); }
  std::uint64_t last_ps() const {
    return std::max(arrivals.empty() ? 0 : last_arrival_ps_, free_ps_);
  }

 private:
  static constexpr std::uint64_t kOctetPs = 800;

  void go_on() {
    while (next_ < frames_.size()) {
      const std::uint64_t start_ps = std::max(frames_[next_].from_ps, free_ps_);
      if (now_ps() < start_ps) return due_.set(start_ps);
      const LineFrame& frame = frames_[next_++];
      FrameRef ref = Frame::allocate(static_cast<std::uint32_t>(frame.bytes.size()));
      Frame& whole = ref.writable();
      std::copy(frame.bytes.begin(), frame.bytes.end(), whole.data());
      if (frame.broken_bit != 0) whole.flip_bit(frame.broken_bit - 1);
      free_ps_ = now_ps() + to_ps(port.eth_tx->transmit(ref));
      ends.push_back(now_ps() + (ref->octets() + ethernet::kPreambleBytes) * kOctetPs);
    }
  }
  void receive(const FrameRef& frame) override {
    last_arrival_ps_ = now_ps();
    const std::uint64_t lasts_ps = (frame->octets() + ethernet::kPreambleBytes) * kOctetPs;
    arrivals.push_back({now_ps() - lasts_ps,
                        {frame->data(), frame->data() + frame->size()},
                        frame->fcs_matches()});
  }
  void carrier_changed(bool) override {}

  std::vector<LineFrame> frames_;
  std::size_t next_ = 0;
  std::uint64_t free_ps_ = 0;
  std::uint64_t last_arrival_ps_ = 0;
  Timer due_{[this] { go_on(); }};
};

}  // namespace longhaul::nic_twin
