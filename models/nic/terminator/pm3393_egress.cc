// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393_egress.h"

#include <algorithm>
#include <utility>

#include "models/common/wide_math.h"
#include "models/net/frame/ethernet_header.h"
#include "models/nic/terminator/pm3393_filter.h"

namespace longhaul::nic::terminator {
namespace {

using pm::kTxxgConfig1Fields;

constexpr std::uint32_t kEgressTagBytes = 4;     // IEEE 802.3, 3.2.7
constexpr std::uint32_t kEflxOverflowEvent = 1;  // EFLX_OVFI
constexpr pm::Spec kEflxChannelAddress{"EFLX_INDIR_CHANNEL_ADDRESS", 0x3202};

}  // namespace

Pm3393Egress::Pm3393Egress(const sc_core::sc_module_name& name, const Pm3393Parts& parts,
                           Owner owner)
    : sc_module(name),
      parts_(parts),
      owner_(std::move(owner)),
      flx_(parts.bank, pm::kEflx, kEflxChannelAddress, parts.params.egress_fifo(),
           parts.params.fifo_block(), {[this] { flx_changed(); }, [this] { return fill(); }}),
      fifo_("fifo", Bytes{0}, parts.params.fifo_block(),
            static_cast<std::uint32_t>(parts.params.egress_fifo().count / 16)),
      config1_(parts.bank, pm::kTxxgConfig1, [this] { config_written(); }),
      status_(parts.bank, pm::kTxxgStatus, [this] { return status_now(); }),
      max_size_(parts.bank, pm::kTxxgMaxFrameSize),
      pause_timer_(parts.bank, pm::kTxxgPauseTimer, [this] { config_written(); }),
      pause_interval_(parts.bank,
                      pm::Spec{"TXXG_PAUSE_TIMER_INTERVAL", pm::kTxxgPauseInterval,
                               Access::kReadWrite, parts.params.pause_interval()},
                      [this] { config_written(); }),
      idu_config_(parts.bank, pm::kPl4IduConfig, [this] { owner_.status_better(); }) {
  for (std::uint32_t i = 0; i < 3; ++i)
    address_.emplace_back(parts.bank, pm::Spec{"TXXG_SA", pm::kTxxgSa + i},
                          [this] { address_changed(); });
}

void Pm3393Egress::address_changed() { parts_.mac.set_address(address_in(address_, 0)); }

void Pm3393Egress::config_written() {
  const bool send = config1_.has(kTxxgConfig1Fields.fctx);
  parts_.mac.set_flow_control(send, config1_.has(kTxxgConfig1Fields.fcrx));
  owner_.set_pause(static_cast<std::uint16_t>(pause_timer_.value()),
                   static_cast<std::uint16_t>(pause_interval_.value()), send,
                   config1_.has(kTxxgConfig1Fields.hostpause));
  owner_.enable_changed();
}

std::uint32_t Pm3393Egress::status_now() const {
  return (now_ps() < leaving_.until_ps ? pm::kTxxgStatusFields.active.mask() : 0U) |
         (parts_.mac.paused() ? pm::kTxxgStatusFields.paused.mask() : 0U);
}

// ---- SPI-4.2

FifoStatus Pm3393Egress::status() {
  const bool operates = flx_.operates() && idu_config_.has(pm::kPl4PortFields.en_ports) &&
                        idu_config_.has(pm::kPl4PortFields.en_dfwd);
  if (!operates) return FifoStatus::kSatisfied;
  const std::uint64_t held = fill();
  if (held < flx_.almost_empty()) return FifoStatus::kStarving;
  if (held < flx_.almost_full()) return FifoStatus::kHungry;
  wake_when_below(flx_.almost_full());
  return FifoStatus::kSatisfied;
}

/// Sets the timer to when the frame on the wire has left so far that the fill is below `limit`, or
/// to its end. Without a frame on the wire, take_frame() tells.
void Pm3393Egress::wake_when_below(std::uint64_t limit) {
  const std::uint64_t going = leaving_now();
  if (going == 0) return;
  const std::uint64_t excess = fill() - limit + 1;
  const std::uint64_t span = leaving_.until_ps - leaving_.from_ps;
  const std::uint64_t after = times_over(excess, span, leaving_.bytes - 1, leaving_.bytes);
  wake_.set(std::min(now_ps() + after, leaving_.until_ps));
}

std::uint64_t Pm3393Egress::leaving_now() const {
  if (now_ps() >= leaving_.until_ps) return 0;
  const std::uint64_t span = leaving_.until_ps - leaving_.from_ps;
  return times_over(leaving_.bytes, leaving_.until_ps - now_ps(), 0, span);
}

void Pm3393Egress::moved(std::uint32_t bytes) { arriving_ += bytes; }

void Pm3393Egress::arrived(FrameRef frame) {
  arriving_ = 0;
  const bool tagged = ethernet::type(*frame) == ethernet::kTypeVlan;
  if (!flx_.operates()) {
    lose(frame, "egress FIFO not provisioned");
  } else if (frame->octets() > max_size_.value() + (tagged ? kEgressTagBytes : 0)) {
    parts_.interrupts.raise(pm::kMasterInterruptFields.txxg, pm::kTxxgInterruptFields.max_length);
    lose(frame, "longer than TXXG_MAX_FRAME_SIZE");
  } else if (!fifo_.fits(frame->size() + leaving_now())) {
    parts_.interrupts.raise(pm::kMasterInterruptFields.eflx, kEflxOverflowEvent);
    lose(frame, "egress FIFO full");
  } else {
    fifo_.reserve(frame->size());
    fifo_.push({std::move(frame), now_ps() + to_ps(parts_.params.tx_latency())});
    parts_.mac.kick();
  }
}

void Pm3393Egress::lose(const FrameRef& frame, const char* why) {
  parts_.mstat.count(Pm3393Mstat::kTxSystemErrors);
  parts_.losses.tx_refused.add();
  parts_.losses.drops.report(now(), frame, observe::FrameFate::kDropped, why);
}

// ---- the wire

std::uint64_t Pm3393Egress::ready_ps() const {
  return fifo_.empty() ? kNoFrame : fifo_.front().ready_ps;
}

FrameRef Pm3393Egress::take_frame() {
  FrameRef frame = fifo_.pop().frame;
  const std::uint32_t bytes = frame->size();
  fifo_.release(bytes);
  leaving_ = {fifo_.footprint(bytes), now_ps(), now_ps() + parts_.mac.frame_ps(frame->octets())};
  parts_.mstat.sent(*frame);
  owner_.frame_sent(frame);
  owner_.status_better();
  return frame;
}

// ---- settings

void Pm3393Egress::flx_changed() {
  if (!flx_.operates()) {
    while (!fifo_.empty())
      parts_.losses.drops.report(now(), fifo_.pop().frame, observe::FrameFate::kDropped,
                                 "egress FIFO emptied");
    fifo_.clear();
  } else if (fifo_.empty()) {
    fifo_.set_capacity(flx_.capacity());
  }
  owner_.status_better();
}

void Pm3393Egress::reset() {
  flx_.reset();
  flx_changed();
  arriving_ = 0;
  leaving_ = {};
  wake_.cancel();
  config_written();
  address_changed();
}

}  // namespace longhaul::nic::terminator
