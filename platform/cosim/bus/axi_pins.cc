// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_pins.h"

#include "platform/cosim/bus/bus_width.h"

namespace longhaul::cosim {
namespace {

void give_default(Pin& pin, std::uint64_t value, std::uint32_t width) {
  if (!pin) pin = Pin::fixed(value, width);
}

void take_handshake(AxiSample::Handshake& to, const Pin& valid, const Pin& ready) {
  to.valid = valid.high();
  to.ready = ready.high();
}

void take_address(AxiSample::Address& to, const AxiAddressPins& pins) {
  take_handshake(to, pins.valid, pins.ready);
  if (!to.valid) return;
  AxiBurst& burst = to.burst;
  burst.id = pins.id.get();
  burst.addr = pins.addr.get();
  burst.beats = static_cast<std::uint16_t>(pins.len.get() + 1);
  burst.size = static_cast<std::uint8_t>(pins.size.get());
  burst.type = static_cast<AxiBurstType>(pins.burst.get() & 3U);
  burst.lock = static_cast<std::uint8_t>(pins.lock.get());
  burst.cache = static_cast<std::uint8_t>(pins.cache.get());
  burst.prot = static_cast<std::uint8_t>(pins.prot.get());
  burst.qos = static_cast<std::uint8_t>(pins.qos.get());
  burst.region = static_cast<std::uint8_t>(pins.region.get());
}

}  // namespace

AxiPins AxiPins::completed(const std::string& prefix) const {
  AxiPins pins = *this;
  const std::uint32_t bytes = bus_word_bytes(w.data, r.data, kMostBytes, prefix);
  std::uint32_t size = 0;
  while (1U << size < bytes) ++size;
  for (AxiAddressPins* channel : {&pins.aw, &pins.ar}) {
    give_default(channel->len, 0, 8);
    give_default(channel->size, size, 3);
    give_default(channel->burst, static_cast<std::uint64_t>(AxiBurstType::kIncr), 2);
  }
  give_default(pins.w.strb, low_bits(bytes), bytes);
  give_default(pins.w.last, 1, 1);
  give_default(pins.r.last, 1, 1);
  return pins;
}

void AxiSample::take(const AxiPins& pins) {
  reset = pins.reset.active();
  const bool was_quiet = quiet;
  quiet = !(reset || pins.aw.valid.high() || pins.w.valid.high() || pins.b.valid.high() ||
            pins.ar.valid.high() || pins.r.valid.high());
  still = quiet && was_quiet;
  if (still) return;  // all handshakes are unchanged: not valid
  take_address(aw, pins.aw);
  take_address(ar, pins.ar);
  take_handshake(w, pins.w.valid, pins.w.ready);
  if (w.valid) {
    w.last = pins.w.last.high();
    w.strb = pins.w.strb.get();
    pins.w.data.load(w.data.data());
  }
  take_handshake(b, pins.b.valid, pins.b.ready);
  if (b.valid) {
    b.id = pins.b.id.get();
    b.resp = static_cast<AxiResponse>(pins.b.resp.get() & 3U);
  }
  take_handshake(r, pins.r.valid, pins.r.ready);
  if (r.valid) {
    r.last = pins.r.last.high();
    r.id = pins.r.id.get();
    r.resp = static_cast<AxiResponse>(pins.r.resp.get() & 3U);
    pins.r.data.load(r.data.data());
  }
}

}  // namespace longhaul::cosim
