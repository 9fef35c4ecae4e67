// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/eth.h"
#include "platform/cosim/bus/axi_stream.h"

namespace longhaul::cosim {

/// A block's AXI4-Streams of frames as an Ethernet port, as if a MAC lay behind them: a frame is
/// played to the block when its last bit has arrived, and goes onto the wire when the block's last
/// beat was taken and the wire is free. While kMostWaiting frames wait for the wire TREADY is low.
class AxiStreamPort final : public sc_core::sc_module, private EthReceiver, private GmiiSink {
 public:
  static constexpr std::size_t kMostWaiting = 2;

  AxiStreamPort(const sc_core::sc_module_name& name, RtlBlock& block);
  /// `to_block`: the block's input; `from_block`: its output. `checker_sink`: nullptr: no checkers.
  /// Before the simulation starts. Errors: std::invalid_argument for pins of wrong widths.
  void connect(ClockDomain& to_clock, const AxiStreamPins& to_block,
               const AxiStreamParams& to_params, ClockDomain& from_clock,
               const AxiStreamPins& from_block, const AxiStreamParams& from_params,
               CheckerSink* checker_sink);

  EthPort port{"port"};

  observe::Counter rx_frames{"rx_frames", "frame", "frames that arrived for the block"};
  observe::Counter tx_frames{"tx_frames", "frame", "frames that the block sent"};
  observe::Counter tx_fragments{"tx_fragments", "event", "frames of the block without a byte"};

 private:
  void receive(const FrameRef& frame) override;
  void carrier_changed(bool up) override {}
  void frame_sent(const FrameRef& frame) override;
  void fragment_sent() override { tx_fragments.add(); }
  void wire_free_method();

  RtlBlock& block_;
  std::unique_ptr<AxiStreamSource> source_;
  std::unique_ptr<AxiStreamSink> sink_;
  RingBuffer<FrameRef> waiting_;
  bool busy_ = false;
  sc_core::sc_event wire_free_event_{"wire_free_event_"};
};

}  // namespace longhaul::cosim
