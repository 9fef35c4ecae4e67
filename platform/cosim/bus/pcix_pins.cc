// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/pcix_pins.h"

namespace longhaul::cosim {

PcixClock PcixPins::driven() const {
  namespace group = pcix_group;
  PcixClock share;
  const auto drives = [&](const Pin& enable, std::uint32_t bit) {
    if (!enable.high()) return false;
    share.drives |= bit;
    return true;
  };
  const auto low = [](const Pin& pin) { return !pin.high(); };
  if (drives(ad.enable, group::kAd) | drives(ad64_oe, group::kAd64)) share.ad = ad.out.get();
  if (drives(cbe.enable, group::kCbe) | drives(cbe64_oe, group::kCbe64))
    share.cbe = static_cast<std::uint8_t>(cbe.out.get());
  if (drives(par.enable, group::kPar)) share.par = par.out.high();
  if (drives(par64.enable, group::kPar64)) share.par64 = par64.out.high();
  if (drives(frame.enable, group::kFrame)) share.frame = low(frame.out);
  if (drives(irdy.enable, group::kIrdy)) share.irdy = low(irdy.out);
  if (drives(trdy.enable, group::kTarget)) {
    share.trdy = low(trdy.out);
    share.stop = low(stop.out);
    share.devsel = low(devsel.out);
  }
  if (drives(req64.enable, group::kReq64)) share.req64 = low(req64.out);
  if (drives(ack64.enable, group::kAck64)) share.ack64 = low(ack64.out);
  if (drives(perr.enable, group::kPerr)) share.perr = low(perr.out);
  return share;
}

void PcixPins::show(const PcixClock& bus) {
  const auto level = [](bool asserted) -> std::uint64_t { return asserted ? 0 : 1; };
  ad.in.set(bus.ad);
  cbe.in.set(bus.cbe);
  par.in.set(bus.par ? 1 : 0);
  par64.in.set(bus.par64 ? 1 : 0);
  frame.in.set(level(bus.frame));
  irdy.in.set(level(bus.irdy));
  trdy.in.set(level(bus.trdy));
  stop.in.set(level(bus.stop));
  devsel.in.set(level(bus.devsel));
  req64.in.set(level(bus.req64));
  ack64.in.set(level(bus.ack64));
  perr.in.set(level(bus.perr));
}

void PcixPins::show_pattern(bool trdy_low, bool stop_low, bool wide) {
  PcixClock pattern;
  pattern.trdy = trdy_low;
  pattern.stop = stop_low;
  pattern.req64 = wide;
  show(pattern);
  gnt.set(1);
  idsel.set(0);
}

}  // namespace longhaul::cosim
