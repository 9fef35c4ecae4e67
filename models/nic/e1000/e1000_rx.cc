// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/e1000_rx.h"

#include <algorithm>
#include <utility>

#include "models/net/frame/checksum.h"

namespace longhaul::nic::e1000 {
namespace {

intel::RxUnitParams rx_unit_params(const E1000Params& params) {
  return {units::KiB(params.rx_buffer_kib()),
          params.packet_buffer(),
          params.fifo_granule(),
          params.descriptor_cache(),
          params.descriptor_burst(),
          params.engine_clock(),
          intel::rx_speed(params),
          params.rx_checksum_ipv6()};
}

/// RCTL.BSIZE and BSEX: 2048, 1024, 512, 256; with BSEX 16384, 8192, 4096 (8254x SDM 13.4.22; code
/// 0 is reserved there).
std::uint32_t buffer_bytes(std::uint32_t rctl) {
  const std::uint32_t code = regs::kRctlFields.bsize.get(rctl);
  return (rctl & regs::kRctlFields.bsex) != 0 ? 32768U >> code : 2048U >> code;
}

}  // namespace

E1000Rx::E1000Rx(const sc_core::sc_module_name& name, const E1000Parts& parts,
                 std::function<void()> carrier_changed, std::function<void(bool)> enabled_changed,
                 std::function<void()> loopback_changed)
    : RxUnit(name, rx_unit_params(parts.params), {regs::kRal, regs::kMta, regs::kVfta}, parts.bank,
             parts.dma, parts.mac, std::move(carrier_changed), std::move(enabled_changed)),
      parts_(parts),
      on_loopback_(std::move(loopback_changed)),
      packet_timer_("packet_timer", [this] { timer_expired(); }),
      absolute_timer_("absolute_timer", [this] { timer_expired(); }) {}

void E1000Rx::reset(const MacAddress& own_address) {
  RxUnit::reset(own_address);
  packet_timer_.cancel();
  absolute_timer_.cancel();
  parts_.mac.set_max_frame(kLongFrameBytes);
  update_thresholds();
}

void E1000Rx::rctl_written(std::uint32_t value) {
  const bool stops = enabled() && (value & regs::kRctlFields.en) == 0;
  if (stops) rdh_.set(ring().head());
  // PAUSE frames never reach memory, as with RCTL.DPF; the others do with PMCF.
  parts_.mac.set_pass_control(false, (value & regs::kRctlFields.pmcf) != 0);
  on_loopback_();
  control(value, buffer_bytes(value));
}

void E1000Rx::rxdctl_written(std::uint32_t value) {
  const std::uint32_t each = (value & regs::kDescriptorControlFields.gran) != 0 ? 1 : 2;
  set_thresholds({regs::kDescriptorControlFields.pthresh.get(value) * each,
                  regs::kDescriptorControlFields.hthresh.get(value) * each,
                  regs::kDescriptorControlFields.wthresh.get(value) * each});
}

void E1000Rx::rdtr_written(std::uint32_t value) {
  rdtr_.set(value & regs::kRdtrFields.delay);
  if ((value & regs::kRdtrFields.fpd) != 0) timer_expired();
}

void E1000Rx::update_thresholds() {
  const std::uint32_t high = fcrth_.value();
  const std::uint32_t low = std::min(fcrtl_.value() & regs::kFcrtlFields.rtl, high);
  const bool send = parts_.ctrl.has(regs::kCtrlFields.tfce) && high != 0 && fcttv_.value() != 0;
  set_pause(send, high, low, static_cast<std::uint16_t>(fcttv_.value()),
            (fcrtl_.value() & regs::kFcrtlFields.xone) != 0);
}

std::uint16_t E1000Rx::packet_checksum(const std::uint8_t* data, std::uint32_t length,
                                       std::uint32_t stored) const {
  const std::uint32_t start = rxcsum_.get(regs::kRxcsumFields.pcss);
  if (start == 0 || start >= length) return 0;
  OnesSum sum;
  if (start < stored) sum.add(data + start, std::min(length, stored) - start);
  return sum.folded();
}

void E1000Rx::packet_written() {
  const std::uint32_t delay = rdtr_.value();
  if (delay == 0) {
    timer_expired();
    return;
  }
  packet_timer_.restart(delay_of(parts_.params, delay));
  if (radv_.value() != 0) absolute_timer_.start_if_idle(delay_of(parts_.params, radv_.value()));
}

void E1000Rx::timer_expired() {
  packet_timer_.cancel();
  absolute_timer_.cancel();
  ring().flush();
}

void E1000Rx::count_refused(RxFault fault, bool damaged) {
  E1000Stats& stats = parts_.stats;
  if (fault == RxFault::kBadFcs) E1000Stats::count(stats.crc_errors);
  if (fault == RxFault::kRunt)
    E1000Stats::count(damaged ? stats.receive_fragments : stats.receive_undersize);
  if (fault == RxFault::kOversize)
    E1000Stats::count(damaged ? stats.receive_jabber : stats.receive_oversize);
}

void E1000Rx::count_missed() {
  E1000Stats::count(parts_.stats.missed_packets);
  parts_.interrupts.post(regs::kCauseFields.rxo);
}

}  // namespace longhaul::nic::e1000
