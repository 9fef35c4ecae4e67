// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_stream_port.h"

#include "models/common/units.h"
#include "models/net/frame/ethernet_header.h"

namespace longhaul::cosim {

AxiStreamPort::AxiStreamPort(const sc_core::sc_module_name& name, RtlBlock& block)
    : sc_core::sc_module(name), block_(block) {
  SC_HAS_PROCESS(AxiStreamPort);
  port.eth_rx.bind(*this);
  SC_METHOD(wire_free_method);
  sensitive << wire_free_event_;
  dont_initialize();
  SC_METHOD(frame_left_method);
  sensitive << frame_left_event_;
  dont_initialize();
}

void AxiStreamPort::connect(ClockDomain& to_clock, const AxiStreamPins& to_block,
                            const AxiStreamParams& to_params, ClockDomain& from_clock,
                            const AxiStreamPins& from_block, const AxiStreamParams& from_params,
                            std::uint64_t buffer_bytes, CheckerSink* to_sink,
                            CheckerSink* from_sink) {
  source_ = std::make_unique<AxiStreamSource>(block_, to_clock, to_block, to_params, to_sink);
  GmiiSink& sink = *this;
  sink_ =
      std::make_unique<AxiStreamSink>(block_, from_clock, from_block, from_params, sink, from_sink);
  stallable_ = static_cast<bool>(from_block.tready);
  shows_bad_ = to_params.with_fcs || to_block.tuser;
  buffer_bytes_ = buffer_bytes;
}

void AxiStreamPort::receive(const FrameRef& frame) {
  rx_frames.add();
  if (listener_ != nullptr) listener_->frame_arrived(frame);
  if (!shows_bad_ && !frame->fcs_matches()) return;
  if (source_->waiting_bytes() + frame->octets() > buffer_bytes_) return rx_overruns.add();
  source_->send(frame);
}

void AxiStreamPort::frame_sent(const FrameRef& frame) {
  tx_frames.add();
  if (!frame->fcs_matches()) tx_bad_fcs.add();
  if (port.eth_tx.size() == 0) return;
  if (!stallable_ && waiting_.size() >= kMostWaiting) return tx_overruns.add();
  waiting_.push_back(frame);
  if (!busy_) wire_free_method();
  sink_->accept(waiting_.size() < kMostWaiting);
}

void AxiStreamPort::wire_free_method() {
  busy_ = !waiting_.empty();
  if (!busy_) return;
  on_wire_ = waiting_.pop_front();
  const std::uint64_t bytes = ethernet::kPreambleBytes + on_wire_->octets();
  frame_left_event_.notify(from_ps(transfer_ps(bytes, port.eth_tx->mac_rate())));
  wire_free_event_.notify(port.eth_tx->transmit(on_wire_));
  sink_->accept(waiting_.size() < kMostWaiting);
}

void AxiStreamPort::frame_left_method() {
  if (listener_ != nullptr) listener_->frame_left(on_wire_);
  on_wire_ = {};
}

}  // namespace longhaul::cosim
