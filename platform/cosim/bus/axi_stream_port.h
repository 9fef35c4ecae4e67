// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/eth.h"
#include "platform/cosim/bus/axi_stream.h"
#include "platform/cosim/port_listener.h"

namespace longhaul::cosim {

/// A block's AXI4-Streams of frames as an Ethernet port. It acts as a MAC that stores whole frames
/// in both directions.
///
/// A frame is played to the block when its last bit has arrived. Frames that the block has not
/// taken wait in a buffer. A frame that does not fit the buffer is lost. A frame with a wrong FCS
/// is dropped if the block could not tell it from a good one.
///
/// A frame of the block goes onto the wire when its last beat was taken and the wire is free. While
/// kMostWaiting frames wait for the wire, TREADY is low; a block without TREADY loses its frames
/// then.
class AxiStreamPort final : public sc_core::sc_module, private EthReceiver, private GmiiSink {
 public:
  static constexpr std::size_t kMostWaiting = 2;

  AxiStreamPort(const sc_core::sc_module_name& name, RtlBlock& block);
  /// Connects the block's input `to_block` and its output `from_block`, before the simulation
  /// starts. `buffer_bytes` is the size of the buffer for frames that wait for the block.
  /// `checker_sink` gets violations; nullptr: no checkers. Throws std::invalid_argument for pins of
  /// wrong widths.
  void connect(ClockDomain& to_clock, const AxiStreamPins& to_block,
               const AxiStreamParams& to_params, ClockDomain& from_clock,
               const AxiStreamPins& from_block, const AxiStreamParams& from_params,
               std::uint64_t buffer_bytes, CheckerSink* to_sink, CheckerSink* from_sink);
  /// Sets the listener for frames; null (initially): none.
  void set_listener(PortListener* listener) { listener_ = listener; }

  EthPort port{"port"};

  observe::Counter rx_frames{"rx_frames", "frame", "frames that arrived for the block"};
  observe::Counter rx_overruns{"rx_overruns", "frame",
                               "of these, lost: the block did not take its input fast enough"};
  observe::Counter rx_stalls{"rx_stalls", "clock",
                             "clocks in which frames to the block waited for its TREADY",
                             [this] { return source_ ? source_->stalls() : 0; }};
  observe::Counter tx_frames{"tx_frames", "frame", "frames that the block sent"};
  observe::Counter tx_overruns{"tx_overruns", "frame",
                               "of these, lost: the wire was busy and the block has no TREADY"};
  observe::Counter tx_stalls{"tx_stalls", "clock",
                             "clocks in which frames of the block waited for TREADY",
                             [this] { return sink_ ? sink_->stalls() : 0; }};
  observe::Counter tx_bad_fcs{"tx_bad_fcs", "frame",
                              "frames of the block with a wrong FCS, which TUSER makes of a frame"};
  observe::Counter tx_fragments{"tx_fragments", "event", "frames of the block without a byte"};

 private:
  void receive(const FrameRef& frame) override;
  void carrier_changed(bool up) override {
    if (listener_ != nullptr) listener_->carrier_changed(up);
  }
  void frame_sent(const FrameRef& frame) override;
  void fragment_sent() override { tx_fragments.add(); }
  void wire_free_method();
  void frame_left_method();

  RtlBlock& block_;
  std::unique_ptr<AxiStreamSource> source_;
  std::unique_ptr<AxiStreamSink> sink_;
  std::uint64_t buffer_bytes_ = 0;
  bool stallable_ = true;  // the block uses TREADY
  bool shows_bad_ = true;  // the block can see which frames have a wrong FCS
  PortListener* listener_ = nullptr;
  RingBuffer<FrameRef> waiting_;
  FrameRef on_wire_;
  bool busy_ = false;
  sc_core::sc_event wire_free_event_{"wire_free_event_"};
  sc_core::sc_event frame_left_event_{"frame_left_event_"};
};

}  // namespace longhaul::cosim
