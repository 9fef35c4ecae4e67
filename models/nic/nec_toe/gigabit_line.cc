// SPDX-License-Identifier: Apache-2.0
#include "models/nic/nec_toe/gigabit_line.h"

#include <utility>

namespace longhaul::nic::nec_toe {
namespace {

constexpr std::uint32_t kWord = 8;  // bytes
constexpr std::uint32_t kMostFrames = 1024;
constexpr std::uint16_t kPauseQuanta = 0xffff;

}  // namespace

GigabitLine::GigabitLine(const sc_core::sc_module_name& name, RegisterBank& bank, EthMac& mac,
                         const LineParams& params, const MacAddress& station,
                         std::function<void()> on_cause)
    : sc_module(name),
      mac_(mac),
      fifo_("rx_fifo", params.fifo(), kWord, kMostFrames),
      on_cause_(std::move(on_cause)),
      control_(bank, regs::kLineControl, this, &GigabitLine::control_written),
      status_(bank, regs::kLineStatus, this, &GigabitLine::status_now),
      max_frame_(bank, regs::kLineMaxFrame, this, &GigabitLine::max_frame_written) {
  filter_.set_exact(0, station, true);
  filter_.modes.accept_broadcast = true;
  filter_.modes.multicast_promiscuous = true;
  mac_.set_address(station);
  water_mark_.set(params.pause_high().count, params.pause_low().count, kPauseQuanta);
  control_written(0);
}

void GigabitLine::attach(FrameSource& source, terminator::EspiClient& client) {
  source_ = &source;
  client_ = &client;
  FrameSource& own = *this;
  mac_.attach(own, *this);
}

void GigabitLine::reset() {
  fifo_.clear();
  water_mark_.reset();
  mac_.reset();
  control_written(0);
  max_frame_written(regs::kLineMaxFrame.reset);
  changed_ = false;
}

void GigabitLine::control_written(std::uint32_t value) {
  constexpr const auto& kControl = regs::kLineControlFields;
  mac_.enable_tx((value & kControl.transmit) != 0);
  mac_.enable_rx((value & kControl.receive) != 0);
  mac_.set_flow_control((value & kControl.send_pause) != 0, (value & kControl.obey_pause) != 0);
  if ((value & kControl.send_pause) == 0) water_mark_.reset();
}

std::uint32_t GigabitLine::status_now() {
  if (std::exchange(changed_, false)) on_cause_();
  return mac_.carrier() ? std::uint32_t{regs::kLineStatusFields.link} : 0U;
}

void GigabitLine::max_frame_written(std::uint32_t value) { mac_.set_max_frame(value); }

FrameRef GigabitLine::take_frame() {
  FrameRef frame = source_->take_frame();
  client_->frame_sent(frame);
  return frame;
}

void GigabitLine::carrier_changed(bool /*up*/) {
  changed_ = true;
  on_cause_();
}

void GigabitLine::frame_received(const FrameRef& frame) {
  const AddressMatch match = filter_.match(ethernet::destination(*frame), ethernet::source(*frame));
  if (match == AddressMatch::kNone) return filtered.add();
  if (!fifo_.fits(frame->size())) {
    overflows.add();
    return drops.report(now(), frame, observe::FrameFate::kDropped, "line FIFO full");
  }
  fifo_.reserve(frame->size());
  fifo_.push({frame, mac_.began(frame->size() + Frame::kFcsBytes)});
  kick_rx();
}

void GigabitLine::kick_rx() {
  while (!fifo_.empty() && client_->take_received(fifo_.front().frame, fifo_.front().began))
    fifo_.release(fifo_.pop().frame->size());
  if (control_.has(regs::kLineControlFields.send_pause)) water_mark_.update(fifo_.fill.value());
}

}  // namespace longhaul::nic::nec_toe
