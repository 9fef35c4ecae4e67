// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb_rx.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/nic/blocks/checksum.h"

namespace longhaul::nic::ixgb {
namespace {

constexpr MacAddress kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

Cast cast_of(const Frame& frame) {
  const MacAddress to = ethernet::destination(frame);
  if (to == kBroadcast) return Cast::kBroadcast;
  return ethernet::is_group(to) ? Cast::kMulticast : Cast::kUnicast;
}

}  // namespace

IxgbRx::IxgbRx(const sc_core::sc_module_name& name, const IxgbParts& parts, std::function<void()> carrier_changed,
               std::function<void(bool)> enabled_changed)
    : sc_module(name),
      parts_(parts),
      on_carrier_(std::move(carrier_changed)),
      on_enabled_(std::move(enabled_changed)),
      ring_("ring", parts.dma, *this, parts.params.rx_descriptor_cache(), parts.params.descriptor_burst()),
      fifo_("fifo", parts.params.rx_fifo(), parts.params.fifo_granule(),
            static_cast<std::uint32_t>(parts.params.rx_fifo().count / EthMac::kMinFrameBytes)),
      pause_("pause", parts.mac),
      delay_timer_("delay_timer", [this] { timer_expired(); }),
      poll_timer_("poll_timer", [this] { timer_expired(); }),
      engine_("engine", parts.params.engine_clock(), [this] { return step(); }) {
  for (std::uint32_t i = 0; i < regs::kExactAddresses; ++i) {
    const auto written = [this, i](std::uint32_t) { exact_written(i); };
    tables_.emplace_back(parts_.bank, "RAL", regs::kRal + 8 * i, 0, Access::kReadWrite, Reg32::OnRead{}, written);
    tables_.emplace_back(parts_.bank, "RAH", regs::kRal + 8 * i + 4, 0, Access::kReadWrite, Reg32::OnRead{}, written);
  }
  for (std::uint32_t i = 0; i < regs::kTableWords; ++i) {
    tables_.emplace_back(parts_.bank, "MTA", regs::kMta + 4 * i, 0, Access::kReadWrite, Reg32::OnRead{},
                         [this, i](std::uint32_t v) { filter_.set_hash_word(i, v); });
    tables_.emplace_back(parts_.bank, "VFTA", regs::kVfta + 4 * i, 0, Access::kReadWrite, Reg32::OnRead{},
                         [this, i](std::uint32_t v) { filter_.set_vlan_word(i, v); });
  }
}

void IxgbRx::reset(const MacAddress& own_address) {
  ring_.reset();
  fifo_.clear();
  pause_.reset();
  delay_timer_.cancel();
  poll_timer_.cancel();
  engine_.reset();
  started_ = 0;
  item_open_ = false;
  writes_under_way_ = 0;
  write_back_ = 0;
  note_starving(false);
  filter_ = AddressFilter(regs::kExactAddresses);
  load_own_address(own_address);
  update_sizes();
  update_thresholds();
  on_enabled_(false);
}

void IxgbRx::load_own_address(const MacAddress& address) {
  tables_[0].set(read_le32(address.data()));
  tables_[1].set(read_le16(address.data() + 4) | regs::kRahValid);
  exact_written(0);
}

void IxgbRx::exact_written(std::size_t index) {
  const std::uint32_t low = tables_[2 * index].value();
  const std::uint32_t high = tables_[2 * index + 1].value();
  MacAddress address;
  for (std::uint32_t i = 0; i < 4; ++i) address[i] = static_cast<std::uint8_t>(low >> (8 * i));
  for (std::uint32_t i = 0; i < 2; ++i) address[4 + i] = static_cast<std::uint8_t>(high >> (8 * i));
  filter_.set_exact(index, address, (high & regs::kRahValid) != 0, (high & regs::kRahBySource) != 0);
  if (index == 0) parts_.mac.set_address(address);
}

void IxgbRx::set_filter() {
  static constexpr std::uint32_t kHashLowBit[4] = {36, 35, 34, 32};
  const std::uint32_t v = rctl_.value();
  filter_.modes = {(v & regs::rctl::kUpe) != 0, (v & regs::rctl::kMpe) != 0,
                   (v & regs::rctl::kBam) != 0, kHashLowBit[v >> regs::rctl::kMoShift & 3],
                   (v & regs::rctl::kVfe) != 0, (v & regs::rctl::kCfien) != 0,
                   (v & regs::rctl::kCfi) != 0};
}

void IxgbRx::rctl_written(std::uint32_t value) {
  set_filter();
  const bool pass_control = (value & regs::rctl::kCff) == 0;
  parts_.mac.set_pass_control(false, pass_control);
  const bool on = (value & regs::rctl::kRxen) != 0;
  ring_.enable(on);
  on_enabled_(on);
  engine_.kick();
}

void IxgbRx::rxdctl_written(std::uint32_t value) {
  write_back_ = value >> 18 & 0x1ff;
  ring_.set_thresholds({value & 0x1ff, value >> 9 & 0x1ff, write_back_});
}

void IxgbRx::set_head(std::uint32_t index) {
  if (writes_under_way_ == 0 && !item_open_) ring_.set_head(index);
}

void IxgbRx::ring_doorbell(std::uint32_t value) {
  ring_.set_tail(value & 0xffff);
  if ((value & regs::kRdtFpdb) != 0) timer_expired();
  engine_.kick();
}

void IxgbRx::update_sizes() {
  const bool jumbo = (parts_.ctrl0() & regs::ctrl0::kJfe) != 0;
  parts_.mac.set_max_frame((jumbo ? parts_.max_frame() : kStandardFrameBytes) + kVlanTagBytes);
}

void IxgbRx::update_thresholds() {
  const std::uint32_t high = fcrth_.value() & regs::kFcMask;
  const std::uint32_t low = std::min(fcrtl_.value() & regs::kFcMask, high);
  const auto quanta = static_cast<std::uint16_t>(parts_.bank.peek(regs::kPap));
  const bool send = (parts_.ctrl0() & regs::ctrl0::kTpe) != 0 && high != 0 && quanta != 0;
  if (send) {
    pause_.set(high, low, quanta, (fcrtl_.value() & regs::kFcrtlXone) != 0);
  } else {
    pause_.set(~std::uint64_t{0}, ~std::uint64_t{0}, 1);
  }
  update_pause();
}

void IxgbRx::drop(const FrameRef& frame, observe::Counter& counter, const char* why) {
  counter.add();
  taps.report(sc_core::sc_time_stamp(), frame, observe::FrameFate::kDropped, why);
}

bool IxgbRx::wanted_size(const FrameRef& frame, bool vlan) {
  const bool jumbo = (parts_.ctrl0() & regs::ctrl0::kJfe) != 0;
  const std::uint32_t most = (jumbo ? parts_.max_frame() : kStandardFrameBytes) + (vlan ? kVlanTagBytes : 0);
  return frame->size() + Frame::kFcsBytes <= most;
}

void IxgbRx::frame_received(const FrameRef& frame) {
  const bool vlan = ethernet::type(*frame) == kVlanType;
  parts_.stats.received_any(frame->size() + Frame::kFcsBytes);
  if (!wanted_size(frame, vlan)) {
    parts_.stats.count(parts_.stats.receive_oversize);
    drop(frame, oversize, "oversize");
    return;
  }
  const std::uint16_t type = vlan ? ethernet::read_be16(frame->data() + 16) : ethernet::type(*frame);
  const std::uint32_t header = ethernet::kHeaderBytes + (vlan ? kVlanTagBytes : 0);
  if (type <= 1500 && type > frame->size() - header) parts_.stats.count(parts_.stats.receive_length_errors);
  const AddressMatch match = filter_.match(ethernet::destination(*frame), ethernet::source(*frame));
  if (match == AddressMatch::kNone) {
    drop(frame, filtered, "address");
    return;
  }
  if (vlan && !filter_.vlan_passes(ethernet::read_be16(frame->data() + 14))) {
    drop(frame, filtered, "vlan");
    return;
  }
  take_in(frame, match, vlan, 0);
}

void IxgbRx::frame_refused(const FrameRef& frame, RxFault fault) {
  IxgbStats& stats = parts_.stats;
  const bool damaged = !frame->fcs_matches();
  stats.received_any(frame->size() + Frame::kFcsBytes);
  if (fault == RxFault::kBadFcs) stats.count(stats.crc_errors);
  if (fault == RxFault::kRunt && !damaged) stats.count(stats.receive_undersize);
  if (fault == RxFault::kOversize) stats.count(damaged ? stats.receive_jabber : stats.receive_oversize);
  const bool store = rctl_.has(regs::rctl::kSbp) && fault == RxFault::kBadFcs && enabled();
  if (!store) return;
  const AddressMatch match = filter_.match(ethernet::destination(*frame), ethernet::source(*frame));
  if (match != AddressMatch::kNone) take_in(frame, match, false, regs::rx_error::kCe | regs::rx_error::kRxe);
}

void IxgbRx::take_in(const FrameRef& frame, AddressMatch match, bool vlan, std::uint8_t errors) {
  const std::uint32_t wire_bytes = frame->size() + Frame::kFcsBytes;
  if (!fifo_.fits(wire_bytes)) {
    parts_.stats.count(parts_.stats.missed_packets);
    parts_.interrupts.post(regs::cause::kRxo);
    drop(frame, missed, "receive buffer full");
    return;
  }
  if (ring_.available() == 0) parts_.stats.count(parts_.stats.receive_no_buffers);
  if (errors == 0) {
    const bool jumbo = wire_bytes > kStandardFrameBytes + (vlan ? kVlanTagBytes : 0);
    parts_.stats.received_good(cast_of(*frame), wire_bytes, vlan, jumbo, rctl_.has(regs::rctl::kMpe));
  }
  if (taps.active()) taps.report(first_bit_at(wire_bytes), frame, observe::FrameFate::kReceived);

  Item item;
  item.frame = frame;
  item.reserved = wire_bytes;
  item.errors = errors;
  item.ready_ps = now_ps() + to_ps(parts_.params.rx_latency());
  const bool by_name = match == AddressMatch::kExact || match == AddressMatch::kBroadcast;
  item.status = static_cast<std::uint8_t>(regs::rx_status::kDd | (by_name ? 0 : regs::rx_status::kPif));
  classify(item, vlan);
  fifo_.reserve(item.reserved);
  fifo_.push(std::move(item));
  update_pause();
  engine_.kick();
}

sc_core::sc_time IxgbRx::first_bit_at(std::uint32_t wire_bytes) const {
  const BitRate rate = parts_.mac.rate();
  const std::uint64_t lasted = rate.bits_per_s == 0 ? 0 : transfer_ps(wire_bytes + ethernet::kPreambleBytes, rate);
  return from_ps(now_ps() - std::min(lasted, now_ps()));
}

void IxgbRx::classify(Item& item, bool vlan) const {
  const bool check_ip = rxcsum_.has(regs::rxcsum::kIpofl | regs::rxcsum::kTuofl);
  const bool check_l4 = rxcsum_.has(regs::rxcsum::kTuofl);
  if (check_ip && item.errors == 0) {
    const ReceivedChecksums sums =
        verify_checksums(item.frame->data(), item.frame->size(), parts_.params.rx_checksum_ipv6());
    if (sums.ip_checked) {
      item.status |= regs::rx_status::kIpcs;
      if (!sums.ip_good) item.errors |= regs::rx_error::kIpe;
    }
    if (sums.l4_checked && check_l4) {
      item.status |= regs::rx_status::kTcpcs;
      if (!sums.l4_good) item.errors |= regs::rx_error::kTcpe;
    }
  }
  if ((item.status & (regs::rx_status::kIpcs | regs::rx_status::kTcpcs)) == 0) item.status |= regs::rx_status::kIxsm;

  const bool keeps_fcs = !rctl_.has(regs::rctl::kSecrc);
  const std::uint32_t fcs = keeps_fcs ? item.frame->fcs() : 0;  // as it came, before the tag is taken out
  if (vlan && (parts_.ctrl0() & regs::ctrl0::kVme) != 0) {
    Frame& frame = item.frame.writable();
    item.special = ethernet::read_be16(frame.data() + 14);
    item.status |= regs::rx_status::kVp;
    std::memmove(frame.data() + kVlanTagBytes, frame.data(), 12);
    item.skip = kVlanTagBytes;
  }
  if (keeps_fcs) {
    Frame& frame = item.frame.writable();
    const std::uint32_t size = frame.size();
    frame.resize(size + Frame::kFcsBytes);
    write_le16(frame.data() + size, fcs);
    write_le16(frame.data() + size + 2, fcs >> 16);
  }
}

Step IxgbRx::step() {
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
    engine_.spend(parts_.params.rx_packet_clocks());
    return Step::kDone;
  }
  if (writes_under_way_ >= parts_.params.rx_writes_ahead()) return Step::kBlocked;
  if (ring_.cached() == 0) {
    note_starving(ring_.available() == 0);
    return Step::kBlocked;
  }
  note_starving(false);
  write_buffer(item, place);
  return Step::kDone;
}

void IxgbRx::write_buffer(Item& item, std::uint32_t place) {
  const std::uint32_t buffer = 2048U << (rctl_.value() >> regs::rctl::kBsizeShift & 3);
  const std::uint32_t length = std::min(item.left(), buffer);
  const std::uint64_t position = ring_.take();
  std::uint8_t* const descriptor = ring_.slot(position);
  parts_.dma.write(read_le64(descriptor), item.frame->data() + item.skip + item.offset, length, this, place);
  engine_.spend(parts_.params.rx_descriptor_clocks());
  engine_.spend_bytes(length, parts_.params.rx_kib_clocks());
  ++writes_under_way_;
  ++item.writes;
  item.offset += length;
  const bool last = item.left() == 0;
  fill_descriptor(descriptor, item, length);
  const std::uint32_t threshold = ring_.entries() >> (1 + std::min(rctl_.value() >> regs::rctl::kRdmtsShift & 3, 2U));
  if (last) {
    ++started_;
    item_open_ = false;
    frames.add();
    bytes.add(item.reserved);
  }
  ring_.complete(position, true);
  if (ring_.available() == threshold) parts_.interrupts.post(regs::cause::kRxdmt0);
  if (last && write_back_ > 1) packet_done();  // the write-back itself may wait for the timer
}

void IxgbRx::fill_descriptor(std::uint8_t* descriptor, const Item& item, std::uint32_t length) const {
  const bool last = item.left() == 0;
  write_le16(descriptor + 8, length);
  write_le16(descriptor + 10, 0);
  descriptor[12] = last ? item.status | regs::rx_status::kEop : regs::rx_status::kDd;
  descriptor[13] = last ? item.errors : std::uint8_t{0};
  write_le16(descriptor + 14, last ? item.special : 0U);
}

void IxgbRx::note_starving(bool starving) {
  if (starving == starving_) return;
  starving_ = starving;
  if (starving) {
    starving_since_ps_ = now_ps();
  } else {
    starved.report(starving_since_ps_, now_ps(), "no descriptor", fifo_.fill.value());
  }
}

void IxgbRx::dma_done(std::uint64_t tag, DmaStatus status) {
  Item& item = fifo_.at(static_cast<std::uint32_t>(tag));
  --writes_under_way_;
  --item.writes;
  if (status != DmaStatus::kOk) dma_errors.add();
  while (started_ != 0 && fifo_.front().writes == 0) {
    fifo_.release(fifo_.front().reserved);
    fifo_.pop();
    --started_;
  }
  update_pause();
  engine_.kick();
}

void IxgbRx::written_back(std::uint64_t begin, std::uint64_t end) {
  if (write_back_ > 1) return;
  for (std::uint64_t position = begin; position < end; ++position) {
    if ((ring_.slot(position)[12] & regs::rx_status::kEop) != 0) packet_done();
  }
}

void IxgbRx::packet_done() {
  std::uint32_t delay = rdtr_.value() & 0xffff;
  if (raidc_.has(regs::raidc::kEnable)) {
    const std::uint32_t v = raidc_.value();
    delay = v >> regs::raidc::kDelayShift & regs::raidc::kDelayMask;
    const bool backlog = ring_.available() <= (v & regs::raidc::kThresholdMask) * 8;
    if (backlog) {
      poll_timer_.start_if_idle(delay_of(parts_.params, v >> regs::raidc::kPollShift & regs::raidc::kPollMask));
      if ((v & regs::raidc::kRxtGate) != 0) return;
    }
  }
  if (parts_.params.rx_timer_restarts()) {
    delay_timer_.restart(delay_of(parts_.params, delay));
  } else {
    delay_timer_.start_if_idle(delay_of(parts_.params, delay));
  }
}

void IxgbRx::timer_expired() {
  ring_.flush();
  parts_.interrupts.post(regs::cause::kRxt0);
}

}  // namespace longhaul::nic::ixgb
