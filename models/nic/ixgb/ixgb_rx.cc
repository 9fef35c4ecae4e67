// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb_rx.h"

#include <algorithm>
#include <utility>

namespace longhaul::nic::ixgb {
namespace {

intel::RxUnitParams rx_unit_params(const IxgbParams& params) {
  return {params.rx_fifo(),          params.rx_fifo(),
          params.fifo_granule(),     params.rx_descriptor_cache(),
          params.descriptor_burst(), params.engine_clock(),
          intel::rx_speed(params),   params.rx_checksum_ipv6()};
}

}  // namespace

IxgbRx::IxgbRx(const sc_core::sc_module_name& name, const IxgbParts& parts,
               std::function<void()> carrier_changed, std::function<void(bool)> enabled_changed)
    : RxUnit(name, rx_unit_params(parts.params), {regs::kRal, regs::kMta, regs::kVfta}, parts.bank,
             parts.dma, parts.mac, std::move(carrier_changed), std::move(enabled_changed)),
      parts_(parts),
      delay_timer_("delay_timer", [this] { timer_expired(); }),
      poll_timer_("poll_timer", [this] { timer_expired(); }) {}

void IxgbRx::reset(const MacAddress& own_address) {
  RxUnit::reset(own_address);
  delay_timer_.cancel();
  poll_timer_.cancel();
  update_sizes();
  update_thresholds();
}

void IxgbRx::rctl_written(std::uint32_t value) {
  const bool pass_control = (value & regs::kRctlFields.cff) == 0;
  parts_.mac.set_pass_control(false, pass_control);
  control(value, 2048U << regs::kRctlFields.bsize.get(value));
}

void IxgbRx::doorbell_written(std::uint32_t value) {
  ring_doorbell(regs::kRdtFields.rdt.get(value));
  if ((value & regs::kRdtFields.fpdb) != 0) timer_expired();
}

std::uint32_t IxgbRx::largest_frame(bool tagged) const {
  const bool jumbo = parts_.ctrl0.has(regs::kCtrl0Fields.jfe);
  return (jumbo ? parts_.mfs.get(regs::kMfsFields.mfs) : kStandardFrameBytes) +
         (tagged ? kVlanTagBytes : 0);
}

void IxgbRx::update_sizes() { parts_.mac.set_max_frame(largest_frame(true)); }

void IxgbRx::update_thresholds() {
  const std::uint32_t high = fcrth_.value() & regs::kFcrthFields.rth;
  const std::uint32_t low = std::min(fcrtl_.value() & regs::kFcrtlFields.rtl, high);
  const auto quanta = static_cast<std::uint16_t>(parts_.pap.get(regs::kPapFields.txpc));
  const bool send = parts_.ctrl0.has(regs::kCtrl0Fields.tpe) && high != 0 && quanta != 0;
  set_pause(send, high, low, quanta, (fcrtl_.value() & regs::kFcrtlFields.xone) != 0);
}

void IxgbRx::count_good(const Frame& frame, std::uint32_t octets, bool tagged) {
  const bool jumbo = octets > kStandardFrameBytes + (tagged ? kVlanTagBytes : 0);
  parts_.stats.received_good(cast_of(frame), octets, tagged, jumbo,
                             rctl_.has(regs::kRctlFields.mpe));
}

void IxgbRx::count_refused(RxFault fault, bool damaged) {
  IxgbStats& stats = parts_.stats;
  if (fault == RxFault::kBadFcs) stats.count(stats.crc_errors);
  if (fault == RxFault::kRunt && !damaged) stats.count(stats.receive_undersize);
  if (fault == RxFault::kOversize)
    stats.count(damaged ? stats.receive_jabber : stats.receive_oversize);
}

void IxgbRx::count_missed() {
  parts_.stats.count(parts_.stats.missed_packets);
  parts_.interrupts.post(regs::kCauseFields.rxo);
}

void IxgbRx::packet_written() {
  std::uint32_t delay = rdtr_.value() & 0xffff;
  if (raidc_.has(regs::kRaidcFields.en)) {
    const std::uint32_t v = raidc_.value();
    delay = regs::kRaidcFields.delay.get(v);
    const bool backlog = ring().available() <= regs::kRaidcFields.highthrs.get(v) * 8;
    if (backlog) {
      poll_timer_.start_if_idle(delay_of(parts_.params, regs::kRaidcFields.poll.get(v)));
      if ((v & regs::kRaidcFields.rxt_gate) != 0) return;
    }
  }
  if (parts_.params.rx_timer_restarts()) {
    delay_timer_.restart(delay_of(parts_.params, delay));
  } else {
    delay_timer_.start_if_idle(delay_of(parts_.params, delay));
  }
}

}  // namespace longhaul::nic::ixgb
