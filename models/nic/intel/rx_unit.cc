// SPDX-License-Identifier: Apache-2.0
#include "models/nic/intel/rx_unit.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/net/frame/checksum.h"
#include "models/net/frame/not_lost.h"
#include "models/nic/blocks/append_fcs.h"

namespace longhaul::nic::intel {

RxUnit::RxUnit(const sc_core::sc_module_name& name, const RxUnitParams& params,
               const TableOffsets& tables, RegisterBank& bank, pcix::DmaEngine& dma, EthMac& mac,
               std::function<void()> carrier_changed, std::function<void(bool)> enabled_changed)
    : sc_module(name),
      params_(params),
      dma_(dma),
      mac_(mac),
      on_carrier_(std::move(carrier_changed)),
      on_enabled_(std::move(enabled_changed)),
      ring_("ring", dma, *this, params.descriptor_cache, params.descriptor_burst),
      fifo_("fifo", params.fifo, params.fifo_granule,
            static_cast<std::uint32_t>(params.largest_fifo.count / EthMac::kMinFrameBytes)),
      tables_(tables, bank, filter_, mac),
      pause_("pause", mac),
      engine_("engine", params.engine_clock, [this] { return step(); }),
      next_fifo_(params.fifo) {}

void RxUnit::reset(const MacAddress& own_address) {
  ring_.reset();
  fifo_.clear();
  fifo_.set_capacity(next_fifo_);
  pause_.reset();
  engine_.reset();
  started_ = 0;
  item_open_ = false;
  writes_under_way_ = 0;
  control_ = 0;
  note_starving(false);
  filter_ = AddressFilter(FilterTables::kExactAddresses);
  load_own_address(own_address);
  on_enabled_(false);
}

void RxUnit::set_filter() {
  static constexpr std::uint32_t kHashLowBit[4] = {36, 35, 34, 32};
  const std::uint32_t v = control_;
  filter_.modes = {(v & kRctlFields.upe) != 0, (v & kRctlFields.mpe) != 0,
                   (v & kRctlFields.bam) != 0, kHashLowBit[kRctlFields.mo.get(v)],
                   (v & kRctlFields.vfe) != 0, (v & kRctlFields.cfien) != 0,
                   (v & kRctlFields.cfi) != 0};
}

void RxUnit::control(std::uint32_t rctl, std::uint32_t buffer_bytes) {
  control_ = rctl;
  buffer_bytes_ = buffer_bytes;
  set_filter();
  ring_.enable(enabled());
  on_enabled_(enabled());
  engine_.kick();
}

void RxUnit::set_head(std::uint32_t index) {
  if (writes_under_way_ == 0 && !item_open_) ring_.set_head(index);
}

void RxUnit::ring_doorbell(std::uint32_t index) {
  ring_.set_tail(index);
  engine_.kick();
}

void RxUnit::set_pause(bool send, std::uint32_t high, std::uint32_t low, std::uint16_t quanta,
                       bool send_xon) {
  if (send) {
    pause_.set(high, low, quanta, send_xon);
  } else {
    pause_.set(~std::uint64_t{0}, ~std::uint64_t{0}, 1);
  }
  update_pause();
}

void RxUnit::drop(const FrameRef& frame, observe::Counter& counter, const char* why) {
  counter.add();
  taps.report(now(), frame, observe::FrameFate::kDropped, why);
}

bool RxUnit::wanted_size(const FrameRef& frame, bool vlan) const {
  return frame->octets() <= largest_frame(vlan);
}

void RxUnit::frame_received(const FrameRef& frame) {
  const bool vlan = ethernet::type(*frame) == vlan_type_;
  count_any(frame->octets());
  if (!wanted_size(frame, vlan)) {
    count_oversize();
    drop(frame, oversize, "oversize");
    return;
  }
  const std::uint16_t type = vlan ? read_be16(frame->head() + 16) : ethernet::type(*frame);
  const std::uint32_t header = ethernet::kHeaderBytes + (vlan ? kVlanTagBytes : 0);
  if (type <= 1500 && type > frame->size() - header) count_length_error();
  const AddressMatch match = filter_.match(ethernet::destination(*frame), ethernet::source(*frame));
  if (match == AddressMatch::kNone) {
    drop(frame, filtered, observe::not_lost::kOtherAddress);
    return;
  }
  if (vlan && !filter_.vlan_passes(read_be16(frame->head() + 14))) {
    drop(frame, filtered, observe::not_lost::kOtherVlan);
    return;
  }
  take_in(frame, match, vlan, 0);
}

void RxUnit::frame_refused(const FrameRef& frame, RxFault fault) {
  count_any(frame->octets());
  count_refused(fault, !frame->fcs_matches());
  const bool store = (control_ & kRctlFields.sbp) != 0 && fault == RxFault::kBadFcs && enabled();
  if (!store) return;
  const AddressMatch match = filter_.match(ethernet::destination(*frame), ethernet::source(*frame));
  if (match != AddressMatch::kNone) take_in(frame, match, false, rx_error::kCe | rx_error::kRxe);
}

void RxUnit::take_in(const FrameRef& frame, AddressMatch match, bool vlan, std::uint8_t errors) {
  const std::uint32_t wire_bytes = frame->octets();
  if (!fifo_.fits(wire_bytes)) {
    count_missed();
    drop(frame, missed, "receive buffer full");
    return;
  }
  if (ring_.available() == 0) count_no_descriptor();
  if (errors == 0) count_good(*frame, wire_bytes, vlan);
  if (taps.active()) taps.report(mac_.began(wire_bytes), frame, observe::FrameFate::kReceived);

  Item item;
  item.frame = frame;
  item.reserved = wire_bytes;
  item.errors = errors;
  item.ready_ps = now_ps() + to_ps(params_.speed.latency);
  const bool by_name = match == AddressMatch::kExact || match == AddressMatch::kBroadcast;
  item.status = static_cast<std::uint8_t>(rx_status::kDd | (by_name ? 0 : rx_status::kPif));
  classify(item, vlan);
  fifo_.reserve(item.reserved);
  fifo_.push(std::move(item));
  update_pause();
  engine_.kick();
}

void RxUnit::classify(Item& item, bool vlan) const {
  const Checks wish = checks();
  if ((wish.ip || wish.l4) && item.errors == 0) {
    const ReceivedChecksums sums = verify_checksums(item.frame->head(), item.frame->size(),
                                                    params_.checksum_ipv6, item.frame->stored());
    if (sums.ip_checked && wish.ip) {
      item.status |= rx_status::kIpcs;
      if (!sums.ip_good) item.errors |= rx_error::kIpe;
    }
    if (sums.l4_checked && wish.l4) {
      item.status |= rx_status::kTcpcs;
      if (!sums.l4_good) item.errors |= rx_error::kTcpe;
    }
  }
  if ((item.status & (rx_status::kIpcs | rx_status::kTcpcs)) == 0) item.status |= rx_status::kIxsm;

  const bool keeps_fcs = (control_ & kRctlFields.secrc) == 0;
  // As it came, before the tag is removed.
  const std::uint32_t fcs = keeps_fcs ? item.frame->fcs() : 0;
  if (vlan && strips_tags()) {
    Frame& frame = item.frame.writable();
    item.special = read_be16(frame.data() + 14);
    item.status |= rx_status::kVp;
    std::memmove(frame.data() + kVlanTagBytes, frame.data(), 12);
    item.skip = kVlanTagBytes;
  }
  item.checksum = packet_checksum(item.frame->head() + item.skip, item.frame->size() - item.skip,
                                  item.frame->stored() - item.skip);
  if (keeps_fcs) append_fcs(item.frame, fcs);
}

Step RxUnit::step() {
  if (started_ == fifo_.size()) return Step::kIdle;
  const std::uint32_t place = fifo_.place_of(started_);
  Item& item = fifo_.at(place);
  if (!item_open_) {
    if (!enabled()) return Step::kIdle;
    if (now_ps() < item.ready_ps) {
      engine_.kick_in(item.ready_ps - now_ps());
      return Step::kIdle;
    }
    item_open_ = true;
    engine_.spend(params_.speed.packet_clocks);
    return Step::kDone;
  }
  if (writes_under_way_ >= params_.speed.ahead) return Step::kBlocked;
  if (ring_.cached() == 0) {
    note_starving(ring_.available() == 0);
    return Step::kBlocked;
  }
  note_starving(false);
  write_buffer(item, place);
  return Step::kDone;
}

void RxUnit::write_buffer(Item& item, std::uint32_t place) {
  const std::uint32_t length = std::min(item.left(), buffer_bytes_);
  const std::uint64_t position = ring_.take();
  std::uint8_t* const descriptor = ring_.slot(position);
  const std::uint32_t from = item.skip + item.offset;
  dma_.write(read_le64(descriptor), item.frame->head() + from, length, this, place,
             item.frame->stored() - std::min(item.frame->stored(), from));
  engine_.spend(params_.speed.descriptor_clocks);
  engine_.spend_bytes(length, params_.speed.kib_clocks);
  ++writes_under_way_;
  ++item.writes;
  item.offset += length;
  const bool last = item.left() == 0;
  fill_descriptor(descriptor, item, length);
  const std::uint32_t threshold =
      ring_.entries() >> (1 + std::min(kRctlFields.rdmts.get(control_), 2U));
  if (last) {
    ++started_;
    item_open_ = false;
    frames.add();
    bytes.add(item.reserved);
  }
  ring_.complete(position, true);
  if (ring_.available() == threshold) descriptors_low();
  if (last && ring_.holds_back()) {  // the write-back itself may wait for the timer
    ring_.cover();
    packet_written();
  }
}

void RxUnit::fill_descriptor(std::uint8_t* descriptor, const Item& item, std::uint32_t length) {
  const bool last = item.left() == 0;
  write_le16(descriptor + 8, length);
  write_le16(descriptor + 10, last ? item.checksum : 0U);
  descriptor[12] = last ? item.status | rx_status::kEop : rx_status::kDd;
  descriptor[13] = last ? item.errors : std::uint8_t{0};
  write_le16(descriptor + 14, last ? item.special : 0U);
}

void RxUnit::note_starving(bool starving) {
  if (starving == starving_) return;
  starving_ = starving;
  if (starving) {
    starving_since_ps_ = now_ps();
  } else {
    starved.report(starving_since_ps_, now_ps(), "no descriptor", fifo_.fill.value());
  }
}

void RxUnit::dma_done(std::uint64_t tag, pcix::DmaStatus status) {
  Item& item = fifo_.at(static_cast<std::uint32_t>(tag));
  --writes_under_way_;
  --item.writes;
  if (status != pcix::DmaStatus::kOk) dma_errors.add();
  while (started_ != 0 && fifo_.front().writes == 0) {
    fifo_.release(fifo_.front().reserved);
    fifo_.drop();
    --started_;
  }
  update_pause();
  engine_.kick();
}

void RxUnit::written_back(std::uint64_t begin, std::uint64_t end) {
  if (ring_.holds_back()) return;
  for (std::uint64_t position = begin; position < end; ++position) {
    if ((ring_.slot(position)[12] & rx_status::kEop) != 0) packet_written();
  }
}

}  // namespace longhaul::nic::intel
