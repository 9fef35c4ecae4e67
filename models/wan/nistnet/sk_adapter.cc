// SPDX-License-Identifier: Apache-2.0
#include "models/wan/nistnet/sk_adapter.h"

#include <utility>

namespace longhaul::wan {
namespace {

/// A PC without link drops the frames that it forwards there.
EthMacParams port_params() {
  EthMacParams params;
  params.hold_without_carrier.value = false;
  return params;
}

}  // namespace

SkAdapter::SkAdapter(const sc_core::sc_module_name& name, const SkAdapterParams& params,
                     const NistnetCpuParams& cpu_params, sc_core::sc_time interrupt_latency,
                     BoxCpu& cpu, PciSegment& bus, FrameInput& input)
    : sc_core::sc_module(name),
      mac("mac", port_params()),
      params_(params),
      cpu_params_(cpu_params),
      interrupt_latency_ps_(to_ps(interrupt_latency)),
      cpu_(cpu),
      bus_(bus),
      input_(input) {
  mac.attach(*this, *this);
  mac.set_flow_control(false, false);
}

void SkAdapter::drop(const FrameRef& frame, observe::Counter& counter, const char* why) {
  counter.add();
  tap.report(now(), frame, observe::FrameFate::kDropped, why);
}

// --- receiving
// -------------------------------------------------------------------------------------------------

void SkAdapter::frame_received(const FrameRef& frame) {
  if (fifo_bytes.value() + frame->octets() > params_.rx_fifo().count) {
    return drop(frame, fifo_dropped, "adapter's receive FIFO full");
  }
  fifo_bytes.add(frame->octets());
  rx_passing_.push_back({frame, now_ps() + params_.chip_ps(params_.rx_latency(), frame->octets())});
  if (rx_passing_.size() == 1) rx_arrives_.set(rx_passing_.front().at_ps);
}

void SkAdapter::rx_arrived() {
  rx_fifo_.push_back(rx_passing_.pop_front().frame);
  if (!rx_passing_.empty()) rx_arrives_.set(rx_passing_.front().at_ps);
  load_rx();
}

/// Moves the next frame from the FIFO to memory: reads its descriptor, writes its bytes, writes the
/// descriptor back.
void SkAdapter::load_rx() {
  if (rx_loading_ || rx_fifo_.empty() || rx_ring_.size() >= params_.rx_ring()) return;
  rx_loading_ = true;
  BusUse use = bus_.read(params_.descriptor().count);
  use += bus_.write(rx_fifo_.front()->size());
  use += bus_.write(params_.descriptor().count);
  rx_loaded_.set(bus_.transfer(use, now_ps()));
}

void SkAdapter::end_rx_load() {
  FrameRef frame = rx_fifo_.pop_front();
  fifo_bytes.add(-std::int64_t{frame->octets()});
  rx_ring_.push_back(std::move(frame));
  rx_waiting.set(rx_ring_.size());
  rx_loading_ = false;
  load_rx();
  raise();
}

// --- sending
// -------------------------------------------------------------------------------------------------

void SkAdapter::transmit(const FrameRef& frame) {
  if (tx_ring_.size() >= std::uint64_t{params_.tx_ring()} + params_.tx_queue()) {
    return drop(frame, tx_dropped, "transmit queue full");
  }
  tx_ring_.push_back(frame);
  tx_waiting.set(tx_ring_.size());
  load_tx();
}

/// Moves the next frame from memory to the FIFO.
void SkAdapter::load_tx() {
  if (tx_loading_ || tx_ring_.empty()) return;
  const std::uint64_t octets = tx_ring_.front()->octets();
  if (!tx_fifo_.empty() && tx_fifo_bytes_ + octets > params_.tx_fifo().count) return;
  tx_loading_ = true;
  BusUse use = bus_.read(params_.descriptor().count);
  use += bus_.read(tx_ring_.front()->size());
  use += bus_.write(params_.descriptor().count);
  tx_loaded_.set(bus_.transfer(use, now_ps()));
}

void SkAdapter::end_tx_load() {
  FrameRef frame = tx_ring_.pop_front();
  tx_waiting.set(tx_ring_.size());
  const std::uint64_t octets = frame->octets();
  tx_fifo_bytes_ += octets;
  tx_fifo_.push_back({std::move(frame), now_ps() + params_.chip_ps(params_.tx_latency(), octets)});
  tx_loading_ = false;
  ++tx_done_;
  if (!tx_done_is_armed_) {
    tx_done_is_armed_ = true;  // a free-running timer lets such interrupts through
    const std::uint64_t period_ps = params_.tx_done_rate().period_ps();
    tx_done_interrupt_.set((now_ps() / period_ps + 1) * period_ps);
  }
  if (tx_fifo_.size() == 1) mac.kick();
  load_tx();
}

std::uint64_t SkAdapter::ready_ps() const {
  return tx_fifo_.empty() ? kNoFrame : tx_fifo_.front().at_ps;
}

FrameRef SkAdapter::take_frame() {
  FrameRef frame = tx_fifo_.pop_front().frame;
  tx_fifo_bytes_ -= frame->octets();
  load_tx();
  return frame;
}

void SkAdapter::raise_tx_done() {
  tx_done_is_armed_ = false;
  tx_done_is_due_ = true;
  raise();
}

// --- the interrupt handler
// -------------------------------------------------------------------------------------------------

void SkAdapter::raise() {
  if (handling_) return;  // masked; the handler looks again before it ends
  handling_ = true;
  step_ = Step::kEnter;
  interrupt_arrives_.set(now_ps() + interrupt_latency_ps_);
}

std::uint64_t SkAdapter::begin_step_ps() {
  switch (step_) {
    case Step::kEnter:  // and the write of the interrupt mask at the end
      return cpu_params_.code_ps(cpu_params_.interrupt_cycles() +
                                 cpu_params_.register_write_cycles()) +
             bus_.register_read_ps(now_ps());
    case Step::kReceive: {
      const bool copied = rx_ring_.front()->size() < cpu_params_.copy_below().count;
      return cpu_params_.code_ps(
          cpu_params_.receive_cycles() + (copied ? cpu_params_.copy_cycles() : 0),
          cpu_params_.receive_lines());
    }
    case Step::kFree:
      freeing_ = std::exchange(tx_done_, 0);
      tx_done_is_due_ = false;
      return freeing_ * cpu_params_.code_ps(cpu_params_.free_cycles(), cpu_params_.free_lines());
    case Step::kCheck:
      return cpu_params_.code_ps(cpu_params_.register_write_cycles()) +
             bus_.register_read_ps(now_ps());
  }
  return 0;
}

SkAdapter::Step SkAdapter::next_step() {
  if (!rx_ring_.empty()) return Step::kReceive;
  return tx_done_is_due_ ? Step::kFree : Step::kCheck;
}

bool SkAdapter::end_step() {
  const Step ended = step_;
  if (ended == Step::kReceive) {
    const FrameRef frame = rx_ring_.pop_front();
    rx_waiting.set(rx_ring_.size());
    load_rx();
    input_.frame_input(frame);
  }
  step_ = next_step();
  handling_ = ended != Step::kCheck || step_ != Step::kCheck;
  return handling_;
}

}  // namespace longhaul::wan
