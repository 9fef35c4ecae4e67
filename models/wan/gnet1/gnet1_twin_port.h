// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/eth.h"
#include "models/net/frame/frame_tap.h"
#include "models/wan/gnet1/gnet1_channel.h"
#include "models/wan/gnet1/gnet1_receiver.h"
#include "models/wan/gnet1/gnet1_transmitter.h"

namespace longhaul::wan {

/// One port of the twin: its wire, the path that begins at its receiver, and its transmitter with
/// one event a frame.
class Gnet1TwinPort final : public sc_core::sc_module,
                            private EthReceiver,
                            private Gnet1Channel::Listener {
 public:
  /// `begins` is called for each frame when its first bit arrives.
  Gnet1TwinPort(const sc_core::sc_module_name& name, std::function<void(const FrameRef&)> begins);

  EthPort port{"port"};
  observe::FrameTap losses{"losses",
                           "frames that came in here and were lost in the box, with the reason"};

  // Signals of the path that begins here, for waves: the bottleneck's queueing time and RED's
  // average of it after the last frame, and how many frames each stage has lost or hit.
  observe::Signal backlog{"backlog", 32,
                          "queueing time at the bottleneck as of the last frame, 100 ns"};
  observe::Signal red_average{"red_average", 32, "RED's average of it, 100 ns"};
  observe::Signal tail_drops{"tail_drops", 32, "frames dropped by QUEUE_LIMIT"};
  observe::Signal red_drops{"red_drops", 32, "frames dropped by RED"};
  observe::Signal memory_drops{"memory_drops", 32, "frames dropped for want of memory"};
  observe::Signal flips{"flips", 32, "bits flipped"};
  observe::Signal discards{"discards", 32, "frames discarded"};

  Gnet1Counters counters;
  Gnet1Receiver receiver;
  Gnet1Channel channel;
  Gnet1Transmitter transmitter;

  // Settings of the receive side.
  bool rx_enable = true;
  bool stamp_rx = false;
  std::uint32_t route = 0;
  std::uint32_t stamp_offset = 0;
  Gnet1Oneway oneway;

  /// Takes a frame into the path.
  void accept(const Gnet1Arrival& arrival);
  /// Computes the path's events up to `clock`.
  void advance(std::uint64_t clock);
  /// Puts a frame on the wire whose last byte leaves at `end_ps`.
  void send(const FrameRef& frame, std::uint64_t end_ps);
  void lose(const FrameRef& frame, const char* why) {
    losses.report(now(), frame, observe::FrameFate::kDropped, why);
  }

 private:
  void receive(const FrameRef&) override {}  // the frame was taken in begin()
  bool cuts_through() const override { return true; }
  void begin(const FrameRef& frame) override { begins_(frame); }
  void carrier_changed(bool) override {}  // a cable cut during a frame: see README.md
  void frame_lost(const FrameRef& frame, std::uint64_t clock, Gnet1Channel::Loss why) override;
  void end_send();
  void show_losses();

  struct Leaving {
    FrameRef frame;
    std::uint64_t end_ps = 0;
  };
  const std::function<void(const FrameRef&)> begins_;
  RingBuffer<Leaving> leaving_;
  Timer sent_{[this] { end_send(); }};
};

}  // namespace longhaul::wan
