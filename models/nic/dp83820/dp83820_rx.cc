// SPDX-License-Identifier: Apache-2.0
#include "models/nic/dp83820/dp83820_rx.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "models/net/frame/checksum.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/not_lost.h"
#include "models/net/frame/vlan.h"
#include "models/nic/blocks/append_fcs.h"
#include "models/nic/blocks/little_endian.h"

namespace longhaul::nic::dp83820 {

using namespace regs;  // NOLINT: names of the registers

namespace {

constexpr std::uint32_t kLongest = 1518;  // IEEE 802.3, 4A.4.2, with FCS
/// Marks of the data FIFO by the code of PCR's fields; 0 is none.
constexpr std::array<std::uint32_t, 4> kMarks{0, 2048, 4096, 8192};

bool is_tagged(const Frame& frame) { return ethernet::type(frame) == ethernet::kTypeVlan; }

}  // namespace

Dp83820Rx::Dp83820Rx(const sc_core::sc_module_name& name, const Dp83820Parts& parts,
                     std::function<void(bool up)> carrier_changed)
    : sc_module(name),
      parts_(parts),
      carrier_changed_(std::move(carrier_changed)),
      filter_(parts.bank),
      mib_(parts.bank, parts.mac),
      list_("list", kRxdp, kRxdpHi, parts.bank, parts.dma, *this),
      engine_("engine", parts.params.engine_clock(), [this] { return step(); }),
      pause_("pause", parts.mac) {
  parts_.mac.enable_rx(false);
}

void Dp83820Rx::enable() {
  enabled_ = true;
  parts_.mac.enable_rx(true);
  if (list_.rests()) list_.start();
  engine_.kick();
}

void Dp83820Rx::disable() {
  enabled_ = false;
  parts_.mac.enable_rx(false);
  if (list_.loaded() && !taken_) list_.rest();
}

void Dp83820Rx::reset() {
  parts_.dma.abandon(*this);
  list_.reset();
  engine_.reset();
  disable();
  taken_ = writing_ = open_ = false;
  note_starving(false);
  while (!items_.empty()) drop(items_.pop_front().frame, discarded, "reset");
  fifo_fill.set(0);
  mib_.reset();
  pause_.update(0);
}

void Dp83820Rx::settings_changed() {
  lengths_changed();
  update_pause();
}

/// Sets the longest frame that the MAC accepts.
void Dp83820Rx::lengths_changed() {
  const std::uint32_t tag = vrcr_.has(kVrcrFields.vtden) ? ethernet::kVlanTagBytes : 0;
  // The FCS may follow a frame to memory. Both must fit the largest frame.
  parts_.mac.set_max_frame(rxcfg_.has(kRxcfgFields.alp) ? Frame::kMaxBytes : kLongest + tag);
}

void Dp83820Rx::update_pause() {
  const std::uint32_t high = kMarks.at(pcr_.get(kPcrFields.ffhi));
  const std::uint32_t low = kMarks.at(pcr_.get(kPcrFields.fflo));
  const auto quanta = static_cast<std::uint16_t>(pcr_.get(kPcrFields.pause_cnt));
  const bool on = pcr_.has(kPcrFields.psen);
  const bool sends = on && high != 0 && quanta != 0;
  parts_.mac.set_flow_control(sends, on);
  if (sends) {
    pause_.set(high, std::min(low, high), quanta);
    pause_.update(fifo_fill.value());
  } else {
    pause_.reset();
    pause_.set(~std::uint64_t{0}, ~std::uint64_t{0}, 1);
  }
}

bool Dp83820Rx::wanted_tag(bool tagged) const {
  return !(tagged ? vrcr_.has(kVrcrFields.dvtf) : vrcr_.has(kVrcrFields.dutf));
}

void Dp83820Rx::frame_received(const FrameRef& frame) { take_in(frame, filter_.match(*frame), 0); }

void Dp83820Rx::frame_refused(const FrameRef& frame, RxFault fault) {
  mib_.errored_packet();
  bool accepted = false;
  std::uint32_t status = 0;
  switch (fault) {
    case RxFault::kBadFcs:
      mib_.bad_fcs();
      accepted = rxcfg_.has(kRxcfgFields.aep);
      status = cmdsts::kCrcError;
      break;
    case RxFault::kRunt:
      accepted = rxcfg_.has(kRxcfgFields.arp) && frame->fcs_matches();
      status = cmdsts::kRunt;
      break;
    case RxFault::kOversize:
      mib_.too_long();
      status = cmdsts::kLong;
      break;
  }
  if (!accepted || frame->size() < ethernet::kHeaderBytes) {
    drop(frame, refused, "wrong FCS or length");
    return;
  }
  take_in(frame, filter_.match(*frame), status | cmdsts::kError);
}

void Dp83820Rx::take_in(const FrameRef& frame, Destination destination, std::uint32_t status) {
  const bool tagged = is_tagged(*frame);
  if (destination == Destination::kRejected || !wanted_tag(tagged)) {
    drop(frame, filtered,
         destination == Destination::kRejected ? observe::not_lost::kOtherAddress
                                               : observe::not_lost::kOtherVlan);
    return;
  }
  Item item;
  item.frame = frame;
  item.command = status | static_cast<std::uint32_t>(destination) << cmdsts::kDestinationShift;
  if (status == 0) {
    item.command |= cmdsts::kOk;
    item.extended = vrcr_.has(kVrcrFields.ipen) ? check_sums(*frame) : 0;
  }
  const bool bad_sum = (vrcr_.has(kVrcrFields.ripe) && (item.extended & extsts::kIpError) != 0) ||
                       (vrcr_.has(kVrcrFields.rtcpe) && (item.extended & extsts::kTcpError) != 0) ||
                       (vrcr_.has(kVrcrFields.rudpe) && (item.extended & extsts::kUdpError) != 0);
  if (bad_sum) {
    drop(frame, refused, "wrong checksum");
    return;
  }
  item.reserved = footprint(frame->octets());
  if (fifo_fill.value() + item.reserved > parts_.params.rx_fifo().count) {
    mib_.missed();
    drop(frame, missed, "receive FIFO full");
    parts_.interrupts.post(kIsrFields.rx_orn);
    return;
  }
  const std::uint32_t fcs = rxcfg_.has(kRxcfgFields.strip_crc) ? 0 : frame->fcs();
  if (tagged && vrcr_.has(kVrcrFields.vtden)) {
    item.extended |= extsts::kTagged | read_le16(frame->head() + 14);
    if (vrcr_.has(kVrcrFields.vtren)) strip(item);
  }
  if (!rxcfg_.has(kRxcfgFields.strip_crc)) append_fcs(item.frame, fcs);
  if (taps.active())
    taps.report(parts_.mac.began(frame->octets()), frame, observe::FrameFate::kReceived);
  const std::uint64_t latency = to_ps(parts_.params.rx_latency());
  item.ready_ps = now_ps() + latency;
  fifo_fill.add(item.reserved);
  items_.push_back(std::move(item));
  pause_.update(fifo_fill.value());
  if (!open_ && items_.size() == 1) engine_.kick_in(latency);
}

/// The checksums that were verified, and which of them are wrong; IPv4 only.
std::uint32_t Dp83820Rx::check_sums(const Frame& frame) const {
  const ReceivedChecksums sums =
      verify_checksums(frame.head(), frame.size(), false, frame.stored());
  if (!sums.ip_checked) return 0;
  std::uint32_t found = extsts::kIp | (sums.ip_good ? 0U : extsts::kIpError);
  if (!sums.l4_checked) return found;
  found |= sums.is_tcp ? extsts::kTcp : extsts::kUdp;
  if (!sums.l4_good) found |= sums.is_tcp ? extsts::kTcpError : extsts::kUdpError;
  return found;
}

void Dp83820Rx::strip(Item& item) const {
  constexpr std::uint32_t kAddresses = 12;
  std::uint8_t* const data = item.frame.writable().data();
  std::memmove(data + ethernet::kVlanTagBytes, data, kAddresses);
  item.skip = ethernet::kVlanTagBytes;
  // The chip measures the stripped frame, so a frame of 64 B becomes a runt.
  if (item.length() >= Frame::kMinBytes) return;
  item.command = (item.command & ~cmdsts::kOk) | cmdsts::kRunt;
}

void Dp83820Rx::descriptor_arrived() {
  if (!enabled_) return list_.rest();
  if (list_.descriptor().has(cmdsts::kOwn)) {
    list_.idle_reads.add();
    list_.rest();
    list_ended();
    return;
  }
  engine_.kick();
}

void Dp83820Rx::list_ended() {
  parts_.interrupts.post(kIsrFields.rx_idle);
  engine_.kick();
}

void Dp83820Rx::list_failed(pcix::DmaStatus status) {
  if (taken_ || open_) lose_front("error on the bus");
  parts_.interrupts.post(cause_of(status));
  engine_.kick();
}

Step Dp83820Rx::step() {
  if (writing_) return Step::kBlocked;
  if (!open_) {
    if (items_.empty()) return Step::kIdle;
    if (now_ps() < items_.front().ready_ps) {
      engine_.kick_in(items_.front().ready_ps - now_ps());
      return Step::kIdle;
    }
  }
  if (!list_.loaded()) {
    note_starving(list_.rests());
    return Step::kBlocked;
  }
  note_starving(false);
  if (taken_) return next_burst();
  taken_ = true;
  in_buffer_ = 0;
  engine_.spend(parts_.params.rx_descriptor_clocks());
  if (!open_) {
    open_ = true;
    written_ = 0;
    engine_.spend(parts_.params.rx_packet_clocks());
  }
  return Step::kDone;
}

Step Dp83820Rx::next_burst() {
  const Item& item = items_.front();
  const std::uint32_t left = item.length() - written_;
  const std::uint32_t room = list_.descriptor().length() - in_buffer_;
  if (left == 0 || room == 0) {
    end_descriptor(left == 0);
    return Step::kBlocked;
  }
  burst_ = std::min({left, room, mxdma_bytes(rxcfg_.value())});
  const std::uint32_t from = item.skip + written_;
  const std::uint32_t stored = item.frame->stored() - std::min(item.frame->stored(), from);
  writing_ = true;
  parts_.dma.write(list_.descriptor().buffer + in_buffer_, item.frame->head() + from, burst_, this,
                   0, stored);
  return Step::kBlocked;
}

void Dp83820Rx::dma_done(std::uint64_t /*tag*/, pcix::DmaStatus status) {
  writing_ = false;
  written_ += burst_;
  in_buffer_ += burst_;
  if (status != pcix::DmaStatus::kOk) {
    parts_.interrupts.post(cause_of(status));
    items_.front().command = (items_.front().command & ~cmdsts::kOk) | cmdsts::kError;
  }
  engine_.kick();
}

void Dp83820Rx::end_descriptor(bool last) {
  Item& item = items_.front();
  std::uint32_t command = cmdsts::kOwn | in_buffer_ | (list_.descriptor().command & cmdsts::kIntr);
  command |= last ? item.command : cmdsts::kMore;
  const std::uint32_t extended = last ? item.extended : 0;
  taken_ = false;
  ends_ = last;
  ended_well_ = last && (item.command & cmdsts::kOk) != 0;
  if (last) {
    open_ = false;
    frames.add();
    bytes.add(item.length());
    const std::uint32_t reserved = item.reserved;
    items_.pop_front();
    release(reserved);
  }
  list_.give_back(command, extended, true);
}

bool Dp83820Rx::descriptor_returned() {
  std::uint32_t causes = 0;
  if (ends_) causes |= ended_well_ ? kIsrFields.rx_ok : kIsrFields.rx_err;
  if (list_.descriptor().has(cmdsts::kIntr)) causes |= kIsrFields.rx_desc;
  if (causes != 0) parts_.interrupts.post(causes);
  engine_.kick();
  return enabled_;
}

void Dp83820Rx::release(std::uint32_t reserved) {
  fifo_fill.add(-static_cast<std::int64_t>(reserved));
  pause_.update(fifo_fill.value());
}

void Dp83820Rx::lose_front(const char* why) {
  taken_ = false;
  if (!std::exchange(open_, false)) return;
  const Item item = items_.pop_front();
  drop(item.frame, discarded, why);
  release(item.reserved);
}

void Dp83820Rx::drop(const FrameRef& frame, observe::Counter& counter, const char* why) {
  counter.add();
  taps.report(now(), frame, observe::FrameFate::kDropped, why);
}

std::uint32_t Dp83820Rx::footprint(std::uint32_t octets) const {
  const std::uint32_t granule = parts_.params.fifo_granule();
  return (octets + granule - 1) / granule * granule;
}

void Dp83820Rx::note_starving(bool starving) {
  if (starving == starving_) return;
  starving_ = starving;
  if (starving) {
    starving_since_ps_ = now_ps();
  } else {
    starved.report(starving_since_ps_, now_ps(), "no descriptor", fifo_fill.value());
  }
}

}  // namespace longhaul::nic::dp83820
