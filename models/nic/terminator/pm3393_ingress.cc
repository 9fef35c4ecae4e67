// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/pm3393_ingress.h"

#include <algorithm>
#include <utility>

#include "models/net/frame/length_field.h"
#include "models/net/frame/not_lost.h"
#include "models/nic/blocks/append_fcs.h"

namespace longhaul::nic::terminator {
namespace {

using observe::FrameFate;
using pm::kMasterInterruptFields;
using pm::kRxxgConfig1Fields;
using pm::kRxxgInterruptFields;

constexpr std::uint32_t kTypeAt = 12;
constexpr std::uint32_t kTagBytes = 4;  // IEEE 802.3, 3.2.7: a tagged frame may be longer by these
constexpr std::uint32_t kOverflowEvent = 1;  // IFLX_OVFI
constexpr pm::Spec kIflxChannelAddress{"IFLX_INDIR_CHANNEL_ADDRESS", 0x220d};

bool is_tagged(const Frame& frame) { return ethernet::type(frame) == ethernet::kTypeVlan; }

}  // namespace

Pm3393Ingress::Pm3393Ingress(const sc_core::sc_module_name& name, const Pm3393Parts& parts,
                             IngressReceiver& receiver, std::function<void()> carrier_changed)
    : sc_module(name),
      parts_(parts),
      receiver_(receiver),
      carrier_changed_(std::move(carrier_changed)),
      filter_(parts.bank),
      flx_(parts.bank, pm::kIflx, kIflxChannelAddress, parts.params.ingress_fifo(),
           parts.params.fifo_block(),
           {[this] { flx_changed(); }, [this] { return fifo_.fill.value(); }}),
      fifo_("fifo", Bytes{0}, parts.params.fifo_block(),
            static_cast<std::uint32_t>(parts.params.ingress_fifo().count / Frame::kMinBytes)),
      lane_(parts.params.spi4_rate(),
            {[this] { return receiver_.credit(lane_.burst()); },
             [this](std::uint32_t bytes) { moved(bytes); }, [this] { sent(); }}),
      pause_("pause", parts.mac),
      config1_(parts.bank, pm::kRxxgConfig1, [this] { config_written(); }),
      max_length_(parts.bank, pm::kRxxgMaxFrameLength, [this] { config_written(); }),
      fifo_threshold_(parts.bank, pm::kRxxgFifoThreshold),
      mos_config_(parts.bank, pm::kPl4MosConfig, [this] { send_next(); }),
      transfer_size_(parts.bank, pm::kPl4MosTransferSize, [this] { config_written(); }),
      odp_config_(parts.bank, pm::kPl4OdpConfig, [this] { send_next(); }) {
  config_written();
}

void Pm3393Ingress::config_written() {
  parts_.mac.enable_rx(receives());
  parts_.mac.set_max_frame(max_length_.value() + kTagBytes);
  const bool pass_control = config1_.has(kRxxgConfig1Fields.pass_ctrl);
  parts_.mac.set_pass_control(pass_control, pass_control);
  const std::uint32_t blocks = transfer_size_.get(pm::kPl4TransferFields.blocks);
  lane_.set_burst(std::max(blocks, 1U) * parts_.params.fifo_block());
}

// ---- reception

void Pm3393Ingress::frame_refused(const FrameRef& frame, RxFault fault) {
  const bool damaged = !frame->fcs_matches();
  std::uint32_t event = kRxxgInterruptFields.line;
  Pm3393Mstat::Counter counter = Pm3393Mstat::kRxFcsErrors;
  if (fault == RxFault::kRunt) {
    event = kRxxgInterruptFields.min_length;
    counter = damaged ? Pm3393Mstat::kRxFragments : Pm3393Mstat::kRxUndersized;
  } else if (fault == RxFault::kOversize) {
    event = kRxxgInterruptFields.max_length;
    counter = damaged ? Pm3393Mstat::kRxJabbers : Pm3393Mstat::kRxTooLong;
  }
  parts_.mstat.arrived(*frame);
  parts_.mstat.count(counter);
  parts_.interrupts.raise(kMasterInterruptFields.rxxg, event | kRxxgInterruptFields.error_filtered);
}

void Pm3393Ingress::frame_received(const FrameRef& frame) {
  parts_.mstat.arrived(*frame);
  if (wanted(frame, is_tagged(*frame))) take_in(frame);
}

bool Pm3393Ingress::wanted(const FrameRef& frame, bool tagged) {
  const std::uint32_t longest = max_length_.value() + (tagged ? kTagBytes : 0);
  if (frame->octets() > longest) {
    parts_.mstat.count(Pm3393Mstat::kRxTooLong);
    parts_.interrupts.raise(kMasterInterruptFields.rxxg, kRxxgInterruptFields.max_length);
    refuse(frame, parts_.losses.rx_refused, "longer than RXXG_MAX_FRAME_LENGTH");
    return false;
  }
  const std::uint32_t type_at = kTypeAt + (tagged ? kTagBytes : 0);
  if (config1_.has(kRxxgConfig1Fields.flchk) &&
      ethernet::length_field(*frame, type_at) == ethernet::LengthField::kWrong) {
    parts_.mstat.count(Pm3393Mstat::kRxLengthErrors);
    parts_.interrupts.raise(kMasterInterruptFields.rxxg, kRxxgInterruptFields.error_filtered);
    refuse(frame, parts_.losses.rx_refused, "length field");
    return false;
  }
  if (filter_.accepts(*frame)) return true;
  parts_.interrupts.raise(kMasterInterruptFields.rxxg, kRxxgInterruptFields.filtered);
  refuse(frame, parts_.losses.rx_filtered, observe::not_lost::kOtherAddress);
  return false;
}

void Pm3393Ingress::refuse(const FrameRef& frame, observe::Counter& counter, const char* why) {
  counter.add();
  parts_.losses.drops.report(now(), frame, FrameFate::kDropped, why);
}

void Pm3393Ingress::take_in(FrameRef frame) {
  const std::uint32_t octets = frame->octets();
  const bool strip = config1_.has(kRxxgConfig1Fields.crc_strip);
  const std::uint32_t bytes = strip ? frame->size() : octets;
  if (!flx_.operates() || !fifo_.fits(bytes)) {
    parts_.mstat.count(Pm3393Mstat::kRxLost);
    parts_.interrupts.raise(kMasterInterruptFields.rxxg, kRxxgInterruptFields.overrun);
    parts_.interrupts.raise(kMasterInterruptFields.iflx, kOverflowEvent);
    return refuse(frame, parts_.losses.rx_overflows,
                  flx_.operates() ? "ingress FIFO full" : "ingress FIFO not provisioned");
  }
  parts_.mstat.received(*frame);
  Item item;
  item.bytes = bytes;
  item.began_ps = to_ps(parts_.mac.began(octets));
  const std::uint64_t latency = to_ps(parts_.params.rx_latency());
  const std::uint32_t burst = std::min(lane_.burst(), bytes);
  const bool cut_through = fifo_threshold_.value() != 0;
  item.from_ps =
      latency +
      (cut_through ? std::min(now_ps(), item.began_ps + parts_.mac.frame_ps(burst)) : now_ps());
  const std::uint32_t last = bytes % burst == 0 ? burst : bytes % burst;
  item.not_before_ps = now_ps() + latency + lane_.duration_ps(last);
  if (!strip) append_fcs(frame, frame->fcs());
  item.frame = std::move(frame);
  fifo_.reserve(bytes);
  fifo_.push(std::move(item));
  send_next();
  update_pause();
}

// ---- SPI-4.2

void Pm3393Ingress::send_next() {
  const bool sends = mos_config_.has(pm::kPl4MosConfigFields.en) &&
                     odp_config_.has(pm::kPl4PortFields.en_ports) &&
                     odp_config_.has(pm::kPl4PortFields.en_dfwd);
  if (!sends || lane_.busy() || fifo_.empty()) return;
  const Item& front = fifo_.front();
  lane_.begin(front.bytes, front.from_ps, front.not_before_ps);
}

/// Gives back the blocks that have left as a whole; the last one goes with the frame.
void Pm3393Ingress::moved(std::uint32_t bytes) {
  const std::uint32_t block = parts_.params.fifo_block();
  const std::uint32_t before = gone_ / block * block;
  gone_ += bytes;
  fifo_.release(gone_ / block * block - before);
  receiver_.moved(bytes);
  update_pause();
}

void Pm3393Ingress::sent() {
  const std::uint32_t block = parts_.params.fifo_block();
  fifo_.release(gone_ % block);
  gone_ = 0;
  const Item item = fifo_.pop();
  update_pause();
  receiver_.arrived(item.frame, from_ps(item.began_ps));
  send_next();
}

// ---- FIFO and PAUSE

void Pm3393Ingress::flx_changed() {
  if (!flx_.operates()) {
    flush();
  } else if (fifo_.empty()) {
    fifo_.set_capacity(flx_.capacity());
  }
  pause_changed();
}

void Pm3393Ingress::flush() {
  while (!fifo_.empty())
    parts_.losses.drops.report(now(), fifo_.pop().frame, FrameFate::kDropped,
                               "ingress FIFO emptied");
  fifo_.clear();
  if (lane_.busy()) receiver_.aborted();
  lane_.cancel();
  gone_ = 0;
}

void Pm3393Ingress::set_pause(std::uint16_t quanta, std::uint16_t interval, bool send, bool force) {
  pause_quanta_ = quanta;
  pause_interval_ = interval;
  send_pause_ = send;
  force_pause_ = force;
  pause_changed();
}

void Pm3393Ingress::pause_changed() {
  constexpr std::uint64_t kNever = ~std::uint64_t{0};
  const std::uint64_t high = flx_.almost_full();
  if (send_pause_ && pause_quanta_ != 0 && high != 0) {
    pause_.set(high, std::min(flx_.almost_empty(), high), pause_quanta_, parts_.params.pause_xon(),
               pause_interval_);
  } else {
    pause_.reset();
    pause_.set(kNever, kNever, 1);
  }
  update_pause();
}

void Pm3393Ingress::update_pause() {
  pause_.update(force_pause_ ? flx_.almost_full() : fifo_.fill.value());
}

void Pm3393Ingress::reset() {
  flush();
  flx_.reset();
  set_pause(0, 0, false, false);
  config_written();
}

}  // namespace longhaul::nic::terminator
