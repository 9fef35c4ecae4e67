// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/mac/eth_mac.h"
#include "models/net/mac/pause_watermark.h"
#include "models/net/switch/switch_params.h"

namespace longhaul {

class Switch;

/// One port of a Switch: its MAC, its output queue, and the watermark that pauses the station at
/// its link.
class SwitchPort final : public sc_core::sc_module, private FrameSource, private FrameSink {
 public:
  SwitchPort(const sc_core::sc_module_name& name, Switch& owner, std::uint32_t index,
             std::uint16_t vlan, const SwitchParams& params);

  EthMac mac;
  PauseWatermark watermark;

  observe::Level queue_fill{"queue_fill", "byte", "bytes of frames in the output queue, with FCS"};
  observe::Level input_fill{"input_fill", "byte",
                            "bytes of stored frames that came in here; PAUSE watches it"};
  observe::Counter dropped{"dropped", "frame", "frames that found no room or no carrier"};
  observe::FrameTap drops{"drops", "frames that the switch dropped here, with the reason"};

  std::uint16_t vlan() const { return vlan_; }
  std::size_t queued() const { return queue_.size(); }

 private:
  friend class Switch;

  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;
  void frame_received(const FrameRef& frame) override;
  void carrier_changed(bool up) override;

  void enqueue(std::uint32_t slot, std::uint32_t bytes);
  std::uint32_t dequeue();
  void drop(const FrameRef& frame, const char* why);
  void charge(std::int64_t bytes);

  Switch& owner_;
  const std::uint32_t index_;
  const std::uint16_t vlan_;
  RingBuffer<std::uint32_t> queue_;  // indices into Switch::stored_
};

}  // namespace longhaul
