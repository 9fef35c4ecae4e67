// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_pins.h"

#include "platform/cosim/bus/bus_width.h"

namespace longhaul::cosim {
namespace {

void give_default(Pin& pin, std::uint64_t value, std::uint32_t width) {
  if (!pin) pin = Pin::fixed(value, width);
}

void take_address(AxiBurst& burst, const AxiAddressPins& pins) {
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

AxiHandshakes::AxiHandshakes(const AxiPins& pins)
    : valid_{bit(pins.aw.valid), bit(pins.w.valid), bit(pins.b.valid), bit(pins.ar.valid),
             bit(pins.r.valid)},
      reset_(bit(pins.reset.pin ? pins.reset.pin : Pin())),
      // An unconnected pin reads as low.
      reset_level_(pins.reset.active_low && pins.reset.pin ? 0 : 1),
      ready_{bit(pins.aw.ready), bit(pins.w.ready), bit(pins.b.ready), bit(pins.ar.ready),
             bit(pins.r.ready)} {}

AxiHandshakes::Bit AxiHandshakes::bit(const Pin& pin) { return {pin.byte(), pin.byte_shift()}; }

void AxiSample::take_rest(const AxiHandshakes& handshakes, const AxiPins& pins) {
  ready = handshakes.ready();
  if ((valid & kAxiAw) != 0) take_address(aw, pins.aw);
  if ((valid & kAxiAr) != 0) take_address(ar, pins.ar);
  if ((valid & kAxiW) != 0) {
    w.last = pins.w.last.high();
    w.strb = pins.w.strb.get();
    pins.w.data.load(w.data.data());
  }
  if ((valid & kAxiB) != 0) {
    b.id = pins.b.id.get();
    b.resp = static_cast<AxiResponse>(pins.b.resp.get() & 3U);
  }
  if ((valid & kAxiR) != 0) {
    r.last = pins.r.last.high();
    r.id = pins.r.id.get();
    r.resp = static_cast<AxiResponse>(pins.r.resp.get() & 3U);
    pins.r.data.load(r.data.data());
  }
}

}  // namespace longhaul::cosim
