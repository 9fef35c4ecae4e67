// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/mac/eth_mac.h"
#include "models/wan/gilbert/gilbert_params.h"
#include "models/wan/random_stream.h"
#include "models/wan/wan_box.h"

namespace longhaul::wan::gilbert {

/// One direction: a channel with a good and a bad state, followed by a delay.
///
/// For each frame, the channel may change its state; then the frame is lost with the probability of
/// the present state.
class GilbertPath final : public sc_core::sc_module, public FrameSource, public FrameSink {
 public:
  GilbertPath(const sc_core::sc_module_name& name, const GilbertPathParams& params,
              std::uint64_t seed, EthMac& output);

  /// Sets the parameters for frames that arrive later. The channel keeps its state.
  void take(const GilbertPathParams& params) { params_ = params; }

  void frame_received(const FrameRef& frame) override;
  std::uint64_t ready_ps() const override {
    return line_.empty() ? kNoFrame : line_.front().release_ps;
  }
  FrameRef take_frame() override;

  observe::Counter passed{"passed", "frame", "frames sent"};
  observe::Counter lost{"lost", "frame", "frames lost"};
  observe::Counter bursts{"bursts", "1", "times that the channel turned bad"};
  observe::Level bad{"bad", "1", "the channel is bad"};
  observe::FrameTap tap{"tap", "frames sent, and frames lost, with the state that lost them"};

 private:
  struct Held {
    FrameRef frame;
    std::uint64_t release_ps = 0;
  };

  GilbertPathParams params_;
  EthMac& output_;
  RandomStream state_stream_;
  RandomStream loss_stream_;
  bool is_bad_ = false;
  std::uint64_t last_release_ps_ = 0;
  RingBuffer<Held> line_;
};

/// A line whose losses come in bursts (Gilbert 1960, Elliott 1963) between two Ethernet ports.
class GilbertBox final : public sc_core::sc_module, public WanBox {
 public:
  GilbertBox(const sc_core::sc_module_name& name, const GilbertParams& params);

  std::vector<NamedPort> ports() override {
    return {{"west", &west_mac.port}, {"east", &east_mac.port}};
  }
  nlohmann::json describe_params() const override;
  /// All parameters except the seed.
  std::vector<std::string> changeable() const override;
  void change(const std::string& name, const nlohmann::json& value,
              const std::string& where) override;

  EthMac west_mac;
  EthMac east_mac;
  GilbertPath west_to_east;
  GilbertPath east_to_west;

 private:
  GilbertParams params_;
};

}  // namespace longhaul::wan::gilbert
