// SPDX-License-Identifier: Apache-2.0
#include "tc9021_rx.h"

#include <zlib.h>

#include <algorithm>

#include "models/net/frame/checksum.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/not_lost.h"
#include "models/nic/blocks/append_fcs.h"
#include "models/nic/blocks/little_endian.h"

namespace tc9021 {

using namespace regs;      // NOLINT: names of the registers
using namespace longhaul;  // NOLINT: frames and time
using longhaul::Step;
using longhaul::pcix::DmaStatus;

namespace {

constexpr std::uint32_t kThresholdBytes = 16;  // unit of FlowOnThresh and FlowOffThresh
constexpr std::uint32_t kLongestPause = 0xffff;
constexpr std::uint32_t kHashBits = 6;

}  // namespace

Tc9021Rx::Tc9021Rx(const sc_core::sc_module_name& name, const Tc9021Parts& parts,
                   std::function<void(bool up)> carrier_changed)
    : sc_module(name),
      parts_(parts),
      carrier_changed_(std::move(carrier_changed)),
      engine_("engine", parts.params.engine_clock(), [this] { return step(); }),
      pause_("pause", parts.mac),
      poll_timer_("poll_timer", [this] { poll(); }),
      wait_timer_("wait_timer", [this] { tell(); }),
      list_(parts.bank, kRfdListPtr0, kRfdListPtr1, [this] { poll(); }) {
  parts_.mac.enable_rx(false);
}

void Tc9021Rx::enable(bool on) {
  enabled_ = on;
  parts_.mac.enable_rx(on);
}

void Tc9021Rx::set_flow_control(bool send, bool honour) {
  sends_pause_ = send;
  parts_.mac.set_flow_control(send, honour);
  marks_changed();
}

void Tc9021Rx::marks_changed() {
  if (!sends_pause_) {
    pause_.reset();
    return;
  }
  const std::uint64_t high = std::uint64_t{flow_.value() & 0xffff} * kThresholdBytes;
  const std::uint64_t low = std::uint64_t{flow_.value() >> 16} * kThresholdBytes;
  // Linux leaves them as they are; NetBSD writes the mark that stops the far end to FlowOnThresh.
  pause_.set(std::max(high, low), std::min(high, low), kLongestPause);
  pause_.update(fifo_fill.value());
}

void Tc9021Rx::poll() {
  poll_timer_.cancel();
  if (state_ == State::kListEnd) state_ = State::kRest;
  engine_.kick();
}

void Tc9021Rx::reset() {
  parts_.dma.abandon(*this);
  engine_.reset();
  poll_timer_.cancel();
  wait_timer_.cancel();
  list_.reset();
  enable(false);
  state_ = State::kRest;
  untold_ = 0;
  note_starving(false);
  while (!items_.empty()) {
    drop(items_.front().frame, discarded, "reset");
    take_front();
  }
}

bool Tc9021Rx::in_hash(const MacAddress& address) const {
  // zlib has the register's first bit last, and inverts it in the end.
  const auto crc = ~static_cast<std::uint32_t>(crc32_z(0, address.data(), address.size()));
  std::uint32_t index = 0;
  for (std::uint32_t bit = 0; bit < kHashBits; ++bit) index |= (crc >> (31 - bit) & 1U) << bit;
  return ((index < 32 ? hash0_ : hash1_).value() >> index % 32 & 1U) != 0;
}

bool Tc9021Rx::wanted(const Frame& frame) const {
  static constexpr MacAddress kEverybody{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  if (mode_.has(receive_mode::kAllFrames)) return true;
  const MacAddress to = ethernet::destination(frame);
  if (to == kEverybody) return mode_.has(receive_mode::kBroadcast);
  if (ethernet::is_group(to)) {
    return mode_.has(receive_mode::kMulticast) ||
           (mode_.has(receive_mode::kMulticastHash) && in_hash(to));
  }
  return mode_.has(receive_mode::kUnicast) && to == station_;
}

/// The address of the filter, and of PAUSE frames.
void Tc9021Rx::station_changed() {
  std::array<std::uint8_t, 8> bytes{};
  nic::write_le32(bytes.data(), station01_.value());
  nic::write_le32(bytes.data() + 4, station2_.value());
  station_ = ethernet::address_at(bytes.data());
  parts_.mac.set_address(station_);
}

void Tc9021Rx::frame_refused(const FrameRef& frame, RxFault fault) {
  if (fault == RxFault::kBadFcs) parts_.statistics.bad_fcs();
  if (fault == RxFault::kOversize) parts_.statistics.too_long();
  drop(frame, refused, "wrong FCS or length");
}

void Tc9021Rx::frame_received(const FrameRef& frame) {
  if (!wanted(*frame)) {
    drop(frame, filtered, observe::not_lost::kOtherAddress);
    return;
  }
  Item item;
  item.frame = frame;
  item.reserved = frame->octets();
  if (fifo_fill.value() + item.reserved > parts_.params.rx_fifo().count) {
    parts_.statistics.lost();
    drop(frame, missed, "receive FIFO full");
    return;
  }
  parts_.statistics.received(*frame);
  item.status = check_sums(*frame);
  parts_.statistics.bad_sums((item.status & rfs::kIpError) != 0,
                             (item.status & rfs::kTcpError) != 0,
                             (item.status & rfs::kUdpError) != 0);
  if (keeps_fcs_) nic::append_fcs(item.frame, frame->fcs());
  if (taps.active())
    taps.report(parts_.mac.began(frame->octets()), frame, observe::FrameFate::kReceived);
  const std::uint64_t latency = to_ps(parts_.params.rx_latency());
  item.ready_ps = now_ps() + latency;
  fifo_fill.add(item.reserved);
  items_.push_back(std::move(item));
  if (sends_pause_) pause_.update(fifo_fill.value());
  parts_.interrupts.post(cause::kRxComplete);
  if (items_.size() == 1) engine_.kick_in(latency);
}

/// IPv4 only; which sums were verified, and which of them are wrong.
std::uint32_t Tc9021Rx::check_sums(const Frame& frame) const {
  const ReceivedChecksums sums =
      verify_checksums(frame.head(), frame.size(), false, frame.stored());
  if (!sums.ip_checked) return 0;
  std::uint32_t found = rfs::kIpDetected | (sums.ip_good ? 0U : rfs::kIpError);
  if (!sums.l4_checked) return found;
  found |= sums.is_tcp ? rfs::kTcpDetected : rfs::kUdpDetected;
  if (!sums.l4_good) found |= sums.is_tcp ? rfs::kTcpError : rfs::kUdpError;
  return found;
}

Step Tc9021Rx::step() {
  if (items_.empty()) return Step::kIdle;
  if (now_ps() < items_.front().ready_ps) {
    engine_.kick_in(items_.front().ready_ps - now_ps());
    return Step::kIdle;
  }
  if (state_ == State::kLoaded) {
    write_piece();
    return Step::kDone;
  }
  if (state_ == State::kRest && list_.address() != 0) {
    state_ = State::kReading;
    list_.take(descriptor::kBytes);
    parts_.dma.read(list_.address(), in_.data(), descriptor::kBytes, this, 0);
  }
  if (state_ == State::kRest) end_list();
  return Step::kBlocked;
}

void Tc9021Rx::descriptor_arrived() {
  const std::uint32_t status = nic::read_le32(in_.data() + descriptor::kStatus);
  const std::uint64_t word = nic::read_le64(in_.data() + descriptor::kFragments);
  if ((status & rfs::kDone) != 0 || word >> descriptor::kLengthShift == 0) {
    end_list();
    const std::uint32_t period = dma_.value() >> kPollPeriodShift;
    if (period != 0) poll_timer_.restart(parts_.params.poll_unit() * period);
    return;
  }
  note_starving(false);
  state_ = State::kLoaded;
  engine_.kick();
}

void Tc9021Rx::end_list() {
  state_ = State::kListEnd;
  note_starving(true);
  parts_.interrupts.post(cause::kRfdListEnd);
}

void Tc9021Rx::write_piece() {
  engine_.spend(parts_.params.rx_descriptor_clocks());
  const Frame& frame = *items_.front().frame;
  const std::uint64_t word = nic::read_le64(in_.data() + descriptor::kFragments);
  const auto room = static_cast<std::uint32_t>(word >> descriptor::kLengthShift);
  piece_ = std::min(frame.size() - written_, room);
  const std::uint32_t stored = frame.stored() - std::min(frame.stored(), written_);
  state_ = State::kWriting;
  parts_.dma.write(word & descriptor::kAddress, frame.head() + written_, piece_, this, 0, stored);
}

void Tc9021Rx::dma_done(std::uint64_t /*tag*/, DmaStatus status) {
  if (status != DmaStatus::kOk) {
    if (state_ != State::kReading) {
      drop(items_.front().frame, discarded, "error on the bus");
      take_front();
    }
    state_ = State::kListEnd;
    note_starving(!items_.empty());
    parts_.host_error(status);
    return;
  }
  if (state_ == State::kReading) {
    descriptor_arrived();
  } else if (state_ == State::kWriting) {
    give_back();
  } else {
    descriptor_returned();
  }
}

void Tc9021Rx::give_back() {
  const Item& item = items_.front();
  const std::uint32_t size = item.frame->size();
  std::uint32_t status = rfs::kDone | (written_ == 0 ? rfs::kFrameStart : 0U);
  written_ += piece_;
  status |= written_ == size ? rfs::kFrameEnd | item.status | size : written_;
  nic::write_le32(out_.data(), status);
  nic::write_le32(out_.data() + 4, 0);
  state_ = State::kReturning;
  parts_.dma.write(list_.in_hand() + descriptor::kStatus, out_.data(),
                   static_cast<std::uint32_t>(out_.size()), this, 0);
}

void Tc9021Rx::descriptor_returned() {
  list_.advance(nic::read_le64(in_.data()));
  state_ = State::kRest;
  const std::uint32_t size = items_.front().frame->size();
  if (written_ == size) {
    frames.add();
    bytes.add(size);
    take_front();
    frame_told();
  }
  engine_.kick();
}

/// A frame is in memory: now or later RxDMAComplete says so.
void Tc9021Rx::frame_told() {
  ++untold_;
  look_at_untold();
}

/// RxDMAIntCtrl was written, or there is one more.
void Tc9021Rx::look_at_untold() {
  if (untold_ == 0) return;
  const std::uint32_t count = int_ctrl_.value() & rx_dma_int::kFrameCount;
  const std::uint32_t wait = int_ctrl_.value() >> rx_dma_int::kWaitTimeShift;
  if (untold_ >= count) {
    tell();
  } else if (wait != 0) {
    wait_timer_.start_if_idle(parts_.params.rx_wait_unit() * wait);
  }
}

void Tc9021Rx::tell() {
  wait_timer_.cancel();
  untold_ = 0;
  parts_.interrupts.post(cause::kRxDmaComplete);
}

void Tc9021Rx::take_front() {
  fifo_fill.add(-static_cast<std::int64_t>(items_.pop_front().reserved));
  written_ = 0;
  if (sends_pause_) pause_.update(fifo_fill.value());
}

void Tc9021Rx::note_starving(bool starving) {
  if (starving == starving_) return;
  starving_ = starving;
  if (starving) {
    starving_since_ps_ = now_ps();
  } else {
    starved.report(starving_since_ps_, now_ps(), "no descriptor", fifo_fill.value());
  }
}

void Tc9021Rx::drop(const FrameRef& frame, observe::Counter& counter, const char* why) {
  counter.add();
  taps.report(now(), frame, observe::FrameFate::kDropped, why);
}

}  // namespace tc9021
