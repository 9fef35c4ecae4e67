// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_stream_port.h"

namespace longhaul::cosim {

AxiStreamPort::AxiStreamPort(const sc_core::sc_module_name& name, RtlBlock& block)
    : sc_core::sc_module(name), block_(block) {
  SC_HAS_PROCESS(AxiStreamPort);
  port.eth_rx.bind(*this);
  SC_METHOD(wire_free_method);
  sensitive << wire_free_event_;
  dont_initialize();
}

void AxiStreamPort::connect(ClockDomain& to_clock, const AxiStreamPins& to_block,
                            const AxiStreamParams& to_params, ClockDomain& from_clock,
                            const AxiStreamPins& from_block, const AxiStreamParams& from_params,
                            CheckerSink* checker_sink) {
  source_ = std::make_unique<AxiStreamSource>(block_, to_clock, to_block, to_params, checker_sink);
  GmiiSink& sink = *this;
  sink_ = std::make_unique<AxiStreamSink>(block_, from_clock, from_block, from_params, sink,
                                          checker_sink);
}

void AxiStreamPort::receive(const FrameRef& frame) {
  rx_frames.add();
  source_->send(frame);
}

void AxiStreamPort::frame_sent(const FrameRef& frame) {
  tx_frames.add();
  if (port.eth_tx.size() == 0) return;
  waiting_.push_back(frame);
  if (!busy_) wire_free_method();
  sink_->accept(waiting_.size() < kMostWaiting);
}

void AxiStreamPort::wire_free_method() {
  busy_ = !waiting_.empty();
  if (!busy_) return;
  wire_free_event_.notify(port.eth_tx->transmit(waiting_.pop_front()));
  sink_->accept(waiting_.size() < kMostWaiting);
}

}  // namespace longhaul::cosim
